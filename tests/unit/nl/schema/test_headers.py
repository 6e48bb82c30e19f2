"""The words of headers."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.nl.schema.headers import read_header, split_words, weigh_words
from jupyter_mcpgen.nl.schema.vocabulary import load_vocabulary
from tests.unit.nl.schema.tables import LEXICON

ENGLISH = load_vocabulary("en")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("unit_price", ("unit", "price")),
        ("unitPrice", ("unit", "price")),
        ("Unit Price", ("unit", "price")),
        ("HTMLPages", ("html", "pages")),
        ("customerIDs", ("customer", "ids")),
        ("hall3seats", ("hall", "3", "seats")),
        ("used kWh", ("used", "kwh")),
    ],
)
def test_a_name_is_split_where_its_writing_changes(name: str, words: tuple[str, ...]) -> None:
    assert split_words(name) == words


def heavy(name: str, unit: str | None = None) -> tuple[str, ...]:
    """Return the words of a header that have to be said."""
    return tuple(word.text for word in read_header(name, unit, LEXICON, ENGLISH) if word.heavy)


@pytest.mark.parametrize(
    ("name", "unit", "words"),
    [
        ("customer_name", None, ("customer",)),
        ("date of arrival", None, ("arrival",)),
        ("load (kg)", "kg", ("load",)),
        ("load_kg", "kg", ("load",)),
        ("delay_min", "minutes", ("delay",)),
        ("humidity pct", "%", ("humidity",)),
        ("kg", "kg", ("kg",)),
        ("load_min", None, ("load", "min")),
        ("from_harbour", None, ("from", "harbour")),
    ],
)
def test_units_names_and_function_words_need_not_be_said_unless_they_tell_columns_apart(
    name: str, unit: str | None, words: tuple[str, ...]
) -> None:
    assert heavy(name, unit) == words


def test_the_ends_of_a_scale_in_brackets_are_no_words() -> None:
    assert [word.text for word in read_header("mood (1-5)", "1-5", LEXICON, ENGLISH)] == ["mood"]


def test_a_header_without_letters_is_one_word() -> None:
    assert [word.text for word in read_header(" # ", None, LEXICON, ENGLISH)] == ["#"]


def test_a_word_of_many_columns_weighs_less_than_one_of_a_single_column() -> None:
    headers = [read_header(name, None, LEXICON, ENGLISH) for name in ("ferry load", "ferry crew", "ferry deck")]

    ferry, load = weigh_words(headers)[0]

    assert ferry.weight < 0.3 < load.weight == 1.0


def test_words_have_what_they_are_short_for_and_their_concepts() -> None:
    (word,) = read_header("qty", None, LEXICON, ENGLISH)
    (client,) = read_header("clients", None, LEXICON, ENGLISH)

    assert word.known == {"qty", "quantity"}
    assert (client.base, "customer" in client.concepts) == ("client", True)
