"""How likely one of k candidates is right that are drawn at random from those that were written."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

K_VALUES = (1, 5, 10)


def calculate_pass_at_k(n: int, c: int, k_values: Sequence[int] = K_VALUES) -> dict[int, float | None]:
    """Return pass@k for each k, where c of n candidates are right; None where k is more than there are.

    It says how well candidates are written, and not how good the one is that was chosen.
    """
    if not 0 <= c <= n:
        raise ValueError(f"{c} of {n} candidates cannot be right.")
    if wrong := [k for k in k_values if k < 1]:
        raise ValueError(f"k must be at least 1, not {wrong[0]}.")
    return {k: _pass_at(n, c, k) if k <= n else None for k in k_values}


def _pass_at(n: int, c: int, k: int) -> float:
    ways = comb(n, k)
    return (ways - comb(n - c, k)) / ways  # whole numbers until the end, so that nothing is rounded twice
