"""What the host tells a job to do, for every backend alike."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from jupyter_mcpgen.sandbox.inside.job_work import JobWork
from jupyter_mcpgen.sandbox.job import Job
from jupyter_mcpgen.sandbox.policy import Policy


def work_of(job: Job, package: str, policy: Policy, imports: Iterable[Path] = ()) -> JobWork:
    """Return the work of a job whose package lies at a place, with the folders that modules are looked for in."""
    return JobWork(
        package=package,
        function=job.function,
        calls=tuple(dict(call.arguments) for call in job.calls),
        paths=tuple(map(str, imports)),
        modules=None if policy.modules is None else tuple(sorted(policy.modules)),
        variables=dict(job.variables),
        frames=dict(job.frames),
    )
