"""What the tools of the coding family take and give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.sandbox.execution.limits import DEFAULT_SECONDS
from jupyter_mcpgen.sandbox.execution.record import Status
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES
from jupyter_mcpgen.sandbox.programs.timeline import DEFAULT_INTERVAL_MS
from jupyter_mcpgen.tools.results import CodingResult, Metadata

MONITOR_SECONDS = 60
Code = Annotated[str | None, WithJsonSchema({"type": "string"})]
LanguageName = Annotated[Any, WithJsonSchema({"type": "string", "enum": list(LANGUAGES)})]


def _timeout() -> WithJsonSchema:
    told = "Maximum execution time in seconds"
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
    timeout: Annotated[float | None, _timeout()] = MONITOR_SECONDS


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
    timeline_chart: str | None = Field(default=None, description="the timeline as a picture (SVG)")
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
