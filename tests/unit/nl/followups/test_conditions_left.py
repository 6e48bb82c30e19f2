"""Conditions of the answer before that the next question does not have, over the bills of a workshop."""

from __future__ import annotations

from jupyter_mcpgen.nl.reading import Answered
from jupyter_mcpgen.nl.understand import understand
from tests.unit.nl.questions import table


def _notes(question: str, before: str) -> str:
    bills = table("workshop_bills")
    first = understand(before, bills)
    assert isinstance(first, Answered)
    then = understand(question, bills, earlier=(before, first.winner.plan))
    assert isinstance(then, Answered)
    return " ".join(then.winner.assumptions)


def test_a_question_of_its_own_says_that_it_is_not_about_the_rows_before() -> None:
    assert "not about the rows of" in _notes("what is the average hours by service", "total amount in Quay by service")


def test_a_follow_up_keeps_the_conditions_and_says_nothing_of_them() -> None:
    assert "not about the rows of" not in _notes("now by client id", "total amount in Quay by service")


def test_a_question_behind_an_answer_of_all_rows_says_nothing_of_conditions() -> None:
    assert "not about the rows of" not in _notes("what is the average hours by service", "total amount by service")
