"""The sandbox of a process, begun before anybody asks for it: its libraries are imported while a person thinks.

Nothing heavy is imported here. The processes that wait import pandas, and scipy when nobody asks, on their own.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from threading import Lock

from jupyter_mcpgen.errors import McpgenError
from jupyter_mcpgen.sandbox.policy import Level
from jupyter_mcpgen.sandbox.service import BackendKind, Choice, Sandbox
from jupyter_mcpgen.settings import SandboxSettings, load_settings


class Begun:
    """At most one sandbox that was begun and that nobody has taken yet; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: tuple[SandboxSettings, Future[Sandbox]] | None = None

    @property
    def waiting(self) -> bool:
        """Return whether there is one, once it is known whether it could be started."""
        return self._waiting is not None and self._waiting[1].exception() is None

    def begin(self, wanted: SandboxSettings) -> None:
        """Start a sandbox for whoever takes it first, and return at once; once there is one, do nothing."""
        with self._lock:
            if self._waiting is None:
                beside = ThreadPoolExecutor(1, "mcpgen-sandbox")  # it runs a job first, to see what this machine allows
                self._waiting = wanted, beside.submit(_started, wanted)
                beside.shutdown(wait=False)

    def take(self, wanted: SandboxSettings) -> Sandbox:
        """Return the sandbox that was begun with these settings, or start one; raises `SandboxUnavailable`."""
        with self._lock:
            waiting, self._waiting = self._waiting, None
            if waiting is not None and waiting[0] == wanted:
                return waiting[1].result()
            if waiting is not None:
                with suppress(McpgenError):  # it could not be started
                    waiting[1].result().close()
            return _started(wanted)


BEGUN = Begun()
"""That of this process."""


def begin() -> None:
    """Begin the sandbox that the settings of this process ask for, unless they say not to."""
    with suppress(McpgenError):  # whoever asks the first question is told
        wanted = load_settings().values.sandbox
        if wanted.begin_at_load:
            BEGUN.begin(wanted)


def _started(wanted: SandboxSettings) -> Sandbox:
    choice = Choice(BackendKind(wanted.backend), wanted.docker_job_image, wanted.docker_host)
    sandbox = Sandbox(Level(wanted.minimum_level), choice=choice)
    sandbox.warm()
    return sandbox
