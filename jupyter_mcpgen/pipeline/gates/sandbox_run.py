"""The sandbox run: the code can be loaded and called where it will run later."""

from __future__ import annotations

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.model.validation import Finding, Severity
from jupyter_mcpgen.pipeline.gates.gate import Cost, Found, Gate, Needs
from jupyter_mcpgen.pipeline.gates.subject import Subject


def _check(subject: Subject, _: float) -> Found:
    try:
        subject.runs  # noqa: B018  it is made here, for all the gates that follow
    except SandboxError as error:
        return Found((Finding(gate="sandbox", rule="not-run", severity=Severity.ERROR, message=str(error)),))
    return Found()


SANDBOX_RUN = Gate("sandbox_run", Needs.RUNS, Cost.DEAR, blocking=True, seconds=60, check=_check)
