"""The words that say something in the names of columns."""

from __future__ import annotations

from itertools import chain

import pytest

from jupyter_mcpgen.nl.lexicon.reading import parts
from jupyter_mcpgen.nl.schema.vocabulary import load_vocabulary

TABLES = parts("en")["headers"]
LISTS = [
    (f"{table}.{key}", words)
    for table, keys in TABLES.items()
    for key, words in chain(keys.items(), keys.get("variants", {}).items())
    if key not in ("variants", "opposites")
]


@pytest.mark.parametrize(("name", "words"), LISTS)
def test_words_are_in_lower_case_each_once_in_a_list(name: str, words: list[str]) -> None:
    assert words == [word.lower() for word in words], name
    assert len(words) == len(set(words)), name


def test_no_word_is_of_two_kinds_of_measures() -> None:
    told = load_vocabulary("en").additivity

    assert not told.additive & told.level
    assert not told.ratio & (told.additive | told.level)
    assert not told.semi_additive & (told.additive | told.level | told.ratio)


def test_a_language_without_words_is_refused() -> None:
    with pytest.raises(FileNotFoundError):
        load_vocabulary("xx")
