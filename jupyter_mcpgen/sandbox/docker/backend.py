"""Runs a tool in a container of its own (level 3), from an image that a person named and that has pandas in it.

The tool's package and our worker are put into the container, granted data is bound read-only under its own path, and
what comes back is read as from any job: frames that are believed only where they speak against the job. How it ended,
whether its memory was used up and whether its time was up is the engine's word.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.docker.archive import Member
from jupyter_mcpgen.sandbox.docker.engine import Ended, Engine, Image
from jupyter_mcpgen.sandbox.docker.policy import CODE, NOBODY, ContainerLimits, ContainerPolicy, refused_path
from jupyter_mcpgen.sandbox.docker.proof import promises
from jupyter_mcpgen.sandbox.granted import resolved
from jupyter_mcpgen.sandbox.identity import readable_by_anyone
from jupyter_mcpgen.sandbox.inside import calling, container_worker, fields, job_work, left_behind
from jupyter_mcpgen.sandbox.inside.confinement import NO_CORE_BYTES
from jupyter_mcpgen.sandbox.job import Job, Outcome, Run, Usage
from jupyter_mcpgen.sandbox.jobs import artifacts
from jupyter_mcpgen.sandbox.jobs.channel import read_answers
from jupyter_mcpgen.sandbox.jobs.judging import judge
from jupyter_mcpgen.sandbox.jobs.launch import Ending
from jupyter_mcpgen.sandbox.jobs.tables import rows_received
from jupyter_mcpgen.sandbox.jobs.work import work_of
from jupyter_mcpgen.sandbox.policy import Level, Limits, Policy
from jupyter_mcpgen.sandbox.selfcheck.jobs import ProbeResult, Report
from jupyter_mcpgen.sandbox.selfcheck.probes import Expectation
from jupyter_mcpgen.wording import in_seconds

_MEGABYTE = 1024 * 1024
_BESIDE_MB = 128
_START_SECONDS = 10.0
_FRAMES_BYTES = _MEGABYTE
_MOST_PACKAGE_BYTES = 64 * _MEGABYTE
_ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
}


@dataclass(frozen=True)
class _Told:
    """What the frames of a container hold; `report` is empty where its supervisor did not live to make one.

    `files` are paths and contents as they were sent, and `left_out` lines about what was not.
    """

    stdout: bytes
    stderr: bytes
    result: bytes
    report: dict[str, object]
    files: tuple[tuple[str, bytes], ...] = ()
    left_out: tuple[str, ...] = ()


@dataclass
class DockerBackend:
    """Runs each job in a container; needs an image with Python and pandas, by name, and an engine that bounds it."""

    image: str
    url: str | None = None
    connect: Callable[[str | None], Engine] = Engine.connect
    _engine: Engine | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """Return `container` with its image."""
        return f"container of `{self.image}`"

    @property
    def level(self) -> Level:
        """Return level 3."""
        return Level.CONTAINER

    def missing(self) -> str | None:
        """Return why no container of the image can be trusted here, and the cure."""
        try:
            self._proved()
        except SandboxError as error:
            return str(error).rstrip(".")
        return None

    def facts(self) -> dict[str, str]:
        """Return what the engine says of itself, and what is not covered."""
        return {
            **self._proved()[0].facts(),
            "files": "the image, read-only; granted data, read-only; two folders in memory can be written",
            "network": "none but the container's own loopback",
            "not covered": "the engine's own faults; programs can be started inside; a run takes a second or more",
        }

    def warm(self) -> None:
        """Start nothing: a container is made for its job."""

    def close(self) -> None:
        """Forget the connection; the next job makes a new one."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def prove(self) -> Report:
        """Let a container look at its own bounds and return what it found."""
        engine, image = self._proved()
        told = engine.probe(image).stdout.decode("utf-8", "replace")
        rows = tuple(
            ProbeResult(one.name, one.meaning, Expectation.BLOCKED, blocked=one.holds, control=True, detail=one.seen)
            for one in promises(told)
        )
        return Report(self.name, self.level, self.facts(), rows)

    def run(self, job: Job, policy: Policy, cancel: Cancellation | None = None) -> Run:
        """Run a job to its end in a container; raises `SandboxError` when it cannot be, or its data is not there."""
        engine, image = self._proved()
        read = tuple(_granted(path) for path in policy.read)
        user = _user(engine, read)
        files = [*_own_files(), *_package(job.package), _document(job, policy)]
        bounds = container_policy(image, policy.limits, read, user, keeps_files=policy.keeps_files)
        ended = engine.run(bounds, files, cancel)
        return _record(job, policy, ended)

    def _proved(self) -> tuple[Engine, Image]:
        if self._engine is None:
            self._engine = self.connect(self.url)
        image = self._engine.image(self.image)
        self._engine.prove(image)
        return self._engine, image


