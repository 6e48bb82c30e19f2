"""Starts the worker, feeds it, collects what it writes up to the limits, and never leaves it behind."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.sandbox.confinement import Confinement
from jupyter_mcpgen.sandbox.interpreter import Interpreter
from jupyter_mcpgen.sandbox.worker import START, framed

_PRODUCT_FOLDER = Path(__file__).resolve().parent.parent
_FLAGS = ("-I", "-S", "-X", "utf8", "-c")
_CHUNK = 65536
_STATUS_LIMIT = 65536
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


def run_worker(interpreter: Interpreter, confinement: Confinement, work: Mapping[str, Any], caps: Caps) -> Ending:
    """Run one job to its end; raises `SandboxError` when the confinement could not be set up."""
    streams = [_Stream("output", caps.output), _Stream("output", caps.output), _Stream("result", caps.result)]
    status = _Stream("status", _STATUS_LIMIT)
    begin = time.monotonic()
    with _Worker(interpreter, confinement, work) as worker:
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
    )


class _Worker:
    """The worker process and the host's ends of its pipes; leaving the block kills and reaps whatever is left."""

    def __init__(self, interpreter: Interpreter, confinement: Confinement, work: Mapping[str, Any]) -> None:
        documents = framed(confinement._asdict()) + framed(work)
        pipes = [os.pipe() for _ in range(4)]
        held, self._hold = os.pipe()
        self.readers = [reader for reader, _ in pipes]
        theirs = [*(writer for _, writer in pipes), held, _as_file(documents)]
        stdout, stderr, result, status, held, stdin = theirs
        try:
            # The environment is empty but for what is listed, and only these descriptors survive the exec.
            self._process = subprocess.Popen(  # noqa: S603  # our own interpreter and our own worker, no shell
                [str(interpreter.executable), *_FLAGS, START, str(_PRODUCT_FOLDER), *map(str, (result, status, held))],
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                cwd=confinement.scratch,
                env=environment(confinement.scratch),
                pass_fds=(result, status, held),
                start_new_session=True,
            )
        except OSError as error:
            self._close()
            raise SandboxError(f"The sandbox could not start `{interpreter.executable}`: {error.strerror}.") from error
        finally:
            for descriptor in theirs:
                os.close(descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._process.wait()
        self._close()

    def let_go(self) -> None:
        """Tell the supervisor to kill the job and report."""
        if self._hold >= 0:
            os.close(self._hold)
            self._hold = -1

    def kill(self) -> None:
        """Kill the worker's whole process group; its leader is not reaped yet, so the id is still its own."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _close(self) -> None:
        self.let_go()
        for reader in self.readers:
            os.close(reader)


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


def environment(scratch: str) -> dict[str, str]:
    """Return the whole environment of a job: nothing of the host's, and libraries told to start no threads."""
    return {
        "HOME": scratch,
        "TMPDIR": scratch,
        "LANG": "C.UTF-8",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "JE_ARROW_MALLOC_CONF": "background_thread:false",
    }


def _as_file(content: bytes) -> int:
    # A file and not a pipe: the host need not wait for a reader, whatever the size.
    descriptor = os.memfd_create("mcpgen-job")
    with open(descriptor, "wb", closefd=False) as stream:
        stream.write(content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _report(status: bytes, stderr: bytes) -> dict[str, Any]:
    lines: list[dict[str, Any]] = [json.loads(line) for line in status.splitlines()]
    told = lines[0].get("reason") if lines else stderr.decode("utf-8", "replace").strip()[-500:]
    if not lines or lines[0].get("confined") is not True:
        raise SandboxError(
            f"The sandbox could not confine a job, so it did not run: {told or 'the worker died without a word'}. "
            "`%mcpgen doctor` shows what this machine enforces."
        )
    if len(lines) == 1:
        raise SandboxError(
            "The supervisor of a job was killed from outside, and the job with it, so nothing can be said about it. "
            "Run it again; if it happens again, look for a memory limit on this machine."
        )
    return lines[1]
