"""What the gates found: findings, the report with the seed's fields, and the metrics beside it."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from pydantic import Field

from jupyter_mcpgen.model.diagnostics import Improvement
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.scales import CodeBleuWeights

TWO_WAYS = "two_ways"
"""The check that two computations agree on the person's data."""


class Severity(StrEnum):
    """Whether a finding blocks approval."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Finding(Record):
    """A flaw in generated code or in its behaviour: which rule, where, and what to do about it."""

    gate: str
    rule: str
    severity: Severity
    message: str
    line: int | None = None
    fix: str | None = None


class Verdict(StrEnum):
    """How a check ended; a check that could not run is never counted as passed.

    `NOT_APPLICABLE` is for a check that does not exist for a figure, such as the control total of a median.
    """

    PASSED = "passed"
    FAILED = "failed"
    NOT_RUN = "not_run"
    NOT_APPLICABLE = "not_applicable"


class Place(StrEnum):
    """Where a card says a check that did not fail: in its one line, as a note below it, or folded under its reasons."""

    LINE = "line"
    NOTE = "note"
    FOLDED = "folded"


class Evidence(Record):
    """One check in words a reader of the card understands.

    `figure` holds the number the sentence is about, where there is one.
    """

    check: str
    verdict: Verdict
    sentence: str
    figure: float | int | None = None
    place: Place = Place.FOLDED

    @property
    def is_good(self) -> bool:
        """True for a check that passed, and for one that does not exist for this answer."""
        return self.verdict in (Verdict.PASSED, Verdict.NOT_APPLICABLE)


def has_reference(evidence: tuple[Evidence, ...]) -> bool:
    """Tell whether something computes the answer a second time; what it says is another question."""
    return any(item.check == TWO_WAYS and item.verdict is not Verdict.NOT_APPLICABLE for item in evidence)


def is_sound(evidence: tuple[Evidence, ...]) -> bool:
    """Tell whether every check that exists was made and passed."""
    return all(item.is_good for item in evidence)


def verdict_of(evidence: tuple[Evidence, ...]) -> Verdict:
    """Return what the line of evidence is marked with: a tick says that the calculation was checked, and not less."""
    if not is_sound(evidence):
        return Verdict.FAILED
    is_unchecked = any(item.check == TWO_WAYS and item.verdict is Verdict.NOT_APPLICABLE for item in evidence)
    return Verdict.NOT_APPLICABLE if is_unchecked else Verdict.PASSED


class CaseEnd(StrEnum):
    """How a generated case ended; what was not run, after a case that ended the process, says nothing of the code."""

    ANSWERED = "answered"
    """With a result or an error of the code's own, which was judged."""
    LIMIT = "limit"
    """Memory, processor time or output was used up."""
    TIMEOUT = "timeout"
    NOT_RUN = "not_run"


class TestResult(Record):
    """One generated case, and how it ended."""

    __test__: ClassVar = False  # pytest would take the class for a test

    test_id: str
    category: str
    passed: bool
    error: str | None = None
    ended: CaseEnd = CaseEnd.ANSWERED

    @property
    def hit_limit(self) -> bool:
        """True for a case that failed by a limit or a time-out alone, which counts for the rate of its category."""
        return not self.passed and self.ended in (CaseEnd.LIMIT, CaseEnd.TIMEOUT)

    @property
    def blocks(self) -> bool:
        """True for a wrong answer, and for a case that was never tried: nothing makes up for it."""
        return not self.passed and not self.hit_limit


class PassRates(Record):
    """How many cases passed, in all and by category; without a case there is no rate (seed 000 §4.6)."""

    overall_pass_rate: float | None
    total_tests: int
    passed_tests: int
    failed_tests: int
    category_pass_rates: dict[str, float]


class FunctionalCorrectnessMetrics(Record):
    """How many generated tables the code answered as the reference does, or refused as it must (seed 000 §3.1).

    Without a reference there is no similarity and no score.
    """

    reference_solution_similarity: float | None = None
    test_cases_passed: int
    test_cases_total: int
    test_case_pass_rate: float
    correctness_score: float | None = None
    test_results: tuple[TestResult, ...] = ()


class SemanticClosenessMetrics(Record):
    """CodeBLEU and its four parts; information only (rulings R13). A part that does not exist is `None`."""

    ngram_match_score: float | None
    ngram_precision: dict[int, float]
    weighted_ngram_score: float | None
    keyword_weights: dict[str, float]
    ast_match_score: float | None
    ast_node_overlap: float | None
    ast_depth_similarity: float | None
    dataflow_match_score: float | None
    variable_flow_similarity: float | None
    dependency_graph_similarity: float | None
    code_bleu_score: float | None
    weights: CodeBleuWeights = CodeBleuWeights()
    tokenised: bool = True
    """False where one text is not made of tokens of Python, so that both were split at white space."""


class QualityTier(StrEnum):
    """What an overall score is called; nothing is promoted by it."""

    EXCELLENT = "EXCELLENT"
    GOOD = "GOOD"
    ACCEPTABLE = "ACCEPTABLE"
    POOR = "POOR"


class StagingPriority(StrEnum):
    """How soon a person should look at a staged tool; a low one comes with warnings."""

    HIGH = "HIGH"
    NORMAL = "NORMAL"
    LOW = "LOW"


class MetricName(StrEnum):
    """The four parts of the overall score."""

    FUNCTIONAL_CORRECTNESS = "functional_correctness"
    TEST_PASS_RATE = "test_pass_rate"  # noqa: S105  no password
    CODE_BLEU = "code_bleu"
    PASS_AT_1 = "pass_at_1"  # noqa: S105  no password


class CodeMetrics(Record):
    """Quality figures; what was not measured is `None` and carries no weight (ruling R11).

    `measured` names the parts that `overall_score` was computed from.
    """

    functional_correctness: FunctionalCorrectnessMetrics
    pass_at_k: dict[int, float | None] = Field(default_factory=dict)
    test_pass_rate: float
    category_pass_rates: dict[str, float] = Field(default_factory=dict)
    semantic_closeness: SemanticClosenessMetrics | None = None
    overall_score: float | None = None
    measured: tuple[MetricName, ...] = ()
    quality_tier: QualityTier | None = None
    capped_because: str | None = None
    """Why the tier is lower than the score alone would make it."""
    staging_priority: StagingPriority | None = None
    quality_warnings: tuple[str, ...] = ()


class GateResult(Record):
    """How one gate ended, and how long it took; a gate that could not look, after one that failed, is `NOT_RUN`."""

    gate: str
    verdict: Verdict
    blocking: bool
    milliseconds: float


class ValidationReport(Record):
    """The outcome of every gate, which `gates` lists in the order of their runs."""

    schema_ok: bool
    tests_ok: bool
    sandbox_ok: bool
    logs: tuple[str, ...] = ()
    errors: tuple[str, ...] | None = None
    code_metrics: CodeMetrics | None = None
    findings: tuple[Finding, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    gates: tuple[GateResult, ...] = ()
    repairs: tuple[Improvement, ...] = ()
    """What each round of repair changed, if the code was repaired."""

    @property
    def passed(self) -> bool:
        """True when no gate failed and nothing that had to run was left out."""
        return (
            self.schema_ok
            and self.tests_ok
            and self.sandbox_ok
            and not any(f.severity is Severity.ERROR for f in self.findings)
            and is_sound(self.evidence)
        )
