"""What the tools that run code give back: the record of a run with its fuel and guidance, and the same as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import Field

from jupyter_mcpgen.model.fuel import FuelAnalysis, FuelStatus
from jupyter_mcpgen.model.guidance import ErrorGuidance
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.plan.visible import unobeyed
from jupyter_mcpgen.sandbox.execution.record import Execution, Reason, Status
from jupyter_mcpgen.sandbox.guidance.diagnosis import Diagnosis

_WORTH_SAYING = (FuelStatus.WARNING, FuelStatus.CRITICAL, FuelStatus.EXHAUSTED)


@dataclass(frozen=True)
class Analyzes:
    """Which analyzes clients are told of."""

    guidance: bool = True
    fuel: bool = True


EVERYTHING = Analyzes()


class Metadata(Record):
    """What is known about a run besides its output; `error_guidance` is there only when it failed and a rule helps.

    A person may switch it off, and `fuel_analysis` as well.
    """

    language: str
    reason: Reason = Field(description="what exactly ended the run")
    session_id: str | None = None
    trap_reason: str | None = Field(default=None, description="the runtime's own word for what ended it")
    sandbox_level: int = Field(description="1 namespaces, 2 Landlock and seccomp, 3 container, 0 none")
    cpu_seconds: float
    compile_seconds: float
    peak_memory_bytes: int
    stdout_truncated: bool
    stderr_truncated: bool
    notes: tuple[str, ...] = ()
    fuel_analysis: FuelAnalysis | None = Field(default=None, exclude_if=lambda value: value is None)
    error_guidance: ErrorGuidance | None = Field(default=None, exclude_if=lambda value: value is None)


class CodingResult(Record):
    """The record of a run with the keys of the coding tools; all of them are always there."""

    stdout: str = Field(description="standard output of the program")
    stderr: str = Field(description="standard error of the program, for compiled languages also the compiler's")
    exit_code: int = Field(description="0 for success, 124 after a timeout, -1 when nothing ran or nobody saw its end")
    execution_time: float = Field(description="seconds")
    status: Status
    error_message: str | None = Field(description="why the status is not success")
    metadata: Metadata


def metadata_of(
    execution: Execution, diagnosis: Diagnosis, session_id: str | None = None, analyzes: Analyzes = EVERYTHING
) -> Metadata:
    """Return the metadata of a run."""
    return Metadata(
        language=execution.language,
        reason=execution.reason,
        session_id=session_id,
        trap_reason=diagnosis.trap and diagnosis.trap.replace(" ", "_"),
        sandbox_level=execution.level.value,
        cpu_seconds=execution.cpu_seconds,
        compile_seconds=execution.compile_time,
        peak_memory_bytes=execution.peak_memory_bytes,
        stdout_truncated=execution.stdout_cut,
        stderr_truncated=execution.stderr_cut,
        notes=execution.notes,
        fuel_analysis=diagnosis.fuel if analyzes.fuel else None,
        error_guidance=diagnosis.guidance if analyzes.guidance else None,
    )


def coding_result(execution: Execution, metadata: Metadata) -> CodingResult:
    """Return the record of a run."""
    return CodingResult(
        stdout=execution.stdout,
        stderr=execution.stderr,
        exit_code=execution.exit_code,
        execution_time=execution.execution_time,
        status=execution.status,
        error_message=execution.error_message,
        metadata=metadata,
    )


def as_text(execution: Execution, metadata: Metadata) -> str:
    """Return a run as text: what it wrote, how it ended if not well, and what to do about it.

    A client may show it in a terminal, so nothing is left in it that a terminal would obey; the record has all of it.
    """
    return unobeyed("\n".join(_paragraphs(execution, metadata)).replace("\r\n", "\n"))


def _paragraphs(execution: Execution, metadata: Metadata) -> Iterator[str]:
    if execution.stdout:
        yield execution.stdout.rstrip("\n")
    if execution.status is not Status.SUCCESS:
        yield f"[{execution.status.value}, exit code {execution.exit_code}] {execution.error_message}"
    if execution.stderr:
        yield f"stderr:\n{execution.stderr.rstrip()}"
    guidance = metadata.error_guidance
    if guidance is not None:
        yield f"What to do ({guidance.error_type.value}):"
        yield from (f"- {step}" for step in guidance.actionable_guidance)
    fuel = metadata.fuel_analysis
    if fuel is not None and fuel.status in _WORTH_SAYING:
        yield f"Fuel: {fuel.recommendation}"
    yield from (f"Note: {note}" for note in metadata.notes)
    if execution.status is Status.SUCCESS and not execution.stdout and not execution.stderr:
        yield "The program ran to its end and wrote nothing."
