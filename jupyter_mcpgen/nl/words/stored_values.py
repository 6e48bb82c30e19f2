"""The values that a table's text columns hold, by the words by which a question names them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files

from jupyter_mcpgen.model.profile import ColumnProfile, Kind, Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.plan.schema import ColumnType
from jupyter_mcpgen.toolkit.missing_words import is_missing_word

_BETWEEN_WORDS = re.compile(r"""[/_()\[\]"“”!?&-]|[.,:;](?!\d)|(?<=\w)[–—](?=\w)|^[–—]$""")
_ENDING_SIGN = re.compile(r"\+(?=\s|$)")


def value_words(text: str) -> list[str]:
    """Return the words by which a value is looked up: no mark is one, unless it stands in a number or as in "65+"."""
    return _ENDING_SIGN.sub(" +", _BETWEEN_WORDS.sub(" ", text.casefold())).split()


_CHOICE = re.compile(r"(?P<head>[^\W\d]+(?: [^\W\d]+)*) (?P<one>[^\W\d]{3,})/(?P<other>[^\W\d]{3,})")


_IN_BRACKETS = re.compile(r"(?P<head>[^\W\d]+(?: [^\W\d]+)+) \([^()]+\)")


def values_by_words(profile: Profile) -> Mapping[str, tuple[m.Value, ...]]:
    """Return the values of text columns by their lower-case words, and countries that have a code there by name.

    A value that leaves a choice, "Entire home/apt", is found by each of the two as well: "entire home", "entire apt";
    one that says more in brackets, "Credit card (automatic)", by the words before these where no other has them.
    """
    index: dict[str, list[m.Value]] = {}
    for field, column in zip(profile.schema_.fields, profile.columns, strict=True):
        if field.type is ColumnType.TEXT:
            for value in column.values:
                words = " ".join(value_words(str(value)))
                if words:
                    index.setdefault(words, []).append(m.Value(field.name, str(value)))
    countries = {name: (m.Value(*cell),) for name, *cell in names_of_countries(profile)}
    chosen: dict[str, list[m.Value]] = {}
    for found in index.values():
        for value in found:
            for words in _choices_in(value.value):
                chosen.setdefault(words, []).append(value)
    sure = {words: tuple(found) for words, found in chosen.items() if len(found) == 1}
    return sure | countries | {words: tuple(found) for words, found in index.items()}


def _choices_in(value: str) -> tuple[str, ...]:
    """Return both ways to say a value whose last word is one of two, or one with what is in brackets left out."""
    bracketed = _IN_BRACKETS.fullmatch(value)
    if bracketed is not None:
        return (" ".join(value_words(bracketed["head"])),)
    match = _CHOICE.fullmatch(value)
    return () if match is None else tuple(f"{match['head']} {last}".lower() for last in (match["one"], match["other"]))


def spelled_missing(column: ColumnProfile) -> tuple[str, ...]:
    """Return the values of a column of texts that say that there is none, such as "?"."""
    texts = (value for value in (*column.values, *column.more) if isinstance(value, str))
    return tuple(value for value in texts if is_missing_word(value))


SHORTEST_NAME = 4
"""A shorter name is too often another word: "oman" is none, "us" is."""
_SHORTEST_WORD = 3
"""A name with a shorter word, such as the "of" in some, is not looked for."""


def names_of_countries(profile: Profile) -> Iterator[tuple[str, str, str]]:
    """Yield each lower-case name of a country in a column that holds such, with the column and its value there."""
    for column in profile.columns:
        if column.kind is Kind.COUNTRY:
            for value in map(str, column.values):
                yield from ((name, column.name, value) for name in _names().get(value.strip().casefold(), ()))


@lru_cache(maxsize=1)
def _names() -> dict[str, tuple[str, ...]]:
    text = files("jupyter_mcpgen.data").joinpath("countries.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    found: dict[str, tuple[str, ...]] = {}
    for row in rows:
        names = tuple(name.casefold() for name in row[2:] if _is_telling(name))
        found |= {spelled.casefold(): names for spelled in row}
    return found


def _is_telling(name: str) -> bool:
    words = name.replace("-", " ").split()
    return len(name) >= SHORTEST_NAME and all(word.isalpha() and len(word) >= _SHORTEST_WORD for word in words)
