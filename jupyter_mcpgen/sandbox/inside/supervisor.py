"""The process around one job: it stays outside, and its word alone says how the job ended and what it used.

It makes everything ready and forks the job before there is anything to do, says so on `status`, and waits. One line of
JSON on `hold` is the order, and means that standard input now has two JSON documents: how to be confined, and what to
call. A second line means that the host has seen the job close its result: then the job is done, and is not waited for.
The supervisor serves that one job and ends; it ends with its host as well, and the job with it.
Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import socket
import sys
import time
from contextlib import suppress
from typing import NamedTuple, NoReturn

from . import kernel, namespaces
from .calling import perform
from .confinement import Confinement, Preparation, bound, finish, make_ready
from .documents import read_document
from .fields import Fields
from .going_first import go_first_when_memory_is_short
from .job_order import JobOrder
from .job_report import Confined, JobEnded, JobReport, Unconfined, Waits, encoded
from .job_use import is_exiting, of_the_dead, of_the_living, own_memory
from .job_work import JobWork
from .rehearsal import is_quiet, play_job, play_supervisor

RESULT = 3
_SETUP_FAILED = 70
_FIRST_PRIVATE = 10
_STREAMS = 3
_CHUNK = 65536
_LINE_END = b"\n"
_PATIENCE_SECONDS = 1.0
_SEEDED = ("random", "numpy.random")


class Channels(NamedTuple):
    """The worker's ends of its pipes: the job's document and streams, and the supervisor's two."""

    documents: int
    stdout: int
    stderr: int
    result: int
    status: int
    hold: int


class _Outside(NamedTuple):
    """What only the supervisor may hold: its channels, the host it ends with, and `/proc` as it is outside."""

    status: int
    hold: int
    host: int
    processes: int


def serve(channels: Channels, host: int, preparation: Preparation, parent: int, *, rehearses: bool = False) -> NoReturn:
    """Prepare, fork the job, wait for its order and for its end, and report.

    `host` is a descriptor of the process whose death ends all of this, `parent` the process that forked this one.
    Who `rehearses` expects to wait: it makes use of that, where the order does not come at once.
    """
    outside = _taken(channels, host)
    _die_with(parent)
    views = _views(preparation, parent) if preparation.namespaces else None
    awaited, alarm = os.pipe()
    supervisor = os.getpid()
    job = os.fork()  # so that the time and the limits of the job begin at nothing
    if job == 0:
        os.close(alarm)
        _be_the_job(preparation, supervisor, awaited, outside, rehearses=rehearses)
    os.close(awaited)
    os.close(RESULT)
    if views is not None:
        namespaces.look_outside(views)
    _send(outside.status, Waits(supervisor, job), os.pidfd_open(supervisor))
    _let_streams_go()
    process = os.pidfd_open(job)
    if rehearses and is_quiet(outside.hold):
        play_supervisor(job, outside.processes)
        if views is not None:
            namespaces.play_adding(views, preparation.read[:1])
    order = _awaited_order(outside, process)
    if order is None:
        os._exit(0)  # the job dies with its supervisor
    os.write(alarm, _LINE_END)  # so that the job reads what it has to do while its root is finished
    if views is not None:
        _add_to_root(views, order, outside.status)
    os.write(alarm, _LINE_END)
    report = _supervise(job, process, outside, order.wall_seconds)
    _send(outside.status, report, *_scratch(order))
    _bury(job)
    os.kill(0, signal.SIGKILL)  # whatever an unconfined job left in our session, and ourselves
    os._exit(0)


def _taken(channels: Channels, host: int) -> _Outside:
    """Put the job's streams and its result where it expects them, and everything else out of the way.

    All of that before anything is opened, which would take the lowest number that is free.
    """
    *streams, status, hold, host = map(_moved_away, (*channels, host))
    for place, descriptor in enumerate(streams):
        os.dup2(descriptor, place)
    for descriptor in {*channels, *streams} - set(range(RESULT + 1)):
        os.close(descriptor)
    return _Outside(status, hold, host, os.open("/proc", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))


def _moved_away(descriptor: int) -> int:
    # The host's numbers are arbitrary and may be 3, which the job uses for its result.
    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _FIRST_PRIVATE)


def _die_with(parent: int) -> None:
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        raise ProcessLookupError("what started the supervisor died before it was ready")


def _views(preparation: Preparation, parent: int) -> namespaces.Views:
    namespaces.enter(preparation.identity)
    _die_with(parent)  # again: the kernel forgets it when an id changes
    return namespaces.lay_root(preparation.read, preparation.devices, preparation.links)


def _add_to_root(views: namespaces.Views, order: JobOrder, status: int) -> None:
    try:
        sizes = order.scratch_bytes, order.scratch_entries
        namespaces.add_to_root(views, namespaces.Additions(order.read, order.links, order.scratch, *sizes))
    except OSError as error:
        _send(status, Unconfined(f"{type(error).__name__}: {error}"))
        os._exit(_SETUP_FAILED)


