"""Reading standard error: at most 10 KB of it, the end first, for the exception that the program ended with."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

MOST_READ = 10 * 1024
LONGEST_MESSAGE = 1_000  # patterns are searched in it, and one may take a step per letter and length of a name
_TAIL = 8 * 1024  # Python ends with the exception; the rest is for programs that went on talking after it

_TRACEBACK = "Traceback (most recent call last):"
_FRAME = re.compile(r'\s+File "(?P<file>[^"]*)", line (?P<line>\d+)')
_PYTHON = re.compile(r"(?P<name>[A-Za-z_][\w.]{0,120})(?:: (?P<message>.*))?$")
_PYTHON_ALONE = re.compile(r"(?P<name>[A-Za-z_][\w.]{0,120}(?:Error|Exception))(?:: (?P<message>.*))?$")
_JAVASCRIPT = re.compile(r"(?:Uncaught )?(?P<name>(?:[A-Z]\w{0,60})?Error)(?: \[\w+\])?: (?P<message>.*)$")
_PLACE = re.compile(r"\s+at (?!.*\bnode:).*?:(?P<line>\d+)(?::\d+)?\)?$")
_ABOVE = re.compile(r"(?!node:)\S.*\.[cm]?js:(?P<line>\d+)$")  # Node puts the place of the mistake above all else
_LIBRARY = re.compile(r"site-packages|dist-packages|/lib/python|^<frozen |\.(?:pyx|pxi|pxd)$")
_GO = re.compile(r"(?P<name>panic|fatal error): (?P<message>.*)$")
_GO_PLACE = re.compile(r"\s+\S{1,400}/main\.go:(?P<line>\d{1,9})\b")
_JAVA = re.compile(r'Exception in thread "[^"]{0,200}" (?P<name>[\w.$]{1,200})(?:: (?P<message>.*))?$')
_JAVA_PLACE = re.compile(r"\s+at (?!java\.|jdk\.|javax\.|sun\.)\S{1,400}\(\w{1,200}\.java:(?P<line>\d{1,9})\)")
_RUST = re.compile(r"thread '[^']{0,200}'.{0,40} panicked at \S{1,400}main\.rs:(?P<line>\d{1,9}):")
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Raised:
    """The exception that ended a program: class, message, the files it passed through, and its line."""

    name: str
    message: str = ""
    files: tuple[str, ...] = ()
    line: int | None = None
    source: str | None = None

    @property
    def short_name(self) -> str:
        """The class without its module."""
        return self.name.rpartition(".")[2]

    @property
    def where(self) -> str:
        """The line in words, to follow a sentence; empty when it is not known."""
        return f" on line {self.line}" if self.line else ""

    def passed(self, *parts: str) -> bool:
        """Return whether a file with one of these names is in the traceback."""
        return any(file.replace("\\", "/").endswith(part) for file in self.files for part in parts)


def read_ends(stderr: str | bytes) -> tuple[str, ...]:
    """Return the pieces to search, in order: all of a short text, or the last 8 KB and then the first 2 KB."""
    if len(stderr) <= MOST_READ:
        return (_text(stderr[:MOST_READ]),)
    return _text(stderr[-_TAIL:]), _text(stderr[: MOST_READ - _TAIL])


def raised_in(stderr: str | bytes, language: str) -> Raised | None:
    """Return the exception that standard error ends with, or begins with, or nothing."""
    find = _FINDERS.get(language)
    if find is None:
        return None
    return next((raised for piece in read_ends(stderr) if (raised := find(piece.splitlines())) is not None), None)


def _text(piece: str | bytes) -> str:
    text = piece.decode("utf-8", "replace") if isinstance(piece, bytes) else piece
    return _COLOURS.sub("", text.encode("utf-8", "replace").decode())


def _python(lines: list[str]) -> Raised | None:
    for number in range(len(lines) - 1, -1, -1):
        match = _PYTHON.match(lines[number])
        if match is not None and (block := _block_before(lines, number)) is not None:
            return _with_place(match["name"], _message(match), block)
    last = next((line for line in reversed(lines) if line.strip()), "")
    match = _PYTHON_ALONE.match(last)
    return None if match is None else Raised(match["name"], _message(match))


def _block_before(lines: list[str], end: int) -> list[str] | None:
    """Return the frames right above an exception's line; `None` if there are none and it is just a line of text."""
    start = end
    while start > 0 and lines[start - 1][:1].isspace():
        start -= 1
    block = lines[start:end]
    headed = start > 0 and lines[start - 1] == _TRACEBACK
    return block if headed or any(_FRAME.match(line) for line in block) else None


def _with_place(name: str, message: str, block: list[str]) -> Raised:
    frames = [(number, match) for number, line in enumerate(block) if (match := _FRAME.match(line))]
    files = tuple(match["file"] for _, match in frames)
    own = next(((at, match) for at, match in reversed(frames) if not _LIBRARY.search(match["file"])), None)
    if own is None:
        return Raised(name, message, files)
    at, match = own
    following = block[at + 1].strip() if at + 1 < len(block) and not _FRAME.match(block[at + 1]) else ""
    source = following if following.strip("~^ ") else None
    return Raised(name, message, files, _line_number(match["line"]), source)


def _javascript(lines: list[str]) -> Raised | None:
    for number in range(len(lines) - 1, -1, -1):
        if (match := _JAVASCRIPT.match(lines[number])) is not None:
            place = next((found for line in lines[number + 1 :] if (found := _PLACE.match(line))), None)
            place = place or next((found for line in reversed(lines[:number]) if (found := _ABOVE.match(line))), None)
            return Raised(match["name"], _message(match), line=_line_number(place["line"]) if place else None)
    return None


def _go(lines: list[str]) -> Raised | None:
    return _first(_GO, _GO_PLACE, lines)


def _java(lines: list[str]) -> Raised | None:
    return _first(_JAVA, _JAVA_PLACE, lines)


def _rust(lines: list[str]) -> Raised | None:
    for number, line in enumerate(lines):
        if (match := _RUST.match(line)) is not None:
            return Raised("panic", "".join(lines[number + 1 : number + 2])[:LONGEST_MESSAGE], line=int(match["line"]))
    return None


def _first(said: re.Pattern[str], placed: re.Pattern[str], lines: list[str]) -> Raised | None:
    """Return the first line that says what happened, with the first place of the program's own after it."""
    for number, line in enumerate(lines):
        if (match := said.match(line)) is not None:
            place = next((found for after in lines[number + 1 :] if (found := placed.match(after))), None)
            return Raised(match["name"], _message(match), line=_line_number(place["line"]) if place else None)
    return None


def _message(match: re.Match[str]) -> str:
    return (match["message"] or "")[:LONGEST_MESSAGE]


def _line_number(digits: str) -> int | None:
    return int(digits) if len(digits) < 10 else None


_FINDERS: dict[str, Callable[[list[str]], Raised | None]] = {
    "python": _python,
    "javascript": _javascript,
    "go": _go,
    "java": _java,
    "rust": _rust,
}
