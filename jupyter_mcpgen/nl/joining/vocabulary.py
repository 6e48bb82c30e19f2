"""The words of questions over two tables, read from the language's data file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from jupyter_mcpgen.precomputed import words_of


class Way(StrEnum):
    """How two tables are to come together."""

    JOIN = "join"
    LEFT = "left"
    """A join that keeps the rows of the table that is named first."""
    RIGHT = "right"
    """A join that keeps the rows of the table that is named second."""
    INNER = "inner"
    OUTER = "outer"
    """A join that keeps the rows of both."""
    STACK = "stack"
    """One below the other."""
    EITHER = "either"
    """Joined or one below the other, as their columns say."""
    WITHOUT = "without"
    """The rows of the first that have no match."""
    HAVING = "having"
    """The rows of the first that have one."""
    BEYOND = "beyond"
    """A join that no plan can say."""
    WITH = "with"
    """Customers with orders are those that have some, orders with customers are joined with theirs."""


@dataclass(frozen=True)
class Vocabulary:
    """Phrases by where they stand and what they ask for, and closed lists of words."""

    places: Mapping[str, Mapping[Way, tuple[str, ...]]]
    words: Mapping[str, tuple[str, ...]]
    figures: Mapping[str, tuple[str, ...]]
    """Words for figures of one table beside the rows of another."""

    def way_of(self, place: str, phrase: str) -> Way:
        """Return what a phrase at a place asks for."""
        plain = " ".join(phrase.casefold().split())
        return next(way for way, phrases in self.places[place].items() if plain in phrases)

    def phrases(self, place: str) -> str:
        """Return a pattern of all phrases at a place."""
        return any_of(phrase for phrases in self.places[place].values() for phrase in phrases)

    def any(self, name: str) -> str:
        """Return a pattern of the words of a list."""
        return any_of(self.words[name])


def any_of(phrases: Iterable[str]) -> str:
    """Return a pattern of some phrases, the longest first."""
    ordered = sorted(set(phrases), key=lambda phrase: (-len(phrase), phrase))
    return "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in ordered)


@lru_cache(maxsize=4)
def load_vocabulary(language: str) -> Vocabulary | None:
    """Return a language's words, or None where it has none; read once per process."""
    tree = words_of(f"{language}_joins")
    if not tree:
        return None
    places = {
        place: {Way(way): tuple(phrases) for way, phrases in tree[place].items()}
        for place in ("verbs", "between", "behind", "nouns")
    }
    lists = {part: {name: tuple(words) for name, words in tree[part].items()} for part in ("words", "figures")}
    return Vocabulary(places=places, words=lists["words"], figures=lists["figures"])
