"""Metamorphic: what a change without a meaning does to the result of code whose meaning nobody derived."""

from __future__ import annotations

from jupyter_mcpgen.data.synthetic import Case
from jupyter_mcpgen.pipeline.gates.gate import Cost, Found, Gate, Needs
from jupyter_mcpgen.pipeline.gates.subject import Subject


def _check(subject: Subject, _: float) -> Found:
    if subject.changes:  # two runs of it may differ whatever the tables are
        return Found(looked=False)
    runs = subject.runs
    varied = {name: runs.ended[name].result for name in runs.varied}
    base = runs.ended[Case.TYPICAL.value].result
    evidence = subject.reference.relations(base, varied, runs.typical)
    return Found(evidence=evidence, looked=bool(evidence))


METAMORPHIC = Gate("metamorphic", Needs.RUNS, Cost.DEAR, blocking=True, seconds=10, check=_check)
