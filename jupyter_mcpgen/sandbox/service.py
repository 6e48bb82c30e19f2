"""The sandbox that the rest of the product uses: it enforces at least the level asked for, or does not run."""

from __future__ import annotations

from pathlib import Path

from jupyter_mcpgen.errors import SandboxError, SandboxUnavailable
from jupyter_mcpgen.sandbox.backend import Backend
from jupyter_mcpgen.sandbox.job import Job, Run
from jupyter_mcpgen.sandbox.policy import Level, Policy
from jupyter_mcpgen.sandbox.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.selfcheck import Report, prove


class Sandbox:
    """Runs jobs on one backend, chosen once.

    Level 0 is an unconfined process: it is used when it was asked for by name, never because something is missing.
    """

    def __init__(self, minimum: Level, backend: Backend | None = None) -> None:
        self._minimum = Level(minimum)
        self.backend: Backend = backend or _backend_for(self._minimum)
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

    def run(self, job: Job, policy: Policy) -> Run:
        """Run a job under a policy and return its record; flaws of the tool are in the record, never raised."""
        run = self.backend.run(job, policy)
        if not run.level.satisfies(self._minimum):
            raise SandboxError(
                f"`{self.backend.name}` ran a job at level {run.level} where {self._minimum} was asked for; "
                "its answer was thrown away. `%mcpgen doctor` shows what this machine enforces."
            )
        return run

    def prove(self, cache: Path | None = None) -> Report:
        """Attack the backend, or read the last proof of this boot from `cache`; raises if an attack got through."""
        report = prove(self.backend, cache)
        if not report.level.satisfies(self._minimum):
            names = ", ".join(f"`{probe.name}`" for probe in report.broken)
            raise SandboxUnavailable(
                f"`{self.backend.name}` does not hold on this machine: {names}. Nothing was run. "
                "`%mcpgen doctor` shows each attack; to accept code with your own rights, "
                "set `MCPGEN_SANDBOX__MINIMUM_LEVEL=0`."
            )
        return report


def _backend_for(minimum: Level) -> Backend:
    return ProcessBackend(layers=frozenset()) if minimum is Level.UNCONFINED else ProcessBackend()


def _require(backend: Backend, minimum: Level) -> None:
    missing = backend.missing()
    if missing is None and not backend.level.satisfies(minimum):
        missing = f"`{backend.name}` enforces level {backend.level}, and nothing stronger is built in yet"
    if missing is not None:
        raise SandboxUnavailable(
            f"No sandbox here enforces level {minimum.value} (`{minimum.name.lower()}`): {missing}. "
            "Nothing was run. To accept code with your own rights, set `MCPGEN_SANDBOX__MINIMUM_LEVEL=0`."
        )
