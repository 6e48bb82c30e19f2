"""Where a question mentions values, and how surely."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.nl.schema.mentions import ValueMention, value_mentions
from jupyter_mcpgen.nl.text.tokens import tokenize
from tests.unit.nl.schema.tables import schema

TABLE = schema(
    "trips",
    land=["Norway", "United States", "UK", "Peru", "Norway", "Peru"],
    captain=["Ida Berg", "Jon Berg", "Eva Moss", "Uma Falk", "Ida Berg", "Eva Moss"],
    cargo=["Trucks", "Fresh Fish", "Salt & Tar", "E-Mail", "Rope", "Green Park"],
    log=["The Cold Sea: Part One", "The Cold Shore", "A Long Way Home", "Grey Water", "Grey Harbour", "Ebb"],
    grade=["A", "B", "C", "C++", "A", "B"],
    code=["404", "12 b", "77", "404", "x9", "77"],
    paid=["yes", "no", "yes", "no", "yes", "no"],
    member=["member", "non-member"] * 3,
    crew=[3, 4, 5, 4, 3, 4],
)


def said(words: str) -> list[tuple[str, object, float]]:
    """Return the values that a whole text mentions."""
    tokens = tokenize(words)
    found = value_mentions(tokens, TABLE)
    return [(one.column, one.values, one.cost) for one in found if (one.first, one.last) == (0, len(tokens))]


@pytest.mark.parametrize(
    ("words", "column", "value", "cost"),
    [
        ("norway", "land", "Norway", 0),
        ("united states", "land", "United States", 0),
        ("Norwegian", "land", "Norway", 0.1),
        ("american", "land", "United States", 0.1),
        ("USA", "land", "United States", 0.1),
        ("US", "land", "United States", 0.3),
        ("United Kingdom", "land", "UK", 0.1),
        ("PE", "land", "Peru", 0.3),
        ("norwxy", "land", "Norway", 0.5),
        ("uk", "land", "UK", 0),
        ("truck", "cargo", "Trucks", 0.1),
        ("salt and tar", None, None, None),
        ("Salt & Tar", "cargo", "Salt & Tar", 0),
        ("email", "cargo", "E-Mail", 0.1),
        ("e mails", "cargo", "E-Mail", 0.1),
        ("Moss", "captain", "Eva Moss", 0.3),
        ("moss's", "captain", "Eva Moss", 0.3),
        ("Uma", "captain", "Uma Falk", 0.3),
        ("park", "cargo", "Green Park", 0.5),
        ("the cold sea", "log", "The Cold Sea: Part One", 0.3),
        ("grey harbours", "log", "Grey Harbour", 0.1),
        ("404", "code", "404", 0),
        ("B", "grade", "B", 0),
        ("C++", "grade", "C++", 0),
        ("non-members", "member", False, 0.1),
    ],
)
def test_a_value_is_mentioned_as_people_write_it(
    words: str, column: str | None, value: object, cost: float | None
) -> None:
    assert said(words) == ([] if column is None else [(column, (value,), cost)])


@pytest.mark.parametrize("words", ["a", "us", "Berg", "the cold", "4", "yes", "no", "unit", "grey"])
def test_what_several_values_share_and_common_words_are_no_mention(words: str) -> None:
    assert said(words) == []


def test_spellings_of_one_value_are_mentioned_together() -> None:
    table = schema("trips", pier=["North", "NORTH", "south", "south"])

    assert value_mentions(tokenize("at the north pier"), table) == (ValueMention(2, 3, "pier", ("NORTH", "North"), 0),)


def test_a_quoted_text_is_a_value_whatever_its_words() -> None:
    table = schema("trips", state=["In", "Out", "In", "Out"])

    assert [one.values for one in value_mentions(tokenize('in state "in"'), table)] == [("In",)]


def test_numbers_are_no_other_way_to_write_a_value() -> None:
    table = schema("games", result=["1-1", "2-1", "1-2", "2-1"])

    assert value_mentions(tokenize("games on 11 May"), table) == ()
    assert [one.values for one in value_mentions(tokenize("games that ended 1-1"), table)] == [("1-1",)]


def test_a_typo_inside_a_longer_value_is_read() -> None:
    (found,) = value_mentions(tokenize("fresh fissh"), TABLE)

    assert (found.values, found.cost) == (("Fresh Fish",), 0.5)


def test_a_capital_that_begins_a_sentence_may_be_an_article() -> None:
    assert said("A") == []
    assert [one.values for one in value_mentions(tokenize("trips of grade A"), TABLE)] == [("A",)]


def test_a_value_in_capitals_that_is_a_function_word_is_doubtful_without_them() -> None:
    table = schema("teams", team=["IT", "HR", "IT", "In"])

    assert value_mentions(tokenize("IT costs"), table) == (ValueMention(0, 1, "team", ("IT",), 0),)
    assert value_mentions(tokenize("costs of it in May"), table) == (ValueMention(2, 3, "team", ("IT",), 0.5),)
