"""Starts one process with three streams, keeps what it writes up to caps, and ends it when its time is up.

For systems without the descriptors and namespaces that the Linux launcher uses; only POSIX is needed.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.jobs.launch import Ending
from jupyter_mcpgen.sandbox.policy import Limits
from jupyter_mcpgen.sandbox.scratch import used_bytes

_CHUNK = 65536
_WATCH_SECONDS = 0.2
_LAST_SECONDS = 5.0


@dataclass
class _Kept:
    """What one stream carried, up to its cap."""

    name: str
    cap: int
    content: bytearray = field(default_factory=bytearray)
    overflow: bool = False

    def read(self, descriptor: int) -> None:
        """Keep until the stream ends, and drain what does not fit."""
        with os.fdopen(descriptor, "rb", buffering=0) as stream:
            while chunk := stream.read(_CHUNK):
                room = self.cap - len(self.content)
                self.content += chunk[:room]
                self.overflow = self.overflow or len(chunk) > room


def launched(
    arguments: tuple[str, ...],
    document: Callable[[int], bytes],
    environment: Mapping[str, str],
    scratch: Path,
    limits: Limits,
    cancellation: Cancellation,
) -> Ending:
    """Run a process to its end; `document` gives its standard input for the descriptor of its result."""
    result, result_writer = os.pipe()
    os.set_inheritable(result_writer, True)
    streams = [_Kept("output", limits.output_bytes), _Kept("output", limits.output_bytes)]
    streams.append(_Kept("result", limits.result_bytes))
    begin = time.monotonic()
    given = document(result_writer)
    try:
        process = subprocess.Popen(  # noqa: S603  # our own argument list, no shell
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environment),
            cwd=os.sep,
            pass_fds=(result_writer,),
            start_new_session=True,
        )
    except OSError as error:
        os.close(result)
        raise SandboxError(f"`{arguments[0]}` could not be started: {error.strerror}.") from error
    finally:
        os.close(result_writer)
    sources = [os.dup(stream.fileno()) for stream in (process.stdout, process.stderr) if stream] + [result]
    readers = [
        threading.Thread(target=stream.read, args=(source,), daemon=True)
        for stream, source in zip(streams, sources, strict=True)
    ]
    for reader in readers:
        reader.start()
    with process, cancellation.calling(lambda: _kill(process)):
        _hand_over(process, given)
        reason, status, used = _watched(process, streams, scratch, limits, begin)
        process.returncode = os.waitstatus_to_exitcode(status)
    for reader in readers:
        reader.join(_LAST_SECONDS)
    stdout, stderr, answers = (bytes(stream.content) for stream in streams)
    late = reason == ""
    return Ending(
        status=status,
        timed_out=late,
        cpu_seconds=used.ru_utime + used.ru_stime,
        peak_memory_bytes=used.ru_maxrss * (1 if os.uname().sysname == "Darwin" else 1024),
        wall_seconds=time.monotonic() - begin,
        stdout=stdout,
        stderr=stderr,
        result=answers,
        overflow=reason or _overflow(streams),
        cancelled=cancellation.is_cancelled,
    )


def _watched(
    process: subprocess.Popen[bytes], streams: list[_Kept], scratch: Path, limits: Limits, begin: float
) -> tuple[str | None, int, resource.struct_rusage]:
    """Wait for the end; the reason is why it was ended: empty for its time, `None` when it ended by itself."""
    reason: str | None = None
    while True:
        ended, status, used = os.wait4(process.pid, os.WNOHANG)
        if ended:
            return reason, status, used
        if reason is None:
            reason = _excess(streams, scratch, limits, begin)
            if reason is not None:
                _kill(process)
        time.sleep(0.005 if time.monotonic() - begin < _WATCH_SECONDS else 0.02)


def _excess(streams: list[_Kept], scratch: Path, limits: Limits, begin: float) -> str | None:
    if time.monotonic() - begin > limits.wall_seconds:
        return ""
    if (found := _overflow(streams)) is not None:
        return found
    if used_bytes(scratch, limits.scratch_bytes, limits.scratch_entries) > limits.scratch_bytes:
        return f"it filled its scratch folder beyond {limits.scratch_bytes:,} bytes or {limits.scratch_entries:,} files"
    return None


def _overflow(streams: list[_Kept]) -> str | None:
    return next((f"it wrote more than {s.cap:,} bytes of {s.name}" for s in streams if s.overflow), None)


def _hand_over(process: subprocess.Popen[bytes], given: bytes) -> None:
    if process.stdin is None:
        return
    with suppress(BrokenPipeError):  # it ended before it read: its own words say why
        process.stdin.write(given)
        process.stdin.flush()
    with suppress(BrokenPipeError):
        process.stdin.close()


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):  # it may be over already
        os.killpg(process.pid, signal.SIGKILL)
