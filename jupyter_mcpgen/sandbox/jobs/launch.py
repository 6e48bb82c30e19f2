"""Hands a worker its job, collects what it writes up to the limits, and never leaves it behind."""

from __future__ import annotations

import json
import os
import select
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from jupyter_mcpgen.errors import JobNotBegun, SandboxError, SupervisorLost
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.inside.confinement import Confinement, Preparation
from jupyter_mcpgen.sandbox.inside.documents import framed
from jupyter_mcpgen.sandbox.inside.job_order import JobOrder
from jupyter_mcpgen.sandbox.inside.job_report import Confined, JobEnded
from jupyter_mcpgen.sandbox.inside.job_work import JobWork
from jupyter_mcpgen.sandbox.inside.supervisor import Channels
from jupyter_mcpgen.sandbox.inside.worker import START
from jupyter_mcpgen.sandbox.interpreter import Interpreter
from jupyter_mcpgen.sandbox.jobs.pipes import Pipes, Status, Stream

SANDBOX_FOLDER = Path(__file__).resolve().parent.parent
# The whole environment of a worker: nothing of the host's, and libraries told to start no threads.
# The job's own scratch folder becomes HOME and TMPDIR.
ENVIRONMENT = {
    "HOME": "/nonexistent",
    "LANG": "C.UTF-8",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
}
NOT_BEGUN = "The sandbox could not confine a job, so it did not run: "
SEE_DOCTOR = ". `%mcpgen doctor` shows what this machine enforces."
_FLAGS = ("-I", "-S", "-B", "-X", "utf8", "-c")
_CHUNK = 65536
_START_SECONDS = 20.0
_GRACE_SECONDS = 5.0
_WATCH_SECONDS = 0.5

Start = Callable[[Channels], subprocess.Popen[bytes] | None]
"""Starts a supervisor with these ends of its pipes; gives its process when it is our own child."""


@dataclass(frozen=True)
class Ending:
    """How a job ended, told by its supervisor, and everything it wrote, within the limits."""

    status: int
    timed_out: bool
    cpu_seconds: float
    peak_memory_bytes: int
    wall_seconds: float
    stdout: bytes
    stderr: bytes
    result: bytes
    overflow: str | None
    inherited_memory_bytes: int = 0
    read_bytes: int | None = None
    written_bytes: int | None = None
    cancelled: bool = False


@dataclass(frozen=True)
class Caps:
    """How many bytes each stream may carry, and a check that names a quota when it is exceeded."""

    output: int
    result: int
    watch: Callable[[], str | None]


@dataclass(frozen=True)
class Order:
    """One job for a worker: what confines it, what it calls, what it may write.

    `take_scratch` is given a descriptor of the scratch folder that only the worker could see, once the job is dead.
    """

    confinement: Confinement
    work: JobWork
    caps: Caps
    cancel: Cancellation = field(default_factory=Cancellation)
    take_scratch: Callable[[int], None] | None = None


def run_worker(worker: Worker, order: Order) -> Ending:
    """Run one job to its end, and the worker with it; raises `JobNotBegun` while nothing of the job ran."""
    caps = order.caps
    streams = [Stream("output", caps.output), Stream("output", caps.output), Stream("result", caps.result)]
    with worker:
        if not worker.is_ready():
            raise _not_begun(worker.last_words())
        begin = time.monotonic()
        worker.hand_over(order)
        pump = _Pump(dict(zip(worker.readers, streams, strict=True)), worker, caps.watch)
        with order.cancel.calling(worker.let_go):
            pump.run(begin + order.confinement.wall_seconds + _GRACE_SECONDS)
        wall_seconds = time.monotonic() - begin
        worker.status.catch_up()
        given_up = not worker.status.is_final and not worker.status.is_closed
        if not worker.status.is_final:
            worker.kill()
        pump.drain()
        stdout, stderr, result = (bytes(stream.received) for stream in streams)
        confined, ended = _report(worker.status, stderr, given_up=given_up)
        if order.take_scratch is not None:
            worker.status.hand_on(order.take_scratch)
    cancelled = order.cancel.is_cancelled and pump.overflow is None and os.WIFSIGNALED(ended.status)
    return Ending(
        status=ended.status,
        timed_out=ended.timed_out and pump.overflow is None,
        cpu_seconds=ended.cpu_seconds,
        peak_memory_bytes=ended.peak_memory_bytes,
        wall_seconds=wall_seconds,
        stdout=stdout,
        stderr=stderr,
        result=result,
        overflow=pump.overflow,
        inherited_memory_bytes=confined.inherited_memory_bytes,
        read_bytes=ended.read_bytes,
        written_bytes=ended.written_bytes,
        cancelled=cancelled,
    )


