"""Runs code in any of the eight languages in a container of its own: the service behind `coding_run_in_docker`.

    executor = DockerExecutor(DockerSettings(images=("python:3.12-slim",)))
    run = executor.execute("python", "print(1)", image=None, environment={}, limits=ContainerLimits(wall_seconds=30))
    run.execution.status, run.execution.stdout, run.container_id, run.failure, run.error

`execute` never raises for what a caller, a program or an engine did: each ends in a `ContainerExecution`, whose
`execution` is the same record as that of the local sandbox, and whose `failure` is the seed's name of what went wrong.
An image must be on the list and on the engine; nothing is fetched. A compiler runs in a container before the program's,
and what it made is put, read-only, into the second one, so the program has its own bounds.
"""

from __future__ import annotations

import io
import signal
import tarfile
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path, PurePosixPath

from jupyter_mcpgen.errors import ContainerFailed, EngineUnavailable, ImageMissing, SandboxError
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.docker.archive import Member
from jupyter_mcpgen.sandbox.docker.engine import Ended, Engine, Image
from jupyter_mcpgen.sandbox.docker.policy import (
    CODE,
    WORK,
    ContainerLimits,
    ContainerPolicy,
    allowed,
    refused_variable,
)
from jupyter_mcpgen.sandbox.execution.code_file import ARCHIVE, CodeFile, write_code
from jupyter_mcpgen.sandbox.execution.executor import Executor, default_pages, unsupported
from jupyter_mcpgen.sandbox.execution.limits import MOST_SECONDS, ExecutionLimits, clamped_seconds
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.execution.record import Execution, Reason, Status, cancelled, setup_error
from jupyter_mcpgen.sandbox.inside.program_report import Stop
from jupyter_mcpgen.sandbox.policy import Level
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES, Language, fill
from jupyter_mcpgen.sandbox.programs.program import Ending

SEED_IMAGES = ("python:3.11-slim",)
_COMPILE_LIMITS = ContainerLimits(
    wall_seconds=60, memory_mb=2048, cpu_cores=2, scratch_mb=1024, output_bytes=128 * 1024 * 1024
)
# What the compiler says goes with the errors; the archive of what it made is all that leaves by standard output.
_COMPILE = 'mkdir -p classes; "$0" "$@" >&2 || exit; set --; [ -e program ] && set -- program; tar -cf - "$@" classes'
_PYTHON = "python3"
_KILLED = 128
_HEAP_SHARE = 0.75
_LEAST_HEAP_MB = 32


class Failure(StrEnum):
    """What went wrong, in the words of the interface."""

    NO_ENGINE = "DockerNotAvailableError"
    NO_IMAGE = "ImageNotFoundError"
    CONTAINER = "ContainerError"
    LIMIT = "ResourceLimitError"


@dataclass(frozen=True)
class DockerSettings:
    """What a person allows: images by name, whether a program may be given a network, and which engine is asked."""

    images: tuple[str, ...] = ()
    network: bool = False
    url: str | None = None

    @property
    def every_image(self) -> tuple[str, ...]:
        """Return all images that may be used: the languages' own, and those that were named."""
        return tuple(dict.fromkeys((*(row.image for row in LANGUAGES.values()), *SEED_IMAGES, *self.images)))


@dataclass(frozen=True)
class ContainerExecution:
    """The record of one run; `container_id` is that of the container that the program ran in, gone by now.

    `failure` is `None` exactly when the program ended well.
    """

    execution: Execution
    image: str
    container_id: str | None = None
    failure: Failure | None = None

    @property
    def error(self) -> str | None:
        """Return what to say where the interface wants one sentence, or `None` for a success."""
        told = self.execution.error_message
        return None if told is None else f"Docker execution failed: {told}"


