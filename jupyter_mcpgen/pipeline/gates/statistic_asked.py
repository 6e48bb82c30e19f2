"""Statistic asked: the generated tables tell the statistic of a plan's code from every other."""

from __future__ import annotations

from jupyter_mcpgen.pipeline.gates.gate import Cost, Found, Gate, Needs
from jupyter_mcpgen.pipeline.gates.subject import Subject
from jupyter_mcpgen.pipeline.mutation import STATISTIC_ASKED as CHECK


def _check(subject: Subject, _: float) -> Found:
    evidence = tuple(item for item in subject.runs.planted if item.check == CHECK)
    return Found(evidence=evidence, looked=bool(evidence))


STATISTIC_ASKED = Gate("statistic_asked", Needs.RUNS, Cost.DEAR, blocking=False, seconds=5, check=_check)
