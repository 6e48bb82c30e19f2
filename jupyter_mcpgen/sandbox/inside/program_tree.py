"""The processes of a program as its supervisor sees them: which there are, what they hold, and how they stand still.

A process that is replaced faster than it can be looked at is seen by letting all stand still.
Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import math
import os
import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from . import kernel, landlock
from .address_spaces import Held, held_together, without_copies
from .processor_time import TICKS_OF_A_SECOND, ProcessorTime
from .standing import all_stand, stood_still_before
from .tasks import Task, is_crowd, look

REST, GO_ON = b"r", b"g"
"""What the host writes into the hold pipe: let the whole tree stand still, let it go on. Closing it is the end."""
_LAST_WORD = re.compile(rb"(?:r|g(\d*))\Z")
_MOST_REST_TICKS = TICKS_OF_A_SECOND
_LOOKS = 3
_CROWD, _PATIENCE_SECONDS = 64, 1.0
_SECOND_LOOK_SHARE = 4


class _Second(NamedTuple):
    """What a second look found where the first one had found more, and until when the difference is relied on."""

    first: int = 0
    memory: int = 0
    until: float = 0.0


class Rest:
    """How a tree is looked at, and its standing still between two answers; `spared` is a process of ours in it.

    `enclosed` says that signals cannot leave the tree, so that one of them reaches all at once.
    """

    def __init__(self, spared: int | None, *, enclosed: bool) -> None:
        self._spared = spared
        self._enclosed = enclosed
        self._rests = False
        self._stands, self._all_stand = False, True
        self._everywhere = self._beside = _all_threads()
        self._still: set[int] = set()
        self._ticks: int | None = None
        self._second = _Second()
        self._known: set[tuple[int, int]] | None = None
        """Who was there when some did not come to stand, by id and begin: more may since have been born stopped."""
        self._others: frozenset[int] = frozenset()
        """Who was there at the last look and not of the program: it hides nothing when it ends."""
        self._time = ProcessorTime()
        self.unburied = 0
        """How many have ended at the last look without their parent, which is of the program, having waited for it."""

    @property
    def spent_seconds(self) -> float:
        """Return the processor time of all processes, as far as they were seen."""
        return self._time.spent / TICKS_OF_A_SECOND

    def tasks(self, buried_seconds: float = 0.0) -> tuple[Task, ...]:
        """Return the processes of the program; `buried_seconds` is the time of those that this process has reaped.

        Where they change faster than they are read, or are a crowd that leaves us no turn, they stand still until
        `resume`; so they do where some did not the last time.
        """
        if self._known is not None or (self._may_be_crowded() and is_crowd(os.getpid(), _CROWD)):
            self.stand()
        found = self._found_in_time()
        if found is None:
            self.stand()
            found = look().found
        if sum(task.threads for task in found) > _CROWD:
            self.stand()
        self._time.look(found, buried_seconds * TICKS_OF_A_SECOND)
        ours = (os.getpid(), self._spared)
        self.unburied = sum(task.threads == 0 and task.parent not in ours for task in found)
        return self._of_the_program(found)

    def stand(self) -> None:
        """Let all stand still until `resume`, where one signal reaches them all."""
        if self._enclosed and not self._rests and not self._stands:
            self._freeze()
            self._stands, self._all_stand = True, all_stand(self._spared)

    def resume(self) -> None:
        """Let all go on that `tasks` or `stand` stopped."""
        if self._stands:
            self._stands = False
            found = look().found
            self._beside = self._everywhere - sum(task.threads for task in found)
            self._let_go_on(found)

    def _may_be_crowded(self) -> bool:
        """Return whether many threads came; it is told at once, and they may be somebody else's."""
        self._everywhere = _all_threads()
        self._beside = min(self._beside, self._everywhere)
        return self._everywhere - self._beside > _CROWD

    def _found_in_time(self) -> list[Task] | None:
        """Return all processes below this one; nothing where some ended meanwhile, again and again, or time is over."""
        until = time.monotonic() + _PATIENCE_SECONDS if self._enclosed else math.inf
        for _ in range(_LOOKS):
            found, has_missed, self._others = look(until, self._others)
            if not has_missed or self._stands:
                return found
            if time.monotonic() > until:
                return None
        return None

    def memory(self, tasks: tuple[Task, ...], most: int) -> int:
        """Return the bytes that the processes hold together.

        Where that is more than `most`, all stand still for another look: until then a process may have been counted
        beside the one that replaced it, and what forks have in common for each of them. What that look found too much
        is taken off for a few times as long as it took, so that the program has most of the time.
        """
        held = held_together(Held(task.witness, task.memory) for task in tasks)
        if held <= most or not self._enclosed:
            return held
        begin = time.monotonic()
        grown = self._second.memory + max(0, held - self._second.first)
        if begin < self._second.until and grown <= most:
            return grown
        memory = self._memory_at_rest(most)
        end = time.monotonic()
        self._second = _Second(held, memory, end + _SECOND_LOOK_SHARE * (end - begin))
        return memory

    def _memory_at_rest(self, most: int) -> int:
        with self._standing_still() as still:
            there = [task for task in self._of_the_program(still) if os.path.exists(f"/proc/{task.pid}")]
            processes = [Held(task.witness, task.memory) for task in there]
            held = held_together(processes)
            return held if held <= most else held_together(without_copies(processes))

    @contextmanager
    def _standing_still(self) -> Iterator[list[Task]]:
        """Let all stand still for the block, and give them; nobody is born meanwhile, and who leaves has left."""
        if self._rests or self._stands:
            yield look().found
            return
        self._freeze()
        self._all_stand = all_stand(self._spared)
        found = look().found
        try:
            yield found
        finally:
            self._let_go_on(found)

    def _let_go_on(self, found: list[Task]) -> None:
        # All are looked at before one goes on: it would start more while those before it could not leave.
        going = [task.pid for task in found if self._was_born_stopped(task) or not stood_still_before(task.pid)]
        # Children first: a parent that asks for children that stand still finds none.
        for pid in reversed(going):
            send_signal(pid, signal.SIGCONT)
        self._known = None if self._all_stand else _identities(found)

    def _was_born_stopped(self, task: Task) -> bool:
        """Return whether a process came from a fork that was still going on when the tree was last set going."""
        return self._known is not None and _identity(task) not in self._known

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
            if self._rests:
                self._known = None if all_stand(self._spared) else _identities(look().found)
            signal_enclosed(signal.SIGCONT)
        for pid in self._still:
            send_signal(pid, signal.SIGCONT)


