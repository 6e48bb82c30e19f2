"""How a tree of processes that may fork, daemonise and change session is ended without a race, outside of namespaces.

The supervisor adopts every orphan of the tree, and puts itself into a Landlock domain that signals cannot leave. The
program gets a domain inside that one, so it cannot signal the supervisor. `kill(-1)` is then one kernel operation that
reaches the whole tree and nothing else, and waiting until no child is left proves that it worked. That signals cannot
leave is tried on the host first; where they can (a kernel before 6.12) the tree is frozen process by process and then
killed. A second process of ours in the domain, the guard, does the same when the supervisor itself dies.
Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import os
import resource
import signal
import time
from contextlib import suppress

from . import kernel
from .program_plan import Plan
from .program_report import Reaped
from .program_start import become_program, close_all_but
from .program_tree import enclose, freeze, send_signal, signal_enclosed

_SWEEP_SECONDS, _LONGEST_SWEEP_SECONDS = 0.002, 0.1
_DEATHS = 256


class Domain:
    """A program and all it starts, held by their supervisor; `spared` is the guard among them, where there is one.

    `process` is a descriptor that is readable once the program has ended; `enclosed` says that a signal to all reaches
    them and nobody else. `deaths` are descriptors that are readable when somebody else's child has become ours and
    ended, and `buried_seconds` is the processor time of those that were reaped.
    """

    def __init__(self, plan: Plan, host: int, status: int, channels: tuple[int, ...]) -> None:
        supervisor = os.getpid()
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
        self.enclosed = plan.confinement.landlock and enclose(host)
        self.spared = _start_guard(supervisor) if self.enclosed else None
        self._program = os.fork()
        if self._program == 0:
            become_program(plan, supervisor, status, channels)
        self.process = os.pidfd_open(self._program)
        self.deaths = (_told_of_deaths(),)
        self.buried_seconds = 0.0
        self._peak = 0

    def bury(self) -> None:
        """Reap the orphans that have ended: each counts as a process of its user until then.

        The program is not reaped before its end, and the guard is older, so that both are told before any orphan.
        """
        with suppress(BlockingIOError):
            os.read(self.deaths[0], _DEATHS)
        for _ in range(_DEATHS):
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended is None or ended.si_pid in (self._program, self.spared):
                return
            _, _, usage = os.wait4(ended.si_pid, 0)
            self._count(usage)

    def end(self) -> Reaped:
        """Kill the whole tree and reap all of it; return how the program ended and what the tree used."""
        status, pause = 0, 0.0
        while True:
            try:
                pid, ended, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return Reaped(status, self.buried_seconds, self._peak)
            if pid == 0:
                # Once for all who die, not for each: of many the kernel asks every one whether the signal is for it.
                time.sleep(pause)
                pause = min(2 * pause + _SWEEP_SECONDS, _LONGEST_SWEEP_SECONDS)
                self._kill()
                continue
            status = ended if pid == self._program else status
            self._count(usage)

    def _count(self, usage: resource.struct_rusage) -> None:
        self.buried_seconds += usage.ru_utime + usage.ru_stime
        self._peak = max(self._peak, usage.ru_maxrss * 1024)

    def _kill(self) -> None:
        if self.enclosed:
            signal_enclosed(signal.SIGKILL)
        else:
            _freeze_and_kill()


def _told_of_deaths() -> int:
    """Return a descriptor that is readable when a child of ours has ended."""
    told, telling = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(telling, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return told


def _start_guard(supervisor: int) -> int:
    """Fork the process that ends everything when the supervisor is gone."""
    waiting, _ = os.pipe()  # the other end stays open for as long as the supervisor lives
    guard = os.fork()
    if guard != 0:
        os.close(waiting)
        return guard
    close_all_but(waiting)
    os.read(waiting, 1)
    while os.getppid() == supervisor:  # who dies closes its files a moment before its children change hands
        time.sleep(_SWEEP_SECONDS)
    signal_enclosed(signal.SIGKILL)
    os._exit(0)


def _freeze_and_kill() -> None:
    for pid in freeze():
        send_signal(pid, signal.SIGKILL)
