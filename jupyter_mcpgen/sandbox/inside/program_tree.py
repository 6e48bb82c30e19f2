"""The processes of a program as its supervisor sees them: which there are, what they hold, and how they stand still.

A process whose first thread left lives on in its others, and one that is replaced faster than it can be looked at is
seen by letting all stand still.
Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import math
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from . import kernel, landlock
from .address_spaces import Held, held_together

REST, GO_ON = b"r", b"g"
"""What the host writes into the hold pipe: let the whole tree stand still, let it go on. Closing it is the end."""
_TICKS_OF_A_SECOND = os.sysconf("SC_CLK_TCK")
_MOST_REST_TICKS = _TICKS_OF_A_SECOND
_PAGE = os.sysconf("SC_PAGE_SIZE")
_ZOMBIE, _STOPPED, _IS_EXITING = b"Z", b"T", 0x4
_LOOKS = 3
_CROWD, _PATIENCE_SECONDS = 64, 1.0


class Task(NamedTuple):
    """One process of the tree: its id, its parent's, its threads, its bytes in memory, and the time it has worked.

    `all_ticks` has the time of the children as well that it waited for. One that has ended has no threads any more.
    `witness` is a thread of it that has its memory; the first one may have left.
    """

    pid: int
    parent: int
    threads: int
    memory: int
    ticks: int
    all_ticks: int
    witness: int = 0


class Rest:
    """How a tree is looked at, and its standing still between two answers; `spared` is a process of ours in it.

    `enclosed` says that signals cannot leave the tree, so that one of them reaches all at once.
    """

    def __init__(self, spared: int | None, *, enclosed: bool) -> None:
        self._spared = spared
        self._enclosed = enclosed
        self._rests = False
        self._stands = False
        self._everywhere = self._beside = _all_threads()
        self._still: set[int] = set()
        self._ticks: int | None = None
        self._spent = 0

    @property
    def spent_seconds(self) -> float:
        """Return the processor time of all processes, as far as they were seen."""
        return self._spent / _TICKS_OF_A_SECOND

    def tasks(self) -> tuple[Task, ...]:
        """Return the processes of the program.

        Where they change faster than they are read, or are a crowd that leaves us no turn, they stand still until
        `resume`.
        """
        if self._may_be_crowded():
            self._stand()
        found = self._found_in_time()
        if found is None:
            self._stand()
            found, _ = _look()
        if sum(task.threads for task in found) > _CROWD:
            self._stand()
        self._spent = max(self._spent, sum(task.all_ticks for task in found))
        return self._of_the_program(found)

    def resume(self) -> None:
        """Let all go on that `tasks` stopped."""
        if self._stands:
            self._stands = False
            found, _ = _look()
            self._beside = self._everywhere - sum(task.threads for task in found)
            self._let_go_on(found)

    def _may_be_crowded(self) -> bool:
        """Return whether many threads came; it is told at once, and they may be somebody else's."""
        self._everywhere = _all_threads()
        self._beside = min(self._beside, self._everywhere)
        return self._everywhere - self._beside > _CROWD

    def _stand(self) -> None:
        if self._enclosed and not self._rests and not self._stands:
            self._freeze()
            self._stands = True

    def _found_in_time(self) -> list[Task] | None:
        """Return all processes below this one; nothing where some ended meanwhile, again and again, or time is over."""
        until = time.monotonic() + _PATIENCE_SECONDS if self._enclosed else math.inf
        for _ in range(_LOOKS):
            found, has_missed = _look(until)
            if not has_missed or self._stands:
                return found
            if time.monotonic() > until:
                return None
        return None

    def memory(self, tasks: tuple[Task, ...], most: int) -> int:
        """Return the bytes that the processes hold together.

        Where that is more than `most`, all stand still for another look: until then a process may have been counted
        beside the one that replaced it.
        """
        held = held_together(Held(task.witness, task.memory) for task in tasks)
        if held <= most or not self._enclosed:
            return held
        with self._standing_still() as still:
            there = (task for task in self._of_the_program(still) if os.path.exists(f"/proc/{task.pid}"))
            return held_together(Held(task.witness, task.memory) for task in there)

    @contextmanager
    def _standing_still(self) -> Iterator[list[Task]]:
        """Let all stand still for the block, and give them; nobody is born meanwhile, and who leaves has left."""
        if self._rests or self._stands:
            yield _look()[0]
            return
        self._freeze()
        found, _ = _look()
        try:
            yield found
        finally:
            self._let_go_on(found)

    def _let_go_on(self, found: list[Task]) -> None:
        # All are looked at before one goes on: it would start more while those before it could not leave.
        for pid in sorted(task.pid for task in found if not stood_still_before(task.pid)):
            send_signal(pid, signal.SIGCONT)

    def _of_the_program(self, found: list[Task]) -> tuple[Task, ...]:
        return tuple(task for task in found if task.threads and task.pid != self._spared)

    def follow(self, wish: bytes) -> None:
        """Do what the host wants; only its last word counts, and nothing is no word."""
        if wish.endswith(REST):
            self._rests = True
            self._freeze()
        elif wish:
            self._go_on()
            self._rests, self._still, self._ticks = False, set(), None

    def is_defied(self, tasks: tuple[Task, ...]) -> bool:
        """Stop again what was set going; return whether that does not help, so that it must end."""
        if not self._rests:
            return False
        ticks = sum(task.ticks for task in tasks)
        self._ticks = ticks if self._ticks is None else self._ticks
        self._freeze()
        return ticks - self._ticks > _MOST_REST_TICKS

    def _freeze(self) -> None:
        if not self._enclosed:
            self._still |= freeze(self._spared)
            return
        signal_enclosed(signal.SIGSTOP)
        if self._spared is not None:
            send_signal(self._spared, signal.SIGCONT)

    def _go_on(self) -> None:
        if self._enclosed:
            signal_enclosed(signal.SIGCONT)
        for pid in self._still:
            send_signal(pid, signal.SIGCONT)


