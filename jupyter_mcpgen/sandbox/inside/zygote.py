"""The process that imports the libraries once, and forks a supervisor for each worker that the host asks for.

Started as `python -s -P -S -B -c START <folder of the sandbox> <requests> <pid of the host> <libraries and paths>`.
Each message on `requests`, a socket, is how to prepare, as JSON, with the descriptors of one worker. A fork carries one
thread only, so there must be only one; nothing of a job ever comes here, and nothing is read but these messages.
What only some tools need it imports while nobody asks, and says so on the socket when it has all of it.
It ends with its host, when nobody asked for so long, or with its last worker once the host let go of the socket.
Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import sys
import traceback
from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module
from typing import NamedTuple, NoReturn

from .confinement import Preparation
from .fields import Fields
from .supervisor import Channels, serve

START = "import sys; sys.path.insert(0, sys.argv[1]); from inside.zygote import main; del sys.path[0]; main()"

ALLOCATOR = {"PYTHONMALLOC": "malloc", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
"""Keeps the heap in one piece of large pages where the machine has them: a fork copies, and an end frees, much less."""

_MESSAGE_LIMIT = 1024 * 1024
_QUIET_SECONDS = 2.0
"""A question is read in less, so that its run does not wait for a library that it may not need."""
_HAS_ALL = b"all"


class _Request(NamedTuple):
    """How to prepare a worker, and its ends of the pipes."""

    preparation: Preparation
    channels: Channels


def main() -> NoReturn:
    """Import the libraries, then fork one supervisor for each request until there can be no more."""
    for name in ALLOCATOR:
        os.environ.pop(name, None)  # it has had its effect, and is nothing a job should see
    requests, host = socket.socket(fileno=int(sys.argv[2])), opened(int(sys.argv[3]))
    start = json.loads(sys.argv[4])
    load(start["libraries"], start["paths"])
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel buries the supervisors
    own = os.getpid()
    later: list[str] = start["later"]
    while (request := _next(requests, host, later, start["idle_seconds"])) is not None:
        require_one_thread()
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.setsid()
            os.close(requests.detach())
            _serve(request, host, own)
        for descriptor in request.channels:
            os.close(descriptor)
    os._exit(0)  # the workers that are left die with their parent


def opened(host: int) -> int:
    """Return a descriptor that is readable once the host is dead, whoever else holds its pipes."""
    descriptor = os.pidfd_open(host)
    if os.getppid() != host:
        raise ProcessLookupError("the host died before the worker started")
    return descriptor


def load(libraries: Iterable[str], paths: Iterable[str]) -> None:
    """Import libraries before there is a job; raises when this leaves anything that a fork would not survive."""
    sys.path += paths
    for name in libraries:
        try:
            import_module(name)
        except ModuleNotFoundError as error:
            if error.name != name.partition(".")[0]:
                raise
            # It is not installed; a tool that needs it will say so.
    gc.collect()
    gc.freeze()  # so that no collection copies the pages that the jobs share
    require_one_thread()


def require_one_thread() -> None:
    """Raise when a library started a thread: a fork would not carry it, and its locks would stay locked."""
    if len(os.listdir("/proc/self/task")) != 1:
        raise RuntimeError("a library started a thread when it was imported")


def _next(requests: socket.socket, host: int, later: list[str], idle_seconds: float) -> _Request | None:
    poll = select.poll()
    poll.register(requests, select.POLLIN)
    poll.register(host, select.POLLIN)
    _use_quiet_time(poll, requests, later)
    ready = {descriptor for descriptor, _ in poll.poll(idle_seconds * 1000)}
    if requests.fileno() not in ready or host in ready:
        return None
    try:
        message, descriptors, _, _ = socket.recv_fds(requests, _MESSAGE_LIMIT, len(Channels._fields))
    except ConnectionResetError:  # the host let go and had not read what was sent to it
        message, descriptors = b"", []
    if not message:
        wait_for_all()
        return None
    return _Request(Preparation.from_fields(Fields.decoded(message)), Channels(*descriptors))


def _use_quiet_time(poll: select.poll, requests: socket.socket, later: list[str]) -> None:
    """Import one library at a time until somebody asks, so that nobody waits for more than one."""
    seconds = _QUIET_SECONDS
    while later and not poll.poll(seconds * 1000):
        seconds = 0.0
        try:
            load([later.pop(0)], ())
        except Exception:
            # Half a library, or a thread, must reach no job; those that run have this process as their parent.
            traceback.print_exc()
            requests.close()
            wait_for_all()
            os._exit(1)
        if not later:
            with suppress(OSError):  # who asks no more need not know; the jobs that run need their parent
                requests.send(_HAS_ALL)


def wait_for_all() -> None:
    """Wait until there are no children any more."""
    try:
        os.waitpid(-1, 0)  # where the kernel buries the children, this lasts until there are none
    except ChildProcessError:
        return


def _serve(request: _Request, host: int, zygote: int) -> NoReturn:
    try:
        serve(request.channels, host, request.preparation, zygote, rehearses=True)
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}".encode())
        os._exit(1)