def _be_the_job(
    preparation: Preparation, supervisor: int, awaited: int, outside: _Outside, *, rehearses: bool
) -> NoReturn:
    try:
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        _forget_what_the_parent_drew()
        go_first_when_memory_is_short(outside.processes)
        inherited = own_memory(outside.processes)  # told now, while the job is nobody's but ours
        # In a process namespace the supervisor has no id; its alarm tells its death as well.
        parent = None if preparation.namespaces else supervisor
        ready = make_ready(preparation, parent, (RESULT, outside.status, awaited))
        if rehearses and is_quiet(awaited):
            play_job(ready)
        _wait(awaited)
        confinement, work = _read_order()
        _wait(awaited)
        os.close(awaited)
        finish(confinement, ready)
        _send(outside.status, Confined(inherited))
    except BaseException as error:
        _send(outside.status, Unconfined(f"{type(error).__name__}: {error}"))
        os._exit(_SETUP_FAILED)
    os.close(outside.status)
    code = perform(work, RESULT)
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None and not stream.closed:  # a tool may have closed them
            stream.flush()
    if code == 0:
        _close_result_and_wait()
    os._exit(code)


def _wait(awaited: int) -> None:
    if os.read(awaited, 1) == b"":
        os._exit(0)  # the supervisor is gone


def _read_order() -> tuple[Confinement, JobWork]:
    """Read how to be confined and what there is to do, and do of it what needs no root."""
    with open(0, "rb", closefd=False) as documents:
        confinement = Confinement.from_fields(Fields(read_document(documents)))
        work = JobWork.from_fields(Fields(read_document(documents)))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.environ |= {"HOME": confinement.scratch, "TMPDIR": confinement.scratch}
    bound(confinement)
    return confinement, work


def _close_result_and_wait() -> None:
    """Say that all is done; the end of a process takes longer than most jobs, and nobody need wait for it."""
    try:
        os.close(RESULT)
    except OSError:
        return  # the tool did
    time.sleep(_PATIENCE_SECONDS)  # a copy of the result that the tool left open would keep the host from seeing it


def _awaited_order(outside: _Outside, process: int) -> JobOrder | None:
    """Wait for the job's order; `None` once the host let go or died, or the job did."""
    poll = select.poll()
    for descriptor in (outside.hold, outside.host, process):
        poll.register(descriptor, select.POLLIN)
    ready = {descriptor for descriptor, _ in poll.poll()}
    if ready != {outside.hold}:
        return None
    line = b""
    while not line.endswith(_LINE_END):
        chunk = os.read(outside.hold, _CHUNK)
        if not chunk:
            return None
        line += chunk
    return JobOrder.decoded(line)


def _supervise(job: int, process: int, outside: _Outside, wall_seconds: float) -> JobEnded:
    """Wait until the job is done or dead, its time is up, or the host dies or lets go of `hold`."""
    deadline = time.monotonic() + wall_seconds
    is_closed, ready = False, _ready(process, outside, wall_seconds, says_more=True)
    if ready == {outside.hold} and os.read(outside.hold, _CHUNK):
        is_closed = not is_exiting(job, outside.processes)
        if not is_closed:
            ready = _ready(process, outside, deadline - time.monotonic(), says_more=False)
    if is_closed and (living := of_the_living(job, outside.processes)) is not None:
        with suppress(OSError):  # so that its end, which takes long, does not come before our report
            os.sched_setscheduler(job, os.SCHED_BATCH, os.sched_param(0))
        os.kill(job, signal.SIGKILL)
        return living
    if process not in ready:
        os.kill(job, signal.SIGKILL)  # its id cannot be another process's: it has not been waited for
    return of_the_dead(job, outside.processes, was_done=is_closed)._replace(timed_out=not ready)


def _ready(process: int, outside: _Outside, seconds: float, *, says_more: bool) -> set[int]:
    poll = select.poll()
    poll.register(process, select.POLLIN)
    poll.register(outside.hold, select.POLLIN if says_more else 0)  # its end is always told
    poll.register(outside.host, select.POLLIN)
    return {descriptor for descriptor, _ in poll.poll(max(0.0, seconds) * 1000)}


def _bury(job: int) -> None:
    try:
        os.waitpid(job, 0)
    except ChildProcessError:
        return  # it was waited for


def _scratch(order: JobOrder) -> tuple[int, ...]:
    """Return a descriptor of the scratch folder, which only this mount namespace sees, if the host asked for it."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    return (os.open(order.scratch, flags),) if order.sends_scratch else ()


def _forget_what_the_parent_drew() -> None:
    for name in _SEEDED:
        if name in sys.modules:
            sys.modules[name].seed()
    if "tempfile" in sys.modules:
        vars(sys.modules["tempfile"])["tempdir"] = None


def _let_streams_go() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for place in range(_STREAMS):
        os.dup2(nothing, place)
    os.close(nothing)


def _send(status: int, report: JobReport, *descriptors: int) -> None:
    line = encoded(report)
    if not descriptors:
        os.write(status, line)  # a confined process may use no socket otherwise
        return
    with socket.socket(fileno=os.dup(status)) as channel:
        socket.send_fds(channel, [line], descriptors)