def tree() -> Iterator[Task]:
    """Give the processes below this one; whoever loses its parent has this one, or its own first one, as the next."""
    yield from (task for task in _look()[0] if task.threads)


def enclose(host: int) -> bool:
    """Keep signals inside from now on; return whether that is so, tried on a process that could be reached before."""
    reached_before = _reaches(host)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    return landlock.keep_signals_inside() and reached_before and not _reaches(host)


def signal_enclosed(number: int) -> None:
    """Signal everything in this process's own Landlock domain but itself, at once; never called outside of one."""
    with suppress(ProcessLookupError):  # nobody is left
        os.kill(-1, number)


def stood_still_before(pid: int) -> bool:
    """Return whether a process that was just stopped had been stopped before that.

    One that stands still does not take the next signal to stop: it waits, until the process is set going.
    """
    try:
        with open(f"/proc/{pid}/status", "rb") as stream:
            told = dict(line.split(b":\t", 1) for line in stream.read().split(b"\n") if b":\t" in line)
    except OSError:
        return False
    waits = int(told[b"ShdPnd"], 16) >> (signal.SIGSTOP - 1) & 1
    return told[b"State"].startswith(_STOPPED) and bool(waits)


def _all_threads() -> int:
    """Return how many threads there are on the machine."""
    with open("/proc/loadavg", "rb") as told:
        return int(told.read().split()[3].partition(b"/")[2])


def _look(until: float = math.inf) -> tuple[list[Task], bool]:
    """Return the processes below this one, and whether any ended before it was looked at, or the time was over."""
    tasks: dict[int, Task] = {}
    gone: set[int] = set()
    # The newest first: it is the one that may be gone next.
    for pid in sorted((int(name) for name in os.listdir("/proc") if name.isdigit()), reverse=True):
        if time.monotonic() > until:
            return [], True
        task = _read(pid)
        if task is None:
            gone.add(pid)
        else:
            tasks[pid] = task
    return below(os.getpid(), with_heirs(tasks, gone, _read)), bool(gone)


def with_heirs(tasks: dict[int, Task], gone: set[int], read: Callable[[int], Task | None]) -> list[Task]:
    """Return the tasks, those again whose parent ended after they were read: somebody else is their parent now."""
    again = {pid: read(pid) for pid, task in tasks.items() if task.parent in gone}
    return [task for task in {**tasks, **again}.values() if task is not None]


def below(ancestor: int, tasks: Iterable[Task]) -> list[Task]:
    """Return the tasks that descend from a process."""
    children: dict[int, list[Task]] = {}
    for task in tasks:
        children.setdefault(task.parent, []).append(task)
    waiting, found = [*children.get(ancestor, ())], []
    while waiting:
        task = waiting.pop()
        waiting += children.get(task.pid, ())
        found.append(task)
    return found


def _read(pid: int) -> Task | None:
    fields = _fields(pid)
    return None if fields is None else _task(pid, fields)


def _reaches(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return False
    return True


def is_ending(pid: int, thread: int) -> bool:
    """Return whether a thread of a process is gone, or has let go of all it had; the kernel shows it to nobody then."""
    fields = _fields(pid, thread)
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


def _threads(pid: int) -> list[int]:
    """Return the threads of a process, the first one first; none when it is gone."""
    try:
        return sorted(map(int, os.listdir(f"/proc/{pid}/task")))
    except OSError:
        return []


def _task(pid: int, fields: list[bytes]) -> Task:
    number, pages, witness = int(fields[17]), int(fields[21]), pid
    has_ended = fields[0] == _ZOMBIE and number <= 1
    if fields[0] == _ZOMBIE and not has_ended:
        # Only its first thread left: what the process holds is told of the others.
        others = ((thread, _fields(pid, thread)) for thread in _threads(pid))
        told = ((int(other[21]), thread) for thread, other in others if other is not None)
        pages, witness = max(told, default=(0, pid))
    own, waited_for = (sum(map(int, fields[at : at + 2])) for at in (11, 13))
    threads = 0 if has_ended else number
    return Task(pid, int(fields[1]), threads, pages * _PAGE, own, own + waited_for, witness)


def _fields(pid: int, thread: int | None = None) -> list[bytes] | None:
    """Return what the kernel tells about a process, from its state on; nothing when it is gone."""
    place = f"/proc/{pid}/stat" if thread is None else f"/proc/{pid}/task/{thread}/stat"
    try:
        with open(place, "rb") as stream:
            return stream.read().rpartition(b")")[2].split()
    except OSError:
        return None
