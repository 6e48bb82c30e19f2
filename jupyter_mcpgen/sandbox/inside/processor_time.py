"""The processor time of a tree, by looks at it; also of processes for which nobody waited when they ended.

The kernel adds the time of a process to that of the one that waits for it, and forgets it where nobody does. What a
process had worked at the last look, and did not appear with anybody afterwards, is kept here. What it did after that
look was not seen: it is taken to have gone on as before for half of the time between the looks, and a process that was
shorter than that to have had others like it before and after, for all of that time. Of processes that live for a
hundredth of a second or less, and for which nobody waits, the kernel tells too little: most of their time stays hidden.
So does that of as much as others have waited for in the same time.
Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable

from .tasks import Task

TICKS_OF_A_SECOND = os.sysconf("SC_CLK_TCK")
_Identity = tuple[int, int]


class ProcessorTime:
    """What all processes of a tree have worked, as far as they were seen, in ticks; it never becomes less."""

    def __init__(self) -> None:
        self._before: dict[_Identity, Task] = {}
        self._buried = 0.0
        self._now = 0.0
        # A look takes a while: who waits during it appears with more in this one or the next.
        self._surplus, self._missing, self._charge = 0.0, 0.0, 0.0
        self._lost = 0.0
        self.spent = 0.0

    def look(self, tasks: Iterable[Task], buried: float, now: float | None = None) -> None:
        """Take all processes that there are, the ended ones too, and the ticks of those that this one has reaped.

        `now` is the time of the machine, as `began` tells it.
        """
        now = time.clock_gettime(time.CLOCK_BOOTTIME) * TICKS_OF_A_SECOND if now is None else now
        present = {(task.pid, task.began): task for task in tasks}
        gone = [task for identity, task in self._before.items() if identity not in present]
        waited_for = sum(
            _waited_for(task) - _waited_for(self._before[identity])
            for identity, task in present.items()
            if identity in self._before
        )
        self._settle(gone, waited_for + buried - self._buried, now)
        self._before, self._buried, self._now = present, buried, now
        self.spent = max(self.spent, sum(task.all_ticks for task in present.values()) + buried + self._lost)

    def _settle(self, gone: list[Task], told: float, now: float) -> None:
        """Set what is gone against what others were told of it; what stays open until the next look is lost."""
        ticks = sum(task.all_ticks for task in gone)
        left = told - max(0.0, ticks - self._surplus)
        explained = min(max(0.0, left), self._missing)
        if self._missing:
            self._lost += self._charge * (1 - explained / self._missing)
        self._surplus, self._missing = max(0.0, left - explained), max(0.0, -left)
        self._charge = sum(self._worked(task, now) for task in gone) * self._missing / ticks if self._missing else 0.0

    def _worked(self, task: Task, now: float) -> float:
        """Return what a process that is gone is taken to have worked."""
        since = max(0.0, now - self._now)
        share = min(float(task.threads), task.ticks / max(1.0, self._now - task.began))
        return max(task.all_ticks + share * since / 2, share * since)


def _waited_for(task: Task) -> int:
    return task.all_ticks - task.ticks
