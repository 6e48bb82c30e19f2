"""One score of all that was measured of a tool, what it is called, and what to warn of.

A score says how soon a person should look at a tool. Gates decide whether it may be approved, and only a person does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import floor
from types import MappingProxyType

from jupyter_mcpgen.metrics.code_bleu import weighted_mean
from jupyter_mcpgen.metrics.functional_correctness import measure_correctness
from jupyter_mcpgen.metrics.test_pass_rate import calculate_test_pass_rate
from jupyter_mcpgen.model.validation import (
    CodeMetrics,
    FunctionalCorrectnessMetrics,
    MetricName,
    QualityTier,
    SemanticClosenessMetrics,
    StagingPriority,
    TestResult,
)
from jupyter_mcpgen.scales import MetricWeights, QualityThresholds, QualityTiers, Scales

QUALITY_THRESHOLDS: Mapping[str, float] = MappingProxyType(QualityTiers().model_dump())
"""From which score on a tool is excellent, good, acceptable or poor, unless the settings say otherwise."""
PRIORITIES: Mapping[QualityTier, StagingPriority | None] = {
    QualityTier.EXCELLENT: StagingPriority.HIGH,
    QualityTier.GOOD: StagingPriority.NORMAL,
    QualityTier.ACCEPTABLE: StagingPriority.LOW,
    QualityTier.POOR: None,
}
CATEGORIES = ("edge", "normal", "stress")
_Shortfall = tuple[str, float, float]
"""What is below its target, its value and the target."""


@dataclass(frozen=True)
class OverallQuality:
    """The overall score and the parts that it was computed from; None where nothing was measured."""

    score: float | None
    measured: tuple[MetricName, ...]


def calculate_overall_quality_score(
    functional_correctness: float | None,
    pass_at_k: Mapping[int, float | None],
    test_pass_rate: float | None,
    code_bleu: float | None,
    weights: MetricWeights | None = None,
) -> float | None:
    """Return the mean of the parts that were measured, each with its weight."""
    return overall_quality(functional_correctness, pass_at_k, test_pass_rate, code_bleu, weights).score


def overall_quality(
    functional_correctness: float | None,
    pass_at_k: Mapping[int, float | None],
    test_pass_rate: float | None,
    code_bleu: float | None,
    weights: MetricWeights | None = None,
) -> OverallQuality:
    """Return the same with the names of the parts."""
    weights = weights or MetricWeights()
    parts = {
        MetricName.FUNCTIONAL_CORRECTNESS: (weights.functional_correctness, functional_correctness),
        MetricName.TEST_PASS_RATE: (weights.test_pass_rate, test_pass_rate),
        MetricName.CODE_BLEU: (weights.code_bleu, code_bleu),
        MetricName.PASS_AT_1: (weights.pass_at_1, pass_at_k.get(1)),
    }
    measured = tuple(name for name, (_, value) in parts.items() if value is not None)
    return OverallQuality(weighted_mean(parts.values()), measured)


def evaluate_tool_quality(overall_score: float, tiers: QualityTiers | None = None) -> QualityTier:
    """Return what a score is called."""
    tiers = tiers or QualityTiers()
    if overall_score >= tiers.excellent:
        return QualityTier.EXCELLENT
    if overall_score >= tiers.good:
        return QualityTier.GOOD
    return QualityTier.ACCEPTABLE if overall_score >= tiers.acceptable else QualityTier.POOR


def staging_priority(tier: QualityTier) -> StagingPriority | None:
    """Return how soon to look at a staged tool; None for one that is too poor to be staged."""
    return PRIORITIES[tier]


def measure(
    results: Sequence[TestResult],
    scales: Scales,
    *,
    compared: Sequence[TestResult] = (),
    pass_at_k: Mapping[int, float | None] = MappingProxyType({}),
    closeness: SemanticClosenessMetrics | None = None,
    failed: bool = False,
) -> CodeMetrics | None:
    """Return all figures of a tool from its cases; None without a case.

    `compared` are the cases that were held against a reference, and `failed` says that a check failed which blocks the
    tool: then it is poor whatever its score, as it is with a case that is wrong.
    """
    if not results:
        return None
    correctness, rates = measure_correctness(results, compared), calculate_test_pass_rate(results)
    bleu = closeness.code_bleu_score if closeness is not None else None
    score, rate = correctness.correctness_score, correctness.test_case_pass_rate
    overall = overall_quality(score, pass_at_k, rate, bleu, scales.weights)
    short = tuple(_shortfalls(correctness, rates.category_pass_rates, pass_at_k, closeness, scales.thresholds))
    tier = because = None
    if overall.score is not None:
        cap = _cap(results, short, failed=failed)
        tier, because = _capped(evaluate_tool_quality(overall.score, scales.tiers), cap)
        short += _short("overall score", overall.score, scales.thresholds.overall_quality_min)
    return CodeMetrics(
        functional_correctness=correctness,
        pass_at_k=dict(pass_at_k),
        test_pass_rate=rate,
        category_pass_rates=rates.category_pass_rates,
        semantic_closeness=closeness,
        overall_score=overall.score,
        measured=overall.measured,
        quality_tier=tier,
        capped_because=because,
        staging_priority=None if tier is None else staging_priority(tier),
        quality_warnings=tuple(_warnings(short)),
    )


def _cap(results: Sequence[TestResult], short: Sequence[_Shortfall], *, failed: bool) -> tuple[QualityTier, str] | None:
    """Return the best tier that a tool may have, and why, where its score alone does not settle it."""
    if any(result.blocks for result in results):
        return QualityTier.POOR, "a case failed"
    if failed:
        return QualityTier.POOR, "a check failed"
    slow = next((name for name, *_ in short if name in CATEGORIES), None)
    return None if slow is None else (QualityTier.ACCEPTABLE, f"too many {slow} cases hit a limit")


def _capped(tier: QualityTier, cap: tuple[QualityTier, str] | None) -> tuple[QualityTier, str | None]:
    """Return the lower of a tier and its cap, and why where that is the cap."""
    order = tuple(QualityTier)
    if cap is None or order.index(tier) >= order.index(cap[0]):
        return tier, None
    return cap


def _shortfalls(
    correctness: FunctionalCorrectnessMetrics,
    categories: Mapping[str, float],
    pass_at_k: Mapping[int, float | None],
    closeness: SemanticClosenessMetrics | None,
    wanted: QualityThresholds,
) -> Iterator[_Shortfall]:
    """Yield what was measured and is below its target: what it is, its value and the target."""
    of_category = {"edge": wanted.edge_min, "normal": wanted.normal_min, "stress": wanted.stress_min}
    yield from _short("agreement", correctness.reference_solution_similarity, wanted.reference_similarity_min)
    yield from _short("correctness", correctness.correctness_score, wanted.functional_correctness_min)
    yield from _short("passed cases", correctness.test_case_pass_rate, wanted.test_pass_rate_min)
    for category, least in of_category.items():
        yield from _short(category, categories.get(category), least)
    for k, least in ((1, wanted.pass_at_1_min), (5, wanted.pass_at_5_min), (10, wanted.pass_at_10_min)):
        yield from _short(f"pass@{k}", pass_at_k.get(k), least)
    if closeness is not None:
        yield from _short("n-grams", closeness.ngram_match_score, wanted.ngram_min)
        yield from _short("weighted n-grams", closeness.weighted_ngram_score, wanted.weighted_ngram_min)
        yield from _short("structure", closeness.ast_match_score, wanted.ast_min)
        yield from _short("data flow", closeness.dataflow_match_score, wanted.dataflow_min)
        yield from _short("CodeBLEU", closeness.code_bleu_score, wanted.code_bleu_min)


def _short(name: str, value: float | None, least: float) -> tuple[_Shortfall, ...]:
    return ((name, value, least),) if value is not None and value < least else ()


_SAID = {
    "agreement": "cases that agree with the reference",
    "edge": "passed edge cases",
    "normal": "passed normal cases",
    "stress": "passed stress cases",
}


def _warnings(short: Sequence[_Shortfall]) -> Iterator[str]:
    """Say each shortfall in words."""
    for name, value, least in short:
        yield f"{_SAID.get(name, name)} {in_percent(value)} (target {in_percent(least)})"


def in_percent(share: float) -> str:
    """Return a share in words, rounded down: what is below a target never reads as if it were not."""
    return f"{floor(round(share * 1000, 6)) / 10:g}%"
