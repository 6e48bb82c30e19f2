"""The supervisor of one program: confines it, waits, counts, and leaves no process of it alive.

Started as `python -I -S -c START <folder of jupyter_mcpgen> <host> <plan> <status> <hold> [requests
replies]`; the plan is one JSON object, the last two are pipes that become descriptors 3 and 4 of the program.
Standard library only, loaded as `sandbox` without the rest of jupyter_mcpgen, like `worker`.

What holds the tree of processes together is `program_init` where there are namespaces, and `program_domain` elsewhere.
A program that talks stands still between its answers: whatever it started has no time of its own then. A timer can set
a process going again, so that is undone at each look, and a program that goes on working in spite of it is ended.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import sys
import time
from typing import Any, NoReturn, Protocol

from .disk_use import deleted_bytes, used_bytes
from .going_first import go_first_when_memory_is_short
from .program_domain import Domain
from .program_init import Inside
from .program_start import refuse, report
from .program_tree import Rest, Task, is_ending
from .queues import queued_bytes

START = "import sys; sys.path.insert(0, sys.argv[1]); from sandbox.program_worker import main; del sys.path[0]; main()"

LENGTH_BYTES = 4
_FIRST_PRIVATE = 10
_WATCH_SECONDS, _IDLE_WATCH_SECONDS = 0.2, 1.0
_DISK_SECONDS = 0.5
_DISK_SHARE = 4
_WISH_BYTES = 64


class Hold(Protocol):
    """What keeps a program and all it starts together."""

    @property
    def process(self) -> int:
        """Return a descriptor that is readable once the program has ended."""
        ...

    @property
    def spared(self) -> int | None:
        """Return the process of ours among them that is not part of the program."""
        ...

    @property
    def enclosed(self) -> bool:
        """Return whether a signal to all reaches them and nobody else."""
        ...

    def end(self) -> dict[str, Any]:
        """Kill and reap all of them; return how the program ended and what they used."""
        ...


def main() -> NoReturn:
    """Start the program, wait for its end or for a reason to end it, end it all, and report on the status pipe."""
    host = int(sys.argv[2])
    plan, status, hold, *channels = (_moved_away(int(argument)) for argument in sys.argv[3:])
    document = _read(plan)
    host_process = os.pidfd_open(host)
    if os.getppid() != host:
        os._exit(0)  # the host died before there was anything to do
    go_first_when_memory_is_short()
    before = _disk()
    try:
        held = _started(document, host, status, channels)
    except OSError as error:
        refuse(status, error)
    rest = Rest(held.spared, enclosed=held.enclosed)
    ending = _watch(held, rest, (hold, host_process), document)
    rest.tasks()  # the end of a process namespace tells nothing of what was killed with it
    ended = held.end()
    ended["cpu_seconds"] = max(ended["cpu_seconds"], rest.spent_seconds)
    report(status, {**ending, **ended, **_disk(before)})
    os._exit(0)


def _started(document: dict[str, Any], host: int, status: int, channels: list[int]) -> Hold:
    if document["confinement"]["namespaces"]:
        return Inside(document, host, status, channels)
    return Domain(document, host, status, channels)


def _watch(held: Hold, rest: Rest, leave: tuple[int, int], document: dict[str, Any]) -> dict[str, object]:
    """Wait until the program ends or must end; return why, and the most memory seen."""
    hold, host = leave
    poll = select.poll()
    for descriptor in (held.process, hold, host):
        poll.register(descriptor, select.POLLIN)
    begin = time.monotonic()
    deadline = begin + document["confinement"]["wall_seconds"]
    peak, stop, pause = 0, None, _WATCH_SECONDS
    tasks: tuple[Task, ...] = ()
    disk = _Disk(document["confinement"], held.spared)
    while stop is None:
        left = deadline - time.monotonic()
        ready = {descriptor for descriptor, _ in poll.poll(max(0.0, min(left, pause)) * 1000)}
        if held.process in ready:
            stop = "exited"
        elif ready:
            wish = b"" if host in ready else os.read(hold, _WISH_BYTES)
            stop = None if wish else "ended_by_host"
            rest.follow(wish)
        elif left <= 0:
            stop = "timed_out"
        else:
            before, tasks = tasks, rest.tasks()
            # A program that waits is looked at less often; what it could take meanwhile is bounded for each process.
            pause = min(2 * pause, _IDLE_WATCH_SECONDS) if tasks == before else _WATCH_SECONDS
            peak = max(peak, sum(task.memory for task in tasks))
            stop = _excess(tasks, disk.queued, rest.spent_seconds, document) or rest.keep(tasks)
            if stop is None and disk.is_full(tasks, has_worked=tasks != before):
                stop = "scratch_exceeded"
    return {"stop": stop, "tree_memory_bytes": peak, "wall_seconds": time.monotonic() - begin}


class _Disk:
    """What a program has written and still holds, in its folders or deleted and open, looked at while it works.

    `queued` is what it may have put into pipes and sockets, by the last look.
    """

    def __init__(self, confinement: dict[str, Any], ours: int | None) -> None:
        self._ours = ours
        self._folders = (confinement["scratch"], *confinement["work"])
        self._most = confinement["file_bytes"]
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
        return bool(held > self._most)

    def _hides(self, pid: int) -> bool:
        """Return whether a process keeps us out by executing what nobody may read, where our own is open to us."""
        if self._ours is None or is_ending(pid):
            return False
        try:
            os.listdir(f"/proc/{self._ours}/fd")
        except OSError:
            return False
        return True


def _excess(tasks: tuple[Task, ...], queued: int, spent_seconds: float, document: dict[str, Any]) -> str | None:
    if sum(task.memory for task in tasks) + queued > document["memory_bytes"]:
        return "memory_exceeded"
    if sum(task.threads for task in tasks) > document["tasks"]:
        return "tasks_exceeded"
    # The kernel ends each process of its own accord; together they may have no more than one.
    if spent_seconds > document["confinement"]["cpu_seconds"] + 1:
        return "cpu_exceeded"
    return None


def _disk(before: dict[str, int] | None = None) -> dict[str, int]:
    """Return what this process, and all it reaped, moved from and to a disk since then; nothing where not counted."""
    try:
        with open("/proc/self/io", "rb") as stream:
            counted = dict(line.split(b": ") for line in stream.read().splitlines())
    except OSError:
        return {}
    now = {"read_bytes": int(counted[b"read_bytes"]), "written_bytes": int(counted[b"write_bytes"])}
    return {name: figure - (before or {}).get(name, 0) for name, figure in now.items()}


def _read(descriptor: int) -> dict[str, Any]:
    with open(descriptor, "rb") as stream:
        document: dict[str, Any] = json.load(stream)
    return document


def _moved_away(descriptor: int) -> int:
    # The host's numbers are arbitrary and may be those of the program's channels.
    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _FIRST_PRIVATE)
