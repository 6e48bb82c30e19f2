"""The supervisor of one program: confines it, waits, counts, and leaves no process of it alive.

Started as `python -I -S -c START <folder of the sandbox> <host> <plan> <status> <hold> [requests
replies]`; the plan is one JSON object, the last two are pipes that become descriptors 3 and 4 of the program.
Standard library only, loaded as `inside` without the rest of jupyter_mcpgen, like `worker`.

What holds the tree of processes together is `program_init` where there are namespaces, and `program_domain` elsewhere.
A program that talks stands still between its answers: whatever it started has no time of its own then. A timer can set
a process going again, so that is undone at each look, and a program that goes on working in spite of it is ended.
"""

from __future__ import annotations

import fcntl
import os
import select
import sys
import time
from typing import NamedTuple, NoReturn

from .going_first import go_first_when_memory_is_short
from .pauses import USUAL_SECONDS, Pauses, soonest
from .program_domain import Domain
from .program_holdings import Holdings
from .program_init import Inside
from .program_plan import Plan
from .program_report import Ended, Moved, Stop
from .program_start import refuse, report
from .program_tree import Rest, granted_seconds
from .tasks import Task

START = "import sys; sys.path.insert(0, sys.argv[1]); from inside.program_worker import main; del sys.path[0]; main()"

LENGTH_BYTES = 4
_FIRST_PRIVATE = 10
_WISH_BYTES = 64


Hold = Inside | Domain
"""What keeps a program and all it starts together."""


class Outside(NamedTuple):
    """What leads to the host: where to tell it, what it holds, and the pipes to the program, if it talks."""

    status: int
    hold: int
    channels: tuple[int, ...]


def main() -> NoReturn:
    """Be the supervisor that was started as a process of its own."""
    host = int(sys.argv[2])
    planned, status, hold, *channels = (_moved_away(int(argument)) for argument in sys.argv[3:])
    host_process = os.pidfd_open(host)
    if os.getppid() != host:
        os._exit(0)  # the host died before there was anything to do
    supervise(host, host_process, planned, Outside(status, hold, tuple(channels)))


def supervise(host: int, host_process: int, planned: int, outside: Outside) -> NoReturn:
    """Start the program, wait for its end or for a reason to end it, end it all, and report on the status pipe.

    `host_process` is a descriptor of the host, `planned` one of the plan.
    """
    status, hold, channels = outside
    plan = Plan.decoded(_read(planned))
    go_first_when_memory_is_short()
    before = _disk()
    try:
        held = _started(plan, host, status, channels)
    except OSError as error:
        refuse(status, error)
    rest = Rest(held.spared, enclosed=held.enclosed)
    seen = _watch(held, rest, (hold, host_process), plan)
    rest.tasks(held.buried_seconds)  # the end of a process namespace tells nothing of what was killed with it
    reaped = held.end()
    reaped = reaped._replace(cpu_seconds=max(reaped.cpu_seconds, rest.spent_seconds))
    report(status, Ended(*seen, reaped, _since(before)))
    os._exit(0)


def _started(plan: Plan, host: int, status: int, channels: tuple[int, ...]) -> Hold:
    return (Inside if plan.confinement.namespaces else Domain)(plan, host, status, channels)


class _Seen(NamedTuple):
    """Why a program ended, when, and the most memory that all of it was seen to hold."""

    stop: Stop
    wall_seconds: float
    tree_memory_bytes: int


def _watch(held: Hold, rest: Rest, leave: tuple[int, int], plan: Plan) -> _Seen:
    """Wait until the program ends or must end."""
    hold, host = leave
    poll = select.poll()
    for descriptor in (held.process, hold, host, *held.deaths):
        poll.register(descriptor, select.POLLIN)
    begin = time.monotonic()
    deadline = begin + plan.confinement.wall_seconds
    watched = _Watched(held, rest, plan, deadline)
    stop: Stop | None = None
    while stop is None:
        wait = max(0.0, min(deadline, watched.next_look) - time.monotonic())
        ready = {descriptor for descriptor, _ in poll.poll(wait * 1000)}
        held.bury()
        if held.process in ready:
            stop = Stop.EXITED
        elif not ready.isdisjoint((hold, host)):
            wish = b"" if host in ready else os.read(hold, _WISH_BYTES)
            stop = None if wish else Stop.ENDED_BY_HOST
            watched.follow(wish)
        elif time.monotonic() >= deadline:
            stop = Stop.TIMED_OUT
        elif time.monotonic() >= watched.next_look:
            stop = watched.look()
    return _Seen(stop, time.monotonic() - begin, watched.peak)


