"""Finds each row of one table among the rows of another, in any order; real numbers match when they are close."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

RELATIVE_TOLERANCE = 1e-9
ABSOLUTE_TOLERANCE = 1e-12
"""Real numbers nearer to each other than this are equal: two engines add them in different orders."""
MOST_TRIED = 1_000
"""How many rows with the same labels are tried for one row: a table of numbers alone would take forever."""


def match_rows(wanted: pd.DataFrame, offered: pd.DataFrame) -> list[int] | None:
    """Return for each wanted row the place of an offered row that is equal to it, each place once.

    The first of several equal rows is taken first. None where a row has no match. Both have the same columns.
    """
    names = list(wanted.columns)
    real = [name for name in names if _is_real(wanted[name]) or _is_real(offered[name])]
    labels = [name for name in names if name not in real]
    own_labels, their_labels = _labels(wanted, labels), _labels(offered, labels)
    own_numbers, their_numbers = _numbers(wanted, real), _numbers(offered, real)
    places: defaultdict[tuple[Any, ...], list[int]] = defaultdict(list)
    for place, label in enumerate(their_labels):
        places[label].append(place)
    found: list[int] = []
    for label, numbers in zip(own_labels, own_numbers, strict=True):
        left = places[label]
        at = next((at for at, place in enumerate(left[:MOST_TRIED]) if _close(numbers, their_numbers[place])), None)
        if at is None:
            return None
        found.append(left.pop(at))
    return found


def is_close(one: float, other: float) -> bool:
    """Tell whether two real numbers are equal but for rounding; a missing one equals a missing one."""
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    return math.isclose(one, other, rel_tol=RELATIVE_TOLERANCE, abs_tol=ABSOLUTE_TOLERANCE)


def _close(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return all(map(is_close, one, other))


def _is_real(column: pd.Series[Any]) -> bool:
    from pandas.api.types import is_float_dtype

    return is_float_dtype(column)


def _numbers(table: pd.DataFrame, names: list[str]) -> list[tuple[float, ...]]:
    columns = [table[name].astype("float64").tolist() for name in names]
    return list(zip(*columns, strict=True)) if columns else [()] * len(table)


def _labels(table: pd.DataFrame, names: list[str]) -> list[tuple[Any, ...]]:
    """Return the values of each row that are no real numbers, missing ones as None, and moments without a zone."""
    columns = [_hashable(table[name]) for name in names]
    return list(zip(*columns, strict=True)) if columns else [()] * len(table)


def _hashable(column: pd.Series[Any]) -> list[Any]:
    from pandas.api.types import is_datetime64_any_dtype

    if is_datetime64_any_dtype(column):
        plain = column.dt.tz_localize(None) if column.dt.tz is not None else column
        column = plain.astype("datetime64[us]")
    present = column.notna()
    return [value if there else None for value, there in zip(column.tolist(), present, strict=True)]