def go_on(cpu_seconds: float | None = None) -> bytes:
    """Return what lets a tree go on, until it rests with no more than so much processor time."""
    return GO_ON if cpu_seconds is None else GO_ON + str(max(1, round(1000 * cpu_seconds))).encode()


def granted_seconds(wish: bytes) -> float | None:
    """Return the processor time that the last word of a wish allows; nothing where it sets no bound."""
    found = _LAST_WORD.search(wish)
    return int(found[1]) / 1000 if found is not None and found[1] else None


def tree() -> Iterator[Task]:
    """Give the processes below this one; whoever loses its parent has this one, or its own first one, as the next."""
    yield from (task for task in look().found if task.threads)


def enclose(host: int) -> bool:
    """Keep signals inside from now on; return whether that is so, tried on a process that could be reached before."""
    reached_before = _reaches(host)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    return landlock.keep_signals_inside() and reached_before and not _reaches(host)


def signal_enclosed(number: int) -> None:
    """Signal everything in this process's own Landlock domain but itself, at once; never called outside of one."""
    with suppress(ProcessLookupError):  # nobody is left
        os.kill(-1, number)


def _identity(task: Task) -> tuple[int, int]:
    return task.pid, task.began


def _identities(tasks: list[Task]) -> set[tuple[int, int]]:
    return {_identity(task) for task in tasks}


def _all_threads() -> int:
    """Return how many threads there are on the machine."""
    with open("/proc/loadavg", "rb") as told:
        return int(told.read().split()[3].partition(b"/")[2])


def _reaches(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return False
    return True


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
