"""The sandbox that the rest of the product uses: it enforces at least the level asked for, or does not run."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol, assert_never, runtime_checkable

from jupyter_mcpgen.errors import SandboxError, SandboxUnavailable
from jupyter_mcpgen.sandbox.backend import Backend
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.job import Job, Run
from jupyter_mcpgen.sandbox.jobs.layers import ALL_LAYERS, WITHOUT_NAMESPACES, Layer
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.macos.backend import MacBackend
from jupyter_mcpgen.sandbox.policy import Level, Policy
from jupyter_mcpgen.sandbox.selfcheck.jobs import Report, prove


class Sandbox:
    """Runs jobs on one backend, chosen once.

    Level 0 is an unconfined process: it is used when it was asked for by name, never because something is missing.
    """

    def __init__(self, minimum: Level, backend: Backend | None = None, choice: Choice | None = None) -> None:
        self._minimum = Level(minimum)
        self.backend: Backend = backend or _backend_for(self._minimum, choice or Choice())
        self._cancel: Cancellation | None = None
        _require(self.backend, self._minimum)

    @property
    def level(self) -> Level:
        """Return the level that is enforced."""
        return self.backend.level

    def warm(self) -> None:
        """Start processes that wait for jobs, so that the next job need not; returns at once."""
        self.backend.warm()

    def close(self) -> None:
        """End the processes that wait for jobs; a job may still be run, and takes longer."""
        self.backend.close()

    def until(self, cancel: Cancellation) -> Sandbox:
        """Return this sandbox, whose runs end when somebody cancels."""
        ended = copy(self)
        ended._cancel = cancel
        return ended

    def run(self, job: Job, policy: Policy, cancel: Cancellation | None = None) -> Run:
        """Run a job under a policy and return its record; flaws of the tool are in the record, never raised."""
        run = self.backend.run(job, policy, cancel or self._cancel)
        if not run.level.satisfies(self._minimum):
            raise SandboxError(
                f"`{self.backend.name}` ran a job at level {run.level} where {self._minimum} was asked for; "
                "its answer was thrown away. `%mcpgen doctor` shows what this machine enforces."
            )
        return run

    def prove(self, cache: Path | None = None) -> Report:
        """Attack the backend, or read the last proof of this boot from `cache`; raises if an attack got through."""
        report = self.backend.prove() if isinstance(self.backend, ProvesItself) else prove(self.backend, cache)
        if not report.level.satisfies(self._minimum):
            names = ", ".join(f"`{probe.name}`" for probe in report.broken)
            raise SandboxUnavailable(
                f"`{self.backend.name}` does not hold on this machine: {names}. Nothing was run. "
                "`%mcpgen doctor` shows each attack; to accept code with your own rights, "
                "set `MCPGEN_SANDBOX__MINIMUM_LEVEL=0`."
            )
        return report


@runtime_checkable
class ProvesItself(Protocol):
    """A backend that is no place for the attacks of a process, and looks at its own bounds instead."""

    def prove(self) -> Report:
        """Return what was found of each bound."""
        ...


class BackendKind(StrEnum):
    """Which way of confining a person wants; `AUTO` is the strongest there is."""

    AUTO = "auto"
    PROCESS = "process"
    NAMESPACES = "namespaces"
    LANDLOCK = "landlock"
    CONTAINER = "container"
    MACOS = "macos"


@dataclass(frozen=True)
class Choice:
    """What a person set about the backend: its kind, and for containers the image with pandas and the engine."""

    kind: BackendKind = BackendKind.AUTO
    image: str | None = None
    engine: str | None = None


def layers_named(kind: BackendKind) -> frozenset[Layer] | None:
    """Return the walls that a person named, for programs as for tools; `None` for the strongest there are."""
    return {BackendKind.NAMESPACES: ALL_LAYERS, BackendKind.LANDLOCK: WITHOUT_NAMESPACES}.get(kind)


def _backend_for(minimum: Level, choice: Choice) -> Backend:
    """Return the backend that was named, else a process of level 1 or 2, else a container where an image is named."""
    match choice.kind:
        case BackendKind.PROCESS:
            return ProcessBackend()
        case BackendKind.NAMESPACES | BackendKind.LANDLOCK:
            return ProcessBackend(layers=layers_named(choice.kind))
        case BackendKind.CONTAINER:
            return _container(choice)
        case BackendKind.MACOS:
            return MacBackend()
        case BackendKind.AUTO if minimum is Level.UNCONFINED:
            return ProcessBackend(layers=frozenset())
        case BackendKind.AUTO:
            containers = [_container(choice)] if choice.image else []
            return first_usable(ProcessBackend(), MacBackend(), *containers)
    assert_never(choice.kind)


def first_usable(first: Backend, *others: Backend) -> Backend:
    """Return the first backend that lacks nothing; the first of all where each lacks something, so that it says what.

    A container engine is asked only when nothing before it can be used.
    """
    return next((backend for backend in (first, *others) if backend.missing() is None), first)


def _container(choice: Choice) -> Backend:
    if choice.image is None:
        raise SandboxUnavailable(
            "Tools are set to run in containers, but no image is set. Nothing was run. "
            "Set `MCPGEN_SANDBOX__DOCKER_JOB_IMAGE` to an image with Python and pandas."
        )
    from jupyter_mcpgen.sandbox.docker.backend import DockerBackend  # deferred: few people run tools in containers

    return DockerBackend(choice.image, choice.engine)


def _require(backend: Backend, minimum: Level) -> None:
    missing = backend.missing()
    if missing is None and not backend.level.satisfies(minimum):
        reason = backend.facts().get("not level 1", "and nothing stronger can be enforced here")
        missing = f"`{backend.name}` enforces level {backend.level}, {reason}"
    if missing is not None:
        raise SandboxUnavailable(
            f"No sandbox here enforces level {minimum.value} (`{minimum.name.lower()}`): {missing}. "
            "Nothing was run. To accept code with your own rights, set `MCPGEN_SANDBOX__MINIMUM_LEVEL=0`."
        )
