"""How the values of one column read in a terminal: one number of decimals, one way to write dates, as on the page."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

MISSING = "–"
"""What stands for a missing value."""
_NAMES = re.compile(r"(^|_)(year|yr|id|code|zip|postcode|no)$", re.IGNORECASE)
"""Years and ids are names: a separator would make them amounts."""
_MOST_DECIMALS = 6
_LARGE_WHOLE = re.compile(r"-?\d{16,}")
_MIDNIGHT = "T00:00:00"


def written(name: str, kind: str, values: Sequence[Any]) -> list[str]:
    """Return the values of a column as a person writes them; `kind` is the column's type in the table."""
    write = _writer(name, kind, [value for value in values if value is not None])
    return [MISSING if value is None else write(value) for value in values]


def _writer(name: str, kind: str, values: Sequence[Any]) -> Callable[[Any], str]:
    if kind == "date":
        cut = _date_cut(name, [value for value in values if isinstance(value, str)])
        return lambda value: str(value)[:cut].replace("T", " ")
    if kind not in ("integer", "real"):
        return str
    separated = not _NAMES.search(name)
    numbers = [float(value) for value in values if isinstance(value, (int, float)) and math.isfinite(value)]
    if all(map(float.is_integer, numbers)):
        return partial(_whole, separated=separated)
    return partial(_real, decimals=_decimals(numbers))


def _whole(value: Any, *, separated: bool) -> str:
    if isinstance(value, str) and _LARGE_WHOLE.fullmatch(value):  # travels as text, because a number would round it
        value = int(value)
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        return str(value)
    return f"{int(value):,}" if separated else str(int(value))


def _real(value: Any, decimals: int) -> str:
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        return str(value)
    if value and abs(value) < 0.5 * 10**-decimals:  # a small amount never reads as none
        return f"{value:.2g}"
    return f"{value:,.{decimals}f}"


def _decimals(numbers: Sequence[float]) -> int:
    """Return four digits of the largest value, at least two decimals, and no zeros that stand at every end."""
    largest = max(map(abs, numbers))
    wanted = 3 - math.floor(math.log10(largest)) if largest else 0
    most = min(max(wanted, 2), _MOST_DECIMALS)
    return max(len(f"{value:.{most}f}".rstrip("0").partition(".")[2]) for value in numbers)


def _date_cut(name: str, dates: Sequence[str]) -> int:
    """Return how much of an ISO date says something: a year, a month, a day, or the time to the minute or second."""
    days = [date.removesuffix(_MIDNIGHT) for date in dates]
    if name.casefold().endswith("year") and all(day.endswith("-01-01") for day in days):
        return 4
    if name.casefold().endswith("month") and all(day.endswith("-01") for day in days):
        return 7
    if not any("T" in day for day in days):
        return 10
    return 16 if all(re.search(r"T\d\d:\d\d:00$", date) for date in dates) else 19
