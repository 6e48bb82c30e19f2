"""Totals and accounting: on the person's data the parts add up and every row is accounted for."""

from __future__ import annotations

from jupyter_mcpgen.pipeline.gates.gate import Cost, Found, Gate, Needs
from jupyter_mcpgen.pipeline.gates.reference import CHECKS
from jupyter_mcpgen.pipeline.gates.subject import Subject


def _check(subject: Subject, _: float) -> Found:
    return Found(evidence=tuple(item for item in subject.told if item.check not in CHECKS))


TOTALS = Gate("totals", Needs.ANSWER, Cost.CHEAP, blocking=True, seconds=30, check=_check)
