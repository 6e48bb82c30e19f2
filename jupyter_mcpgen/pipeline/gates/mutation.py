"""Mutation: the generated tables of a plan's code would show planted faults."""

from __future__ import annotations

from jupyter_mcpgen.pipeline.gates.gate import Cost, Found, Gate, Needs
from jupyter_mcpgen.pipeline.gates.subject import Subject
from jupyter_mcpgen.pipeline.mutation import MUTATION as CHECK


def _check(subject: Subject, _: float) -> Found:
    evidence = tuple(item for item in subject.runs.planted if item.check == CHECK)
    return Found(evidence=evidence, looked=bool(evidence))


MUTATION = Gate("mutation", Needs.RUNS, Cost.DEAR, blocking=False, seconds=5, check=_check)
