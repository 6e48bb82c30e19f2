"""What the lexicon says of a word: which order it asks for, which unit it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Degree(Enum):
    """How far an adjective goes: "hot", "hotter", "hottest"."""

    POSITIVE = "positive"
    COMPARATIVE = "comparative"
    SUPERLATIVE = "superlative"


@dataclass(frozen=True)
class Dimension:
    """An order that an adjective or adverb asks for.

    "Oldest" is two of them: the highest age, or the earliest birth.
    """

    lemma: str
    """The adjective, or what it denies: "happy" for "unhappy"."""
    concepts: tuple[str, ...]
    """What is ordered, the likeliest first; none where only `by_count` says it."""
    descending: bool
    """Whether the superlative means the largest value."""
    by_count: bool
    """Whether it may be about how often something is there: "busiest", "most popular"."""
    degree: Degree


@dataclass(frozen=True)
class Unit:
    """A unit of measurement: `value * factor + offset` is the value in the base unit."""

    name: str
    kind: str
    """What it measures, such as "length"; only units of one kind and base can be converted."""
    base: str
    factor: float
    offset: float
