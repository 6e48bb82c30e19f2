"""Figures as sentences have them."""

from __future__ import annotations

from typing import Any

_NAMES = {
    "month": ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
    "weekday": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
}


def in_seconds(number: float) -> str:
    """Return a time in words: `1 second`, `2.5 seconds`."""
    return f"{number:g} second{'' if number == 1 else 's'}"


def in_calls(number: int) -> str:
    """Return a number of calls in words: `1 call`, `10 calls`."""
    return f"{number:,} call{'' if number == 1 else 's'}"


def in_time(seconds: float) -> str:
    """Return a time in words, in the largest unit that it has twice: `90 seconds`, `2 minutes`, `24 hours`."""
    for size, unit in ((3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return in_seconds(round(seconds, 1))


def in_milliseconds(number: float) -> str:
    """Return a short time in words: `0.4 ms`, `45 ms`, `1.2 seconds`."""
    if number >= 1000:
        return in_seconds(round(number / 1000, 1))
    return f"{number:.1f} ms" if number < 10 else f"{number:.0f} ms"


def in_digits(figure: float) -> str:
    """Return a figure with separators, with two decimals where it is not whole: `1,200`, `0.50`."""
    return f"{figure:,.0f}" if float(figure).is_integer() else f"{figure:,.2f}"


def typed_option(name: str, value: str) -> str:
    """Return an option as it is typed; a value with blanks stands in quotes."""
    return f'--{name} "{value}"' if " " in value else f"--{name} {value}"


def in_name(value: Any, kind: str) -> str | None:
    """Return the name of a month or a weekday, and a year without separators; None for a value of another kind."""
    if not isinstance(value, int):
        return None
    names = _NAMES.get(kind, ())
    return names[value - 1] if 0 < value <= len(names) else str(value) if kind == "year" else None
