"""The compilers' and interpreters' own look at a file; nothing is linked, and nothing of it runs.

A library that the project has and this machine has not says nothing about the code, so a file that could not be read to
its end for want of one is said to be unchecked.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from .found import ERROR, WARNING, Checked, Edit, Files, Flaw, Found, Programs

GNU = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+): (?P<kind>fatal error|error|warning): (?P<says>.*?)"
    r"(?: \[(?P<rule>-W[\w=+-]+)\])?$",
    re.MULTILINE,
)
JAVA = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+): (?P<kind>error|warning): (?P<says>.*)$", re.MULTILINE)
GO = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+): (?P<says>.*)$", re.MULTILINE)
BASH = re.compile(r"^(?P<file>[^:\n]+): line (?P<line>\d+): (?:(?P<kind>warning): )?(?P<says>.*)$", re.MULTILINE)
NODE = re.compile(r"^(?P<file>.+):(?P<line>\d+)$\n(?:.*\n){0,3}^(?P<says>SyntaxError: .*)$", re.MULTILINE)
FIX = re.compile(
    r'^fix-it:"(?P<file>[^"\n]+)":\{(?P<line>\d+):(?P<column>\d+)-(?P<end_line>\d+):(?P<end_column>\d+)\}:"(?P<text>.*)"$',
    re.MULTILINE,
)
"""How the GNU compilers say how they would mend something, below what they say of it."""
NOT_HERE = re.compile(r"(\S+): No such file or directory")
SEVERITIES = {"fatal error": ERROR, "error": ERROR, "warning": WARNING}
MODULE = re.compile(
    r"SyntaxError: (?:Cannot use import statement|Unexpected token 'export'|Cannot use 'import\.meta'|await is only)"
)
"""What Node says of a module that is read as a script."""
HEADERS = (".h", ".hh", ".hpp")
LONGEST = 300
SECONDS_A_FILE = 60
NO_MAIN = "E0601"
"""What Rust says of a program that begins nowhere, such as one whose `main` is in a module."""
UNRESOLVED = ("E0432", "E0433", "E0463", "E0583")
"""What Rust says of crates and modules that it cannot find."""


def gcc(files: Files, programs: Programs) -> Checked:
    """Return what the C compiler finds."""
    return {file: _gnu(file, programs["gcc"], "c") for file in files}


def gxx(files: Files, programs: Programs) -> Checked:
    """Return what the C++ compiler finds."""
    return {file: _gnu(file, programs["g++"], "c++") for file in files}


def javac(files: Files, programs: Programs) -> Checked:
    """Return what Java cannot parse; what it would look for in other files is not looked for."""
    stop = ("-XDshould-stop.ifError=PARSE", "-XDshould-stop.ifNoError=PARSE")
    options = ("-encoding", "UTF-8", "-proc:none", "-d", os.environ["HOME"])
    memory = ("-J-Xmx256m", "-J-XX:+UseSerialGC", "-J-XX:-UsePerfData", "-J-XX:-UseContainerSupport")
    said = _said([programs["javac"], *memory, *stop, *options, *files])
    found = {file: Found(_flaws(JAVA, file, said.text)) for file in files}
    if said.text.strip() and not any(one.flaws for one in found.values()):
        return {file: _found([], said) for file in files}
    return found


def node(files: Files, programs: Programs) -> Checked:
    """Return what JavaScript cannot parse, neither as a script nor as a module.

    Node itself would guess which of both a file is, and does not check what it takes for a module.
    """
    found = {}
    for file in files:
        said = _parsed_as(file, ".cjs", programs) if not file.endswith(".mjs") else _parsed_as(file, ".mjs", programs)
        if said.is_failure and file.endswith(".js"):
            as_module = _parsed_as(file, ".mjs", programs)
            said = as_module if not as_module.is_failure or MODULE.search(said.text) else said
        found[file] = _found([
            Flaw(ERROR, int(one["line"]), 1, "syntax", one["says"].removeprefix("SyntaxError: "))
            for one in NODE.finditer(said.text)
        ], said)  # fmt: skip
    return found


def _parsed_as(file: str, ending: str, programs: Programs) -> Said:
    copied = os.path.join(os.environ["HOME"], f"parsed{ending}")
    shutil.copyfile(file, copied)
    return _said([programs["node"], "--check", copied])


def gofmt(files: Files, programs: Programs) -> Checked:
    """Return what Go cannot parse."""
    return {file: _each(GO, file, [programs["gofmt"], "-e", "-l", file]) for file in files}


def bash(files: Files, programs: Programs) -> Checked:
    """Return what the shell cannot parse."""
    return {file: _each(BASH, file, [programs["bash"], "-n", file]) for file in files}


def rustc(files: Files, programs: Programs) -> Checked:
    """Return what the Rust compiler finds; without the crates of a project, only what it cannot parse.

    A module is seen by itself and by what it belongs to, and the same flaw of it is told once.
    """
    flaws: dict[str, list[Flaw]] = {file: [] for file in files}
    unchecked = {}
    for file in files:
        found, unchecked[file] = _rust(file, programs["rustc"])
        for place, flaw in found:
            if flaw not in flaws.get(place, [flaw]):
                flaws[place].append(flaw)
    return {file: Found(flaws[file], unchecked=unchecked[file]) for file in files}


def _gnu(file: str, program: str, language: str) -> Found:
    found = _compiled(file, program, language)
    if file.endswith(".h") and (found.unchecked is not None or any(flaw.severity == ERROR for flaw in found.flaws)):
        as_other = _compiled(file, program, "c++")  # nothing in its name says which of both languages it is in
        return found if as_other.unchecked or any(flaw.severity == ERROR for flaw in as_other.flaws) else as_other
    return found


def _compiled(file: str, program: str, language: str) -> Found:
    """Return what is found in one file; a header is included, as it is in real life."""
    options = ("-fsyntax-only", "-fdiagnostics-parseable-fixits", "-Wall", "-Wextra", "-x", language, "-I.")
    is_header = file.endswith(HEADERS)
    said = _said(
        [program, *options, "-Iinclude", "-" if is_header else file], f'#include "{file}"\n' if is_header else ""
    )
    flaws = _flaws(GNU, file, said.text)
    lacking = [named for flaw in flaws for named in NOT_HERE.findall(flaw.message)]
    if lacking:
        return Found(unchecked=f"`{lacking[0]}` is neither among the files nor installed here")
    return _found(flaws, said)


def _rust(file: str, program: str) -> tuple[list[tuple[str, Flaw]], str | None]:
    """Return flaws with their files, of one file and its modules, and why it was not checked, if it was not.

    What has a `main` that nothing uses is a program, which begins there. All else is a library: nothing uses what it
    offers, and that is no flaw.
    """
    said = _crate(file, program, "lib")
    if any(_names(row, "dead_code", "main") for row in said.rows):
        as_program = _crate(file, program, "bin")
        said = said if NO_MAIN in _codes(as_program) else as_program
    unresolved = bool({*UNRESOLVED}.intersection(_codes(said)))
    named = [row for row in said.rows if row.get("spans") and row["level"] in SEVERITIES]
    flaws = [_rusty(row) for row in named if not (unresolved and row["code"])]
    if unresolved and not flaws:
        return [], "it uses crates or modules that are not there"
    told = "\n".join(str(row.get("message", "")) for row in said.rows)
    return flaws, _found([flaw for _, flaw in flaws], Said(told, said.is_failure)).unchecked


class Crate(NamedTuple):
    """What the Rust compiler wrote of a crate, and whether it failed."""

    rows: list[dict[str, Any]]
    is_failure: bool


def _crate(file: str, program: str, kind: str) -> Crate:
    # Metadata would be made in one folder and moved to another, which Landlock refuses.
    made = os.path.join(os.environ["HOME"], "made.mir")
    said = _said([
        program, "--edition", "2021", "--crate-type", kind, "--error-format=json", "--emit=mir", "-o", made, file,
    ])  # fmt: skip
    return Crate([json.loads(line) for line in said.text.splitlines() if line.startswith("{")], said.is_failure)


def _names(row: dict[str, Any], code: str, name: str) -> bool:
    """Return whether a row of this code is about a name."""
    places = [part for span in row.get("spans", ()) for part in span["text"]] if _code(row) == code else []
    return any(part["text"][part["highlight_start"] - 1 : part["highlight_end"] - 1] == name for part in places)


def _code(row: dict[str, Any]) -> str | None:
    return row["code"]["code"] if row.get("code") else None


def _codes(said: Crate) -> list[str]:
    return [code for code in map(_code, said.rows) if code is not None]


def _rusty(row: dict[str, Any]) -> tuple[str, Flaw]:
    place = next((span for span in row["spans"] if span["is_primary"]), row["spans"][0])
    rule = _code(row) or "syntax"
    edits = [
        Edit(
            span["line_start"],
            span["column_start"],
            span["line_end"],
            span["column_end"],
            span["suggested_replacement"],
        )
        for child in row["children"]
        for span in child["spans"]
        if span.get("suggestion_applicability") == "MachineApplicable" and span["file_name"] == place["file_name"]
    ]
    flaw = Flaw(
        SEVERITIES[row["level"]], place["line_start"], place["column_start"], rule, row["message"], _told(edits), edits
    )
    return os.path.normpath(place["file_name"]), flaw


def _each(pattern: re.Pattern[str], file: str, command: list[str]) -> Found:
    said = _said(command)
    return _found(_flaws(pattern, file, said.text), said)


def _found(flaws: list[Flaw], said: Said) -> Found:
    """Return flaws; a program that failed and says of nothing in the file why did not check it to its end."""
    if flaws or not said.is_failure:
        return Found(flaws)
    lines = [line for line in said.text.splitlines() if line.strip()]
    why = next((line for line in lines if "error" in line), lines[-1] if lines else "it gave no answer")
    return Found(unchecked=why.strip()[:LONGEST])


def _flaws(pattern: re.Pattern[str], file: str, said: str) -> list[Flaw]:
    flaws = []
    for one in pattern.finditer(said):
        parts = one.groupdict()
        if os.path.normpath(parts["file"]) == os.path.normpath(file):
            severity = SEVERITIES.get(parts.get("kind") or "error", ERROR)
            rule = parts.get("rule") or "syntax"
            column, edits = int(parts.get("column") or 1), _fixes(file, said, one.end(), pattern)
            flaws.append(Flaw(severity, int(parts["line"]), column, rule, parts["says"], _told(edits), edits))
    return flaws


def _told(edits: list[Edit]) -> str | None:
    """Return what the compiler would write, in words."""
    written = ", ".join(f"`{edit.text.strip()}`" for edit in edits if edit.text.strip())
    return f"The compiler would write {written}." if written else None


def _fixes(file: str, said: str, begin: int, pattern: re.Pattern[str]) -> list[Edit]:
    """Return the fixes that follow one message, up to the next one; the compiler counts columns in bytes."""
    following = pattern.search(said, begin)
    end = following.start() if following else len(said)
    found = list(FIX.finditer(said, begin, end))
    lines = Path(file).read_bytes().splitlines() if found else []

    def column(line: str, byte: str) -> int:
        before = lines[int(line) - 1][: int(byte) - 1] if int(line) <= len(lines) else b""
        return int(byte) - len(before) + len(before.decode("utf-8", "replace"))

    return [
        Edit(
            int(one["line"]),
            column(one["line"], one["column"]),
            int(one["end_line"]),
            column(one["end_line"], one["end_column"]),
            _unescaped(one["text"]),
        )
        for one in found
    ]


def _unescaped(text: str) -> str:
    return text.replace('\\"', '"').replace("\\n", "\n").replace("\\t", "\t").replace("\\\\", "\\")


class Said(NamedTuple):
    """What a program wrote, and whether it failed."""

    text: str
    is_failure: bool


def _said(command: list[str], given: str = "") -> Said:
    done = subprocess.run(  # noqa: S603  # the arguments are ours, and this runs in the sandbox
        command,
        input=given.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=SECONDS_A_FILE,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        check=False,
    )
    return Said(done.stdout.decode("utf-8", "replace"), done.returncode != 0)
