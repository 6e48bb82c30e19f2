"""Starts a program under its supervisor, talks to it, collects what it writes up to its bounds, and ends it."""

from __future__ import annotations

import array
import fcntl
import json
import os
import selectors
import signal
import termios
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Self

import psutil

from jupyter_mcpgen.errors import JobNotBegun, SandboxError, SupervisorLost
from jupyter_mcpgen.sandbox.inside.confinement import Confinement
from jupyter_mcpgen.sandbox.inside.program_plan import Plan
from jupyter_mcpgen.sandbox.inside.program_report import Ended, Refused, Stop, decoded
from jupyter_mcpgen.sandbox.inside.program_tree import REST, go_on
from jupyter_mcpgen.sandbox.inside.program_worker import LENGTH_BYTES
from jupyter_mcpgen.sandbox.jobs.launch import SEE_DOCTOR
from jupyter_mcpgen.sandbox.jobs.pipes import Pipes
from jupyter_mcpgen.sandbox.programs.program import Bounds, Ending, Program
from jupyter_mcpgen.sandbox.programs.supervisor import Ends, StartSupervisor, fresh

PROGRAM_NOT_BEGUN = "The sandbox could not confine a program, so it did not run: "
_CHUNK = 65536
_STATUS_LIMIT = 65536
_GRACE_SECONDS = 10.0
_RETRY_SECONDS = 0.01


