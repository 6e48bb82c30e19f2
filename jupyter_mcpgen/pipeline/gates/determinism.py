"""Determinism: the same calls in a process with another hash seed give the same."""

from __future__ import annotations

from jupyter_mcpgen.pipeline.gates.gate import Cost, Found, Gate, Needs
from jupyter_mcpgen.pipeline.gates.subject import Subject
from jupyter_mcpgen.pipeline.repeatable import repeats, unrepeatable


def _check(subject: Subject, _: float) -> Found:
    if subject.changes:
        return Found(evidence=(unrepeatable(subject.changes),))
    runs = subject.runs
    evidence, findings = repeats(runs.run, runs.again, tuple(runs.ended), subject.services.limits)
    return Found(findings, (evidence,))


DETERMINISM = Gate("determinism", Needs.RUNS, Cost.DEAR, blocking=True, seconds=60, check=_check)
