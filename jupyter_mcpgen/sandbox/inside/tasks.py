"""The processes below this one, as the kernel tells of them: which there are, and what each holds and has worked.

A process whose first thread left lives on in its others.
Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

_PAGE = os.sysconf("SC_PAGE_SIZE")
_ZOMBIE, _IS_EXITING = b"Z", 0x4


class Task(NamedTuple):
    """One process of the tree: its id, its parent's, its threads, its bytes in memory, and the time it has worked.

    `all_ticks` has the time of the children as well that it waited for. One that has ended has no threads any more.
    `witness` is a thread of it that has its memory; the first one may have left. `began` is when, in ticks of the
    machine: together with the id it is nobody else's.
    """

    pid: int
    parent: int
    threads: int
    memory: int
    ticks: int
    all_ticks: int
    witness: int = 0
    began: int = 0


class Look(NamedTuple):
    """The processes below this one, each before its children, and whether one may have ended before it was seen.

    `others` are the processes of the machine that are not below this one.
    """

    found: list[Task]
    has_missed: bool
    others: frozenset[int]


def look(until: float = math.inf, others: Collection[int] = ()) -> Look:
    """Look at the processes below this one; what takes longer than `until` has found nothing and missed some.

    That one ends which is known to be among `others`, from the look before, hides nothing.
    """
    tasks: dict[int, Task] = {}
    gone: set[int] = set()
    # The newest first: it is the one that may be gone next.
    for pid in sorted((int(name) for name in os.listdir("/proc") if name.isdigit()), reverse=True):
        if time.monotonic() > until:
            return Look([], True, frozenset())
        task = _read(pid)
        if task is None:
            gone.add(pid)
        else:
            tasks[pid] = task
    found = below(os.getpid(), with_heirs(tasks, gone, _read))
    return Look(found, not gone.issubset(others), frozenset(tasks) - {task.pid for task in found})


def with_heirs(tasks: dict[int, Task], gone: set[int], read: Callable[[int], Task | None]) -> list[Task]:
    """Return the tasks, those again whose parent ended after they were read: somebody else is their parent now."""
    again = {pid: read(pid) for pid, task in tasks.items() if task.parent in gone}
    return [task for task in {**tasks, **again}.values() if task is not None]


def below(ancestor: int, tasks: Iterable[Task]) -> list[Task]:
    """Return the tasks that descend from a process, each one before its children."""
    children: dict[int, list[Task]] = {}
    for task in tasks:
        children.setdefault(task.parent, []).append(task)
    waiting, found = [*children.get(ancestor, ())], []
    while waiting:
        task = waiting.pop()
        waiting += children.get(task.pid, ())
        found.append(task)
    return found


def is_ending(pid: int, thread: int) -> bool:
    """Return whether a thread of a process is gone, or has let go of all it had; the kernel shows it to nobody then."""
    fields = _fields(pid, thread)
    return fields is None or fields[0] == _ZOMBIE or bool(int(fields[6]) & _IS_EXITING)


def state_of(pid: int, thread: int) -> bytes:
    """Return the letter of what a thread of a process does, as `/proc` has it; none when it is gone."""
    fields = _fields(pid, thread)
    return b"" if fields is None else fields[0]


def threads_of(pid: int) -> list[int]:
    """Return the threads of a process, the first one first; none when it is gone."""
    try:
        return sorted(map(int, os.listdir(f"/proc/{pid}/task")))
    except OSError:
        return []


def is_crowd(ancestor: int, most: int) -> bool:
    """Return whether more threads than `most` are below a process, by the shortest way.

    A kernel that does not tell the children of a process says yes.
    """
    waiting, threads = _children(ancestor), 0
    while waiting is not None and waiting:
        pid = waiting.pop()
        threads += len(threads_of(pid))
        if threads > most:
            return True
        more = _children(pid)
        waiting = None if more is None else waiting + more
    return waiting is None


def _children(pid: int) -> list[int] | None:
    """Return the children of a process; `None` where the kernel does not tell."""
    found: list[int] = []
    for thread in threads_of(pid):
        try:
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as told:
                found += map(int, told.read().split())
        except ProcessLookupError:
            continue  # it ended meanwhile
        except OSError:
            if os.path.exists(f"/proc/{pid}/task/{thread}"):
                return None
    return found


def _read(pid: int) -> Task | None:
    fields = _fields(pid)
    return None if fields is None else _task(pid, fields)


def _task(pid: int, fields: list[bytes]) -> Task:
    number, pages, witness = int(fields[17]), int(fields[21]), pid
    has_ended = fields[0] == _ZOMBIE and number <= 1
    if fields[0] == _ZOMBIE and not has_ended:
        # Only its first thread left: what the process holds is told of the others.
        others = ((thread, _fields(pid, thread)) for thread in threads_of(pid))
        told = ((int(other[21]), thread) for thread, other in others if other is not None)
        pages, witness = max(told, default=(0, pid))
    own, waited_for = (sum(map(int, fields[at : at + 2])) for at in (11, 13))
    threads = 0 if has_ended else number
    return Task(pid, int(fields[1]), threads, pages * _PAGE, own, own + waited_for, witness, int(fields[19]))


def _fields(pid: int, thread: int | None = None) -> list[bytes] | None:
    """Return what the kernel tells about a process, from its state on; nothing when it is gone."""
    place = f"/proc/{pid}/stat" if thread is None else f"/proc/{pid}/task/{thread}/stat"
    try:
        with open(place, "rb") as stream:
            return stream.read().rpartition(b")")[2].split()
    except OSError:
        return None
