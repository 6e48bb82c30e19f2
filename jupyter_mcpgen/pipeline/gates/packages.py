"""Packages: what the code imports is installed here, so that it can be run."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

from jupyter_mcpgen.analysis.packages import packages_in
from jupyter_mcpgen.model.validation import Finding, Severity
from jupyter_mcpgen.pipeline.gates.gate import Cost, Found, Gate, Needs
from jupyter_mcpgen.pipeline.gates.subject import Subject


def missing_packages(code: str) -> Iterator[Finding]:
    """Yield a finding for each package that some code imports and that is not installed."""
    for name in packages_in(code):
        if find_spec(name) is None:
            message = f"`{name}` is not installed. Install it: `pip install {name}`."
            yield Finding(gate="packages", rule="not-installed", severity=Severity.ERROR, message=message)


def _check(subject: Subject, _: float) -> Found:
    return Found(tuple(missing_packages(subject.draft.package.code)))


PACKAGES = Gate("packages", Needs.FILES, Cost.CHEAP, blocking=True, seconds=1, check=_check)