class Running:
    """A program under its supervisor; leaving the block ends both, whatever state they are in.

    With `talks`, descriptor 3 of the program carries framed requests and 4 the replies.
    """

    def __init__(
        self,
        program: Program,
        confinement: Confinement,
        *,
        talks: bool = False,
        start: StartSupervisor = fresh,
    ) -> None:
        self._pipes = Pipes()
        self._begin = time.monotonic()
        try:
            self._supervisor = start(self._ends(program, confinement, talks=talks))
        except OSError as error:
            self._pipes.close()
            raise SandboxError(f"The sandbox could not start a process: {error.strerror}.") from error
        finally:
            self._pipes.close_theirs()
        self._collector = _Collector(self, program.bounds)
        self._first: psutil.Process | None = None
        self._sent = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.let_go()
        self._supervisor.has_ended(_GRACE_SECONDS)
        self._kill()
        self._supervisor.close()
        self._collector.close()
        self._pipes.close()

    @property
    def has_ended(self) -> bool:
        """Return whether the supervisor said all it had to say."""
        return self._collector.has_ended

    @property
    def has_heard(self) -> bool:
        """Return whether the program took anything of what it was last asked; what it did not take it cannot do."""
        unread = array.array("i", [0])
        fcntl.ioctl(self._requests, termios.FIONREAD, unread)
        return unread[0] < self._sent

    @property
    def readers(self) -> tuple[int, ...]:
        """Return our ends of stdout, stderr and status, and of the replies if the program talks."""
        return self._readers

    def used(self) -> tuple[float, int]:
        """Return the processor seconds and the bytes in memory of the processes there are now."""
        seconds, held = 0.0, 0
        if self._supervisor.has_ended():
            return seconds, held  # its id may be another process's by now
        with suppress(psutil.Error):
            supervisor = psutil.Process(self._supervisor.pid)
            own, ours = supervisor.cmdline(), self._ours(supervisor)
            for process in supervisor.children(recursive=True):
                with suppress(psutil.Error):  # it ended meanwhile
                    # A program can take on any command line, so only what cannot be one may be left out for it.
                    if (process == ours or not self._collector.has_begun) and process.cmdline() == own:
                        continue
                    seconds += sum(process.cpu_times()[:4])
                    held += process.memory_info().rss
        return seconds, held

    def _ours(self, supervisor: psutil.Process) -> psutil.Process | None:
        """Return the first child of the supervisor, which is its guard or what begins its namespace."""
        if self._first is None:
            children = supervisor.children()
            self._first = min(children, key=lambda child: (child.create_time(), child.pid), default=None)
        return self._first

    def wait(self, seconds: float) -> Ending:
        """Collect output until the program ends; raises `SandboxError` when nothing can be said about it."""
        self._collector.collect(time.monotonic() + seconds + _GRACE_SECONDS)
        return self.end()

    def ask(self, message: Mapping[str, object], seconds: float, cpu_seconds: float | None = None) -> bytes | None:
        """Send a message and return the reply; `None` when the program ended, or the time was up, before it.

        From its reply to the next message the program and all it started stand still. They are ended by their
        supervisor when they use more than `cpu_seconds` of processor time before it.
        """
        self._collector.forget()
        self._tell(go_on(cpu_seconds))
        encoded = json.dumps(message).encode()
        deadline = time.monotonic() + seconds
        self._send(memoryview(len(encoded).to_bytes(LENGTH_BYTES, "big") + encoded), deadline)
        self._collector.collect(deadline, until=lambda: self._collector.reply is not None)
        self._collector.drain()
        if self._collector.reply is not None:
            self._tell(REST)
        return self._collector.reply

    def output(self) -> tuple[bytes, bytes]:
        """Return what the program wrote to stdout and stderr since it was last asked, or since its start."""
        return self._collector.output

    def end(self) -> Ending:
        """End the program if it still runs, and return its record."""
        self.let_go()
        self._collector.collect(time.monotonic() + _GRACE_SECONDS)
        self._kill()
        self._collector.drain()
        return self._collector.ending(time.monotonic() - self._begin)

    def let_go(self) -> None:
        """Tell the supervisor to end everything and report."""
        self._pipes.drop(self._hold)

    def _ends(self, program: Program, confinement: Confinement, *, talks: bool) -> Ends:
        pipes = self._pipes
        ends = [pipes.to_us() for _ in range(4 if talks else 3)]
        self._readers = tuple(ours for ours, _ in ends)
        stdout, stderr, status, *reply = (theirs for _, theirs in ends)
        self._hold, held = pipes.from_us()
        self._requests, *request = pipes.from_us() if talks else (-1,)
        stdin = pipes.take(_opened(program.stdin))
        plan = pipes.take(_as_file(_plan(program, confinement).encoded()))
        return Ends(stdin, stdout, stderr, plan, status, held, (*request, *reply))

    def _tell(self, word: bytes) -> None:
        with suppress(BrokenPipeError):  # it ended, as its record will say
            self._pipes.write(self._hold, word)

    def _send(self, unsent: memoryview, deadline: float) -> None:
        os.set_blocking(self._requests, False)
        self._sent = 0
        with suppress(BrokenPipeError):  # it ended: there will be no reply either
            while unsent and time.monotonic() < deadline:
                try:
                    written = os.write(self._requests, unsent)
                    self._sent, unsent = self._sent + written, unsent[written:]
                except BlockingIOError:
                    self._collector.collect(time.monotonic() + _RETRY_SECONDS)

    def _kill(self) -> None:
        # Its guard then kills what is left.
        while not self._supervisor.has_ended():
            self._supervisor.kill()
            self._supervisor.has_ended(_GRACE_SECONDS)


