"""Advice about files, network and processes, alike for every language."""

from __future__ import annotations

import posixpath
import re
from pathlib import PurePosixPath

from jupyter_mcpgen.model.guidance import CodeExample, ErrorGuidance, ErrorType
from jupyter_mcpgen.sandbox.guidance.rules.advice import advice, example, quoted
from jupyter_mcpgen.sandbox.guidance.rules.ending import Ending, Surroundings
from jupyter_mcpgen.sandbox.guidance.rules.words import nearest

_IN_QUOTES = re.compile(r"'([^'\n]{1,1000})'|\"([^\"\n]{1,1000})\"")
_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|\\")


def paths_in(message: str) -> tuple[str, ...]:
    """Return what stands in quotes in a message about files."""
    return tuple(single or double for single, double in _IN_QUOTES.findall(message))


def outside(path: str, place: Surroundings) -> bool:
    """Return whether a path leads out of the workspace and of everything that may be read."""
    if _WINDOWS.match(path):
        return True
    target = PurePosixPath(posixpath.normpath(posixpath.join(place.workspace, path)))
    return not any(target.is_relative_to(folder) for folder in (place.workspace, *place.readable))


def path_restriction(path: str, ending: Ending) -> ErrorGuidance:
    """Point from a path outside to the workspace."""
    place = ending.surroundings
    name = re.split(r"[\\/]", path.rstrip("\\/"))[-1].lstrip(".") or "data.txt"
    also = f" Files under {_listed(place.readable)} can be read." if place.readable else ""
    return advice(
        ErrorType.PATH_RESTRICTION,
        f"The path {quoted(path)} is outside the sandbox: code sees its workspace `{place.workspace}` "
        f"and nothing else of the machine.{also}",
        f"Use a relative path, such as {quoted(name)}: it starts at `{place.workspace}`.",
        "Put the file into the workspace before the run, or pass its content in the code.",
        examples=_opened(path, name, ending),
    )


def file_not_found(path: str | None, ending: Ending) -> ErrorGuidance:
    """Name the file that is not there, and the nearest one that is."""
    known = ending.names
    offer = nearest(path, known).strip() if path else ""
    return advice(
        ErrorType.FILE_NOT_FOUND,
        f"There is no file {quoted(path)} in the workspace `{ending.surroundings.workspace}`."
        if path
        else "A file is not there.",
        offer,
        f"Files there: {_listed(known[:12])}." if known and not offer else None,
        "List the workspace first, or write the file before it is read; upper and lower case differ.",
        examples=example(
            "df = pd.read_csv('Sales.csv')",
            "import os\nprint(os.listdir('.'))\ndf = pd.read_csv('sales.csv')",
            "List what is there, then read it by its exact name.",
        ),
    )


def permission_denied(path: str | None, ending: Ending) -> ErrorGuidance:
    """Say where the code may write."""
    place = ending.surroundings
    return advice(
        ErrorType.PERMISSION_DENIED,
        f"{quoted(path)} may not be used in this way." if path else "The sandbox refuses this operation.",
        f"Write only inside the workspace `{place.workspace}`"
        + (f"; {_listed(place.readable)} can be read and not written." if place.readable else "."),
        "Rights, owners, links and mounts cannot be changed here: leave out `chmod`, `chown` and the like "
        "(`shutil.copyfile` copies without them).",
        examples=example(
            "df.to_csv('/data/result.csv')", "df.to_csv('result.csv')", "A relative path is inside the workspace."
        ),
    )


def network_denied(ending: Ending) -> ErrorGuidance:
    """Say that there is no network, and where data comes from instead."""
    python, reads = ending.language == "python", ending.surroundings.javascript.reads.format(path="'a.json'")
    return advice(
        ErrorType.NETWORK_DENIED,
        "There is no network in the sandbox, and no setting of the code changes that.",
        "Fetch the data outside, put it into the workspace as a file, and read that file.",
        examples=example(
            "df = pd.read_csv('https://example.org/sales.csv')"
            if python
            else "await fetch('https://example.org/a.json')",
            "df = pd.read_csv('sales.csv')" if python else f"JSON.parse({reads})",
            "The file was put into the workspace before the run.",
        ),
    )


def shared_memory_denied() -> ErrorGuidance:
    """Say that memory without a file is this process's own, and how to ask for such."""
    return advice(
        ErrorType.PERMISSION_DENIED,
        "Memory that is shared without a file is refused: it could not be counted for the program that holds it.",
        "Map private memory, `mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)`, or use a `bytearray`.",
        "To share with a child, map a file of the workspace; a child that is forked has a copy of private memory.",
        examples=example(
            "buffer = mmap.mmap(-1, size)",
            "buffer = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)",
            "`mmap.mmap(-1, size)` alone asks for shared memory.",
        ),
    )


def _opened(path: str, name: str, ending: Ending) -> tuple[CodeExample, ...]:
    if ending.language == "javascript":
        opens = ending.surroundings.javascript.opens
        return example(
            opens.format(path=repr(path[:200])),
            opens.format(path=repr(name[:200])),
            "A relative path starts in the workspace.",
        )
    return example(f"open({path[:200]!r})", f"open({name[:200]!r})", "A relative path starts in the workspace.")


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)
