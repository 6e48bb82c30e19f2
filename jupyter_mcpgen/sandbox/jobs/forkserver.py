"""The host's end of a zygote: one process that has imported what tools start with, and forks workers from it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import threading
from collections.abc import Iterable
from contextlib import suppress

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.sandbox.inside.confinement import Preparation
from jupyter_mcpgen.sandbox.inside.supervisor import Channels
from jupyter_mcpgen.sandbox.inside.zygote import ALLOCATOR, START
from jupyter_mcpgen.sandbox.interpreter import Interpreter
from jupyter_mcpgen.sandbox.jobs.launch import ENVIRONMENT, SANDBOX_FOLDER, Worker
from jupyter_mcpgen.sandbox.jobs.reaping import reap_at_its_end

# Not `-I`, which would ignore the allocator that our own environment asks for; there is nothing else in it.
_FLAGS = ("-s", "-P", "-S", "-B", "-X", "utf8", "-c")
_CHUNK = 65536


class ForkServer:
    """Forks workers on request, from any thread; it does not wait for its own start, so a worker may take long."""

    def __init__(
        self, interpreter: Interpreter, libraries: Iterable[str], idle_seconds: float, later: Iterable[str] = ()
    ) -> None:
        start = {
            "libraries": tuple(libraries),
            "later": tuple(later),
            "paths": tuple(map(str, interpreter.imports)),
            "idle_seconds": idle_seconds,
        }
        self._lock = threading.Lock()
        self.has_served = False
        """Whether a worker of it was given a job, which then may run still."""
        self._has_all = False
        self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        arguments = (START, str(SANDBOX_FOLDER), str(theirs.fileno()), str(os.getpid()), json.dumps(start))
        try:
            # The environment is empty but for what is listed, and only this descriptor survives the exec.
            self._process = subprocess.Popen(  # noqa: S603  # our own interpreter and our own zygote, no shell
                [str(interpreter.executable), *_FLAGS, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                cwd=os.sep,
                env={**ENVIRONMENT, **ALLOCATOR},
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
            try:
                # It is buried as soon as it ends, and then its id may be another's.
                self._handle: int | None = os.pidfd_open(self._process.pid)
            except OSError:
                self._close_words()
                raise
            finally:
                reap_at_its_end(self._process)
        except OSError as error:
            self._requests.close()
            raise SandboxError(f"The sandbox could not start `{interpreter.executable}`: {error.strerror}.") from error
        finally:
            theirs.close()

    @property
    def pid(self) -> int:
        """Return the id of the zygote."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Return whether the zygote lives; one that ended is reaped."""
        return self._process.poll() is None

    @property
    def has_all(self) -> bool:
        """Return whether a worker that is forked now has the later libraries as well."""
        with self._lock, suppress(OSError):  # nothing was said yet, or nobody is there to say it
            self._has_all = self._has_all or bool(self._requests.recv(_CHUNK, socket.MSG_DONTWAIT))
        return self._has_all

    @property
    def has_failed(self) -> bool:
        """Return whether the zygote ended by itself over what it imported."""
        return not self.is_running and self._process.returncode == 1

    def fork(self, preparation: Preparation) -> Worker:
        """Ask for a worker, without waiting for it; raises `SandboxError` when nobody is there to ask."""
        message = json.dumps(preparation._asdict()).encode()

        def ask(channels: Channels) -> None:
            with self._lock:
                socket.send_fds(self._requests, [message], channels)

        try:
            return Worker(preparation, ask)
        except OSError as error:
            raise SandboxError(f"The zygote process of the sandbox does not answer: {error.strerror}.") from error

    def last_words(self) -> str:
        """Return the end of what a zygote that ended wrote as errors."""
        assert self._process.stderr is not None  # noqa: S101  # it was asked for
        os.set_blocking(self._process.stderr.fileno(), False)
        with suppress(BlockingIOError):
            return os.read(self._process.stderr.fileno(), _CHUNK).decode("utf-8", "replace").strip()[-500:]
        return ""

    def retire(self, seconds: float = 0.0) -> bool:
        """Take no more requests; the zygote ends with the last job that it is the parent of.

        Returns whether it has ended within so many seconds.
        """
        self._requests.close()
        if not self.has_served and self.is_running:
            self._kill()  # it may be importing still, and no job is lost
            self._process.wait()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        if self._process.returncode is None:
            return False
        self._close()
        return True

    def leave(self) -> None:
        """Let a zygote that took its last request end when it will; it is buried then."""
        self._close()

    def disown(self) -> None:
        """Forget the zygote of the process that this one was forked from: close the copies of its ends, no more."""
        self._process.returncode = 0  # it is not our child, so there is nothing to wait for
        self._close()

    def _kill(self) -> None:
        if self._handle is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def _close(self) -> None:
        self._requests.close()
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
        self._close_words()

    def _close_words(self) -> None:
        if self._process.stderr is not None:
            self._process.stderr.close()
