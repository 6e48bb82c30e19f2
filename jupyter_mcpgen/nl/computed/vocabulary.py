"""The words of a language for columns that a question computes, read from its data file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

from jupyter_mcpgen.plan.expressions import TimeUnit
from jupyter_mcpgen.plan.ops import WindowFunction
from jupyter_mcpgen.precomputed import words_of

Phrase = tuple[str, ...]
_OPTIONAL = re.compile(r"\(([^)]*)\)")


@dataclass(frozen=True)
class Vocabulary:
    """Units of time, phrases by what they mean, and single words."""

    units: Mapping[str, TimeUnit]
    phrases: Mapping[str, tuple[Phrase, ...]]
    """By key, longest first."""
    words: Mapping[str, str]
    lists: Mapping[str, tuple[str, ...]]
    figures: Mapping[str, WindowFunction]
    factors: Mapping[float, frozenset[str]]
    """Words for a number of times."""
    ends: tuple[tuple[str, str], ...]
    """Words in the names of two columns that hold where something begins and where it ends."""
    ends_nouns: frozenset[str]
    """Nouns for both ends at once, such as "route"."""
    classes: Mapping[str, Any]
    """Words about classes of a number; empty where the language has none."""
    scaled: Mapping[str, tuple[Phrase, ...]]
    """Phrases for values set in relation to all of a column, by key, longest first."""
    defined: Mapping[str, tuple[Phrase, ...]]
    """Phrases of sentences that define a column, by key, longest first."""


@lru_cache(maxsize=4)
def load_computed(language: str) -> Vocabulary | None:
    """Return a language's words, or None where it has none; read once per process."""
    tree = words_of(f"{language}_computed")
    if not tree:
        return None
    return Vocabulary(
        units={word: TimeUnit(unit) for unit, words in tree["units"].items() for word in words},
        phrases={key: tuple(_phrases(value)) for key, value in (tree["times"] | tree["compared"]).items()},
        words={key: value for key, value in tree["words"].items() if isinstance(value, str)},
        lists={
            key: tuple(value)
            for key, value in (tree["words"] | tree["arithmetic"]).items()
            if not isinstance(value, str)
        },
        factors={float(number): frozenset(words) for number, words in tree["factors"].items()},
        ends=tuple((first, second) for first, second in tree["ends"]["pairs"]),
        ends_nouns=frozenset(tree["ends"]["nouns"]),
        classes=tree.get("classes", {}),
        scaled={key: tuple(_phrases(value)) for key, value in tree.get("scaled", {}).items()},
        defined={key: tuple(_phrases(value)) for key, value in tree.get("defined", {}).items()},
        figures={word: WindowFunction(name) for name, words in tree["figures"].items() for word in words},
    )


def _phrases(written: list[str]) -> Iterator[Phrase]:
    """Yield phrases, longest first, with and without what stands in brackets."""
    found = {tuple(_filled(phrase, kept).split()) for phrase in written for kept in _choices(phrase)}
    yield from sorted(found, key=lambda phrase: (-len(phrase), phrase))


def _choices(phrase: str) -> Iterator[tuple[bool, ...]]:
    return product((True, False), repeat=len(_OPTIONAL.findall(phrase)))


def _filled(phrase: str, kept: tuple[bool, ...]) -> str:
    choices = iter(kept)
    return _OPTIONAL.sub(lambda found: found[1] if next(choices) else "", phrase)
