"""Figures as sentences have them."""

from __future__ import annotations


def in_seconds(number: float) -> str:
    """Return a time in words: `1 second`, `2.5 seconds`."""
    return f"{number:g} second{'' if number == 1 else 's'}"


def in_digits(figure: float) -> str:
    """Return a figure with separators, with two decimals where it is not whole: `1,200`, `0.50`."""
    return f"{figure:,.0f}" if float(figure).is_integer() else f"{figure:,.2f}"
