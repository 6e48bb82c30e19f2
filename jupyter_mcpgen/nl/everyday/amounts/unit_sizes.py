"""How large units of measure are beside one another: a mile has 1.609344 km, and an hour 60 minutes."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

TIME = "time"
"""What units of hours and minutes measure."""
_LENGTHS = {
    "mm": Fraction(1),
    "cm": Fraction(10),
    "m": Fraction(1_000),
    "km": Fraction(1_000_000),
    "in": Fraction("25.4"),
    "ft": Fraction("304.8"),
    "mi": Fraction(1_609_344),
}
_MASSES = {"g": Fraction(1), "kg": Fraction(1_000), "t": Fraction(1_000_000), "lb": Fraction("453.59237")}
_ALIKE: Mapping[str, Mapping[str, Fraction | int]] = {
    TIME: {"ms": Fraction(1, 1_000), "s": 1, "min": 60, "h": 3_600, "d": 86_400},
    "mass": _MASSES,
    "length": _LENGTHS,
    "volume": {"ml": 1, "l": 1_000},
    "energy": {"wh": 1, "kwh": 10**3, "mwh": 10**6, "gwh": 10**9},
    "calendar": {"mo": 1, "y": 12},
}
SIZES = {unit: (kind, Fraction(size)) for kind, sizes in _ALIKE.items() for unit, size in sizes.items()}
"""What units measure, and how large they are beside one another."""
_DEGREES = {("c", "f"): ("1.8", "32")}
"""Degrees that are others times one number plus another."""
_PRIMES_OF_TEN = (2, 5)


def in_decimals(factor: Fraction) -> tuple[str, str] | None:
    """Return whether to multiply or to divide by a factor, and the number in full; None where neither is exact."""
    ways = (("times", factor), ("divided", 1 / factor))
    exact = [(way, number) for way, number in ways if _ends(number.denominator)]
    above = [(way, number) for way, number in exact if number >= 1]
    for way, number in (*above, *exact):
        return way, str(number) if number.denominator == 1 else f"{float(number):.12g}"
    return None


def _ends(denominator: int) -> bool:
    """Tell whether a fraction with such a denominator has an end when it is written in decimals."""
    for prime in _PRIMES_OF_TEN:
        while denominator % prime == 0:
            denominator //= prime
    return denominator == 1


def other_degrees(own: str, wanted: str) -> tuple[str, str] | None:
    """Return what degrees are multiplied by and what is added, to be others; None where they are no such two."""
    return _DEGREES.get((own, wanted))
