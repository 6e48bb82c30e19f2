"""Determinism: the same calls in a process with another hash seed give the same."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.pipeline.gates.gate import Cost, Found, Gate, Needs
from jupyter_mcpgen.pipeline.gates.subject import REPEATED, Subject
from jupyter_mcpgen.pipeline.repeatable import repeats, unrepeatable


def _check(subject: Subject, _: float) -> Found:
    if subject.changes:
        return Found(evidence=(unrepeatable(subject.changes),))
    runs = subject.runs
    first = replace(runs.run, answers=runs.run.answers[: len(REPEATED)])
    evidence, findings = repeats(first, runs.again, REPEATED, subject.services.limits)
    return Found(findings, (evidence,))


DETERMINISM = Gate("determinism", Needs.RUNS, Cost.DEAR, blocking=True, seconds=60, check=_check)
