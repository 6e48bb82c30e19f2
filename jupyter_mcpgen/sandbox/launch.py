"""Starts a worker, hands it its job, collects what it writes up to the limits, and never leaves it behind."""

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
from typing import Any, Self

from jupyter_mcpgen.errors import JobNotBegun, SandboxError
from jupyter_mcpgen.sandbox.confinement import Confinement
from jupyter_mcpgen.sandbox.interpreter import Interpreter
from jupyter_mcpgen.sandbox.worker import READY, START, framed

_PRODUCT_FOLDER = Path(__file__).resolve().parent.parent
_FLAGS = ("-I", "-S", "-B", "-X", "utf8", "-c")
# The whole environment of a worker: nothing of the host's, and libraries told to start no threads.
# The job's own scratch folder becomes HOME and TMPDIR.
_ENVIRONMENT = {
    "HOME": "/nonexistent",
    "LANG": "C.UTF-8",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
}
_CHUNK = 65536
_STATUS_LIMIT = 65536
_START_SECONDS = 20.0
_GRACE_SECONDS = 5.0
_WATCH_SECONDS = 0.5


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


@dataclass(frozen=True)
class Caps:
    """How many bytes each stream may carry, and a check that names a quota when it is exceeded."""

    output: int
    result: int
    watch: Callable[[], str | None]


@dataclass
class _Stream:
    """One pipe from the worker: what arrived so far, up to a cap."""

    name: str
    cap: int
    received: bytearray = field(default_factory=bytearray)

    def take(self, chunk: bytes) -> bool:
        """Keep what fits of a chunk; return whether all of it did."""
        room = self.cap - len(self.received)
        self.received += chunk[:room]
        return len(chunk) <= room


def run_worker(worker: Worker, confinement: Confinement, work: Mapping[str, Any], caps: Caps) -> Ending:
    """Run one job to its end, and the worker with it; raises `JobNotBegun` while nothing of the job ran."""
    streams = [_Stream("output", caps.output), _Stream("output", caps.output), _Stream("result", caps.result)]
    status = _Stream("status", _STATUS_LIMIT)
    with worker:
        if not worker.is_ready():
            raise _not_begun(worker.last_words())
        begin = time.monotonic()
        worker.hand_over(confinement, work)
        pump = _Pump(dict(zip(worker.readers, [*streams, status], strict=True)), worker.let_go, caps.watch)
        pump.run(begin + confinement.wall_seconds + _GRACE_SECONDS)
        worker.kill()
        pump.drain()
    stdout, stderr, result = (bytes(stream.received) for stream in streams)
    report = _report(bytes(status.received), stderr)
    return Ending(
        status=report["status"],
        timed_out=report["timed_out"] and pump.overflow is None,
        cpu_seconds=report["cpu_seconds"],
        peak_memory_bytes=report["peak_memory_bytes"],
        wall_seconds=time.monotonic() - begin,
        stdout=stdout,
        stderr=stderr,
        result=result,
        overflow=pump.overflow,
        inherited_memory_bytes=report["inherited_memory_bytes"],
    )


