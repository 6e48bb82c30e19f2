"""The record of one execution: what came of it, in the words of the interface, and what it used."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from jupyter_mcpgen.sandbox.fuel.analysis import ImportHistory
from jupyter_mcpgen.sandbox.fuel.meter import Reading
from jupyter_mcpgen.sandbox.policy import Level

_SETUP_FAILED = _NOT_KNOWN = -1


class Status(StrEnum):
    """The outcome in the words of the interface."""

    SUCCESS = "success"
    TIMEOUT = "timeout"
    ERROR = "error"
    SETUP_ERROR = "setup_error"


class Reason(StrEnum):
    """What exactly ended an execution."""

    FINISHED = "finished"
    RUNTIME_ERROR = "runtime_error"
    COMPILE_ERROR = "compile_error"
    TIMED_OUT = "timed_out"
    CPU_EXCEEDED = "cpu_exceeded"
    MEMORY_EXCEEDED = "memory_exceeded"
    TASKS_EXCEEDED = "tasks_exceeded"
    OUTPUT_EXCEEDED = "output_exceeded"
    SCRATCH_EXCEEDED = "scratch_exceeded"
    KILLED = "killed"
    OUT_OF_FUEL = "out_of_fuel"
    LOST = "lost"
    CANCELLED = "cancelled"
    INVALID = "invalid"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True)
class Execution:
    """The whole record of one execution; `error_message` is `None` exactly when the status is success.

    `cpu_budget_seconds` is the processor time it could have used, `fuel` what was counted in its process if that was
    asked for, and `history` what its process had imported before.
    """

    stdout: str
    stderr: str
    exit_code: int
    execution_time: float
    status: Status
    error_message: str | None
    reason: Reason
    language: str = ""
    level: Level = Level.LANDLOCK
    compile_time: float = 0.0
    cpu_seconds: float = 0.0
    peak_memory_bytes: int = 0
    read_bytes: int | None = None
    written_bytes: int | None = None
    stdout_cut: bool = False
    stderr_cut: bool = False
    cpu_budget_seconds: float = 0.0
    folder: str = ""
    fuel: Reading | None = None
    history: ImportHistory = field(default_factory=ImportHistory)
    notes: tuple[str, ...] = ()


def cancelled(execution: Execution) -> Execution:
    """Return the record of an execution that its caller gave up."""
    told = "The run was cancelled by its caller."
    return replace(execution, status=Status.ERROR, reason=Reason.CANCELLED, error_message=told)


def lost(language: str, message: str) -> Execution:
    """Return the record of an execution that began, and of which nobody saw the end."""
    return Execution("", "", _NOT_KNOWN, 0.0, Status.ERROR, message, Reason.LOST, language)


def setup_error(language: str, reason: Reason, message: str) -> Execution:
    """Return the record of an execution that never began."""
    return Execution("", "", _SETUP_FAILED, 0.0, Status.SETUP_ERROR, message, reason, language)


STATUS_OF = {
    **dict.fromkeys(Reason, Status.ERROR),
    Reason.FINISHED: Status.SUCCESS,
    Reason.TIMED_OUT: Status.TIMEOUT,
    Reason.CPU_EXCEEDED: Status.TIMEOUT,
    Reason.INVALID: Status.SETUP_ERROR,
    Reason.UNAVAILABLE: Status.SETUP_ERROR,
}
"""Which word of the interface stands for what ended an execution."""
