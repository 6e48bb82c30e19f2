"""What the gates found: findings, the report with the seed's fields, and the metrics beside it."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from jupyter_mcpgen.model.diagnostics import Improvement
from jupyter_mcpgen.model.record import Record

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

    test_id: str
    category: str
    passed: bool
    error: str | None = None
    ended: CaseEnd = CaseEnd.ANSWERED

    @property
    def blocks(self) -> bool:
        """True for a wrong answer, and for a case that was never tried; a limit counts for the rate of its category."""
        return not self.passed and self.ended not in (CaseEnd.LIMIT, CaseEnd.TIMEOUT)


class FunctionalCorrectnessMetrics(Record):
    """How many generated tables the code answered as the reference does, or refused as it must (seed 000 §3.1).

    The similarity and the score are `None`: nothing measures them.
    """

    reference_solution_similarity: float | None = None
    test_cases_passed: int
    test_cases_total: int
    test_case_pass_rate: float
    correctness_score: float | None = None
    test_results: tuple[TestResult, ...] = ()


class SemanticClosenessMetrics(Record):
    """CodeBLEU and its four parts; information only (rulings R13)."""

    ngram_match_score: float
    ngram_precision: dict[int, float]
    weighted_ngram_score: float
    keyword_weights: dict[str, float]
    ast_match_score: float
    ast_node_overlap: float
    ast_depth_similarity: float
    dataflow_match_score: float
    variable_flow_similarity: float
    dependency_graph_similarity: float
    code_bleu_score: float
    weights: dict[str, float] = Field(
        default_factory=lambda: {"ngram": 0.25, "weighted_ngram": 0.25, "ast": 0.25, "dataflow": 0.25}
    )


class CodeMetrics(Record):
    """Quality figures; what was not measured is `None` and carries no weight (ruling R11)."""

    functional_correctness: FunctionalCorrectnessMetrics
    pass_at_k: dict[int, float | None] = Field(default_factory=dict)
    test_pass_rate: float
    semantic_closeness: SemanticClosenessMetrics | None = None
    overall_score: float | None = None


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
    """What each round of mending changed, if the code was mended."""

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