class Worker:
    """A worker process for one job, and the host's ends of its pipes; leaving its block kills and reaps it."""

    def __init__(self, interpreter: Interpreter, libraries: Iterable[str] = ()) -> None:
        start = {"libraries": tuple(libraries), "paths": tuple(map(str, interpreter.imports))}
        self._ours: set[int] = set()
        self._is_ready: bool | None = None
        theirs: list[int] = []
        try:
            # A file and not a pipe: the host need not wait for a reader, whatever the size of the job.
            self._documents = self._keep(os.memfd_create("mcpgen-job"))
            self.readers = [self._reader(theirs) for _ in range(4)]
            held, hold = os.pipe()
            theirs.append(held)
            self._hold = self._keep(hold)
            self._process = self._started(interpreter, theirs, json.dumps(start))
        except OSError as error:
            self._close()
            raise SandboxError(f"The sandbox could not start `{interpreter.executable}`: {error.strerror}.") from error
        finally:
            for descriptor in theirs:
                os.close(descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def is_running(self) -> bool:
        """Return whether the process lives; one that ended is reaped."""
        return self._process.poll() is None

    def is_ready(self, seconds: float = _START_SECONDS) -> bool:
        """Wait until the worker can take a job, for so long; return whether it can."""
        if self._is_ready is None:
            self._is_ready = _next_line(self.readers[-1], seconds) == READY
        return self._is_ready

    def hand_over(self, confinement: Confinement, work: Mapping[str, Any]) -> None:
        """Give the worker its only job."""
        with open(self._documents, "wb", closefd=False) as stream:
            stream.write(framed(confinement._asdict()) + framed(work))
        os.lseek(self._documents, 0, os.SEEK_SET)
        self._drop(self._documents)
        try:
            os.write(self._hold, b"\n")
        except BrokenPipeError as error:
            raise _not_begun("the worker died while it waited for a job") from error

    def let_go(self) -> None:
        """Tell the supervisor to kill the job and report, or a worker without a job to end."""
        self._drop(self._hold)

    def kill(self) -> None:
        """Kill the worker's whole process group; its leader is not reaped yet, so the id is still its own."""
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def last_words(self) -> str:
        """Kill the worker and return the end of what it wrote as errors."""
        self.kill()
        os.set_blocking(self.readers[1], False)
        with suppress(BlockingIOError):
            return os.read(self.readers[1], _CHUNK).decode("utf-8", "replace").strip()[-500:]
        return ""

    def close(self) -> None:
        """Kill and reap the process, and close the pipes."""
        self.kill()
        self._process.wait()
        self._close()

    def disown(self) -> None:
        """Forget a worker of the process that this one was forked from: close the copies of its pipes, no more."""
        self._process.returncode = 0  # it is not our child, so there is nothing to wait for
        self._close()

    def _started(self, interpreter: Interpreter, theirs: list[int], start: str) -> subprocess.Popen[bytes]:
        stdout, stderr, result, status, held = theirs
        handed = (result, status, held)
        arguments = (START, str(_PRODUCT_FOLDER), *map(str, handed), str(os.getpid()), start)
        # The environment is empty but for what is listed, and only these descriptors survive the exec.
        return subprocess.Popen(  # noqa: S603  # our own interpreter and our own worker, no shell
            [str(interpreter.executable), *_FLAGS, *arguments],
            stdin=self._documents,
            stdout=stdout,
            stderr=stderr,
            cwd=os.sep,
            env=_ENVIRONMENT,
            pass_fds=handed,
            start_new_session=True,
        )

    def _reader(self, theirs: list[int]) -> int:
        reader, writer = os.pipe()
        theirs.append(writer)
        return self._keep(reader)

    def _keep(self, descriptor: int) -> int:
        self._ours.add(descriptor)
        return descriptor

    def _drop(self, descriptor: int) -> None:
        if descriptor in self._ours:
            self._ours.remove(descriptor)
            os.close(descriptor)

    def _close(self) -> None:
        for descriptor in tuple(self._ours):
            self._drop(descriptor)


class _Pump:
    """Empties the pipes until the supervisor is done; asks for the job's end when a limit is passed."""

    def __init__(
        self, streams: Mapping[int, _Stream], let_go: Callable[[], None], watch: Callable[[], str | None]
    ) -> None:
        self._streams = dict(streams)
        self._status = next(reversed(self._streams))
        self._let_go = let_go
        self._watch = watch
        self.overflow: str | None = None

    def run(self, deadline: float) -> None:
        """Read until the supervisor closed its status pipe, or the deadline passed."""
        with selectors.DefaultSelector() as selector:
            for descriptor in self._streams:
                selector.register(descriptor, selectors.EVENT_READ)
            next_watch = time.monotonic() + _WATCH_SECONDS
            while self._status in selector.get_map() and (now := time.monotonic()) < deadline:
                for key, _ in selector.select(max(0.0, min(deadline, next_watch) - now)):
                    if not self._read(key.fd):
                        selector.unregister(key.fd)
                if time.monotonic() >= next_watch:
                    self._stop(self._watch())
                    next_watch = time.monotonic() + _WATCH_SECONDS

    def drain(self) -> None:
        """Read what is left after every writer died, without waiting for a process that escaped the group."""
        for descriptor in self._streams:
            os.set_blocking(descriptor, False)
            with suppress(BlockingIOError):
                while self._read(descriptor):
                    pass

    def _read(self, descriptor: int) -> bool:
        chunk = os.read(descriptor, _CHUNK)
        stream = self._streams[descriptor]
        if not stream.take(chunk):
            self._stop(f"it wrote more than {stream.cap:,} bytes of {stream.name}")
        return bool(chunk)

    def _stop(self, reason: str | None) -> None:
        if reason is not None and self.overflow is None:
            self.overflow = reason
            self._let_go()


def _next_line(descriptor: int, seconds: float) -> bytes:
    """Return the next line of a pipe, or what there is of it at its end or after so many seconds."""
    line, deadline = b"", time.monotonic() + seconds
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    while not line.endswith(b"\n") and poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
        byte = os.read(descriptor, 1)
        if not byte:
            break
        line += byte
    return line


def _report(status: bytes, stderr: bytes) -> dict[str, Any]:
    lines: list[dict[str, Any]] = [json.loads(line) for line in status.splitlines()]
    told = lines[0].get("reason") if lines else stderr.decode("utf-8", "replace").strip()[-500:]
    if not lines or lines[0].get("confined") is not True:
        raise _not_begun(told)
    if len(lines) == 1:
        raise SandboxError(
            "The supervisor of a job was killed from outside, and the job with it, so nothing can be said about it. "
            "Run it again; if it happens again, look for a memory limit on this machine."
        )
    return {**lines[0], **lines[1]}


def _not_begun(told: str | None) -> JobNotBegun:
    return JobNotBegun(
        f"The sandbox could not confine a job, so it did not run: {told or 'the worker died without a word'}. "
        "`%mcpgen doctor` shows what this machine enforces."
    )
