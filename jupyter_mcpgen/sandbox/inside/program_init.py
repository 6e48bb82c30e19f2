"""A program in namespaces of its own: the first process there lays its root, starts it, and buries what it leaves.

The kernel ends a process namespace with its first process, and lets nobody in it signal that one. So whatever the
program forked, and however it hid, it is gone before its supervisor has waited for that single child; and the first
process dies with the supervisor. What lies in the root is what was granted and no more, `/proc` knows the processes of
this namespace only.
Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import os
import select
import signal
from typing import NamedTuple, NoReturn

from . import kernel, namespaces
from .confinement import Confinement
from .program_plan import Plan
from .program_report import Reaped
from .program_start import become_program, close_all_but, refuse
from .program_tree import enclose

_FIRST = 1
_OWN_TEMPORARY, _PROCESSES = ".tmp", "/proc/"
_SHORTHANDS = (
    ("/dev/fd", "/proc/self/fd"), ("/dev/stdin", "/proc/self/fd/0"),
    ("/dev/stdout", "/proc/self/fd/1"), ("/dev/stderr", "/proc/self/fd/2"),
)  # fmt: skip


class _Ends(NamedTuple):
    """What the first process has of its supervisor: where it tells the program's end, and what closes with it."""

    told: int
    alive: int


class Inside:
    """A program and all it starts, held by the first process of their namespace, which is `spared`.

    `process` is a descriptor that is readable once the program has ended; `enclosed` says that a signal to all reaches
    them and nobody else. Who ends is reaped by the first process, so there are no `deaths` to be told of here.
    """

    deaths: tuple[int, ...] = ()
    buried_seconds = 0.0

    def __init__(self, plan: Plan, host: int, status: int, channels: tuple[int, ...]) -> None:
        # So that no signal of ours reaches a stranger, by an id of a process that ended or by one to all.
        self.enclosed = plan.confinement.landlock and enclose(host)
        namespaces.enter(plan.confinement.identity)
        self._told, telling = os.pipe()
        waiting, self._alive = os.pipe()
        self.spared = os.fork()
        if self.spared == 0:
            os.close(self._alive)  # so that its end means the end of the supervisor
            os.close(self._told)
            _be_first(plan, _Ends(telling, waiting), status, channels)
        os.close(telling)
        os.close(waiting)
        self.process = os.pidfd_open(self.spared)

    def bury(self) -> None:
        """There is nobody to reap."""

    def end(self) -> Reaped:
        """Kill the first process, and so all, and reap it; return how the program ended and what all of them used."""
        os.kill(self.spared, signal.SIGKILL)
        _, status, usage = os.wait4(self.spared, 0)
        with open(self._told, "rb") as told:
            line = told.read()
        ended = int(line) if line else status
        return Reaped(ended, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def _be_first(plan: Plan, ends: _Ends, status: int, channels: tuple[int, ...]) -> NoReturn:
    try:
        # The kernel keeps signals from inside away from a first process that does not handle them.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        if _has_closed(ends.alive):
            os._exit(0)  # the supervisor died before that
        _lay_root(plan.confinement)
        program = os.fork()
        if program == 0:
            become_program(plan, _FIRST, status, channels)
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        kernel.drop_capabilities()
    except BaseException as error:
        refuse(status, error)
    close_all_but(ends.told)
    while True:
        pid, ended = os.waitpid(-1, 0)
        if pid == program:
            os.write(ends.told, str(ended).encode())
            os._exit(0)


def _lay_root(confinement: Confinement) -> None:
    folders = [(folder, folder) for folder in (confinement.scratch, *confinement.work)]
    if confinement.temporary is not None:
        own = os.path.join(confinement.scratch, _OWN_TEMPORARY)
        os.makedirs(own, 0o700, exist_ok=True)
        folders.insert(0, (own, confinement.temporary))
    mounted = [path for path in _outermost((*confinement.read, *confinement.run)) if not path.startswith(_PROCESSES)]
    more = [namespaces.own_processes(), *namespaces.own_folders(folders)]
    namespaces.lay_root(mounted, confinement.devices, (*confinement.links, *_SHORTHANDS), more)
    namespaces.close_root()


def _outermost(paths: tuple[str, ...]) -> list[str]:
    """Return those of the paths that do not lie inside another one, which brings them along."""
    kept: list[str] = []
    for path in sorted(paths, key=lambda path: path.split(os.sep)):
        if not kept or not (path + os.sep).startswith(kept[-1] + os.sep):
            kept.append(path)
    return kept


def _has_closed(pipe: int) -> bool:
    poll = select.poll()
    poll.register(pipe, 0)  # its end is always told
    return bool(poll.poll(0))
