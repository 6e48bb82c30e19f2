"""What a supervisor tells its host of one program, as lines of JSON: that it began, or why not, and how it ended.

Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import json
from enum import StrEnum
from typing import NamedTuple

from .fields import Fields

_LINE_END = b"\n"


class Stop(StrEnum):
    """Why a program came to its end, in the supervisor's words."""

    EXITED = "exited"
    KILLED = "killed"
    TIMED_OUT = "timed_out"
    CPU_EXCEEDED = "cpu_exceeded"
    MEMORY_EXCEEDED = "memory_exceeded"
    MAPPINGS_EXCEEDED = "mappings_exceeded"
    TASKS_EXCEEDED = "tasks_exceeded"
    OUTPUT_EXCEEDED = "output_exceeded"
    SCRATCH_EXCEEDED = "scratch_exceeded"
    ENDED_BY_HOST = "ended_by_host"


class Begun(NamedTuple):
    """The program is confined, and about to be executed."""


class Refused(NamedTuple):
    """There is no program, for this reason."""

    reason: str


class Reaped(NamedTuple):
    """What `wait` said of the program, and what it and all it started used."""

    status: int
    cpu_seconds: float
    peak_memory_bytes: int


class Moved(NamedTuple):
    """The bytes that went from and to a disk."""

    read_bytes: int
    written_bytes: int


class Ended(NamedTuple):
    """The whole record of a program; `tree_memory_bytes` is the most that all of it was seen to hold together.

    Nothing is said of the disk where the kernel does not count it.
    """

    stop: Stop
    wall_seconds: float
    tree_memory_bytes: int
    reaped: Reaped
    moved: Moved | None


Report = Begun | Refused | Ended


def encoded(report: Report) -> bytes:
    """Return a report as one line."""
    return json.dumps(_document(report)).encode() + _LINE_END


def decoded(line: bytes) -> Report:
    """Return the report that `encoded` wrote; raises `ValueError` for anything else."""
    fields = Fields.decoded(line)
    if fields.has("begun"):
        return Begun()
    if fields.has("refused"):
        return Refused(fields.text("refused"))
    return Ended(
        stop=Stop(fields.text("stop")),
        wall_seconds=fields.real("wall_seconds"),
        tree_memory_bytes=fields.number("tree_memory_bytes"),
        reaped=Reaped(fields.number("status"), fields.real("cpu_seconds"), fields.number("peak_memory_bytes")),
        moved=Moved(fields.number("read_bytes"), fields.number("written_bytes")) if fields.has("read_bytes") else None,
    )


def _document(report: Report) -> dict[str, object]:
    match report:
        case Begun():
            return {"begun": True}
        case Refused(reason):
            return {"refused": reason}
        case Ended(stop, wall_seconds, tree_memory_bytes, reaped, moved):
            own = {"stop": stop, "wall_seconds": wall_seconds, "tree_memory_bytes": tree_memory_bytes}
            return {**own, **reaped._asdict(), **(moved._asdict() if moved else {})}