def fresh(interpreter: Interpreter, preparation: Preparation, libraries: Iterable[str] = ()) -> Worker:
    """Start a worker with an interpreter of its own."""

    def start(channels: Channels) -> subprocess.Popen[bytes]:
        document = {
            "libraries": tuple(libraries),
            "paths": tuple(map(str, interpreter.imports)),
            "preparation": preparation._asdict(),
        }
        handed = (channels.result, channels.status, channels.hold)
        arguments = (START, str(SANDBOX_FOLDER), *map(str, handed), str(os.getpid()), json.dumps(document))
        # The environment is empty but for what is listed, and only these descriptors survive the exec.
        return subprocess.Popen(  # noqa: S603  # our own interpreter and our own worker, no shell
            [str(interpreter.executable), *_FLAGS, *arguments],
            stdin=channels.documents,
            stdout=channels.stdout,
            stderr=channels.stderr,
            cwd=os.sep,
            env=ENVIRONMENT,
            pass_fds=handed,
            start_new_session=True,
        )

    try:
        return Worker(preparation, start)
    except OSError as error:
        raise SandboxError(f"The sandbox could not start `{interpreter.executable}`: {error.strerror}.") from error


class Worker:
    """The host's side of the supervisor of one job; leaving its block ends what is left of it."""

    def __init__(self, preparation: Preparation, start: Start) -> None:
        self.preparation = preparation
        self._pipes = Pipes()
        self._is_ready: bool | None = None
        try:
            # A file and not a pipe: the host need not wait for a reader, whatever the size of the job.
            self._documents = self._pipes.keep(os.memfd_create("mcpgen-job"))
            outputs = [self._pipes.to_us() for _ in range(3)]
            self.readers = tuple(reader for reader, _ in outputs)
            self.status, status = self._pipes.status()
            self._hold, held = self._pipes.from_us()
            stdout, stderr, result = (writer for _, writer in outputs)
            self._process = start(Channels(self._documents, stdout, stderr, result, status, held))
        except BaseException:
            self._pipes.close()
            raise
        finally:
            self._pipes.close_theirs()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def was_forked(self) -> bool:
        """Return whether it comes from a zygote, and so may have waited."""
        return self._process is None

    @property
    def pid(self) -> int | None:
        """Return the id of the supervisor, once it is ready: the job is its only child."""
        return self.status.waits.supervisor if self.status.waits else None

    @property
    def job(self) -> int | None:
        """Return the id of the job, once the supervisor is ready."""
        return self.status.waits.job if self.status.waits else None

    @property
    def is_running(self) -> bool:
        """Return whether the supervisor lives."""
        if self._process is not None:
            return self._process.poll() is None
        return not self.status.is_closed

    def is_ready(self, seconds: float = _START_SECONDS) -> bool:
        """Wait until the worker can take a job, for so long; return whether it can."""
        if self._is_ready is None:
            self._is_ready = self.status.wait(seconds)
        return self._is_ready

    def hand_over(self, order: Order) -> None:
        """Give the worker its only job."""
        with open(self._documents, "wb", closefd=False) as stream:
            stream.write(framed(order.confinement._asdict()) + framed(order.work._asdict()))
        os.lseek(self._documents, 0, os.SEEK_SET)
        self._pipes.drop(self._documents)
        try:
            os.write(self._hold, _told(order, self.preparation).encoded())
        except BrokenPipeError as error:
            while self.status.read():
                pass
            raise _not_begun(self.status.refusal or "the worker died while it waited for a job") from error

    def finish(self) -> None:
        """Tell the supervisor that the job has closed its result, so that it need not wait for its end."""
        with suppress(BrokenPipeError):
            self._pipes.write(self._hold, b"\n")

    def let_go(self) -> None:
        """Tell the supervisor to kill the job and report, or a worker without a job to end; from any thread."""
        self._pipes.drop(self._hold)

    def kill(self) -> None:
        """Kill the supervisor, and so the job."""
        if self.status.process is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.status.process, signal.SIGKILL)
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                # Its group, because a job may not be confined yet; it is not reaped, so the id is still its own.
                os.killpg(self._process.pid, signal.SIGKILL)

    def last_words(self) -> str:
        """Kill the worker and return the end of what it wrote as errors."""
        self.kill()
        os.set_blocking(self.readers[1], False)
        with suppress(BlockingIOError):
            return os.read(self.readers[1], _CHUNK).decode("utf-8", "replace").strip()[-500:]
        return ""

    def close(self) -> None:
        """Kill the worker unless it has ended, and close the pipes."""
        self.let_go()
        if not self.status.is_final:
            self.kill()
            self._wait()
        if self._process is not None:
            self.kill()
            self._process.wait()
        self._pipes.close()

    def disown(self) -> None:
        """Forget a worker of the process that this one was forked from: close the copies of its pipes, no more."""
        if self._process is not None:
            self._process.returncode = 0  # it is not our child, so there is nothing to wait for
        self._pipes.close()

    def _wait(self) -> None:
        if self.status.process is not None:
            poll = select.poll()
            poll.register(self.status.process, select.POLLIN)
            poll.poll(_GRACE_SECONDS * 1000)


