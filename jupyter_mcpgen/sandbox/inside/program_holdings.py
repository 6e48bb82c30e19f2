"""What a program holds that is no memory of its processes: files, what waits in pipes, what the kernel has for it.

It is looked at less often than the processes, because it takes longer, and only while the program works.
Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress

from .confinement import Confinement
from .disk_use import deleted_bytes, used_bytes
from .file_locks import count_locks
from .mappings import Effort, TimeIsUp, TooManyMappings, kernel_bytes
from .program_report import Stop
from .queues import queued_bytes
from .tasks import Task, is_ending

_PAUSE_SECONDS = 0.5
_SHARE = 4


class Holdings:
    """What a program has written and still holds, in its folders or deleted and open, looked at while it works.

    `ours` is a process of ours among its own, `until` the end of its time, and `stand` lets all stand still until they
    are set going after the look. `queued` is what it may have put into pipes and sockets, and `mapped` what the kernel
    has for its mappings and locks, both in bytes and by the last look.
    """

    def __init__(self, confinement: Confinement, ours: int | None, until: float, stand: Callable[[], None]) -> None:
        self._ours = ours
        self._until = until
        self._stand = stand
        self._folders = (confinement.scratch, *confinement.work)
        self._most = confinement.file_bytes
        self._next = time.monotonic() + _PAUSE_SECONDS
        self._may_have_grown = False
        self.queued = 0
        self.mapped = 0

    def excess(self, tasks: tuple[Task, ...], *, has_worked: bool) -> Stop | None:
        """Return what of it is more than it may be; looking takes a bounded share of the time.

        The time of the program may be up meanwhile, and then that is not known.
        """
        self._may_have_grown |= has_worked
        begin, worked = time.monotonic(), time.process_time()
        if begin < self._next or not self._may_have_grown:
            return None
        self._may_have_grown = False
        try:
            return self._looked_at(tasks)
        except TimeIsUp:
            return None
        finally:
            # On a busy machine a look lasts longer than it works, and what it did not see grows meanwhile.
            end, worked = time.monotonic(), time.process_time() - worked
            self._next = end + max(_PAUSE_SECONDS, end - begin, _SHARE * worked)

    def _looked_at(self, tasks: tuple[Task, ...]) -> Stop | None:
        effort = Effort(self._until, self._stand)
        pids = [task.pid for task in tasks]
        held = sum(used_bytes(folder, self._most) for folder in self._folders)
        held += deleted_bytes(pids, self._folders, self._most, self._hides, effort)
        with suppress(TooManyMappings):
            count_locks(pids, effort)
        if effort.is_too_much:
            return Stop.MAPPINGS_EXCEEDED
        self.queued = queued_bytes(pids, effort)
        self.mapped = kernel_bytes((task.witness for task in tasks), effort.mappings)
        return Stop.SCRATCH_EXCEEDED if held > self._most else None

    def _hides(self, pid: int, thread: int) -> bool:
        """Return whether a process keeps us out by executing what nobody may read, where our own is open to us."""
        if self._ours is None or is_ending(pid, thread):
            return False
        try:
            os.listdir(f"/proc/{self._ours}/fd")
        except OSError:
            return False
        return True
