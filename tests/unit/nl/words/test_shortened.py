"""Which short column names stand for which words."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.nl.words.shortened import shortens


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
