"""Which short column names stand for which words."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.nl.words.shortened import shortens, written_in_names


@pytest.mark.parametrize(
    ("short", "word"),
    [
        ("pop", "population"),
        ("exp", "expectancy"),
        ("percap", "percapita"),
        ("dist", "distance"),
        ("qty", "quantity"),
        ("mgr", "manager"),
        ("pclass", "class"),
        ("nsales", "sales"),
    ],
)
def test_a_short_form_is_known_by_how_it_leaves_letters_out(short: str, word: str) -> None:
    assert shortens(short, word)


@pytest.mark.parametrize(
    ("short", "word"),
    [
        ("age", "agent"),
        ("car", "carpenter"),
        ("tax", "taxonomy"),
        ("exp", "expensive"),
        ("exp", "export"[:5]),
        ("fat", "fatalities"),
        ("price", "rice"),
        ("trace", "race"),
        ("state", "state"),
        ("max", "minimum"),
    ],
)
def test_a_word_that_only_begins_alike_is_another_word(short: str, word: str) -> None:
    assert not shortens(short, word)


LISTED = {"int": "interest", "inc": "income", "boro": "borough"}


def test_a_listed_short_form_stands_for_its_word_where_a_column_has_it_beside_another_word() -> None:
    names = [("int", "rate"), ("annual", "inc"), ("boro",)]

    assert written_in_names(names, LISTED) == {"int": "interest", "inc": "income", "boro": "borough"}


@pytest.mark.parametrize(
    "names",
    [
        [("int",), ("inc",)],
        [("int", "rate"), ("interest", "paid")],
        [("integer", "part"), ("incident", "no")],
    ],
)
def test_a_short_word_alone_or_beside_the_whole_word_stays_what_it_is(names: list[tuple[str, ...]]) -> None:
    assert written_in_names(names, LISTED) == {}
