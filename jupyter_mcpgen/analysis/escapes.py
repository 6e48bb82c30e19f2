"""IPython's additions to Python, found in the text before Python parses it: `!command`, `%magic`, `%%cell`, `name?`.

A line counts only where a statement can start: not inside a string, a bracket, a comment or a continued line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

_SHELL = re.compile(r"^\s*(?P<text>!.*)$")
_MAGIC = re.compile(r"^(?P<indent>\s*)%(?P<name>[A-Za-z_]\w*)(?P<rest>.*)$")
_CELL_MAGIC = re.compile(r"^%%(?P<name>\S*)(?P<rest>.*)$")
_ASSIGNED = re.compile(r"^(?P<indent>\s*)[A-Za-z_][\w.\s,*\[\]]*=\s*(?P<escape>!.*|%[A-Za-z_].*)$")
_HELP = re.compile(r"^\s*(\?{1,2}\s*[\w.*]+|%{0,2}[A-Za-z_][\w.*]*\?{1,2})\s*$")
_OPTIONS = re.compile(r"^\s*(-[A-Za-z]+(\s*\d+)?\s+)*")
_QUOTE = re.compile(r"'''|\"\"\"|'|\"")

SHELL_CELLS = frozenset({"bash", "sh", "script", "cmd", "system", "sx", "!", "perl", "ruby", "powershell", "pwsh"})
SHELL_MAGICS = frozenset({"sx", "system", "sc", "alias", "rehashx", "pip", "conda", "mamba", "uv", "ls", "cat", "rm"})
TIMING = frozenset({"time", "timeit", "prun", "capture"})


class EscapeKind(Enum):
    """What an escape asks IPython to do."""

    SHELL = "shell"
    MAGIC = "magic"
    HELP = "help"


@dataclass(frozen=True)
class Escape:
    """One escape: what it is, the magic's name where it has one, and its line."""

    kind: EscapeKind
    name: str
    text: str
    line: int


@dataclass(frozen=True)
class PlainSource:
    """Source with every escape replaced by Python of the same lines, and the escapes that were there."""

    python: str
    escapes: tuple[Escape, ...]


def plain_source(source: str) -> PlainSource:
    """Separate IPython's escapes from the Python around them; line numbers stay as they are."""
    lines = source.split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    cell = _CELL_MAGIC.match(lines[first])
    escapes: list[Escape] = []
    if cell:
        escapes.append(_cell_escape(cell, first + 1))
        if cell["name"] not in TIMING:
            return PlainSource("", tuple(escapes))
        timed = cell["name"] in ("time", "timeit")
        lines[first] = _OPTIONS.sub("", cell["rest"]) if timed else ""
    python = list(_python_lines(lines, escapes))
    return PlainSource("\n".join(python), tuple(escapes))


def _cell_escape(cell: re.Match[str], line: int) -> Escape:
    kind = EscapeKind.SHELL if cell["name"] in SHELL_CELLS else EscapeKind.MAGIC
    return Escape(kind, cell["name"], cell[0].strip(), line)


def _python_lines(lines: list[str], escapes: list[Escape]) -> Iterator[str]:
    reader = _Reader()
    swallowing = False
    for number, line in enumerate(lines, 1):
        if swallowing:
            swallowing = line.endswith("\\")
            yield ""
            continue
        found = _escape(line, number) if reader.at_statement else None
        if found is None:
            reader.read(line)
            yield line
            continue
        escape, python = found
        escapes.append(escape)
        # IPython joins the lines of an escape before it runs it, so what follows a backslash belongs to it.
        swallowing = line.endswith("\\")
        yield python


def _escape(line: str, number: int) -> tuple[Escape, str] | None:
    """Return the escape on a line with the Python that stands in for it, or nothing."""
    indent = line[: len(line) - len(line.lstrip())]
    if shell := _SHELL.match(line):
        return Escape(EscapeKind.SHELL, "!", shell["text"], number), f"{indent}pass"
    if _HELP.match(line):
        return Escape(EscapeKind.HELP, "?", line.strip(), number), f"{indent}pass"
    if magic := _MAGIC.match(line):
        return _magic(magic["name"], magic["rest"], line.strip(), number), indent + _timed(magic["name"], magic["rest"])
    if assigned := _ASSIGNED.match(line):
        text = assigned["escape"]
        if text.startswith("!"):
            return Escape(EscapeKind.SHELL, "!", text, number), f"{indent}pass"
        name, _, rest = text[1:].partition(" ")
        return _magic(name, rest, text, number), indent + _timed(name, rest)
    return None


def _magic(name: str, rest: str, text: str, number: int) -> Escape:
    kind = EscapeKind.SHELL if name in SHELL_MAGICS else EscapeKind.MAGIC
    return Escape(kind, name, text, number)


def _timed(name: str, rest: str) -> str:
    """Return the statement that a timing magic runs, so that it is checked like any other."""
    statement = _OPTIONS.sub("", rest).strip() if name in TIMING else ""
    return statement or "pass"


class _Reader:
    """Follows strings, brackets and continuations through the lines, to know where a statement can start."""

    def __init__(self) -> None:
        self._quote = ""
        self._depth = 0
        self._continued = False

    @property
    def at_statement(self) -> bool:
        """True when the next line starts a statement."""
        return not self._quote and self._depth == 0 and not self._continued

    def read(self, line: str) -> None:
        """Take one line into account."""
        position = 0
        while position < len(line):
            position = self._in_string(line, position) if self._quote else self._in_code(line, position)
        self._continued = line.endswith("\\") and not self._quote
        if len(self._quote) == 1 and not line.endswith("\\"):
            self._quote = ""

    def _in_string(self, line: str, position: int) -> int:
        if line[position] == "\\":
            return position + 2
        if line.startswith(self._quote, position):
            position += len(self._quote)
            self._quote = ""
            return position
        return position + 1

    def _in_code(self, line: str, position: int) -> int:
        character = line[position]
        if character == "#":
            return len(line)
        if quote := _QUOTE.match(line, position):
            self._quote = quote[0]
            return quote.end()
        if character in "([{":
            self._depth += 1
        elif character in ")]}":
            self._depth = max(0, self._depth - 1)
        return position + 1
