"""What every way of running a job promises."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.job import Job, Run
from jupyter_mcpgen.sandbox.policy import Level, Policy


class Backend(Protocol):
    """One way to run a job; its level is what it enforces, not what it hopes for."""

    @property
    def name(self) -> str:
        """Return the word a person uses for this backend."""
        ...

    @property
    def level(self) -> Level:
        """Return the level that every run of this backend is under."""
        ...

    def missing(self) -> str | None:
        """Return what this machine lacks for the level, and the cure; `None` when nothing is missing."""
        ...

    def facts(self) -> Mapping[str, str]:
        """Return what a person should know about how it confines, by topic, in sentences."""
        ...

    def warm(self) -> None:
        """Start what can be started before there is a job; returns at once."""
        ...

    def close(self) -> None:
        """End what waits for a job; a job may still be run."""
        ...

    def run(self, job: Job, policy: Policy, cancel: Cancellation | None = None) -> Run:
        """Run a job to its end, or until it is cancelled; raises `SandboxError` when it could not be confined."""
        ...
