"""The pipes between the host and one worker or program, closed once and from any thread."""

from __future__ import annotations

import os
import select
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from jupyter_mcpgen.sandbox.inside.job_report import Confined, JobEnded, JobReport, Unconfined, Waits, decoded

_CHUNK = 65536
_MOST_DESCRIPTORS = 2


@dataclass
class Stream:
    """One pipe from the worker: what arrived so far, up to a cap."""

    name: str
    cap: int
    received: bytearray = field(default_factory=bytearray)

    def take(self, chunk: bytes) -> bool:
        """Keep what fits of a chunk; return whether all of it did."""
        room = self.cap - len(self.received)
        self.received += chunk[:room]
        return len(chunk) <= room


class Status:
    """The supervisor's line to the host: reports, and descriptors with them; no job holds it once confined."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._unread = b""
        self._reports: list[JobReport] = []
        self._descriptors: list[int] = []
        self._has_ended = False

    def fileno(self) -> int:
        """Return the descriptor to wait on."""
        return self._channel.fileno()

    @property
    def process(self) -> int | None:
        """Return a descriptor of the supervisor itself, once it said that it is ready."""
        return self._descriptors[0] if self._descriptors else None

    @property
    def waits(self) -> Waits | None:
        """Return who waits at the other end, once that was said."""
        return next((report for report in self._reports if isinstance(report, Waits)), None)

    @property
    def confined(self) -> Confined | None:
        """Return that the job is confined, once that was said."""
        return next((report for report in self._reports if isinstance(report, Confined)), None)

    @property
    def ended(self) -> JobEnded | None:
        """Return how the job ended, once that was said."""
        return next((report for report in self._reports if isinstance(report, JobEnded)), None)

    @property
    def refusal(self) -> str | None:
        """Return why there is no job, if that was said."""
        return next((report.reason for report in self._reports if isinstance(report, Unconfined)), None)

    @property
    def is_final(self) -> bool:
        """Return whether the supervisor has said how its job ended."""
        return self.ended is not None

    @property
    def is_closed(self) -> bool:
        """Return whether nobody is left at the other end."""
        if self._has_ended:
            return True
        poll = select.poll()
        poll.register(self._channel, select.POLLHUP)
        return any(event & select.POLLHUP for _, event in poll.poll(0))

    def read(self) -> bool:
        """Take what is there, waiting for it if need be; return whether there can be more."""
        message, descriptors, _, _ = socket.recv_fds(self._channel, _CHUNK, _MOST_DESCRIPTORS, socket.MSG_CMSG_CLOEXEC)
        self._descriptors += descriptors
        *lines, self._unread = (self._unread + message).split(b"\n")
        self._reports += map(decoded, lines)
        self._has_ended = not message
        return bool(message)

    def catch_up(self) -> None:
        """Take what was said meanwhile, without waiting for more."""
        poll = select.poll()
        poll.register(self._channel, select.POLLIN)
        while not self.is_final and poll.poll(0) and self.read():
            pass

    def wait(self, seconds: float) -> bool:
        """Return whether somebody waits at the other end, waiting so long to be told."""
        deadline = time.monotonic() + seconds
        poll = select.poll()
        poll.register(self._channel, select.POLLIN)
        while not self._reports and poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
            if not self.read():
                break
        return self.waits is not None

    def hand_on(self, take: Callable[[int], None]) -> None:
        """Let somebody use the descriptor that came with the last line, if one did."""
        if len(self._descriptors) > 1:
            take(self._descriptors[-1])

    def close(self) -> None:
        """Close the line, and every descriptor that came over it."""
        self._channel.close()
        while self._descriptors:
            os.close(self._descriptors.pop())


class Pipes:
    """The descriptors of one start: ours until the end, theirs until the process at the other end has them."""

    def __init__(self) -> None:
        self._ours: set[int] = set()
        self._theirs: list[int] = []
        self._status: Status | None = None
        self._lock = threading.Lock()  # what was started may be let go by another thread than the one that waits for it

    def to_us(self) -> tuple[int, int]:
        """Return our reading end and their writing end."""
        reader, writer = os.pipe()
        return self.keep(reader), self.take(writer)

    def from_us(self) -> tuple[int, int]:
        """Return our writing end and their reading end."""
        reader, writer = os.pipe()
        return self.keep(writer), self.take(reader)

    def status(self) -> tuple[Status, int]:
        """Return our end of the supervisor's line, and theirs."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._status = Status(ours)
        return self._status, self.take(theirs.detach())

    def keep(self, descriptor: int) -> int:
        """Close a descriptor at the end."""
        self._ours.add(descriptor)
        return descriptor

    def take(self, descriptor: int) -> int:
        """Close a descriptor together with theirs."""
        self._theirs.append(descriptor)
        return descriptor

    def drop(self, descriptor: int) -> None:
        """Close one of ours, once."""
        with self._lock:
            if descriptor in self._ours:
                self._ours.remove(descriptor)
                os.close(descriptor)

    def write(self, descriptor: int, data: bytes) -> None:
        """Write to one of ours unless it is closed."""
        with self._lock:
            if descriptor in self._ours:
                os.write(descriptor, data)

    def close_theirs(self) -> None:
        """Close what only the other end needs."""
        while self._theirs:
            os.close(self._theirs.pop())

    def close(self) -> None:
        """Close everything."""
        self.close_theirs()
        for descriptor in tuple(self._ours):
            self.drop(descriptor)
        if self._status is not None:
            self._status.close()
