"""Promises about what "who" asks for: an answer in which nobody can be named is no answer."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.nl.around.answers.askers import naming_whom, telling_how_much
from jupyter_mcpgen.nl.context import context_of
from jupyter_mcpgen.nl.read import read
from jupyter_mcpgen.nl.reading import Answered, Refused
from tests.unit.nl.questions import table

TABLE = "library_loans"
BY_MONTH, BY_MEMBER = "number of rows by month of borrowed", "number of rows by member"


@pytest.mark.parametrize(("said", "language"), [("Who borrowed the most?", "en"), ("wer lieh am meisten?", "de")])
def test_an_answer_without_a_name_is_offered_and_not_given(said: str, language: str) -> None:
    meant = read(BY_MONTH, table(TABLE))
    assert isinstance(meant, Answered)

    understood = naming_whom(meant, said, context_of(table(TABLE), language), language)

    assert isinstance(understood, Refused)
    assert understood.nearest == meant.winner
    assert "asks for a name" in understood.message


@pytest.mark.parametrize(
    ("shown", "said"), [(BY_MEMBER, "Who borrowed the most?"), (BY_MONTH, "When were most books borrowed?")]
)
def test_an_answer_of_the_right_kind_is_left_as_it_is(shown: str, said: str) -> None:
    meant = read(shown, table(TABLE))
    assert isinstance(meant, Answered)

    assert naming_whom(meant, said, context_of(table(TABLE), "en"), "en") is meant


def test_a_date_is_never_the_answer_to_how_much_or_which_is_largest() -> None:
    meant = read("latest borrowed", table(TABLE))
    assert isinstance(meant, Answered)

    understood = telling_how_much(meant, "What is the largest loan?", context_of(table(TABLE), "en"))

    assert isinstance(understood, Refused)
    assert "asks for an amount" in understood.message


@pytest.mark.parametrize("said", ["What is the largest borrowed date?", "When was the latest loan?"])
def test_a_date_that_is_asked_for_is_an_answer(said: str) -> None:
    meant = read("latest borrowed", table(TABLE))
    assert isinstance(meant, Answered)

    assert telling_how_much(meant, said, context_of(table(TABLE), "en")) is meant
