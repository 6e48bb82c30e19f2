"""The process that forks a supervisor for each program, so that none waits for an interpreter to begin.

Started as `python -I -S -c START <folder of the sandbox> <requests> <host>`. Each message on `requests`, a socket,
carries the descriptors of one program, and one to tell who its supervisor is. It reads nothing else, has no other
library than the supervisor has, and ends with its host, when nobody asked for so long, or when the host let go of the
socket and its last supervisor has ended.
Standard library only, loaded as `inside` without the rest of jupyter_mcpgen.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import socket
import sys
from typing import NoReturn

from .program_worker import Outside, supervise
from .zygote import load, opened, require_one_thread, wait_for_all

START = "import sys; sys.path.insert(0, sys.argv[1]); from inside.program_zygote import main; del sys.path[0]; main()"

ASKED = b"p"
MOST_DESCRIPTORS = 9
_IDLE_SECONDS = 900.0
_FIRST_PRIVATE = 16
_STREAMS = 3


def main() -> NoReturn:
    """Fork one supervisor for each request until there can be no more."""
    requests, host = socket.socket(fileno=int(sys.argv[2])), int(sys.argv[3])
    host_process = opened(host)
    load((), ())
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel buries the supervisors
    while descriptors := _next(requests, host_process):
        require_one_thread()
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.setsid()
            os.close(requests.detach())
            _supervise(descriptors, host, host_process)
        for descriptor in descriptors:
            os.close(descriptor)
    os._exit(0)


def _next(requests: socket.socket, host_process: int) -> list[int]:
    """Return the descriptors of the next request; none when there will be none."""
    poll = select.poll()
    poll.register(requests, select.POLLIN)
    poll.register(host_process, select.POLLIN)
    ready = {descriptor for descriptor, _ in poll.poll(_IDLE_SECONDS * 1000)}
    if host_process in ready:
        return []
    if ready:
        _, descriptors, _, _ = socket.recv_fds(requests, len(ASKED), MOST_DESCRIPTORS)
        if descriptors:
            return descriptors
    requests.close()  # whoever asks now is told at once
    wait_for_all()
    return []


def _supervise(descriptors: list[int], host: int, host_process: int) -> NoReturn:
    try:
        moved = [fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _FIRST_PRIVATE) for descriptor in descriptors]
        for descriptor in descriptors:
            os.close(descriptor)
        for place in range(_STREAMS):
            os.dup2(moved[place], place)
            os.close(moved[place])
        told, planned, status, hold, *channels = moved[_STREAMS:]
        if not _told(told):
            os._exit(0)  # the host gave up before there was anything to do
        supervise(host, host_process, planned, Outside(status, hold, tuple(channels)))
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}".encode())
        os._exit(1)


def _told(told: int) -> bool:
    """Tell the host who this is; return whether it still wants to know."""
    own = os.pidfd_open(os.getpid())
    try:
        with socket.socket(fileno=told) as channel:
            socket.send_fds(channel, [str(os.getpid()).encode()], [own])
    except BrokenPipeError:
        return False
    finally:
        os.close(own)
    return True
