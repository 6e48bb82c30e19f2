"""The host's end of the process that forks the supervisors of programs: it is started when it is first wanted."""

from __future__ import annotations

import errno
import os
import socket
import subprocess
import sys
import threading
import weakref
from contextlib import suppress
from dataclasses import dataclass

from jupyter_mcpgen.sandbox.inside.program_zygote import ASKED, START
from jupyter_mcpgen.sandbox.jobs.reaping import reap_at_its_end
from jupyter_mcpgen.sandbox.programs.supervisor import (
    ENVIRONMENT,
    FLAGS,
    SANDBOX_FOLDER,
    ByDescriptor,
    Ends,
    Supervisor,
    fresh,
)

_LONGEST_ID = 32
_START_SECONDS = 20.0
_END_SECONDS = 5.0


class ProgramServer:
    """Starts supervisors of programs, from any thread, and in a fork, which gets a process of its own for it.

    What cannot be forked is started afresh: a program that could run runs.
    """

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._zygote: _Zygote | None = None

    def __call__(self, ends: Ends) -> Supervisor:
        """Return the supervisor of one program; raises `OSError` when there can be none."""
        for _ in range(2):  # one that has been idle for too long may end just now
            supervisor = self._forked(ends)
            if supervisor is not None:
                return supervisor
        return fresh(ends)

    @property
    def pid(self) -> int | None:
        """Return the id of the process that forks, if there is one."""
        zygote = self._zygote
        return zygote.process.pid if zygote is not None and self._owner == os.getpid() else None

    def close(self) -> None:
        """Let the process end, with the last program that it is the parent of; the next program gets another."""
        with self._lock:
            zygote, self._zygote = self._zygote, None
        if zygote is not None and self._owner == os.getpid():
            zygote.retire(_END_SECONDS)

    def _forked(self, ends: Ends) -> Supervisor | None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with ours:
            try:
                with theirs:
                    self._ask((*ends[:3], theirs.fileno(), *ends[3:6], *ends.channels))
                ours.settimeout(_START_SECONDS)
                told, descriptors, _, _ = socket.recv_fds(ours, _LONGEST_ID, 1, socket.MSG_CMSG_CLOEXEC)
            except TimeoutError as error:
                # It may be begun yet, and then ends at once, with the pipes of this one; another would be a second one.
                raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT)) from error
            except OSError:
                told, descriptors = b"", []
        if descriptors:
            return ByDescriptor(int(told), descriptors[0])
        with self._lock:
            zygote, self._zygote = self._zygote, None
        if zygote is not None:
            zygote.retire(0.0)
        return None

    def _ask(self, descriptors: tuple[int, ...]) -> None:
        self._leave_to_the_parent()
        with self._lock:
            if self._zygote is None or self._zygote.process.poll() is not None:
                self._zygote = _started()
                weakref.finalize(self, self._zygote.retire, _END_SECONDS)
            socket.send_fds(self._zygote.requests, [ASKED], descriptors)

    def _leave_to_the_parent(self) -> None:
        if self._owner == os.getpid():
            return
        # Another thread may have held the lock at the fork, and is not here to release it.
        zygote, self._zygote = self._zygote, None
        self._owner, self._lock = os.getpid(), threading.Lock()
        if zygote is not None:
            zygote.disown()


@dataclass(frozen=True)
class _Zygote:
    """The process, and the socket that it is asked on."""

    process: subprocess.Popen[bytes]
    requests: socket.socket

    def retire(self, seconds: float) -> None:
        """Take no more requests, and wait so long for its end."""
        self.requests.close()
        with suppress(subprocess.TimeoutExpired):  # it has programs; it ends with them, and with us
            self.process.wait(seconds)

    def disown(self) -> None:
        """Forget the process of the one that this was forked from."""
        self.process.returncode = 0  # it is not our child, so there is nothing to wait for
        self.requests.close()


def _started() -> _Zygote:
    requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        # The environment is empty, and only this descriptor survives the exec.
        process = subprocess.Popen(  # noqa: S603  # our own interpreter and our own zygote, no shell
            [sys.executable, *FLAGS, START, str(SANDBOX_FOLDER), str(theirs.fileno()), str(os.getpid())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=os.sep,
            env=ENVIRONMENT,
            pass_fds=(theirs.fileno(),),
            start_new_session=True,
        )
    reap_at_its_end(process)
    return _Zygote(process, requests)
