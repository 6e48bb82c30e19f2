"""The contract: signature, types, schemas and docstring say the same."""

from __future__ import annotations

from jupyter_mcpgen.analysis.contract import check_contract
from jupyter_mcpgen.pipeline.gates.gate import Cost, Found, Gate, Needs
from jupyter_mcpgen.pipeline.gates.subject import Subject


def _check(subject: Subject, _: float) -> Found:
    return Found(check_contract(subject.draft.package.code, subject.draft.contract.spec))


CONTRACT = Gate("contract", Needs.FILES, Cost.CHEAP, blocking=True, seconds=1, check=_check)
