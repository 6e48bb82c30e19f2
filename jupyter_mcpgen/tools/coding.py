"""The coding family, as far as it runs code: in the local sandbox, watched while it runs, or in a container."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from jupyter_mcpgen.coding.reports.timeline import Point, draw_timeline
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.docker.execution import ContainerExecution, Failure, refused
from jupyter_mcpgen.sandbox.docker.policy import ContainerLimits, memory_mb
from jupyter_mcpgen.sandbox.execution.limits import clamped_seconds
from jupyter_mcpgen.sandbox.execution.record import Execution, Status
from jupyter_mcpgen.sandbox.guidance.diagnosis import Asked, diagnose
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES, available
from jupyter_mcpgen.sandbox.programs.program import MEGABYTE
from jupyter_mcpgen.sandbox.programs.timeline import Sample, Timeline
from jupyter_mcpgen.tools.coding_records import (
    MONITOR_SECONDS,
    CodeExecute,
    CodingExecuteCode,
    CodingMonitorExecution,
    CodingRunInDocker,
    DockerResult,
    LanguageInfo,
    LanguageList,
    MemoryProfile,
    Metrics,
    Moment,
    MonitorResult,
    Nothing,
    ResourceUsage,
    ShortResult,
)
from jupyter_mcpgen.tools.offer import REACHES_OUT, READS, RUNS, Caller, Offer, Reply
from jupyter_mcpgen.tools.results import CodingResult, Metadata, as_text, coding_result
from jupyter_mcpgen.tools.running import Done, Runner, Wanted


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
            lambda asked: clamped_seconds(asked.timeout), lambda why: _executed(runner.refused(why)),
        ),
        Offer(
            "coding_monitor_execution", CodingMonitorExecution, MonitorResult, RUNS, family.monitor, note,
            lambda asked: clamped_seconds(_monitored_seconds(asked)),
            lambda why: _monitored(runner.refused(why), Timeline()),
        ),
        Offer(
            "coding_run_in_docker", CodingRunInDocker, DockerResult, REACHES_OUT, family.run_in_docker, "",
            lambda asked: clamped_seconds(asked.timeout), lambda why: family.contained(refused(why)),
        ),
        Offer(
            "code_execute", CodeExecute, ShortResult, RUNS, family.execute, note,
            lambda asked: clamped_seconds(asked.timeout), lambda why: _shortly(runner.refused(why)),
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
        return _executed(self._run(asked, caller, stdin=asked.stdin, session_id=asked.session_id, opens_session=True))

    def execute(self, asked: CodeExecute, caller: Caller) -> Reply:
        """Run code and return its record inside another that says the same of its status."""
        return _shortly(self._run(asked, caller))

    def monitor(self, asked: CodingMonitorExecution, caller: Caller) -> Reply:
        """Run code and return its record with what it used over time."""
        timeline = Timeline(asked.sample_interval_ms)
        seconds = _monitored_seconds(asked)
        done = self._run(asked.replace(timeout=seconds), caller, timeline=timeline)
        if timeline.interval_ms != asked.sample_interval_ms:
            told = f"`sample_interval_ms` is outside 10 to 10000, so {timeline.interval_ms} was used."
            done = replace(done, metadata=done.metadata.replace(notes=(*done.metadata.notes, told)))
        return _monitored(done, timeline, profile=asked.include_memory_profile)

    def run_in_docker(self, asked: CodingRunInDocker, caller: Caller) -> Reply:
        """Run code in a container and return its record."""
        seconds = clamped_seconds(asked.timeout)
        return self.contained(self._contained(asked, caller), Asked(code=asked.code or "", seconds=seconds))

    def contained(self, run: ContainerExecution, asked: Asked | None = None) -> Reply:
        """Return the record of a run in a container, or of one that was refused."""
        return _in_container(run, self._runner.done(run.execution, diagnose(run.execution, asked or Asked(code=""))))

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
            return refused(str(error), Failure.LIMIT, str(asked.language), asked.image or "")
        return self._containers.execute(
            str(asked.language),
            asked.code,
            image=asked.image,
            environment=asked.environment,
            limits=limits,
            network=asked.network_enabled,
            cancellation=caller.cancellation,
        )


def _executed(done: Done) -> Reply:
    return _reply(done.execution, done.metadata, coding_result(done.execution, done.metadata))


def _shortly(done: Done) -> Reply:
    result = coding_result(done.execution, done.metadata)
    return _reply(done.execution, done.metadata, ShortResult(status=result.status, result=result))


def _monitored(done: Done, timeline: Timeline, *, profile: bool = False) -> Reply:
    run = done.execution
    metrics = _metrics(run, timeline.samples, profile=profile)
    failed = run.status is not Status.SUCCESS
    record = MonitorResult(
        success=not failed,
        execution_result=coding_result(run, done.metadata),
        metrics=metrics,
        timeline=tuple(map(_moment, timeline.samples)),
        timeline_chart=draw_timeline([_point(sample) for sample in timeline.samples]),
        error=f"Monitoring failed: {run.error_message}" if failed else None,
        partial_metrics=metrics if failed else None,
    )
    used = (
        f"Peak memory {metrics.peak_memory_mb} MB, processor {metrics.avg_cpu_percent} %, "
        f"{metrics.total_duration_ms:g} ms, {len(record.timeline)} samples."
    )
    return Reply(f"{as_text(run, done.metadata)}\n{used}", record, failed=failed)


def _in_container(contained: ContainerExecution, done: Done) -> Reply:
    run, metadata = done.execution, done.metadata
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


def _reply(run: Execution, metadata: Metadata, record: Record) -> Reply:
    return Reply(as_text(run, metadata), record, failed=run.status is not Status.SUCCESS)


def _monitored_seconds(asked: CodingMonitorExecution) -> float:
    return MONITOR_SECONDS if asked.timeout is None else asked.timeout


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


def _point(sample: Sample) -> Point:
    return Point(1000 * sample.seconds, sample.memory_bytes / MEGABYTE, sample.cpu_percent)


def _megabytes(size: float) -> float:
    return round(size / MEGABYTE, 2)