@dataclass
class DockerExecutor:
    """Runs code in containers; connects to the engine when it is first needed, and again after it went away."""

    settings: DockerSettings = field(default_factory=DockerSettings)
    pages: Pages = field(default_factory=default_pages)
    connect: Callable[[str | None], Engine] = Engine.connect
    _engine: Engine | None = None

    def execute(
        self,
        language: str,
        code: str | None,
        *,
        image: str | None = None,
        environment: Mapping[str, str] | None = None,
        stdin: str | None = None,
        timeout: float | None = None,
        limits: ContainerLimits | None = None,
        network: bool = False,
        cancellation: Cancellation | None = None,
    ) -> ContainerExecution:
        """Run code to its end in a container, remove the container, and return the record."""
        limits = limits or ContainerLimits()
        seconds = clamped_seconds(limits.wall_seconds if timeout is None else timeout)
        limits = replace(limits, wall_seconds=seconds)
        name = image or (LANGUAGES[language].image if language in LANGUAGES else "")
        told, failure = self._refusal(language, code, name, environment or {}, network=network)
        if told is not None or code is None:
            return refused(told or "There is no code.", failure, language, name)
        try:
            return self._run(
                LANGUAGES[language],
                code,
                stdin,
                name,
                environment or {},
                limits,
                network,
                cancellation or Cancellation(),
            )
        except (EngineUnavailable, ImageMissing, ContainerFailed) as error:
            if isinstance(error, EngineUnavailable):
                self.close()
            run = _not_begun(language, Reason.UNAVAILABLE, _sentence(error))
            return ContainerExecution(run, name, failure=_FAILURES[type(error)])

    def missing(self) -> str | None:
        """Return why no container can be run here, and the cure, or `None` when one can be tried."""
        try:
            self._connected()
        except SandboxError as error:
            return str(error)
        return None

    def lacks_image(self, image: str) -> str | None:
        """Return what to do about an image that is not on the engine, or `None` when it is there."""
        try:
            self._connected().image(image)
        except SandboxError as error:
            return str(error)
        return None

    def close(self) -> None:
        """Forget the connection; the next run makes a new one."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def _connected(self) -> Engine:
        if self._engine is None:
            self._engine = self.connect(self.settings.url)
        return self._engine

    def _refusal(
        self, language: str, code: str | None, image: str, environment: Mapping[str, str], *, network: bool
    ) -> tuple[str | None, Failure]:
        """Return why nothing is run, or `None`, and which failure that is."""
        if language not in LANGUAGES:
            return unsupported(language), Failure.CONTAINER
        if not isinstance(code, str) or not code.strip():
            return "There is no code to run. Pass the program's text as `code`.", Failure.CONTAINER
        if not allowed(image, self.settings.every_image):
            known = ", ".join(f"`{name}`" for name in self.settings.every_image)
            told = (
                f"The image `{image}` is not on the list of images that may be used: {known}. "
                "Use one of these, or have the person add it to `sandbox.docker_images`."
            )
            return told, Failure.NO_IMAGE
        if network and not self.settings.network:
            told = "A network was asked for, and `sandbox.docker_network` is off. Run without it, or have it allowed."
            return told, Failure.CONTAINER
        variable = refused_variable(environment)
        return None if variable is None else f"The environment was refused: {variable}.", Failure.CONTAINER

    def _run(
        self,
        language: Language,
        code: str,
        stdin: str | None,
        name: str,
        environment: Mapping[str, str],
        limits: ContainerLimits,
        network: bool,
        cancellation: Cancellation,
    ) -> ContainerExecution:
        engine = self._connected()
        image = engine.image(name)
        engine.prove(image)
        with tempfile.TemporaryDirectory(prefix="mcpgen-code-") as folder:
            files = write_code(Path(folder), language, code, stdin, None)
            given = [Member(files.source.name, files.source.read_bytes())]
            entered = [] if files.stdin is None else [Member(files.stdin.name, files.stdin.read_bytes())]
        compiled: Ended | None = None
        policy = _policy(image, language, files, limits)
        if language.is_compiled:
            compiler = _compiler(image, language, files)
            compiled = engine.run(compiler, given, cancellation)
            given = _made(compiled)
            if not given:
                run = self._judged(language, replace(compiled, stdout=b""), compiler.limits, "compiler")
                return _told(run, compiled, image, cancellation)
        policy = replace(policy, environment={**policy.environment, **environment}, network=network)
        ended = engine.run(policy, [*given, *entered], cancellation)
        run = self._judged(language, ended, limits, "program")
        if compiled is not None:
            run = replace(run, compile_time=round(compiled.wall_seconds, 4))
        return _told(run, ended, image, cancellation)

    def _judged(self, language: Language, ended: Ended, limits: ContainerLimits, step: str) -> Execution:
        shown = ExecutionLimits(
            time_seconds=min(limits.wall_seconds, MOST_SECONDS), memory_mb=limits.memory_mb, cpu_cores=1.0
        )
        execution = Executor(pages=self.pages).judged(language, _ending(ended), shown, step)
        budget = limits.wall_seconds * limits.cpu_cores
        return replace(execution, level=Level.CONTAINER, cpu_budget_seconds=budget, notes=_notes(ended))


_FAILURES: Mapping[type[SandboxError], Failure] = {
    EngineUnavailable: Failure.NO_ENGINE,
    ImageMissing: Failure.NO_IMAGE,
    ContainerFailed: Failure.CONTAINER,
}
_LIMITS = frozenset(
    (
        Reason.TIMED_OUT,
        Reason.CPU_EXCEEDED,
        Reason.MEMORY_EXCEEDED,
        Reason.OUTPUT_EXCEEDED,
        Reason.TASKS_EXCEEDED,
        Reason.SCRATCH_EXCEEDED,
    )
)


def _told(run: Execution, ended: Ended, image: Image, cancellation: Cancellation) -> ContainerExecution:
    if ended.cancelled and cancellation.is_cancelled:
        return ContainerExecution(cancelled(run), image.name, ended.container_id, Failure.CONTAINER)
    failure = None
    if run.status is not Status.SUCCESS:
        failure = Failure.LIMIT if run.reason in _LIMITS else Failure.CONTAINER
    return ContainerExecution(run, image.name, ended.container_id, failure)


def refused(why: str, failure: Failure = Failure.CONTAINER, language: str = "", image: str = "") -> ContainerExecution:
    """Return the record of a run that was asked for in a way that no engine is asked about."""
    return ContainerExecution(_not_begun(language, Reason.INVALID, why), image, failure=failure)


def _not_begun(language: str, reason: Reason, told: str) -> Execution:
    return replace(setup_error(language, reason, told), level=Level.CONTAINER)


def _sentence(error: SandboxError) -> str:
    told = str(error)
    begun = told[:1].upper() + told[1:]
    return begun if begun.endswith(".") else f"{begun}."


def _places(files: CodeFile, made: str) -> dict[str, str]:
    return {
        "source": f"{CODE}/{files.source.name}",
        "binary": f"{made}/program",
        "classes": f"{made}/classes",
        "main": files.main,
        "scratch": WORK,
    }


def _tools(language: Language) -> dict[str, str]:
    return {name: _PYTHON if name == "python" else name for name in language.tools}


def _environment(language: Language) -> dict[str, str]:
    return {"LANG": "C.UTF-8", **{name: value.format(scratch=WORK) for name, value in language.environment.items()}}


def _policy(image: Image, language: Language, files: CodeFile, limits: ContainerLimits) -> ContainerPolicy:
    heap_mb = max(_LEAST_HEAP_MB, int(limits.memory_mb * _HEAP_SHARE))
    return ContainerPolicy(
        image=image.id,
        command=fill(language.run, _tools(language), heap_mb=heap_mb, **_places(files, CODE)),
        environment=_environment(language),
        stdin=None if files.stdin is None else PurePosixPath(CODE, files.stdin.name),
        limits=limits,
        volumes=image.volumes,
    )


def _compiler(image: Image, language: Language, files: CodeFile) -> ContainerPolicy:
    command = fill(language.compile, _tools(language), heap_mb=0, **_places(files, WORK))
    return ContainerPolicy(
        image=image.id,
        command=("/bin/sh", "-c", _COMPILE, *command),
        environment=_environment(language),
        limits=replace(_COMPILE_LIMITS, wall_seconds=_COMPILE_LIMITS.wall_seconds * language.timeout_factor),
        volumes=image.volumes,
    )


def _made(ended: Ended) -> list[Member]:
    """Return what the compiler made, believing nothing of its archive but names and contents of plain files."""
    if ended.exit_code != 0 or ended.timed_out or ended.overflow or ended.cancelled:
        return []
    try:
        with tarfile.open(fileobj=io.BytesIO(ended.stdout), mode="r:") as tar:
            rows = [(row, tar.extractfile(row)) for row in tar.getmembers() if row.isreg()]
            made = [(row.name, stream.read()) for row, stream in rows if stream and _is_ours(row)]
            return [Member(name, content, executable=True) for name, content in made if not content.startswith(ARCHIVE)]
    except (tarfile.TarError, OSError, ValueError):
        return []


def _is_ours(row: tarfile.TarInfo) -> bool:
    place = PurePosixPath(row.name)
    inside = place.parts[:1] == ("classes",) and ".." not in place.parts and "." not in place.parts
    return row.name == "program" or (inside and str(place) == row.name)


def _ending(ended: Ended) -> Ending:
    stop, status = _stop(ended)
    return Ending(
        stop=stop,
        status=status,
        stdout=ended.stdout,
        stderr=ended.stderr,
        wall_seconds=ended.wall_seconds,
        cpu_seconds=ended.used.cpu_seconds or 0.0,
        peak_memory_bytes=ended.used.peak_memory_bytes or 0,
    )


def _stop(ended: Ended) -> tuple[Stop, int]:
    if ended.overflow:
        return Stop.OUTPUT_EXCEEDED, signal.SIGKILL
    if ended.timed_out:
        return Stop.TIMED_OUT, signal.SIGKILL
    if ended.cancelled:
        return Stop.ENDED_BY_HOST, signal.SIGKILL
    if ended.out_of_memory:
        return Stop.MEMORY_EXCEEDED, signal.SIGKILL
    if ended.exit_code - _KILLED in signal.valid_signals():  # how shells, and `timeout`, tell of a signal
        return Stop.KILLED, ended.exit_code - _KILLED
    return Stop.EXITED, (ended.exit_code & 0xFF) << 8


def _notes(ended: Ended) -> tuple[str, ...]:
    if ended.used.peak_memory_bytes is None:
        return ("The container ended before its memory and processor time could be measured: 0 means not known.",)
    return ("Memory and processor time are the last that was seen before the container ended.",)
