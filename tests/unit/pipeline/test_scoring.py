"""A card says what was measured of its code in words, and a score is no reason for or against approval."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.metrics.quality import measure
from jupyter_mcpgen.model.intent import Agreeing
from jupyter_mcpgen.model.second import NoSecond
from jupyter_mcpgen.model.validation import (
    TWO_WAYS,
    CaseEnd,
    CodeMetrics,
    Evidence,
    Place,
    TestResult,
    Verdict,
    is_sound,
)
from jupyter_mcpgen.model.written import WrittenIntent
from jupyter_mcpgen.pipeline.generated import MISSING_COLUMN
from jupyter_mcpgen.pipeline.scoring import compared_cases, pass_at_k, quality_evidence
from jupyter_mcpgen.scales import Scales

TYPICAL = TestResult(test_id="typical", category="normal", passed=True)
REFUSED = TestResult(test_id=MISSING_COLUMN, category="edge", passed=True)
SLOW = TestResult(test_id="large", category="stress", passed=False, error="time-out", ended=CaseEnd.TIMEOUT)
WRONG = TestResult(test_id="nulls", category="edge", passed=False, error="1 against 2")


def two_ways(verdict: Verdict) -> tuple[Evidence, ...]:
    return (Evidence(check=TWO_WAYS, verdict=verdict, sentence="Said."),)


def figures(*results: TestResult, compared: tuple[TestResult, ...] = (), failed: bool = False) -> CodeMetrics:
    metrics = measure(results, Scales(), compared=compared, failed=failed)
    assert metrics is not None
    return metrics


@pytest.mark.parametrize(
    ("verdict", "compared"),
    [(Verdict.PASSED, (TYPICAL,)), (Verdict.FAILED, (TYPICAL,)), (Verdict.NOT_APPLICABLE, ())],
)
def test_cases_with_an_answer_are_compared_where_there_is_a_reference(
    verdict: Verdict, compared: tuple[TestResult, ...]
) -> None:
    assert compared_cases((TYPICAL, REFUSED), two_ways(verdict)) == compared


@pytest.mark.parametrize(
    ("metrics", "sentence"),
    [
        (
            figures(TYPICAL, REFUSED, compared=(TYPICAL,)),
            "Passed 2 of 2 cases; all that have a reference agree with it. "
            "Score 1.00 (EXCELLENT), from 2 of 4 parts (no reference code, one candidate).",
        ),
        (
            figures(TYPICAL),
            "Passed 1 of 1 cases, with nothing to compare them with. "
            "Score 1.00 (EXCELLENT), from 1 of 4 parts (no reference, no reference code, one candidate).",
        ),
        (
            figures(TYPICAL, TYPICAL, WRONG, compared=(TYPICAL, TYPICAL, WRONG)),
            "Passed 2 of 3 cases; 66.6% of those that have a reference agree with it. "
            "Score 0.67 (POOR, because a case failed), from 2 of 4 parts (no reference code, one candidate).",
        ),
        (
            figures(TYPICAL, compared=(TYPICAL,), failed=True),
            "Passed 1 of 1 cases; all that have a reference agree with it. "
            "Score 1.00 (POOR, because a check failed), from 2 of 4 parts (no reference code, one candidate).",
        ),
    ],
)
def test_the_score_is_said_after_what_was_done_and_with_its_parts(metrics: CodeMetrics, sentence: str) -> None:
    (evidence,) = quality_evidence(metrics)

    assert (evidence.sentence, evidence.place) == (sentence, Place.FOLDED)
    assert evidence.figure == metrics.overall_score


def test_what_is_below_its_target_is_a_note_on_the_card_and_blocks_nothing() -> None:
    score, warning = quality_evidence(figures(*[TYPICAL] * 9, SLOW))

    assert (score.verdict, warning.verdict, warning.place) == (
        Verdict.NOT_APPLICABLE,
        Verdict.NOT_APPLICABLE,
        Place.NOTE,
    )
    assert "(ACCEPTABLE, because too many stress cases hit a limit)" in score.sentence
    assert warning.sentence == "Below target: passed cases 90% (target 95%); passed stress cases 0% (target 85%)."
    assert is_sound((score, warning))


def test_of_a_poor_tool_nothing_is_warned_of_beside_what_failed() -> None:
    evidence = quality_evidence(figures(TYPICAL, WRONG))

    assert [item.place for item in evidence] == [Place.FOLDED]
    assert is_sound(evidence)


def test_without_a_measure_nothing_is_said() -> None:
    assert quality_evidence(None) == ()


def read(replies: int, asked: int, *, is_edited: bool = False) -> WrittenIntent:
    second, agreeing = NoSecond(reason="Nobody wrote one."), Agreeing(replies=replies, asked=asked)
    return WrittenIntent(reading="r", code="c", second=second, input="t.csv", agreeing=agreeing, is_edited=is_edited)


def test_candidates_pass_that_give_the_rows_of_an_answer_which_passes_its_gates() -> None:
    assert pass_at_k(read(3, 5), failed=False) == {1: pytest.approx(0.6), 5: 1.0, 10: None}
    assert pass_at_k(read(3, 5), failed=True) == {1: 0.0, 5: 0.0, 10: None}


@pytest.mark.parametrize("intent", [read(1, 1), read(3, 5, is_edited=True), read(1, 1).replace(agreeing=None)])
def test_one_candidate_or_code_that_was_edited_has_no_pass_at_k(intent: WrittenIntent) -> None:
    assert pass_at_k(intent, failed=False) == {}
