"""The card: what it says, what blocks it, and that its parts belong together."""

from __future__ import annotations

from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.validation import Evidence, Finding, Severity, Verdict
from jupyter_mcpgen.pipeline.present import blocking, evidence_sentence, signature
from tests.builders import draft

TOTAL = Evidence(check="total_deaths", verdict=Verdict.PASSED, sentence="389 = column total.", figure=389)
ROWS = Evidence(check="rows", verdict=Verdict.PASSED, sentence="5 of 5 rows used.")
TWICE = Evidence(check="two_ways", verdict=Verdict.PASSED, sentence="Checked two ways (pandas, SQL): equal.")
SAME = Evidence(check="unchanged", verdict=Verdict.PASSED, sentence="Data unchanged.")


def test_the_evidence_is_said_in_the_order_of_its_weight() -> None:
    assert evidence_sentence((SAME, TWICE, ROWS, TOTAL)) == (
        "389 = column total. 5 of 5 rows used. Checked two ways (pandas, SQL): equal. Data unchanged."
    )


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
