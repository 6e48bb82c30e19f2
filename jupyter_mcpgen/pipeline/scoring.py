"""What the figures of a tool say on its card: in words before scores, and never more than was measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jupyter_mcpgen.metrics.pass_at_k import calculate_pass_at_k
from jupyter_mcpgen.metrics.quality import in_percent
from jupyter_mcpgen.model.validation import (
    CodeMetrics,
    Evidence,
    MetricName,
    Place,
    QualityTier,
    TestResult,
    Verdict,
    has_reference,
)
from jupyter_mcpgen.model.written import Understood, WrittenIntent
from jupyter_mcpgen.pipeline.generated import MISSING_COLUMN, REPEATED_KEY

SCORE = "score"
"""The check that holds the overall score; it is never a reason against approval."""
BELOW_TARGET = "below_target"
"""The check that warns of figures below their targets; neither is this."""
_SEVERAL = 2
_REFUSED = frozenset({MISSING_COLUMN, REPEATED_KEY})
_NOT_MEASURED = {
    MetricName.FUNCTIONAL_CORRECTNESS: "no reference",
    MetricName.TEST_PASS_RATE: "no cases",
    MetricName.CODE_BLEU: "no reference code",
    MetricName.PASS_AT_1: "one candidate",
}
"""Why a part of the overall score is missing."""


def compared_cases(results: Sequence[TestResult], evidence: tuple[Evidence, ...]) -> tuple[TestResult, ...]:
    """Return the cases that were held against a reference: all that had to be answered, where there is one."""
    if not has_reference(evidence):
        return ()
    return tuple(result for result in results if result.test_id not in _REFUSED)


def pass_at_k(intent: Understood, *, failed: bool) -> Mapping[int, float | None]:
    """Return pass@k of the replies that were asked for, where there were several.

    A reply passes that gives the rows of the answer on the data and on every generated table, if that answer passes
    the gates itself; where a person changed the code, it is no longer that of a reply.
    """
    agreeing = intent.agreeing
    is_edited = isinstance(intent, WrittenIntent) and intent.is_edited
    if agreeing is None or agreeing.asked < _SEVERAL or is_edited:
        return {}
    return calculate_pass_at_k(agreeing.asked, 0 if failed else agreeing.replies)


def quality_evidence(metrics: CodeMetrics | None) -> tuple[Evidence, ...]:
    """Say the overall score, what it was computed from, and what is below its target."""
    if metrics is None or metrics.overall_score is None:
        return ()
    is_poor = metrics.quality_tier is QualityTier.POOR
    verdict = Verdict.NOT_APPLICABLE if is_poor or metrics.quality_warnings else Verdict.PASSED
    score = Evidence(check=SCORE, verdict=verdict, sentence=_sentence(metrics), figure=metrics.overall_score)
    if not metrics.quality_warnings or is_poor:  # of a poor tool the line says what failed
        return (score,)
    sentence = f"Below target: {'; '.join(metrics.quality_warnings)}."
    warning = Evidence(check=BELOW_TARGET, verdict=Verdict.NOT_APPLICABLE, sentence=sentence, place=Place.NOTE)
    return score, warning


def _sentence(metrics: CodeMetrics) -> str:
    correct = metrics.functional_correctness
    passed = f"Passed {correct.test_cases_passed} of {correct.test_cases_total} cases"
    match correct.reference_solution_similarity:
        case None:
            agreed = ", with nothing to compare them with"
        case 1.0:
            agreed = "; all that have a reference agree with it"
        case similarity:
            agreed = f"; {in_percent(similarity)} of those that have a reference agree with it"
    tier = f"{metrics.quality_tier}" + (f", because {metrics.capped_because}" if metrics.capped_because else "")
    missing = ", ".join(why for name, why in _NOT_MEASURED.items() if name not in metrics.measured)
    parts = f"{len(metrics.measured)} of {len(_NOT_MEASURED)} parts" + (f" ({missing})" if missing else "")
    return f"{passed}{agreed}. Score {metrics.overall_score:.2f} ({tier}), from {parts}."
