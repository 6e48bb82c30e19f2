"""Forms of words: stems, plurals, the words inside a column's name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from jupyter_mcpgen.precomputed import words_of

if TYPE_CHECKING:
    from snowballstemmer import Stemmer  # pragma: no cover

_PIECE = re.compile(
    r"(?<![^\W\d_])(?:[kMGT]?W|[kMGT]?Wh|mAh|[kMG]?Hz|k[VN]|pH|dB|m[LVAW])(?![^\W\d_])"  # units are one word
    r"|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-zß-öø-ÿ]+|[A-Z]+|\d+|[^\W\d_]+"
)

_OWNS = re.compile("['’]s$")

_IN_IE = frozenset({"movies", "cookies", "calories", "zombies", "rookies", "selfies", "smoothies", "ties", "pies"})
"""Plurals of nouns that end in "ie"."""
_IN_U = frozenset({"skus", "menus", "gurus", "emus"})
"""Plurals of words that end in u."""


@lru_cache(maxsize=8_192)
def split_name(name: str) -> tuple[str, ...]:
    """Return the words of a column name in lower case: snake_case, camelCase, spaces and digits are boundaries."""
    return tuple(piece.casefold() for piece in _PIECE.findall(name))


_SCALE = re.compile(r"(?:[01] ?[-–] ?|/ ?)(?:[3-9]|10|100)")
"""What stands in the place of a unit and says between which numbers a score lies."""


def words_of_name(name: str, unit: str | None) -> tuple[str, ...]:
    """Return the words of a column's name, at least one; the 5 of `Rating (1-5)` is one of its values and no word."""
    scored = split_name(name.rpartition(unit)[0]) if unit and _SCALE.fullmatch(unit) else ()
    return scored or split_name(name) or (name.casefold(),)  # a header such as "#" has no letter and no digit


def last_noun(name: str) -> str:
    """Return the last word of a name that is no number and no letter, "flights" of `flights_q1`; or nothing."""
    return next((word for word in reversed(split_name(name)) if len(word) > 1 and word.isalpha()), "")


def owner(words: str) -> str | None:
    """Return who owns what follows, for the words of a possessive: "store" for "store's"; None for other words."""
    bare = _OWNS.sub("", words)
    return bare if bare != words else None


@lru_cache(maxsize=8_192)
def singular(word: str) -> str:
    """Return an English noun without its plural ending; a light form that keeps `severity` apart from `severe`."""
    if word in _IN_IE or word in _IN_U:
        return word[:-1]
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 6 and word.endswith("uses") and word[-5] not in "oa":
        return word[:-2]
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def base_form(word: str, language: str) -> str:
    """Return a lower-case noun without its plural ending; outside English that is its stem."""
    return singular(word) if language == "english" else stem(word, language)


@lru_cache(maxsize=8_192)
def stem(word: str, language: str) -> str:
    """Return the stem of a lower-case word; remembered, because stemming takes longer than all else in reading."""
    found: str = _stemmer(language).stemWord(_irregular(language).get(word, word))
    return found


def is_irregular_past(word: str, language: str) -> bool:
    """Tell whether a lower-case word is the past of a verb that has no ending for it, such as "paid"."""
    return word in _irregular(language)


@lru_cache(maxsize=8)
def _irregular(language: str) -> Mapping[str, str]:
    """Return the verbs of which some forms are; none for a language whose file of them is not there."""
    verbs = words_of(f"irregular_{language}").get("forms", {})
    return {form: verb for verb, forms in verbs.items() for form in forms}


@lru_cache(maxsize=8)
def _stemmer(language: str) -> Stemmer:
    import snowballstemmer  # deferred: 20 ms

    return snowballstemmer.stemmer(language)
