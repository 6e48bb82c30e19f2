"""The values that a table's text columns hold, by the words by which a question names them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from jupyter_mcpgen.model.profile import ColumnProfile, Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.words.countries import names_of_countries
from jupyter_mcpgen.plan.missing_words import is_missing_word
from jupyter_mcpgen.plan.schema import ColumnType

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
