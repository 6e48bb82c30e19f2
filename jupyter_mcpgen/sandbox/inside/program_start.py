"""What the process does that becomes a program: take its channels, confine itself, tell, and execute.

Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import os
import signal
import stat
from typing import NoReturn

from . import kernel
from .confinement import confine
from .program_plan import Plan
from .program_report import Begun, Refused, Report, encoded

SETUP_FAILED = 70
_FIRST_CHANNEL = 3


def become_program(plan: Plan, parent: int, status: int, channels: tuple[int, ...]) -> NoReturn:
    """Be the program of a plan; `parent` is the process whose death ends it."""
    try:
        os.setsid()
        kept = [os.dup2(descriptor, place) for place, descriptor in enumerate(channels, _FIRST_CHANNEL)]
        if plan.confinement.namespaces:
            _reopen_nothing()
        confine(plan.confinement, parent, keep=(*kept, status))
        os.chdir(plan.folder)
        report(status, Begun())
    except BaseException as error:
        refuse(status, error)
    try:
        # What the interpreter ignores would stay ignored in the program.
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        os.execve(plan.arguments[0], plan.arguments, plan.environment)  # noqa: S606  # no shell
    except BaseException as error:
        report(status, Refused(f"`{plan.arguments[0]}` cannot be started: {error}"))
    os._exit(SETUP_FAILED)


def report(status: int, told: Report) -> None:
    """Tell the host one thing."""
    os.write(status, encoded(told))


def refuse(status: int, error: BaseException) -> NoReturn:
    """Tell the host why there will be no program, and end."""
    report(status, Refused(f"{type(error).__name__}: {error}"))
    os._exit(SETUP_FAILED)


def close_all_but(*kept: int) -> None:
    """Close all descriptors of this process, but for these."""
    first = 0
    for descriptor in sorted(kept):
        if first < descriptor:
            kernel.close_range(first, descriptor - 1)
        first = descriptor + 1
    kernel.close_range(first, 0xFFFFFFFF)


def _reopen_nothing() -> None:
    """Take the empty input from the own root: the mode of the host's device could be changed through the host's."""
    if stat.S_ISCHR(os.fstat(0).st_mode):
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
