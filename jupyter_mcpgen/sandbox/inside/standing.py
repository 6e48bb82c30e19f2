"""Whether all processes below this one stand still, and which of them stood before they were told to.

A process that is told to stop while it forks hands that on to its child. As long as its fork lasts no signal to go on
reaches that child, which would be born stopped and stay so: who sets a tree going waits until all of it stands.
Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Collection

from .address_spaces import compared
from .tasks import Task, look, state_of, threads_of

_PATIENCE_SECONDS, _PAUSE_SECONDS = 0.5, 0.001
_STOPPED = b"T"
_STANDS = frozenset((_STOPPED, b"t", b"Z", b"X", b""))
_CANNOT_BE_REACHED = b"D"


def all_stand(spared: int | None = None) -> bool:
    """Wait until all processes below this one but one stand still; return whether they do after half a second.

    Then nobody is born any more whom a look from now on would not find.
    """
    until = time.monotonic() + _PATIENCE_SECONDS
    standing: set[Task] = set()
    while True:
        found = [task for task in look().found if task.pid != spared]
        children_first = reversed(found)
        for task in children_first:
            if task in standing or _stands(task, standing):
                standing.add(task)
        if standing.issuperset(found):
            return True
        if time.monotonic() > until:
            return False
        time.sleep(_PAUSE_SECONDS)


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


def _stands(task: Task, standing: Collection[Task]) -> bool:
    return task.threads == 0 or all(_stands_or_waits(task.pid, thread, standing) for thread in threads_of(task.pid))


def _stands_or_waits(pid: int, thread: int, standing: Collection[Task]) -> bool:
    """Return whether a thread stands, or lent its memory to a child that stands, and waits to have it back."""
    state = state_of(pid, thread)
    if state != _CANNOT_BE_REACHED:
        return state in _STANDS
    return any(task.parent == pid and compared(thread, task.witness) == 0 for task in standing)
