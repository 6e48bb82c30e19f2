"""A question that names its own figure means the same after any other question as alone."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.nl.reading import Answered
from jupyter_mcpgen.nl.understand import understand
from jupyter_mcpgen.plan.english import say_plan
from tests.unit.nl.questions import said_one_after_the_other, table

TABLE = "quay_crates"
BEFORE = [
    "average weight",
    "average weight by packer",
    "total weight for Ito",
    "crates where colour is red",
    "correlation of height and width",
    "top 3 crates by weight",
]
WHOLE = [
    "top 3 packers by height",
    "top 5 crates by width",
    "total delay by colour",
    "average rating for Quinn",
    "how many crates are blue",
    "number of crates by colour",
    "highest width",
    "crates sorted by rating",
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("question", WHOLE)
def test_a_whole_question_means_the_same_after_any_other(before: str, question: str) -> None:
    alone = understand(question, table(TABLE))
    assert isinstance(alone, Answered)

    after = said_one_after_the_other(TABLE, before, question)

    assert isinstance(after, Answered)
    assert say_plan(after.winner.plan) == say_plan(alone.winner.plan)


@pytest.mark.parametrize(
    ("said", "reading"),
    [
        ("by colour", "mean of weight_kg by colour, largest first"),
        ("and height?", "mean of height_cm by packer, largest first"),
        ("only red", "mean of weight_kg by packer, largest first, where colour is red"),
        ("now the total width", "sum of width_cm by packer, largest first"),
        ("median instead", "median of weight_kg by packer, largest first"),
    ],
)
def test_a_fragment_or_a_word_that_points_back_changes_the_answer_before(said: str, reading: str) -> None:
    after = said_one_after_the_other(TABLE, "average weight by packer", said)

    assert isinstance(after, Answered)
    assert say_plan(after.winner.plan) == reading
