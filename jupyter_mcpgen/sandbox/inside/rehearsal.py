"""What a worker does once in play while it waits, so that its job need not be the first to do it.

A forked process shares its memory with its parent until it writes to it, and Python writes wherever it reads: the first
time, each page costs more than the work on it. Only quiet time is used, and nothing is left of a play but its pages.
Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import os
import resource
import select
from io import BytesIO

from . import calling, landlock
from .confinement import Confinement, Ready
from .documents import framed, read_document
from .fields import Fields
from .job_order import JobOrder
from .job_report import Confined, encoded
from .job_use import is_exiting, of_the_living
from .job_work import JobWork
from .places import open_place

_QUIET_MILLISECONDS = 50
_LIMITS = resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC
_ORDER = JobOrder(1.0, (os.sep,), (), os.sep, 1, 1, False)
_CONFINEMENT = Confinement(os.sep, (os.sep,), (), 1.0, 1, 1, 1, 1, 1, None, False, False)
_WORK = JobWork(os.sep, "", ({},), (os.sep,))


def is_quiet(awaited: int, milliseconds: int = _QUIET_MILLISECONDS) -> bool:
    """Return whether nothing comes over a descriptor for a moment; who waits for a worker is not kept by a play."""
    poll = select.poll()
    poll.register(awaited, select.POLLIN)
    return not poll.poll(milliseconds)


def play_supervisor(job: int, processes: int) -> None:
    """Take an order, and look at a job that waits as if it were done."""
    JobOrder.decoded(_ORDER.encoded())
    is_exiting(job, processes)
    used = of_the_living(job, processes)
    if used is not None:
        encoded(used)
    place, _ = open_place(os.sep)
    os.close(place)


def play_job(ready: Ready) -> None:
    """Read what a job reads, keep the environment and the limits, name a path that is named already, call a tool."""
    documents = BytesIO(framed(_CONFINEMENT._asdict()) + framed(_WORK._asdict()))
    Confinement.from_fields(Fields(read_document(documents)))
    JobWork.from_fields(Fields(read_document(documents)))
    os.environ |= dict(os.environ)
    for limit in _LIMITS:
        resource.setrlimit(limit, resource.getrlimit(limit))
    if ready.ruleset is not None:
        landlock.allow(ready.ruleset, ready.read[:1], landlock.READ, ready.handled)
    encoded(Confined(0))
    nobody = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
    calling.play(nobody)
    os.close(nobody)
