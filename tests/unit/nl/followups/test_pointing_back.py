"""What points back is of the rows before, and what may be of two of them is asked about."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.nl.reading import Answered, Asked, Refused
from jupyter_mcpgen.plan.english import say_plan
from tests.unit.nl.questions import said_one_after_the_other

ABOUT = "garden_sales_lines"


def test_groups_of_which_only_some_are_shown_are_no_rows_to_point_back_at() -> None:
    meant = said_one_after_the_other(ABOUT, "top 5 customers by revenue", "what is their average discount")

    assert isinstance(meant, Refused)
    assert "the answer to “top 5 customers by revenue” are meant by “their”" in meant.message


def test_a_pronoun_of_something_that_the_question_names_points_at_nothing_before_it() -> None:
    meant = said_one_after_the_other(ABOUT, "revenue in 2023 by region", "customers and their revenue")

    assert isinstance(meant, Answered)
    assert say_plan(meant.winner.plan) == "Customer ID, Revenue"
    assert "question of its own" in " ".join(meant.winner.assumptions)


@pytest.mark.parametrize(
    ("questions", "readings"),
    [
        (
            ("number of lines by status", "how many is that"),
            {"number of rows by Status, then number of groups", "number of rows"},
        ),
        (
            ("revenue by region", "average"),
            {"mean of Revenue by Region, largest first", "sum of Revenue by Region, then mean of sum_Revenue"},
        ),
        (
            ("revenue by region", "without refunds", "and cancelled"),
            {
                "sum of Revenue by Region, largest first, where Status is Cancelled",
                "sum of Revenue by Region, largest first, where Status is not Refunded and Status is not Cancelled",
            },
        ),
    ],
)
def test_what_may_be_of_the_groups_or_of_the_rows_is_asked(questions: tuple[str, ...], readings: set[str]) -> None:
    meant = said_one_after_the_other(ABOUT, *questions)

    assert isinstance(meant, Asked)
    assert {say_plan(option.plan) for option in meant.options} == readings


def test_a_total_beside_the_groups_is_refused_and_not_called_done() -> None:
    assert isinstance(said_one_after_the_other(ABOUT, "revenue by region", "add a total"), Refused)