def container_policy(
    image: Image, limits: Limits, read: tuple[Path, ...], user: str, *, keeps_files: bool = False
) -> ContainerPolicy:
    """Return everything about the container of a job, as a value."""
    scratch_mb = max(1, limits.scratch_bytes // _MEGABYTE)
    left = limits.artifact_bytes if keeps_files else 0
    worker = (f"{CODE}", f"{CODE}/job.json")
    return ContainerPolicy(
        image=image.id,
        command=("python3", "-I", "-B", "-X", "utf8", "-c", container_worker.START, *worker),
        environment=_ENVIRONMENT,
        read=read,
        user=user,
        limits=ContainerLimits(
            wall_seconds=limits.wall_seconds + _START_SECONDS,
            memory_mb=limits.memory_mb + scratch_mb + _BESIDE_MB,
            cpu_cores=2.0,
            tasks=limits.threads + 2,
            open_files=max(limits.open_files, 512),
            scratch_mb=scratch_mb,
            output_bytes=2 * limits.output_bytes + limits.result_bytes + left + _FRAMES_BYTES,
        ),
        volumes=image.volumes,
    )


def _own_files() -> list[Member]:
    modules = (calling, container_worker, fields, job_work, left_behind)
    sources = [Path(module.__file__ or "") for module in modules]
    return [Member("worker/__init__.py", b""), *(Member(f"worker/{path.name}", path.read_bytes()) for path in sources)]


def _package(folder: Path) -> Iterator[Member]:
    """Give the files of a tool's package, without following links out of it."""
    root, total = resolved(folder), 0
    for place, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            path = Path(place, name)
            status = path.lstat()
            if not stat.S_ISREG(status.st_mode):
                continue
            total += status.st_size
            if total > _MOST_PACKAGE_BYTES:
                raise SandboxError(f"`{folder}` holds more than {_MOST_PACKAGE_BYTES:,} bytes, too many for a tool.")
            yield Member(f"package/{path.relative_to(root).as_posix()}", path.read_bytes())


def _document(job: Job, policy: Policy) -> Member:
    limits = policy.limits
    memory = limits.memory_mb * _MEGABYTE
    document = {
        "work": work_of(job, f"{CODE}/package", policy)._asdict(),
        "limits": {
            "RLIMIT_AS": [memory, memory],
            "RLIMIT_CPU": [limits.cpu_seconds, limits.cpu_seconds + 1],
            "RLIMIT_FSIZE": [limits.scratch_bytes, limits.scratch_bytes],
            "RLIMIT_NOFILE": [limits.open_files, limits.open_files],
            "RLIMIT_CORE": [NO_CORE_BYTES, NO_CORE_BYTES],
        },
        "wall_seconds": limits.wall_seconds,
        "keeps": [limits.artifacts, limits.artifact_bytes] if policy.keeps_files else None,
        "caps": {
            str(container_worker.STDOUT): limits.output_bytes,
            str(container_worker.STDERR): limits.output_bytes,
            str(container_worker.RESULT): limits.result_bytes,
        },
    }
    return Member("job.json", json.dumps(document).encode())


def _granted(path: Path) -> Path:
    found = resolved(path)
    if found != path.absolute():
        raise SandboxError(f"`{path}` leads to `{found}`. Containers need the real path: use that one.")
    refused = refused_path(found)
    if refused is not None:
        raise SandboxError(f"{refused}.")
    for inside in (found, *(found.rglob("*") if found.is_dir() else ())):
        kind = inside.lstat().st_mode
        if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind) or stat.S_ISLNK(kind)):
            raise SandboxError(
                f"`{inside}` is not a plain file, and a container could use it to escape. It was not granted."
            )
    return found


def _user(engine: Engine, read: tuple[Path, ...]) -> str:
    """Return who runs in the container: the person where that is nobody special, else nobody at all."""
    if os.geteuid() != 0 and engine.facts().get("rootless") == "no":
        return f"{os.geteuid()}:{os.getegid()}"
    closed = next((path for path in read if not readable_by_anyone(path)), None)
    if closed is not None:
        raise SandboxError(
            f"`{closed}` cannot be read by other users, and in a container a tool runs as `nobody`. "
            "Make it readable, or use the sandbox of level 1 or 2."
        )
    return NOBODY


