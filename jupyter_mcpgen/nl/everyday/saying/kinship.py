"""Tells nouns and participles of one verb: "admissions" and `admitted`, "hires" and `hire_date`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

SHORTEST_ROOT = 4
"""Words that begin with fewer letters alike are of one verb only where one of them is no longer."""
LEAST_ROOT = 3


@dataclass(frozen=True, eq=False)
class Kinship:
    """How a language makes nouns and participles of its verbs."""

    endings: frozenset[str]
    irregular: Mapping[str, str]
    alone: frozenset[str]
    """Words that are of no verb's family: "date", "rate"."""


@lru_cache(maxsize=8_192)
def akin(first: str, second: str, kinship: Kinship) -> bool:
    """Tell whether two lower-case words are forms of one verb."""
    if first == second:
        return True
    if {first, second} & kinship.alone:
        return False
    irregular = kinship.irregular
    if irregular.get(first, first) == second or irregular.get(second, second) == first:
        return True
    root = _shared(first, second)
    if root < LEAST_ROOT or (root < SHORTEST_ROOT and root < min(len(first), len(second))):
        return False
    cuts = [cut for cut in (root, root - 1) if cut >= LEAST_ROOT]
    return any(first[cut:] in kinship.endings and second[cut:] in kinship.endings for cut in cuts)


def _shared(first: str, second: str) -> int:
    """Return how many letters two words begin with alike."""
    pairs = zip(first, second, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(first), len(second)))