class _Pump:
    """Empties the pipes until the supervisor is done; asks for the job's end when a limit is passed."""

    def __init__(self, streams: Mapping[int, Stream], worker: Worker, watch: Callable[[], str | None]) -> None:
        self._streams = dict(streams)
        self._worker = worker
        self._status = worker.status
        self._watch = watch
        self.overflow: str | None = None

    def run(self, deadline: float) -> None:
        """Read until the supervisor has reported or is gone, or the deadline passed."""
        with selectors.DefaultSelector() as selector:
            for descriptor in (*self._streams, self._status.fileno()):
                selector.register(descriptor, selectors.EVENT_READ)
            next_watch = time.monotonic() + _WATCH_SECONDS
            while not self._status.is_final and (now := time.monotonic()) < deadline:
                for key, _ in selector.select(max(0.0, min(deadline, next_watch) - now)):
                    if not self._read(key.fd):
                        selector.unregister(key.fd)
                        if key.fd == self._status.fileno():
                            return
                if time.monotonic() >= next_watch:
                    self._stop(self._watch())
                    next_watch = time.monotonic() + _WATCH_SECONDS

    def drain(self) -> None:
        """Read what is left after every writer died, without waiting for a process that escaped."""
        for descriptor in self._streams:
            os.set_blocking(descriptor, False)
            with suppress(BlockingIOError):
                while self._read(descriptor):
                    pass

    def _read(self, descriptor: int) -> bool:
        if descriptor == self._status.fileno():
            return self._status.read()
        chunk = os.read(descriptor, _CHUNK)
        stream = self._streams[descriptor]
        if not chunk and stream.name == "result":
            self._worker.finish()
        if not stream.take(chunk):
            self._stop(f"its {stream.name} went over the limit of {_in_megabytes(stream.cap)}")
        return bool(chunk)

    def _stop(self, reason: str | None) -> None:
        if reason is not None and self.overflow is None:
            self.overflow = reason
            self._worker.let_go()


def _in_megabytes(count: int) -> str:
    """Return a limit as a person says it."""
    return f"{count // 2**20} MB" if count >= 2**20 else f"{count:,} bytes"


def _told(order: Order, preparation: Preparation) -> JobOrder:
    """Return what the supervisor must know of an order; the rest is for the job alone."""
    confinement = order.confinement
    return JobOrder(
        wall_seconds=confinement.wall_seconds,
        read=tuple(path for path in confinement.read if not _covers(preparation.read, path)),
        links=confinement.links,
        scratch=confinement.scratch,
        scratch_bytes=confinement.file_bytes,
        scratch_entries=confinement.scratch_entries,
        sends_scratch=confinement.namespaces and order.take_scratch is not None,
    )


def _covers(folders: Iterable[str], path: str) -> bool:
    return any(path == folder or path.startswith(folder + os.sep) for folder in folders)


def _report(status: Status, stderr: bytes, *, given_up: bool) -> tuple[Confined, JobEnded]:
    if status.confined is None:
        raise _not_begun(status.refusal or stderr.decode("utf-8", "replace").strip()[-500:])
    if status.ended is None and given_up:  # the time was up long ago, and it was us who ended both
        return status.confined, JobEnded(signal.SIGKILL, timed_out=True, cpu_seconds=0.0, peak_memory_bytes=0)
    if status.ended is None:
        raise SupervisorLost("job")
    return status.confined, status.ended


def _not_begun(told: str | None) -> JobNotBegun:
    return JobNotBegun(f"{NOT_BEGUN}{told or 'the worker died without a word'}{SEE_DOCTOR}")
