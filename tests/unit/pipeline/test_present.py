"""The card: what it says, what blocks it, and that its parts belong together."""

from __future__ import annotations

from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.validation import Evidence, Finding, Place, Severity, Verdict
from jupyter_mcpgen.pipeline.present import blocking, evidence_sentence, signature
from tests.builders import draft

TOTAL = Evidence(check="total_deaths", verdict=Verdict.PASSED, sentence="389 = column total.", place=Place.LINE)
ROWS = Evidence(check="rows", verdict=Verdict.PASSED, sentence="4 of 5 rows used.", place=Place.LINE)
TWICE = Evidence(check="two_ways", verdict=Verdict.PASSED, sentence="pandas and SQL agree.", place=Place.LINE)
LACKING = Evidence(check="left_out", verdict=Verdict.PASSED, sentence="1 row was left out.", place=Place.NOTE)
SAME = Evidence(check="unchanged", verdict=Verdict.PASSED, sentence="Data unchanged.")


def test_the_line_of_evidence_begins_with_the_two_computations_and_holds_nothing_of_the_rest() -> None:
    said = evidence_sentence((SAME, TOTAL, LACKING, ROWS, TWICE))

    assert said == "pandas and SQL agree. 4 of 5 rows used. 389 = column total."


def test_every_check_has_one_place_on_the_card() -> None:
    good = draft().card.replace(evidence=(SAME, TOTAL, LACKING, ROWS, TWICE))
    bad = good.replace(evidence=(SAME, TOTAL.replace(verdict=Verdict.FAILED), LACKING, ROWS, TWICE))

    assert (good.notes, good.reasons) == ((LACKING,), (SAME,))
    assert (bad.notes, bad.reasons) == ((LACKING,), (SAME, ROWS, TWICE))


def test_what_failed_is_all_that_is_said() -> None:
    failed = TOTAL.replace(verdict=Verdict.FAILED, sentence="388 ≠ column total.")
    not_run = TWICE.replace(verdict=Verdict.NOT_RUN, sentence="The reference did not finish.")

    assert evidence_sentence((ROWS, failed, not_run)) == "388 ≠ column total. The reference did not finish."


def test_a_card_says_why_it_cannot_be_approved() -> None:
    card = draft(sound=False).card
    error = Finding(gate="policy", rule="import", severity=Severity.ERROR, message="`os` may not be imported.")
    warning = error.replace(severity=Severity.WARNING, message="a long line")

    assert blocking(card.replace(findings=(error, warning))) == ("389 = column total.", "`os` may not be imported.")
    assert blocking(draft().card) == ()


def test_the_signature_shows_how_to_call_the_tool() -> None:
    candidate = draft().candidate

    assert candidate.status is ToolStatus.STAGED
    assert signature(candidate) == "tools.sum_by_group(data, column='injuries_fatal')"
