"""What the answer before settles of a question that leaves it open, over cheese orders of small shops."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.nl.reading import Answered, Asked
from jupyter_mcpgen.nl.understand import understand
from jupyter_mcpgen.plan.english import say_plan
from tests.unit.nl.questions import table


def _answer(question: str, before: str) -> Answered | Asked:
    orders = table("cheese_orders")
    first = understand(before, orders)
    assert isinstance(first, Answered)
    understood = understand(question, orders, earlier=(before, first.winner.plan))
    assert isinstance(understood, Answered | Asked)
    return understood


@pytest.mark.parametrize(
    ("before", "question", "reading"),
    [
        ("revenue by region", "top 2 channels", "sum of revenue by channel, largest first, first 2"),
        ("number of orders by region", "top 2 cheeses", "number of rows by cheese, largest first, first 2"),
        ("orders without a discount", "how many are there", "number of rows, where discount is 0"),
        (
            "customers with more than 9 orders",
            "how many are those?",
            "number of rows by customer, then number of groups, where count is greater than 9",
        ),
    ],
)
def test_what_a_question_leaves_unsaid_is_taken_from_the_answer_before(
    before: str, question: str, reading: str
) -> None:
    answered = _answer(question, before)

    assert isinstance(answered, Answered)
    assert say_plan(answered.winner.plan) == reading
    assert any(before in note for note in answered.winner.assumptions)


def test_an_answer_about_some_rows_does_not_say_of_which_rows_the_next_question_is() -> None:
    assert isinstance(_answer("top 2 channels", "revenue by region in 2023"), Asked)


def test_how_many_there_are_is_asked_of_all_rows_where_nothing_came_before() -> None:
    understood = understand("how many are there", table("cheese_orders"))

    assert isinstance(understood, Answered)
    assert say_plan(understood.winner.plan) == "number of rows"
