"""Column names that shorten a word: `pop` for "population", `mgr` for "manager", `pclass` for "class"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

SHORTEST = 3
"""An abbreviation has at least this many letters."""
LEAST_LEFT_OUT = 3
"""What begins a word and leaves out fewer letters than this is rather another word."""
_VOWELS = frozenset("aeiouy")
_NOT_NOUNS = ("able", "ed", "est", "ful", "ing", "ive", "less", "ly", "ous")
"""Endings of words that name no column, whatever they begin with."""
_WHOLE = frozenset(
    {
        "air", "app", "arm", "art", "bag", "bar", "bat", "bed", "bid", "bin", "bit", "box", "bus", "cab", "can", "cap",
        "car", "cat", "cost", "cup", "cut", "day", "den", "dog", "ear", "egg", "end", "eye", "fact", "fan", "fat",
        "fin", "fit", "form", "fun", "gas", "gun", "hall", "hat", "head", "heat", "hit", "host", "ink", "jet", "job",
        "kit", "lab", "land", "leg", "lot", "man", "map", "mark", "mat", "men", "met", "mill", "mon", "net", "nut",
        "oil", "pan", "par", "part", "pen", "pet", "pin", "pit", "plan", "plant", "pool", "port", "post", "pot",
        "rain", "rat", "red", "rest", "rod", "row", "run", "sat", "sea", "sect", "set", "sum", "sun", "tab", "tax",
        "team", "ten", "term", "tip", "ton", "top", "trip", "van", "war", "wed", "win", "work",
    }
)  # fmt: skip
"""Short words that are no abbreviations of longer ones."""
_ONSETS = frozenset(
    {
        "bl", "br", "ch", "cl", "cr", "cz", "dr", "dw", "fj", "fl", "fr", "gh", "gl", "gn", "gr", "kl", "kn",
        "kr", "ll", "mc", "ph", "pl", "pr", "ps", "rh", "sc", "sh", "sk", "sl", "sm", "sn", "sp", "sq", "sr",
        "st", "sv", "sw", "th", "ts", "tr", "tw", "vl", "wh", "wr", "zw",
    }
)  # fmt: skip
"""Two consonants that a word may begin with."""


UNLIKELY_WORD = 4
"""A listed short form of at least this many letters is known also where it is the whole name of a column."""


def written_in_names(names: Iterable[tuple[str, ...]], listed: Mapping[str, str]) -> Mapping[str, str]:
    """Return the listed short forms that columns' names use, with what they stand for: `int` of `int_rate`.

    None of a table that has the whole word in a name as well; a short one alone may be a word of its own: `int`.
    """
    words = tuple(names)
    whole = {word for own in words for word in own}
    used = {word for own in words for word in own if len(own) > 1 or len(word) >= UNLIKELY_WORD}
    return {word: listed[word] for word in used & listed.keys() if listed[word] not in whole}


@lru_cache(maxsize=16_384)
def shortens(short: str, word: str) -> bool:
    """Tell whether a column's lower-case word is a short form of a longer English noun, or has one letter before it."""
    return _begins(short, word) or _is_skeleton(short, word) or _has_a_letter_before(short, word)


def _begins(short: str, word: str) -> bool:
    """Return whether a word is cut off behind a consonant, as in `temp` and `exp`."""
    return (
        len(short) >= SHORTEST
        and len(word) - len(short) >= LEAST_LEFT_OUT
        and word.startswith(short)
        and short[-1] not in _VOWELS
        and short not in _WHOLE
        and not word.endswith(_NOT_NOUNS)
    )


def _is_skeleton(short: str, word: str) -> bool:
    """Return whether a word's vowels are left out, as in `qty` and `mgr`."""
    if len(short) < SHORTEST or len(word) <= len(short) or short[0] != word[0] or set(short[:-1]) & _VOWELS:
        return False
    letters = iter(word)
    return short[-1] == word[-1] and all(letter in letters for letter in short)


def _has_a_letter_before(short: str, word: str) -> bool:
    """Return whether one letter stands before a word where no word begins so, as in `pclass`."""
    return len(word) > SHORTEST and short[1:] == word and short[:2] not in _ONSETS and not set(short[:2]) & _VOWELS
