"""How alike two multisets are."""

from __future__ import annotations

from collections import Counter
from typing import TypeVar

T = TypeVar("T")


def shared(one: Counter[T], other: Counter[T]) -> int:
    """Return how many items both have; one that occurs twice in one and once in the other counts once."""
    few, many = sorted((one, other), key=len)
    return sum(min(count, many[item]) for item, count in few.items())


def likeness(one: Counter[T], other: Counter[T]) -> float | None:
    """Return twice the shared items in all items of both, from 0 to 1; None where neither has one."""
    total = one.total() + other.total()
    return 2 * shared(one, other) / total if total else None
