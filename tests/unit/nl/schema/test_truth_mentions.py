"""Where single words say that a column of yes and no holds, or that it does not."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.nl.schema.mentions import truth_mentions
from jupyter_mcpgen.nl.text.tokens import tokenize
from tests.unit.nl.schema.tables import schema

TABLE = schema(
    "checks",
    check_id=[11, 12, 13, 15, 16, 18],
    passed=[True, False, True, True, False, True],
    insured=["yes", "no", "yes", "yes", "no", "yes"],
    not_paid=[1, 0, 0, 1, 0, 1],
    official=["Y", "N", "Y", "Y", "N", "N"],
    left_harbour=[0, 1, 1, 0, 1, 1],
    is_member=[True, False, True, True, False, False],
    has_deep_keel=[True, False, True, True, False, False],
)


def said(words: str) -> dict[str, tuple[object, float]]:
    """Return what a text says of each column of yes and no, with what that costs."""
    return {one.column: (one.values[0], one.cost) for one in truth_mentions(tokenize(words), TABLE)}


@pytest.mark.parametrize(
    ("word", "column", "value", "cost"),
    [
        ("passed", "passed", True, 0.05),
        ("failed", "passed", False, 0.1),
        ("failing", "passed", False, 0.1),
        ("insured", "insured", True, 0.05),
        ("insurance", "insured", True, 0.1),
        ("uninsured", "insured", False, 0.1),
        ("official", "official", True, 0.05),
        ("unofficial", "official", False, 0.1),
        ("members", "is_member", True, 0.05),
        ("left", "left_harbour", 1, 0.05),
        ("remained", "left_harbour", 0, 0.1),
    ],
)
def test_a_word_says_yes_and_its_opposite_no(word: str, column: str, value: object, cost: float) -> None:
    assert said(word) == {column: (value, cost)}


def test_a_header_that_denies_says_the_opposite() -> None:
    assert said("paid") == {"not_paid": (0, 0.05)}
    assert said("unpaid") == {"not_paid": (1, 0.1)}


@pytest.mark.parametrize("word", ["not", "is", "has", "keel", "harbour", "check", '"passed"'])
def test_other_words_say_nothing_of_them(word: str) -> None:
    assert said(word) == {}