class _Watched:
    """A program at which its supervisor looks again and again; `peak` is the most memory that it was seen to hold."""

    def __init__(self, held: Hold, rest: Rest, plan: Plan, deadline: float) -> None:
        self._held = held
        self._rest = rest
        self._plan = plan
        self._tasks: tuple[Task, ...] = ()
        self._pauses = Pauses(time.monotonic())
        self._holdings = Holdings(plan.confinement, held.spared, deadline, rest.stand)
        # The kernel ends each process of its own accord; together they may have no more than one.
        self._most_spent = plan.confinement.cpu_seconds + 1.0
        self._allowed = self._most_spent
        self.next_look = time.monotonic() + USUAL_SECONDS
        self.peak = self._memory = 0

    def follow(self, wish: bytes) -> None:
        """Do what the host wants, and count the processor time that it allows from here on."""
        granted = granted_seconds(wish)
        self._allowed = self._most_spent
        if granted is not None:
            self._rest.tasks(self._held.buried_seconds)  # what was spent before is not of this grant
            self._rest.resume()
            self._allowed = min(self._most_spent, self._rest.spent_seconds + granted)
            self.next_look = min(self.next_look, time.monotonic() + soonest(granted))
        self._rest.follow(wish)

    def look(self) -> Stop | None:
        """Return why the program must end, if it must."""
        before, self._tasks = self._tasks, self._rest.tasks(self._held.buried_seconds)
        has_worked = self._tasks != before
        stop = self._tasks_or_memory()
        if stop is None and self._rest.is_defied(self._tasks):
            stop = Stop.KILLED
        if stop is None:
            stop = self._holdings.excess(self._tasks, has_worked=has_worked)
        if stop is None:
            self._rest.resume()
        now = time.monotonic()
        pause = self._pauses.after(now, self._memory, self._plan.memory_bytes, has_worked=has_worked)
        self.next_look = now + min(pause, soonest(self._allowed - self._rest.spent_seconds))
        return stop

    def _tasks_or_memory(self) -> Stop | None:
        # The kernel counts the unburied as well, where the program has a user of its own.
        if sum(task.threads for task in self._tasks) + self._rest.unburied > self._plan.tasks:
            return Stop.TASKS_EXCEEDED
        mapped, queued = self._holdings.mapped, self._holdings.queued
        memory = mapped + self._rest.memory(self._tasks, self._plan.memory_bytes - queued - mapped)
        self.peak = max(self.peak, memory)
        self._memory = memory + queued
        if self._memory > self._plan.memory_bytes:
            return Stop.MEMORY_EXCEEDED
        return Stop.CPU_EXCEEDED if self._rest.spent_seconds > self._allowed else None


def _disk() -> Moved | None:
    """Return what this process, and all it reaped, moved from and to a disk; nothing where not counted."""
    try:
        with open("/proc/self/io", "rb") as stream:
            counted = dict(line.split(b": ") for line in stream.read().splitlines())
    except OSError:
        return None
    return Moved(int(counted[b"read_bytes"]), int(counted[b"write_bytes"]))


def _since(before: Moved | None) -> Moved | None:
    now = _disk()
    if before is None or now is None:
        return None
    return Moved(now.read_bytes - before.read_bytes, now.written_bytes - before.written_bytes)


def _read(descriptor: int) -> bytes:
    with open(descriptor, "rb") as stream:
        return stream.read()


def _moved_away(descriptor: int) -> int:
    # The host's numbers are arbitrary and may be those of the program's channels.
    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _FIRST_PRIVATE)
