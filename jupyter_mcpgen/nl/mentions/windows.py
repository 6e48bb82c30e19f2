"""Which runs of words are looked at for the mention of a column or a value."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

MAX_MENTION = 6
"""The longest mention of a column or value, in words."""


def windows(length: int) -> Iterator[tuple[int, int]]:
    """Yield where each run of words that is short enough for a mention begins and ends."""
    for start, width in product(range(length), range(1, MAX_MENTION + 1)):
        if start + width <= length:
            yield start, start + width
