"""Generalisation: called for other columns, the tool gives what the reference gives for those."""

from __future__ import annotations

from textwrap import shorten

from jupyter_mcpgen.model.validation import Evidence, Verdict
from jupyter_mcpgen.pipeline.gates.gate import Cost, Found, Gate, Needs
from jupyter_mcpgen.pipeline.gates.subject import Subject

_LONGEST_REASON = 200


def _check(subject: Subject, _: float) -> Found:
    runs = subject.runs
    if not runs.elsewhere:
        return Found(evidence=(_told(Verdict.NOT_APPLICABLE, "There was no other column to call it for."),))
    ended = [runs.ended[name] for name in runs.elsewhere]
    tables, given = list(runs.elsewhere.values()), [each.result for each in ended]
    differences = subject.reference.differences(tables, given, subject.material)
    for each, tried, difference in zip(ended, tables, differences, strict=True):
        reason = each.wrong or difference
        if reason is not None:
            called = ", ".join(f"{name}={value!r}" for name, value in tried.arguments.items())
            said = f"Called with {called} it fails: {shorten(reason, _LONGEST_REASON).removesuffix('.')}."
            return Found(evidence=(_told(Verdict.FAILED, said),))
    names = " and ".join(f"`{name}`" for name in dict.fromkeys(n for t in tables for n in t.arguments))
    return Found(evidence=(_told(Verdict.PASSED, f"Called with another {names} it is right as well."),))


def _told(verdict: Verdict, sentence: str) -> Evidence:
    return Evidence(check="generalisation", verdict=verdict, sentence=sentence)


GENERALISATION = Gate("generalisation", Needs.RUNS, Cost.DEAR, blocking=True, seconds=30, check=_check)
