"""The words of questions for statistics, read from the language's data file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from jupyter_mcpgen.precomputed import words_of

Phrase = tuple[str, ...]


@dataclass(frozen=True)
class Vocabulary:
    """Each phrase with what it stands for, and the closed classes of words around them."""

    phrases: Mapping[Phrase, str]
    """What is asked for, a method, or `talk`, `unnamed_groups`, `groups_of` …, by the phrase that says it."""
    longest: int
    asks: frozenset[str]
    weak: frozenset[str]
    connectors: frozenset[str]
    pairing: frozenset[str]
    leading: frozenset[str]
    holding: frozenset[str]
    conjunction: str
    grouping: str
    choosing: frozenset[str]
    opposing: frozenset[str]
    parts: frozenset[str]
    percent: frozenset[str]
    """What a number is called that stands for a part of a hundred."""
    between: str


@lru_cache(maxsize=4)
def load_vocabulary(language: str) -> Vocabulary | None:
    """Return a language's words of statistics, or None where it has none; read once per process."""
    tree = words_of(f"{language}_statistics")
    if not tree:
        return None
    words = tree["words"]
    lists = {name: found for name, found in words.items() if isinstance(found, list) and name not in _CLASSES}
    phrases = {
        tuple(phrase.split()): name for name, found in (*lists.items(), *tree["asks"].items()) for phrase in found
    }
    return Vocabulary(
        phrases=phrases,
        longest=max(map(len, phrases)),
        asks=frozenset(tree["asks"]),
        weak=frozenset(words["weak"]),
        connectors=frozenset(words["connectors"]),
        pairing=frozenset(words["pairing"]),
        leading=frozenset(words["leading"]),
        holding=frozenset(words["holding"]),
        choosing=frozenset(words["choosing"]),
        opposing=frozenset(words["opposing"]),
        parts=frozenset(words["parts"]),
        conjunction=words["and"],
        grouping=words["by"],
        percent=frozenset(words["percent"]),
        between=words["between"],
    )


_CLASSES = frozenset(
    {"percent", "weak", "connectors", "pairing", "leading", "holding", "choosing", "opposing", "parts"}
)
