"""What the quality of a tool is weighed by and held against; each value is a setting (seed 000 §5.5 and appendix B)."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

Share = Annotated[float, Field(ge=0, le=1)]
Weight = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class _Scale(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Weights(_Scale):
    @model_validator(mode="after")
    def _some_weight(self) -> Self:
        if not any(weight for _, weight in self):
            raise ValueError("at least one weight must be above 0")
        return self


class MetricWeights(_Weights):
    """How much each part counts in the overall score; a part that was not measured has no weight."""

    functional_correctness: Weight = 0.40
    test_pass_rate: Weight = 0.30
    code_bleu: Weight = 0.20
    pass_at_1: Weight = 0.10


class CodeBleuWeights(_Weights):
    """How much each part counts in CodeBLEU."""

    ngram: Weight = 0.25
    weighted_ngram: Weight = 0.25
    ast: Weight = 0.25
    dataflow: Weight = 0.25


class QualityThresholds(_Scale):
    """What each figure should reach; a card warns of one that does not, and nothing is approved or blocked by one."""

    functional_correctness_min: Share = 0.90
    reference_similarity_min: Share = 0.90
    test_pass_rate_min: Share = 0.95
    edge_min: Share = 0.95
    normal_min: Share = 0.98
    stress_min: Share = 0.85
    code_bleu_min: Share = 0.75
    ngram_min: Share = 0.70
    weighted_ngram_min: Share = 0.75
    ast_min: Share = 0.70
    dataflow_min: Share = 0.70
    pass_at_1_min: Share = 0.85
    pass_at_5_min: Share = 0.90
    pass_at_10_min: Share = 0.95
    overall_quality_min: Share = 0.85


class QualityTiers(_Scale):
    """From which overall score on a tool has which label."""

    excellent: Share = 0.90
    good: Share = 0.75
    acceptable: Share = 0.60
    poor: Share = 0.0

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if not self.excellent >= self.good >= self.acceptable >= self.poor:
            raise ValueError("`excellent`, `good`, `acceptable` and `poor` must not rise")
        return self


class OverlapWeights(_Weights):
    """How much each part counts when a tool is compared with a question; a part that was not measured has no weight."""

    operation: Weight = 0.30
    inputs: Weight = 0.25
    output_format: Weight = 0.20
    constraints: Weight = 0.15
    semantic: Weight = 0.10


class GapScale(_Scale):
    """From which overlap with a question on a tool answers it, and from which on it is named as near."""

    reuse_from: Share = 0.85
    extend_from: Share = 0.70
    weights: OverlapWeights = OverlapWeights()

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.extend_from > self.reuse_from:
            raise ValueError("`extend_from` must not be above `reuse_from`")
        return self


class Scales(_Scale):
    """All of them, as one value that is handed on."""

    thresholds: QualityThresholds = QualityThresholds()
    weights: MetricWeights = MetricWeights()
    code_bleu: CodeBleuWeights = CodeBleuWeights()
    tiers: QualityTiers = QualityTiers()
    gap: GapScale = GapScale()
