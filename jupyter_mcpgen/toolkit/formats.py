"""How the dates and numbers of a chart are written, in the notation of d3."""

from __future__ import annotations

import math
import re
from typing import Any

import pandas as pd

_YEARS = "%Y"
_MONTHS = "%Y-%m"
_DAYS = "%Y-%m-%d"
_MINUTES = "%Y-%m-%d %H:%M"
_FEWEST_PERIODS = 2
_MOST_TICKS = 6
_MANY_YEARS = 8
_MANY_MONTHS = 4
_MANY_DAYS = 3
_MONTH_STEPS = (1, 2, 3, 6)
_NAMES_IN_NUMBERS = re.compile(r"(^|_)(year|yr|id|code|zip|postcode|no)$", re.IGNORECASE)
_MOST_DIGITS = 6


def is_date(column: pd.Series) -> bool:
    """Tell whether a column holds moments."""
    return pd.api.types.is_datetime64_any_dtype(column.dtype)


def is_name(column: str) -> bool:
    """Tell whether numbers in a column are names, such as years and ids: a separator would make them amounts."""
    return bool(_NAMES_IN_NUMBERS.search(column))


def date_format(dates: pd.Series) -> str:
    """Return how dates are written: no more of them than differs from the first of a year, of a month, or midnight.

    A single date is written as a day, because it may be one.
    """
    present = dates.dropna()
    if (present != present.dt.normalize()).any():
        return _MINUTES
    if (present.dt.day != 1).any() or present.nunique() < _FEWEST_PERIODS:
        return _DAYS
    return _MONTHS if (present.dt.month != 1).any() else _YEARS


def ticks_of_dates(dates: pd.Series) -> dict[str, Any]:
    """Return the format of a time's ticks, and how far apart they are, so that no two of them read the same."""
    shown = date_format(dates)
    days = 0 if dates.dropna().empty else (dates.max() - dates.min()).days
    if shown == _YEARS or days > _MANY_YEARS * 366:
        return {"format": _YEARS, "tickCount": {"interval": "year", "step": max(1, round(days / 366 / _MOST_TICKS))}}
    if shown == _MONTHS or days > _MANY_MONTHS * 31:
        step = next((step for step in _MONTH_STEPS if step >= days / 30 / _MOST_TICKS), 12)
        return {"format": _MONTHS, "tickCount": {"interval": "month", "step": step}}
    if shown == _DAYS or days > _MANY_DAYS:
        return {"format": _DAYS, "tickCount": {"interval": "day", "step": max(1, round(days / _MOST_TICKS))}}
    return {"format": shown}


def number_format(numbers: pd.Series) -> str:
    """Return how numbers are written: names as they are, amounts with separators and four digits of the smallest."""
    finite = numbers[numbers.abs() < float("inf")].astype("float64")
    if (finite == finite.round()).all():
        return "d" if is_name(str(numbers.name)) else ",d"
    digits = max(3 - math.floor(math.log10(finite[finite != 0].abs().min())), 2)
    return f",.{digits}~f" if digits <= _MOST_DIGITS else ",.4~g"


def written_texts(column: pd.Series) -> list[str]:
    """Return the values of a column as texts that can stand in a label."""
    values = column.dt.strftime(date_format(column)) if is_date(column) else column
    return ["–" if pd.isna(value) else str(value) for value in values]
