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
import signal
import time

from . import kernel
from .program_plan import Plan
from .program_report import Reaped
from .program_start import become_program, close_all_but
from .program_tree import enclose, freeze, send_signal, signal_enclosed

_SWEEP_SECONDS, _LONGEST_SWEEP_SECONDS = 0.002, 0.1


class Domain:
    """A program and all it starts, held by their supervisor; `spared` is the guard among them, where there is one.

    `process` is a descriptor that is readable once the program has ended; `enclosed` says that a signal to all reaches
    them and nobody else.
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

    def end(self) -> Reaped:
        """Kill the whole tree and reap all of it; return how the program ended and what the tree used."""
        status, cpu, memory = 0, 0.0, 0
        pause = 0.0
        while True:
            try:
                pid, ended, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return Reaped(status, cpu, memory)
            if pid == 0:
                # Once for all who die, not for each: of many the kernel asks every one whether the signal is for it.
                time.sleep(pause)
                pause = min(2 * pause + _SWEEP_SECONDS, _LONGEST_SWEEP_SECONDS)
                self._kill()
                continue
            status = ended if pid == self._program else status
            cpu += usage.ru_utime + usage.ru_stime
            memory = max(memory, usage.ru_maxrss * 1024)

    def _kill(self) -> None:
        if self.enclosed:
            signal_enclosed(signal.SIGKILL)
        else:
            _freeze_and_kill()


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
