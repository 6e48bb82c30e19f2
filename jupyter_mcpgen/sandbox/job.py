"""What goes into the sandbox and what comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from jupyter_mcpgen.sandbox.policy import Level


@dataclass(frozen=True)
class Call:
    """One call of the tool with JSON arguments."""

    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Job:
    """Import `tool.py` from a package folder and call one of its functions, once per call, in one process.

    Several calls share a process so that a validation run pays for one interpreter start.
    """

    package: Path
    function: str
    calls: tuple[Call, ...]
    variables: Mapping[str, Any] = field(default_factory=dict)
    """Names that the module of the tool has besides its own, with JSON values."""
    frames: Mapping[str, str] = field(default_factory=dict)
    """More such names, of data frames, with the Arrow files in the package folder that hold them."""
    is_ours: bool = False
    """Whether the tool is the product's own: where it can be, it is loaded once for this job and the next ones.

    What is loaded so is not confined; each call still is, in a process that serves this job alone.
    """


class Outcome(StrEnum):
    """How a job ended, in the supervisor's words and never the job's."""

    COMPLETED = "completed"
    FAILED = "failed"
    TIMED_OUT = "timed_out"
    MEMORY_EXCEEDED = "memory_exceeded"
    CPU_EXCEEDED = "cpu_exceeded"
    OUTPUT_EXCEEDED = "output_exceeded"
    CRASHED = "crashed"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class Answer:
    """What one call gave back: text with the table behind it as Arrow IPC bytes and the report's data, or a value.

    `value` is any JSON value, also None, where `has_value` is true, and `text` says it. A call that failed has an error
    instead.
    """

    text: str | None = None
    table: bytes | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    error_type: str | None = None
    error_message: str | None = None
    milliseconds: float = 0.0
    value: Any = None
    has_value: bool = False

    @property
    def ok(self) -> bool:
        """True when the call returned."""
        return self.error_type is None


@dataclass(frozen=True)
class Usage:
    """What a job used; seconds and bytes, measured by the supervisor.

    Time counts from the moment the job was handed over, and memory beyond what its process held by then.
    The bytes are what passed through reading and writing calls, from files, pipes and caches; `None` where the
    kernel does not tell. `rows` are those of the tables that came back, as they were received; `None` without a table.
    """

    wall_seconds: float
    cpu_seconds: float
    peak_memory_bytes: int
    read_bytes: int | None = None
    written_bytes: int | None = None
    rows: int | None = None


@dataclass(frozen=True)
class Artifact:
    """One file that a job left in its scratch folder: its path there, and what it holds."""

    path: str
    content: bytes


@dataclass(frozen=True)
class Run:
    """The whole record of one job."""

    outcome: Outcome
    answers: tuple[Answer, ...]
    stdout: str
    stderr: str
    usage: Usage
    level: Level
    reason: str | None = None
    artifacts: tuple[Artifact, ...] = ()
    left_out: tuple[str, ...] = ()
    """Files that the job left and that are no artifacts, each with the reason."""