def _record(job: Job, policy: Policy, ended: Ended) -> Run:
    limits = policy.limits
    told = _told(ended.stdout)
    usage = _usage(ended, told)
    received = read_answers(told.result, len(job.calls))
    left = artifacts.received(told.files, told.left_out, limits) if policy.keeps_files else artifacts.Collected()
    outcome, reason = _judged(ended, told, limits) or judge(_ending(ended, told, usage), received, limits)
    return Run(
        outcome=outcome,
        answers=received.answers,
        stdout=told.stdout.decode("utf-8", "replace"),
        stderr=(told.stderr or ended.stderr[: limits.output_bytes]).decode("utf-8", "replace"),
        usage=replace(usage, rows=rows_received(answer.table for answer in received.answers)),
        level=Level.CONTAINER,
        reason=reason,
        artifacts=left.artifacts,
        left_out=left.left_out,
    )


def _judged(ended: Ended, told: _Told, limits: Limits) -> tuple[Outcome, str] | None:
    """Return what the engine says of the end, or `None` where the job's own process ended it."""
    if ended.cancelled:
        return Outcome.CANCELLED, "The job was cancelled while it ran."
    if ended.timed_out or told.report.get("timed_out") is True:
        return Outcome.TIMED_OUT, f"The job was stopped after {in_seconds(limits.wall_seconds)}."
    if ended.overflow:
        return Outcome.OUTPUT_EXCEEDED, "The job was stopped because it wrote more than can be kept."
    if ended.out_of_memory:
        return Outcome.MEMORY_EXCEEDED, f"The job held more than {limits.memory_mb} MB of memory."
    if not told.report:
        last = ended.stderr.decode("utf-8", "replace").strip()[-300:]
        return Outcome.CRASHED, f"The container ended with code {ended.exit_code} and without a report. {last}".rstrip()
    return None


def _ending(ended: Ended, told: _Told, usage: Usage) -> Ending:
    status, overflow = told.report.get("status"), told.report.get("overflow")
    return Ending(
        status=status if isinstance(status, int) and 0 <= status <= 0xFFFF else 1 << 8,
        timed_out=False,
        cpu_seconds=usage.cpu_seconds,
        peak_memory_bytes=usage.peak_memory_bytes,
        wall_seconds=ended.wall_seconds,
        stdout=told.stdout,
        stderr=told.stderr,
        result=told.result,
        overflow=overflow if isinstance(overflow, str) else None,
    )


def _usage(ended: Ended, told: _Told) -> Usage:
    """Return the larger of what the engine saw and what the container told: neither sees all of it."""
    spent, held = told.report.get("cpu_seconds"), told.report.get("peak_memory_bytes")
    return Usage(
        wall_seconds=ended.wall_seconds,
        cpu_seconds=max(ended.used.cpu_seconds or 0.0, float(spent) if isinstance(spent, int | float) else 0.0),
        peak_memory_bytes=max(ended.used.peak_memory_bytes or 0, held if isinstance(held, int) else 0),
    )


def _told(frames: bytes) -> _Told:
    """Return what frames hold up to the first that is cut short or makes no sense."""
    streams: dict[int, bytearray] = {number: bytearray() for number in range(1, 5)}
    files, left_out = list[tuple[str, bytes]](), list[str]()
    at, head = 0, 1 + container_worker.LENGTH_BYTES
    while at + head <= len(frames):
        number, length = frames[at], int.from_bytes(frames[at + 1 : at + head], "big")
        content = frames[at + head : at + head + length]
        if len(content) < length:
            break
        match number:
            case container_worker.FILE:
                files.append(_file(content))
            case container_worker.LEFT_OUT:
                left_out.append(content.decode("utf-8", "replace"))
            case stream if stream in streams:
                streams[stream] += content
            case _:
                break
        at += head + length
    stdout, stderr, result, status = (bytes(stream) for stream in streams.values())
    return _Told(stdout, stderr, result, _report(status), tuple(files), tuple(left_out))


def _file(content: bytes) -> tuple[str, bytes]:
    start = container_worker.LENGTH_BYTES
    end = start + int.from_bytes(content[:start], "big")
    return content[start:end].decode("utf-8", "replace"), content[end:]


def _report(status: bytes) -> dict[str, object]:
    try:
        document = json.loads(status, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}
