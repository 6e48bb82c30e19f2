"""The policy: the code does nothing beyond what the tool's capabilities grant, and its helpers are ours."""

from __future__ import annotations

from jupyter_mcpgen.analysis.safety import check_safety
from jupyter_mcpgen.pipeline.gates.gate import Cost, Found, Gate, Needs
from jupyter_mcpgen.pipeline.gates.subject import Subject


def _check(subject: Subject, _: float) -> Found:
    return Found(check_safety(subject.draft.package.files, subject.draft.contract.capabilities))


POLICY = Gate("policy", Needs.FILES, Cost.CHEAP, blocking=True, seconds=1, check=_check)
