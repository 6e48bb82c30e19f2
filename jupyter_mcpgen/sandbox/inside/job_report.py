"""What the supervisor of a job tells its host, as lines of JSON: that it waits, that the job is confined, how it ended.

Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from .fields import Fields

_LINE_END = b"\n"


class Waits(NamedTuple):
    """The supervisor and the job are there, by their ids, and wait for an order."""

    supervisor: int
    job: int


class Confined(NamedTuple):
    """The job is confined and begins; so much memory it has from the process that it was forked from."""

    inherited_memory_bytes: int


class Unconfined(NamedTuple):
    """There is no job, for this reason."""

    reason: str


class JobEnded(NamedTuple):
    """The whole record of a job: what `wait` said, and what it used.

    Nothing is said of the bytes that it moved where the kernel does not count them.
    """

    status: int
    timed_out: bool
    cpu_seconds: float
    peak_memory_bytes: int
    read_bytes: int | None = None
    written_bytes: int | None = None


JobReport = Waits | Confined | Unconfined | JobEnded


def encoded(report: JobReport) -> bytes:
    """Return a report as one line."""
    return json.dumps({"kind": type(report).__name__, **report._asdict()}).encode() + _LINE_END


def decoded(line: bytes) -> JobReport:
    """Return the report that `encoded` wrote; raises `ValueError` for anything else."""
    fields = Fields.decoded(line)
    match fields.text("kind"):
        case Waits.__name__:
            return Waits(fields.number("supervisor"), fields.number("job"))
        case Confined.__name__:
            return Confined(fields.number("inherited_memory_bytes"))
        case Unconfined.__name__:
            return Unconfined(fields.text("reason"))
        case JobEnded.__name__:
            return JobEnded(
                status=fields.number("status"),
                timed_out=fields.flag("timed_out"),
                cpu_seconds=fields.real("cpu_seconds"),
                peak_memory_bytes=fields.number("peak_memory_bytes"),
                read_bytes=fields.number_if_any("read_bytes"),
                written_bytes=fields.number_if_any("written_bytes"),
            )
        case kind:
            raise ValueError(f"a report of the kind `{kind:.80}` is unknown")