class _Collector:
    """Empties the pipes of a running program into bounded buffers, and has it ended when a bound is passed."""

    def __init__(self, running: Running, bounds: Bounds) -> None:
        self._running = running
        self._bounds = bounds
        self._buffers = {reader: bytearray() for reader in running.readers}
        self._stdout, self._stderr, self._status, *reply = self._buffers.values()
        self._reply = reply[0] if reply else bytearray()
        self._status_reader = running.readers[2]
        self._selector = selectors.DefaultSelector()
        for reader in self._buffers:
            self._selector.register(reader, selectors.EVENT_READ)
        self._excess: Stop | None = None

    @property
    def output(self) -> tuple[bytes, bytes]:
        """Return the standard streams."""
        return bytes(self._stdout), bytes(self._stderr)

    @property
    def reply(self) -> bytes | None:
        """Return the reply once it is whole; a program that lies about its length gives none."""
        if len(self._reply) < LENGTH_BYTES:
            return None
        end = LENGTH_BYTES + int.from_bytes(self._reply[:LENGTH_BYTES], "big")
        return bytes(self._reply[LENGTH_BYTES:end]) if end <= len(self._reply) else None

    @property
    def has_begun(self) -> bool:
        """Return whether the supervisor said that the program is about to be executed."""
        return bool(self._status)

    @property
    def has_ended(self) -> bool:
        """Return whether the status pipe is closed."""
        return self._status_reader not in self._selector.get_map()

    def forget(self) -> None:
        """Begin anew with everything but the status."""
        for buffer in (self._stdout, self._stderr, self._reply):
            buffer.clear()

    def collect(self, deadline: float, until: Callable[[], bool] = lambda: False) -> None:
        """Read until the supervisor closed its status pipe, enough arrived, or the deadline passed."""
        while not self.has_ended and not until() and (now := time.monotonic()) < deadline:
            self._read_ready(max(0.0, deadline - now))

    def drain(self) -> None:
        """Read what is there already, at most a buffer's worth."""
        for _ in range(self._bounds.output_bytes // _CHUNK + 1):
            if not self._read_ready(0):
                return

    def ending(self, wall_seconds: float) -> Ending:
        """Return the record of the program by the supervisor's word; what we stopped it for outranks that."""
        ended = _ended(bytes(self._status), bytes(self._stderr))
        return Ending(
            stop=self._excess or _judged(ended, self._bounds),
            status=ended.reaped.status,
            stdout=bytes(self._stdout),
            stderr=bytes(self._stderr),
            wall_seconds=min(wall_seconds, ended.wall_seconds),
            cpu_seconds=ended.reaped.cpu_seconds,
            peak_memory_bytes=max(ended.reaped.peak_memory_bytes, ended.tree_memory_bytes),
            read_bytes=ended.moved.read_bytes if ended.moved else None,
            written_bytes=ended.moved.written_bytes if ended.moved else None,
        )

    def close(self) -> None:
        """Let the selector go."""
        self._selector.close()

    def _read_ready(self, seconds: float) -> bool:
        ready = self._selector.select(seconds)
        for key, _ in ready:
            if not self._take(key.fd):
                self._selector.unregister(key.fd)
        return bool(ready)

    def _take(self, reader: int) -> bool:
        chunk, buffer = os.read(reader, _CHUNK), self._buffers[reader]
        room = (_STATUS_LIMIT if buffer is self._status else self._bounds.output_bytes) - len(buffer)
        buffer += chunk[:room]
        if len(chunk) > room:
            self._stop(Stop.OUTPUT_EXCEEDED)
        return bool(chunk)

    def _stop(self, reason: Stop) -> None:
        if self._excess is None:
            self._excess = reason
            self._running.let_go()


def _plan(program: Program, confinement: Confinement) -> Plan:
    return Plan(
        confinement=confinement,
        arguments=program.arguments,
        environment=program.environment,
        folder=str(program.folder),
        memory_bytes=program.bounds.memory_bytes,
        tasks=program.bounds.tasks,
    )


def _opened(stdin: Path | None) -> int:
    return os.open(stdin or os.devnull, os.O_RDONLY | os.O_CLOEXEC)


def _as_file(content: bytes) -> int:
    # A file and not a pipe: the host need not wait for a reader, whatever the size.
    descriptor = os.memfd_create("mcpgen-plan")
    with open(descriptor, "wb", closefd=False) as stream:
        stream.write(content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _ended(status: bytes, stderr: bytes) -> Ended:
    reports = [decoded(line) for line in status.splitlines()]
    refused = next((report for report in reports if isinstance(report, Refused)), None)
    if refused is not None or not reports:
        told = refused.reason if refused else stderr.decode("utf-8", "replace").strip()[-500:]
        raise JobNotBegun(f"{PROGRAM_NOT_BEGUN}{told or 'its supervisor died'}{SEE_DOCTOR}")
    last = reports[-1]
    if isinstance(last, Ended):
        return last
    raise SupervisorLost("program")


def _judged(ended: Ended, bounds: Bounds) -> Stop:
    if ended.stop is not Stop.EXITED or not os.WIFSIGNALED(ended.reaped.status):
        return ended.stop
    # At the soft limit the kernel sends SIGXCPU, at the hard one SIGKILL.
    number = os.WTERMSIG(ended.reaped.status)
    spent = number == signal.SIGKILL and ended.reaped.cpu_seconds >= bounds.cpu_seconds
    return Stop.CPU_EXCEEDED if number == signal.SIGXCPU or spent else Stop.KILLED
