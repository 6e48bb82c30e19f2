"""Repairs code that failed a gate: its author gets the diagnostics, and the best round is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from jupyter_mcpgen.errors import ModelError
from jupyter_mcpgen.model.diagnostics import Change, Diagnostics, Improvement
from jupyter_mcpgen.model.validation import Evidence, Finding, GateResult, Place, Severity, ValidationReport, Verdict
from jupyter_mcpgen.model.written import WrittenIntent
from jupyter_mcpgen.pipeline.draft import Computed, PlannedDraft
from jupyter_mcpgen.pipeline.services import Services

RUNTIME = "run"
"""The check that says that the code gave no result."""
OWN_FAULT = "own_fault"
_OURS = frozenset(
    {"contract", "policy", "lint", "generated_cases", "determinism", "generalisation", "totals", "own_tests"}
)
"""The gates that code which was made of a plan never fails, unless we made it wrong."""


@dataclass(frozen=True)
class Round:
    """An answer and the report of its gates."""

    computed: Computed
    report: ValidationReport

    @property
    def failed(self) -> tuple[GateResult, ...]:
        """The gates that failed."""
        return tuple(gate for gate in self.report.gates if gate.verdict in (Verdict.FAILED, Verdict.NOT_RUN))

    @property
    def rank(self) -> tuple[bool, int, float]:
        """How good it is: passed, then by the gates that fail, then by the generated tables it is right on."""
        metrics = self.report.code_metrics
        return self.report.passed, -len(self.failed), metrics.test_pass_rate if metrics is not None else 0.0


def diagnose(report: ValidationReport) -> Diagnostics:
    """Return what a report says is wrong."""
    metrics = report.code_metrics
    errors = [finding for finding in report.findings if finding.severity is Severity.ERROR]
    bad = [item for item in report.evidence if not item.is_good]
    results = () if metrics is None else metrics.functional_correctness.test_results
    return Diagnostics(
        schema_errors=tuple(map(_in_words, errors)),
        runtime_errors=tuple(item.sentence for item in bad if item.check == RUNTIME),
        differences=tuple(item.sentence for item in bad if item.check != RUNTIME),
        failed_tests=tuple(result.test_id for result in results if not result.passed),
        functional_correctness=None if metrics is None else metrics.functional_correctness.correctness_score,
        test_pass_rate=None if metrics is None else metrics.test_pass_rate,
        suggestions=tuple(dict.fromkeys(finding.fix for finding in errors if finding.fix)),
    )


def _in_words(finding: Finding) -> str:
    return finding.message if finding.line is None else f"Line {finding.line}: {finding.message}"


def repaired(rounds: Sequence[Round], services: Services) -> WrittenIntent | None:
    """Have the code of the latest round repaired; None where nobody may or can, or where the code was tried before."""
    latest = rounds[-1].computed
    intent, material = latest.intent, latest.material
    if not isinstance(intent, WrittenIntent) or intent.is_edited:
        return None  # what a person wrote is theirs to change
    other = material.other.profile if material.other is not None else None
    diagnostics = diagnose(rounds[-1].report)
    try:
        again = services.author.repair(intent, diagnostics, latest.request, material.profile, other)
    except ModelError:
        return None  # the report says what is wrong
    tried = [each.computed.intent.replace(tables=()) for each in rounds]
    return None if again is None or again.replace(tables=()) in tried else again


def best_of(rounds: Sequence[Round]) -> Round:
    """Return the best round, the earliest of equals, with what every round changed in its report."""
    best = max(rounds, key=lambda each: each.rank)
    told = [_improvement(number, before, after) for number, (before, after) in enumerate(pairwise(rounds), 1)]
    report = best.report.replace(repairs=tuple(told)) if told else best.report
    if best is not rounds[0]:  # its agreement with what it was repaired by says less than that of a first draft
        report = report.replace(evidence=(*report.evidence, _told(rounds.index(best))))
    return Round(best.computed, _of_ours(best, report))


def _told(times: int) -> Evidence:
    often = "once" if times == 1 else f"{times} times"
    sentence = f"The code was repaired {often}, after checks had failed."
    return Evidence(check="repairs", verdict=Verdict.PASSED, sentence=sentence, figure=times, place=Place.NOTE)


def _improvement(iteration: int, before: Round, after: Round) -> Improvement:
    was, now = diagnose(before.report), diagnose(after.report)
    return Improvement(
        iteration=iteration,
        correctness=Change(before=was.functional_correctness, after=now.functional_correctness),
        test_pass_rate=Change(before=was.test_pass_rate, after=now.test_pass_rate),
        failed_gates=tuple(gate.gate for gate in after.failed),
    )


def _of_ours(failed: Round, report: ValidationReport) -> ValidationReport:
    """Say of a plan's code that fails that the fault is ours; the question is never changed to fit it."""
    if not isinstance(failed.computed.draft, PlannedDraft) or not _OURS & {gate.gate for gate in failed.failed}:
        return report
    sentence = "The fault is in jupyter-mcpgen, not in your question or your data. Please report it."
    told = Evidence(check=OWN_FAULT, verdict=Verdict.FAILED, sentence=sentence)
    return report.replace(evidence=(*report.evidence, told))
