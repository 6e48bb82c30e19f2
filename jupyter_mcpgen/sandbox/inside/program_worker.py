"""The supervisor of one program: confines it, waits, counts, and leaves no process of it alive.

Started as `python -I -S -c START <folder of jupyter_mcpgen> <host> <plan> <status> <hold> [requests
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

from .confinement import Confinement
from .disk_use import deleted_bytes, used_bytes
from .going_first import go_first_when_memory_is_short
from .program_domain import Domain
from .program_init import Inside
from .program_plan import Plan
from .program_report import Ended, Moved, Stop
from .program_start import refuse, report
from .program_tree import Rest, Task, is_ending
from .queues import queued_bytes

START = "import sys; sys.path.insert(0, sys.argv[1]); from inside.program_worker import main; del sys.path[0]; main()"

LENGTH_BYTES = 4
_FIRST_PRIVATE = 10
_WATCH_SECONDS, _IDLE_WATCH_SECONDS = 0.2, 1.0
_DISK_SECONDS = 0.5
_DISK_SHARE = 4
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
    rest.tasks()  # the end of a process namespace tells nothing of what was killed with it
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
    for descriptor in (held.process, hold, host):
        poll.register(descriptor, select.POLLIN)
    begin = time.monotonic()
    deadline = begin + plan.confinement.wall_seconds
    peak, pause = 0, _WATCH_SECONDS
    stop: Stop | None = None
    tasks: tuple[Task, ...] = ()
    disk = _Disk(plan.confinement, held.spared)
    while stop is None:
        left = deadline - time.monotonic()
        ready = {descriptor for descriptor, _ in poll.poll(max(0.0, min(left, pause)) * 1000)}
        if held.process in ready:
            stop = Stop.EXITED
        elif ready:
            wish = b"" if host in ready else os.read(hold, _WISH_BYTES)
            stop = None if wish else Stop.ENDED_BY_HOST
            rest.follow(wish)
        elif left <= 0:
            stop = Stop.TIMED_OUT
        else:
            before, tasks = tasks, rest.tasks()
            # A program that waits is looked at less often; what it could take meanwhile is bounded for each process.
            pause = min(2 * pause, _IDLE_WATCH_SECONDS) if tasks == before else _WATCH_SECONDS
            stop = Stop.TASKS_EXCEEDED if sum(task.threads for task in tasks) > plan.tasks else None
            if stop is None:
                memory = rest.memory(tasks, plan.memory_bytes - disk.queued)
                peak = max(peak, memory)
                stop = _excess(memory + disk.queued, rest.spent_seconds, plan)
            if stop is None and rest.is_defied(tasks):
                stop = Stop.KILLED
            if stop is None and disk.is_full(tasks, has_worked=tasks != before):
                stop = Stop.SCRATCH_EXCEEDED
            if stop is None:
                rest.resume()
    return _Seen(stop, time.monotonic() - begin, peak)


class _Disk:
    """What a program has written and still holds, in its folders or deleted and open, looked at while it works.

    `queued` is what it may have put into pipes and sockets, by the last look.
    """

    def __init__(self, confinement: Confinement, ours: int | None) -> None:
        self._ours = ours
        self._folders = (confinement.scratch, *confinement.work)
        self._most = confinement.file_bytes
        self._next = time.monotonic() + _DISK_SECONDS
        self._may_have_grown = False
        self.queued = 0

    def is_full(self, tasks: tuple[Task, ...], *, has_worked: bool) -> bool:
        """Return whether that is more than it may be; looking takes a bounded share of the time."""
        self._may_have_grown |= has_worked
        begin = time.monotonic()
        if begin < self._next or not self._may_have_grown:
            return False
        self._may_have_grown = False
        held = sum(used_bytes(folder, self._most) for folder in self._folders)
        held += deleted_bytes((task.pid for task in tasks), self._folders, self._most, self._hides)
        self.queued = queued_bytes(task.pid for task in tasks)
        end = time.monotonic()
        self._next = end + max(_DISK_SECONDS, _DISK_SHARE * (end - begin))
        return held > self._most

    def _hides(self, pid: int, thread: int) -> bool:
        """Return whether a process keeps us out by executing what nobody may read, where our own is open to us."""
        if self._ours is None or is_ending(pid, thread):
            return False
        try:
            os.listdir(f"/proc/{self._ours}/fd")
        except OSError:
            return False
        return True


def _excess(memory: int, spent_seconds: float, plan: Plan) -> Stop | None:
    if memory > plan.memory_bytes:
        return Stop.MEMORY_EXCEEDED
    # The kernel ends each process of its own accord; together they may have no more than one.
    return Stop.CPU_EXCEEDED if spent_seconds > plan.confinement.cpu_seconds + 1 else None


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
