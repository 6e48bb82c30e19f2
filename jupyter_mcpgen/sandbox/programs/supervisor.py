"""Starts the supervisor of one program in an interpreter of its own, and holds it by a descriptor that is only its."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Protocol

from jupyter_mcpgen.sandbox.inside.program_worker import START

SANDBOX_FOLDER = Path(__file__).resolve().parent.parent
FLAGS = ("-I", "-S", "-B", "-X", "utf8", "-c")
ENVIRONMENT = {"LANG": "C.UTF-8"}


class Ends(NamedTuple):
    """The supervisor's ends of its pipes; `channels` are two where the program talks, and none elsewhere."""

    stdin: int
    stdout: int
    stderr: int
    plan: int
    status: int
    hold: int
    channels: tuple[int, ...] = ()


class Supervisor(Protocol):
    """A process that confines one program, and ends with it."""

    @property
    def pid(self) -> int:
        """Return its id, which is its own until it was found to have ended."""
        ...

    def has_ended(self, seconds: float = 0.0) -> bool:
        """Wait so long for its end; return whether it has ended, and then it is no process any more."""
        ...

    def kill(self) -> None:
        """Kill it; whatever it holds is killed by its guard, or by the kernel."""
        ...

    def close(self) -> None:
        """Let the descriptor go, once it has ended."""
        ...


StartSupervisor = Callable[[Ends], Supervisor]
"""Starts a supervisor with these ends; raises `OSError` when there can be none."""


class ByDescriptor:
    """A supervisor that a descriptor names, whose parent is somebody else."""

    def __init__(self, pid: int, descriptor: int) -> None:
        self.pid = pid
        self._descriptor = descriptor

    def has_ended(self, seconds: float = 0.0) -> bool:
        """Wait so long for its end; return whether it has ended."""
        poll = select.poll()
        poll.register(self._descriptor, select.POLLIN)
        return bool(poll.poll(seconds * 1000))

    def kill(self) -> None:
        """Kill it."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._descriptor, signal.SIGKILL)

    def close(self) -> None:
        """Let the descriptor go."""
        os.close(self._descriptor)


class _Child:
    """A supervisor that is our own child."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.pid = process.pid
        self._process = process

    def has_ended(self, seconds: float = 0.0) -> bool:
        """Wait so long for its end, and reap it; return whether it has ended."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return self._process.returncode is not None

    def kill(self) -> None:
        """Kill it; it is not reaped yet, so the id is still its own."""
        self._process.send_signal(signal.SIGKILL)

    def close(self) -> None:
        """There is nothing to let go."""


def fresh(ends: Ends) -> Supervisor:
    """Start a supervisor in an interpreter of its own."""
    passed = (ends.plan, ends.status, ends.hold, *ends.channels)
    # The environment is empty, and only these descriptors survive the exec.
    process = subprocess.Popen(  # noqa: S603  # our own interpreter and our own supervisor, no shell
        [sys.executable, *FLAGS, START, str(SANDBOX_FOLDER), str(os.getpid()), *map(str, passed)],
        stdin=ends.stdin,
        stdout=ends.stdout,
        stderr=ends.stderr,
        cwd=os.sep,
        env=ENVIRONMENT,
        pass_fds=passed,
        start_new_session=True,
    )
    return _Child(process)
