"""The overall score is the mean of what was measured; it labels a tool, and a wrong case outweighs it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcpgen.metrics.code_bleu import calculate_code_bleu
from jupyter_mcpgen.metrics.pass_at_k import calculate_pass_at_k
from jupyter_mcpgen.metrics.quality import (
    QUALITY_THRESHOLDS,
    calculate_overall_quality_score,
    evaluate_tool_quality,
    measure,
    overall_quality,
    staging_priority,
)
from jupyter_mcpgen.model.validation import CaseEnd, CodeMetrics, MetricName, QualityTier, StagingPriority, TestResult
from jupyter_mcpgen.scales import MetricWeights, QualityThresholds, QualityTiers, Scales
from tests.laws import law
from tests.references import EXACT, PAIRS, REFERENCES

KNOWN = REFERENCES["quality_score"]
SHARES = st.one_of(st.none(), st.floats(0, 1))


def cases(passed: int, *, limits: int = 0, wrong: int = 0, category: str = "edge") -> tuple[TestResult, ...]:
    """Return cases of a category: passed, stopped by a limit, and wrong."""
    answered = CaseEnd.ANSWERED
    kinds = [(True, answered)] * passed + [(False, CaseEnd.LIMIT)] * limits + [(False, answered)] * wrong
    return tuple(
        TestResult(
            test_id=f"{category}_{number}",
            category=category,
            passed=passed,
            ended=ended,
        )
        for number, (passed, ended) in enumerate(kinds)
    )


def measured(results: tuple[TestResult, ...], scales: Scales | None = None, *, failed: bool = False) -> CodeMetrics:
    metrics = measure(results, scales or Scales(), compared=results, failed=failed)
    assert metrics is not None
    return metrics


@pytest.mark.parametrize("case", KNOWN["cases"], ids=lambda case: case["source"])
def test_scores_and_labels_are_those_that_the_weights_give(case: Mapping[str, float]) -> None:
    score = calculate_overall_quality_score(
        case["functional_correctness"], {1: case["pass_at_1"]}, case["test_pass_rate"], case["code_bleu"]
    )

    assert score == pytest.approx(case["score"], abs=EXACT)
    assert evaluate_tool_quality(score or 0) == case["tier"]


@pytest.mark.parametrize("case", KNOWN["renormalised"], ids=lambda case: case["source"])
def test_what_was_not_measured_has_no_weight(case: Mapping[str, float | None]) -> None:
    pass_at_k = {1: case["pass_at_1"]}
    quality = overall_quality(case["functional_correctness"], pass_at_k, case["test_pass_rate"], case["code_bleu"])

    assert quality.score == case["score"]
    assert MetricName.CODE_BLEU not in quality.measured
    assert len(quality.measured) == sum(case[name] is not None for name in MetricName)


def test_without_any_part_there_is_no_score() -> None:
    quality = overall_quality(None, {1: None, 5: None}, None, None)

    assert (quality.score, quality.measured) == (None, ())


def test_other_weights_give_another_score() -> None:
    weights = MetricWeights(functional_correctness=0, test_pass_rate=1, code_bleu=0, pass_at_1=0)

    assert calculate_overall_quality_score(1.0, {}, 0.25, 1.0, weights) == 0.25


@pytest.mark.parametrize(
    ("score", "tier", "priority"),
    [
        (0.90, "EXCELLENT", "HIGH"),
        (0.8999, "GOOD", "NORMAL"),
        (0.75, "GOOD", "NORMAL"),
        (0.60, "ACCEPTABLE", "LOW"),
        (0.5999, "POOR", None),
    ],
)
def test_a_score_has_a_label_and_a_priority(score: float, tier: str, priority: str | None) -> None:
    assert evaluate_tool_quality(score) == tier
    assert staging_priority(QualityTier(tier)) == priority


def test_labels_begin_where_the_settings_say() -> None:
    assert dict(QUALITY_THRESHOLDS) == {"excellent": 0.90, "good": 0.75, "acceptable": 0.60, "poor": 0.0}
    assert evaluate_tool_quality(0.8, QualityTiers(excellent=0.8)) is QualityTier.EXCELLENT


def test_a_perfect_tool_without_reference_code_and_other_candidates_is_excellent() -> None:
    metrics = measured(cases(10))

    assert (metrics.overall_score, metrics.quality_tier) == (1.0, QualityTier.EXCELLENT)
    assert metrics.measured == (MetricName.FUNCTIONAL_CORRECTNESS, MetricName.TEST_PASS_RATE)
    assert (metrics.staging_priority, metrics.quality_warnings) == (StagingPriority.HIGH, ())
    assert (metrics.semantic_closeness, metrics.pass_at_k) == (None, {})


def test_a_tool_without_a_reference_is_scored_by_its_cases_alone() -> None:
    metrics = measure(cases(3), Scales())

    assert metrics is not None
    assert metrics.measured == (MetricName.TEST_PASS_RATE,)


@pytest.mark.parametrize(("results", "failed"), [(cases(99, wrong=1), False), (cases(10), True)])
def test_a_wrong_case_or_a_failed_check_makes_a_tool_poor_whatever_its_score(
    results: tuple[TestResult, ...], failed: bool
) -> None:
    metrics = measured(results, failed=failed)

    assert (metrics.overall_score or 0) >= 0.99
    assert (metrics.quality_tier, metrics.staging_priority) == (QualityTier.POOR, None)


@pytest.mark.parametrize(
    ("results", "tier", "warnings"),
    [
        (cases(19, limits=1), QualityTier.EXCELLENT, ()),
        (
            cases(40) + cases(6, limits=4, category="stress"),
            QualityTier.ACCEPTABLE,
            ("passed cases 92% (target 95%)", "passed stress cases 60% (target 85%)"),
        ),
        (
            cases(97, category="normal") + cases(2, limits=1),
            QualityTier.ACCEPTABLE,
            ("passed edge cases 66.6% (target 95%)",),
        ),
    ],
)
def test_too_many_time_outs_in_a_category_make_a_tool_acceptable_with_a_warning(
    results: tuple[TestResult, ...], tier: QualityTier, warnings: tuple[str, ...]
) -> None:
    metrics = measured(results)

    assert (metrics.quality_tier, metrics.quality_warnings) == (tier, warnings)
    assert metrics.staging_priority is (StagingPriority.LOW if warnings else StagingPriority.HIGH)


def test_a_target_of_the_settings_decides_what_is_warned_of() -> None:
    strict = Scales(thresholds=QualityThresholds(test_pass_rate_min=1.0, edge_min=0.9, overall_quality_min=1.0))

    warnings = measured(cases(19, limits=1), strict).quality_warnings

    assert warnings == ("passed cases 95% (target 100%)", "overall score 95% (target 100%)")


def test_likeness_and_candidates_are_part_of_the_score_where_they_were_measured() -> None:
    pair = PAIRS["p3"]
    closeness = calculate_code_bleu(pair["candidate"], pair["reference"])

    metrics = measure(cases(5), Scales(), compared=cases(5), pass_at_k=calculate_pass_at_k(4, 3), closeness=closeness)

    assert metrics is not None
    assert metrics.measured == tuple(MetricName)
    assert metrics.pass_at_k == {1: 0.75, 5: None, 10: None}
    expected = 0.4 + 0.3 + 0.2 * (closeness.code_bleu_score or 0) + 0.1 * 0.75
    assert metrics.overall_score == pytest.approx(expected)
    assert [warning.partition(" (")[0].rpartition(" ")[0] for warning in metrics.quality_warnings] == [
        "pass@1",
        "n-grams",
        "weighted n-grams",
        "structure",
        "data flow",
        "CodeBLEU",
    ]


def test_without_a_case_nothing_was_measured() -> None:
    assert measure((), Scales()) is None


def test_metrics_are_the_same_after_they_were_stored() -> None:
    metrics = measured(cases(4, limits=1))

    assert CodeMetrics.model_validate_json(metrics.model_dump_json()) == metrics


@law(100)
@given(SHARES, SHARES, SHARES, SHARES)
def test_a_score_lies_between_its_parts(
    correctness: float | None, rate: float | None, bleu: float | None, first: float | None
) -> None:
    parts = [part for part in (correctness, rate, bleu, first) if part is not None]

    quality = overall_quality(correctness, {1: first}, rate, bleu)

    assert len(quality.measured) == len(parts)
    if quality.score is not None:
        assert min(parts) - EXACT <= quality.score <= max(parts) + EXACT
