"""The coding family, as far as it runs code: in the local sandbox, watched while it runs, or in a container."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Protocol

from pydantic import Field, WithJsonSchema

from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.diagnosis import Asked, diagnose
from jupyter_mcpgen.sandbox.docker_execution import ContainerExecution
from jupyter_mcpgen.sandbox.docker_policy import ContainerLimits, memory_mb
from jupyter_mcpgen.sandbox.execution import (
    DEFAULT_SECONDS,
    Execution,
    Reason,
    Status,
    clamped_seconds,
    setup_error,
)
from jupyter_mcpgen.sandbox.languages import LANGUAGES, available
from jupyter_mcpgen.sandbox.program import MEGABYTE
from jupyter_mcpgen.sandbox.timeline import DEFAULT_INTERVAL_MS, Sample, Timeline
from jupyter_mcpgen.tools.offer import REACHES_OUT, READS, RUNS, Caller, Offer, Reply
from jupyter_mcpgen.tools.results import CodingResult, Metadata, as_text, coding_result, metadata_of
from jupyter_mcpgen.tools.running import Done, Runner, Wanted

_MONITOR_SECONDS = 60
Code = Annotated[str | None, WithJsonSchema({"type": "string", "description": "Source code to execute"})]
LanguageName = Annotated[
    Any, WithJsonSchema({"type": "string", "enum": list(LANGUAGES), "description": "Programming language of the code"})
]


def _timeout() -> WithJsonSchema:
    told = "Maximum execution time in seconds (1-300); what is outside is brought inside"
    return WithJsonSchema({"type": "integer", "minimum": 1, "maximum": 300, "description": told})


class CodingExecuteCode(Record):
    """What `coding_execute_code` takes."""

    language: LanguageName
    code: Code
    stdin: str | None = Field(default=None, description="Standard input to provide to the program")
    timeout: Annotated[float | None, _timeout()] = DEFAULT_SECONDS
    session_id: Annotated[
        Any, WithJsonSchema({"type": "string", "description": "Session identifier for persistent environments"})
    ] = None


class CodingMonitorExecution(Record):
    """What `coding_monitor_execution` takes."""

    language: LanguageName
    code: Code
    sample_interval_ms: int = Field(default=DEFAULT_INTERVAL_MS, description="Metric sampling interval (10-10000)")
    include_memory_profile: bool = Field(default=False, description="Detailed memory profiling")
    timeout: Annotated[float | None, _timeout()] = _MONITOR_SECONDS


class CodingRunInDocker(Record):
    """What `coding_run_in_docker` takes."""

    language: LanguageName
    code: Code
    image: str | None = Field(default=None, description="Docker image. Default: language-specific default")
    environment: Mapping[str, str] | None = Field(default=None, description="Environment variables")
    memory_limit: str = Field(default="256m", description="Memory limit")
    cpu_limit: float = Field(default=1.0, description="CPU cores limit")
    network_enabled: bool = Field(default=False, description="Enable network access")
    timeout: Annotated[float | None, _timeout()] = DEFAULT_SECONDS


class CodeExecute(Record):
    """What `code_execute` takes."""

    language: LanguageName
    code: Code
    timeout: Annotated[float | None, _timeout()] = DEFAULT_SECONDS


class Nothing(Record):
    """No arguments."""


class MemoryProfile(Record):
    """How the memory of a run went, from the samples."""

    first_mb: float
    mean_mb: float
    peak_mb: float
    peak_at_ms: float
    last_mb: float
    samples: int


class Metrics(Record):
    """What a run used. The bytes are those that really went to a disk; null where the kernel does not count them."""

    peak_memory_mb: float
    avg_cpu_percent: float
    total_duration_ms: float
    io_read_bytes: int | None
    io_write_bytes: int | None
    memory_profile: MemoryProfile | None = Field(default=None, exclude_if=lambda value: value is None)


class Moment(Record):
    """One sample."""

    timestamp_ms: float
    memory_mb: float
    cpu_percent: float


class MonitorResult(Record):
    """A run with what it used; `success` is that of the run."""

    success: bool
    execution_result: CodingResult
    metrics: Metrics
    timeline: tuple[Moment, ...]
    error: str | None = Field(default=None, exclude_if=lambda value: value is None)
    partial_metrics: Metrics | None = Field(default=None, exclude_if=lambda value: value is None)


class ResourceUsage(Record):
    """What a container used, as far as it was seen."""

    memory_peak_mb: float
    cpu_seconds: float


class DockerResult(Record):
    """A run in a container."""

    success: bool
    stdout: str
    stderr: str
    exit_code: int
    execution_time: float
    status: Status
    error_message: str | None
    error: str | None = Field(default=None, exclude_if=lambda value: value is None)
    error_type: str | None = Field(default=None, exclude_if=lambda value: value is None)
    container_id: str | None
    image: str
    resource_usage: ResourceUsage
    metadata: Metadata


class ShortResult(Record):
    """A run; the status outside is the status inside."""

    status: Status
    result: CodingResult


class LanguageInfo(Record):
    """One language of the table."""

    name: str
    available: bool
    missing: str | None
    image: str
    extension: str
    command: tuple[str, ...]
    compile_command: tuple[str, ...]
    timeout_factor: float


class LanguageList(Record):
    """The languages that code may be written in."""

    status: Status
    languages: tuple[str, ...]
    details: tuple[LanguageInfo, ...]


class Containers(Protocol):
    """What runs code in containers, or says in its record why it does not."""

    def execute(
        self,
        language: str,
        code: str | None,
        *,
        image: str | None = None,
        environment: Mapping[str, str] | None = None,
        limits: ContainerLimits | None = None,
        network: bool = False,
        cancellation: Cancellation | None = None,
    ) -> ContainerExecution:
        """Run code to its end in a container."""
        ...


def offers(runner: Runner, containers: Containers, note: str) -> tuple[Offer[Any], ...]:
    """Return the family; `note` says what confines it here."""
    family = _Coding(runner, containers)
    return (
        Offer(
            "coding_execute_code", CodingExecuteCode, CodingResult, RUNS, family.execute_code, note,
            lambda asked: clamped_seconds(asked.timeout),
        ),
        Offer(
            "coding_monitor_execution", CodingMonitorExecution, MonitorResult, RUNS, family.monitor, note,
            lambda asked: clamped_seconds(_monitored_seconds(asked)),
        ),
        Offer(
            "coding_run_in_docker", CodingRunInDocker, DockerResult, REACHES_OUT, family.run_in_docker, "",
            lambda asked: clamped_seconds(asked.timeout),
        ),
        Offer(
            "code_execute", CodeExecute, ShortResult, RUNS, family.execute, note,
            lambda asked: clamped_seconds(asked.timeout),
        ),
        Offer("code_list_languages", Nothing, LanguageList, READS, family.list_languages),
    )  # fmt: skip


class _Coding:
    """The tools of the family, a few lines each."""

    def __init__(self, runner: Runner, containers: Containers) -> None:
        self._runner = runner
        self._containers = containers

    def execute_code(self, asked: CodingExecuteCode, caller: Caller) -> Reply:
        """Run code and return its record."""
        done = self._run(asked, caller, stdin=asked.stdin, session_id=asked.session_id, opens_session=True)
        return _reply(done.execution, done.metadata, coding_result(done.execution, done.metadata))

    def execute(self, asked: CodeExecute, caller: Caller) -> Reply:
        """Run code and return its record inside another that says the same of its status."""
        done = self._run(asked, caller)
        result = coding_result(done.execution, done.metadata)
        return _reply(done.execution, done.metadata, ShortResult(status=result.status, result=result))

    def monitor(self, asked: CodingMonitorExecution, caller: Caller) -> Reply:
        """Run code and return its record with what it used over time."""
        timeline = Timeline(asked.sample_interval_ms)
        seconds = _monitored_seconds(asked)
        done = self._run(asked.replace(timeout=seconds), caller, timeline=timeline)
        run = done.execution
        metrics = _metrics(run, timeline.samples, profile=asked.include_memory_profile)
        failed = run.status is not Status.SUCCESS
        record = MonitorResult(
            success=not failed,
            execution_result=coding_result(run, done.metadata),
            metrics=metrics,
            timeline=tuple(map(_moment, timeline.samples)),
            error=f"Monitoring failed: {run.error_message}" if failed else None,
            partial_metrics=metrics if failed else None,
        )
        used = (
            f"Peak memory {metrics.peak_memory_mb} MB, processor {metrics.avg_cpu_percent} %, "
            f"{metrics.total_duration_ms:g} ms, {len(record.timeline)} samples."
        )
        return Reply(f"{as_text(run, done.metadata)}\n{used}", record, failed=failed)

    def run_in_docker(self, asked: CodingRunInDocker, caller: Caller) -> Reply:
        """Run code in a container and return its record."""
        contained = self._contained(asked, caller)
        run = contained.execution
        seconds = clamped_seconds(asked.timeout)
        metadata = metadata_of(run, diagnose(run, Asked(code=asked.code or "", seconds=seconds)))
        record = DockerResult(
            success=run.status is Status.SUCCESS,
            stdout=run.stdout,
            stderr=run.stderr,
            exit_code=run.exit_code,
            execution_time=run.execution_time,
            status=run.status,
            error_message=run.error_message,
            error=contained.error,
            error_type=contained.failure and contained.failure.value,
            container_id=contained.container_id,
            image=contained.image,
            resource_usage=ResourceUsage(memory_peak_mb=_megabytes(run.peak_memory_bytes), cpu_seconds=run.cpu_seconds),
            metadata=metadata,
        )
        return _reply(run, metadata, record)

    def list_languages(self, _: Nothing, __: Caller) -> Reply:
        """List the eight languages, and which of them can be run here."""
        missing = available()
        details = tuple(
            LanguageInfo(
                name=name,
                available=missing[name] is None,
                missing=missing[name],
                image=language.image,
                extension=language.extension,
                command=language.run,
                compile_command=language.compile,
                timeout_factor=language.timeout_factor,
            )
            for name, language in sorted(LANGUAGES.items())
        )
        lines = [f"- {one.name}: {'available' if one.available else one.missing}" for one in details]
        names = tuple(one.name for one in details)
        return Reply("\n".join(lines), LanguageList(status=Status.SUCCESS, languages=names, details=details))

    def _run(
        self,
        asked: CodingExecuteCode | CodingMonitorExecution | CodeExecute,
        caller: Caller,
        *,
        stdin: str | None = None,
        session_id: object = None,
        opens_session: bool = False,
        timeline: Timeline | None = None,
    ) -> Done:
        wanted = Wanted(
            language=asked.language if isinstance(asked.language, str) else repr(asked.language),
            code=asked.code,
            stdin=stdin,
            timeout=asked.timeout,
            session_id=session_id,
            opens_session=opens_session,
            timeline=timeline,
        )
        return self._runner.run(wanted, caller)

    def _contained(self, asked: CodingRunInDocker, caller: Caller) -> ContainerExecution:
        try:
            limits = ContainerLimits(
                wall_seconds=clamped_seconds(asked.timeout),
                memory_mb=memory_mb(asked.memory_limit),
                cpu_cores=asked.cpu_limit,
            )
        except ValueError as error:
            return ContainerExecution(setup_error(str(asked.language), Reason.INVALID, str(error)), asked.image or "")
        return self._containers.execute(
            str(asked.language),
            asked.code,
            image=asked.image,
            environment=asked.environment,
            limits=limits,
            network=asked.network_enabled,
            cancellation=caller.cancellation,
        )


def _reply(run: Execution, metadata: Metadata, record: Record) -> Reply:
    return Reply(as_text(run, metadata), record, failed=run.status is not Status.SUCCESS)


def _monitored_seconds(asked: CodingMonitorExecution) -> float:
    return _MONITOR_SECONDS if asked.timeout is None else asked.timeout


def _metrics(run: Execution, samples: list[Sample], *, profile: bool) -> Metrics:
    peak = max([run.peak_memory_bytes, *(sample.memory_bytes for sample in samples)])
    return Metrics(
        peak_memory_mb=_megabytes(peak),
        avg_cpu_percent=round(100 * run.cpu_seconds / run.execution_time, 1) if run.execution_time else 0.0,
        total_duration_ms=round(1000 * run.execution_time, 1),
        io_read_bytes=run.read_bytes,
        io_write_bytes=run.written_bytes,
        memory_profile=_profile(samples) if profile and samples else None,
    )


def _profile(samples: list[Sample]) -> MemoryProfile:
    highest = max(samples, key=lambda sample: sample.memory_bytes)
    return MemoryProfile(
        first_mb=_megabytes(samples[0].memory_bytes),
        mean_mb=_megabytes(sum(sample.memory_bytes for sample in samples) / len(samples)),
        peak_mb=_megabytes(highest.memory_bytes),
        peak_at_ms=round(1000 * highest.seconds, 1),
        last_mb=_megabytes(samples[-1].memory_bytes),
        samples=len(samples),
    )


def _moment(sample: Sample) -> Moment:
    return Moment(
        timestamp_ms=round(1000 * sample.seconds, 1),
        memory_mb=_megabytes(sample.memory_bytes),
        cpu_percent=sample.cpu_percent,
    )


def _megabytes(size: float) -> float:
    return round(size / MEGABYTE, 2)
