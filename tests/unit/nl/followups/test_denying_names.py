"""A follow-up never takes a column such as `not_returned` for the word that it denies; it asks which side is meant."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.nl.reading import Answered, Asked, Refused
from jupyter_mcpgen.plan.english import say_plan
from tests.unit.nl.questions import said_one_after_the_other

ABOUT = "mixer_hires"
BY_DEPOT = "average fee by depot"


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "questions",
    [
        (BY_DEPOT, "only returned ones"),
        (BY_DEPOT, "where returned"),
        (BY_DEPOT, "only serviced"),
        ("average fee of hires not returned by depot", "as a line chart", "top 2", "only returned"),
    ],
)
def test_the_word_that_a_name_denies_is_asked_about(questions: tuple[str, ...]) -> None:
    understood = said_one_after_the_other(ABOUT, *questions)

    assert isinstance(understood, Asked)
    assert "has a negative name" in understood.question


def test_it_is_no_figure_either() -> None:
    understood = said_one_after_the_other(ABOUT, BY_DEPOT, "what about returned ones?")

    assert isinstance(understood, Refused)
    assert "`not_returned` has a negative name" in understood.message


@pytest.mark.parametrize(
    ("questions", "reading"),
    [
        ((BY_DEPOT, "only not returned"), "mean of fee by depot, largest first, where not_returned is 1"),
        ((BY_DEPOT, "only those with not_returned 0"), "mean of fee by depot, largest first, where not_returned is 0"),
        (
            ("average fee of hires not returned by depot", "as a line chart", "top 2"),
            "mean of fee by depot, largest first, first 2, where not_returned is 1",
        ),
    ],
)
def test_what_was_named_in_full_is_taken_and_kept(questions: tuple[str, ...], reading: str) -> None:
    understood = said_one_after_the_other(ABOUT, *questions)

    assert isinstance(understood, Answered)
    assert say_plan(understood.winner.plan) == reading
