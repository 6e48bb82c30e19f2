"""The words of questions over two tables, by the part `joins` of a language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from jupyter_mcpgen.nl.lexicon.reading import parts


class Way(StrEnum):
    """How a question says that two tables come together."""

    LEFT = "left"
    """Joined, so that a row of the table with several rows for one of the other is there once."""
    KEEP_FIRST = "keep_first"
    """All rows of the table that is named first."""
    RIGHT = "right"
    INNER = "inner"
    OUTER = "outer"
    CROSS = "cross"
    STACK = "stack"
    EITHER = "either"
    """One below the other where they hold the same kind of rows, else joined."""
    ANTI = "anti"
    SEMI = "semi"


Phrase = tuple[str, ...]


@dataclass(frozen=True)
class Words:
    """Lists of phrases, and the ways that phrases at a place ask for, the longest phrases first."""

    lists: Mapping[str, tuple[Phrase, ...]]
    ways: Mapping[str, tuple[tuple[Phrase, Way], ...]]

    def length(self, name: str, said: Sequence[str]) -> int:
        """Return how many words of a list begin a text; 0 where none does."""
        return next((len(phrase) for phrase in self.lists[name] if tuple(said[: len(phrase)]) == phrase), 0)

    def says(self, name: str, word: str) -> bool:
        """Tell whether a word is on a list."""
        return (word,) in self.lists[name]


@lru_cache(maxsize=4)
def words_of(language: str) -> Words:
    """Return the words of a language."""
    tree = parts(language)["joins"]
    lists = {name: _longest_first(phrases) for name, phrases in tree["words"].items()}
    ways = {
        place: tuple((phrase, way) for phrase, way in _by_length(tree[place]))
        for place in ("verbs", "between", "behind")
    }
    return Words(lists, ways)


def _longest_first(phrases: Sequence[str]) -> tuple[Phrase, ...]:
    return tuple(sorted((tuple(phrase.split()) for phrase in phrases), key=len, reverse=True))


def _by_length(ways: Mapping[str, Sequence[str]]) -> list[tuple[Phrase, Way]]:
    found = [(tuple(phrase.split()), Way(way)) for way, phrases in ways.items() for phrase in phrases]
    return sorted(found, key=lambda one: len(one[0]), reverse=True)
