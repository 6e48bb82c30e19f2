"""The processes of a program as its supervisor sees them: which there are, what they hold, and how they stand still.

Standard library only, loaded as `sandbox` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import NamedTuple

REST, GO_ON = b"r", b"g"
"""What the host writes into the hold pipe: let the whole tree stand still, let it go on. Closing it is the end."""
_MOST_REST_TICKS = os.sysconf("SC_CLK_TCK")  # one second of processor time
_PAGE = os.sysconf("SC_PAGE_SIZE")
_ZOMBIE, _IS_EXITING = b"Z", 0x4


class Task(NamedTuple):
    """One process of the tree: its id, its parent's, its threads, its bytes in memory, and the time it has worked."""

    pid: int
    parent: int
    threads: int
    memory: int
    ticks: int


class Rest:
    """The standing still of a tree between two answers; `spared` is a process of ours in it."""

    def __init__(self, spared: int | None) -> None:
        self._spared = spared
        self._still: set[int] = set()
        self._ticks: int | None = None

    def follow(self, wish: bytes) -> None:
        """Do what the host wants; only its last word counts, and nothing is no word."""
        if wish.endswith(REST):
            self._still |= freeze(self._spared)
        elif wish:
            for pid in self._still:
                send_signal(pid, signal.SIGCONT)
            self._still, self._ticks = set(), None

    def keep(self, tasks: tuple[Task, ...]) -> str | None:
        """Stop again what was set going; return how it is to end when that does not help."""
        if not self._still:
            return None
        ticks = sum(task.ticks for task in tasks)
        self._ticks = ticks if self._ticks is None else self._ticks
        self._still |= freeze(self._spared)
        return "killed" if ticks - self._ticks > _MOST_REST_TICKS else None


def tree() -> Iterator[Task]:
    """Give the processes below this one; whoever loses its parent has this one, or its own first one, as the next."""
    children: dict[int, list[Task]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (task := _task(int(name))) is not None:
            children.setdefault(task.parent, []).append(task)
    waiting = [*children.get(os.getpid(), ())]
    while waiting:
        task = waiting.pop()
        waiting += children.get(task.pid, ())
        yield task


def is_ending(pid: int) -> bool:
    """Return whether a process is gone, or has let go of all it had."""
    fields = _fields(pid)
    return fields is None or fields[0] == _ZOMBIE or bool(int(fields[6]) & _IS_EXITING)


def freeze(spared: int | None = None) -> set[int]:
    """Stop the whole tree, also what it starts meanwhile; return its processes."""
    stopped: set[int] = set()
    while fresh := {task.pid for task in tree()} - stopped - {spared}:
        for pid in fresh:
            send_signal(pid, signal.SIGSTOP)
        stopped |= fresh
    return stopped


def send_signal(pid: int, number: int) -> None:
    """Send a signal to a process that may be gone."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return  # it ended meanwhile


def _task(pid: int) -> Task | None:
    fields = _fields(pid)
    if fields is None or fields[0] == _ZOMBIE:
        return None
    return Task(pid, int(fields[1]), int(fields[17]), int(fields[21]) * _PAGE, int(fields[11]) + int(fields[12]))


def _fields(pid: int) -> list[bytes] | None:
    """Return what the kernel tells about a process, from its state on; nothing when it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stream:
            return stream.read().rpartition(b")")[2].split()
    except OSError:
        return None
