"""Looks at a result as a person asks for it: its rows in an order, and those that meet conditions."""

from __future__ import annotations

import calendar
import re
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.errors import DecisionError
from jupyter_mcpgen.model.view import Comparison, Condition, Order, View

if TYPE_CHECKING:
    import pandas as pd

_MOMENT = re.compile(r"\d{4}(-\d\d(-\d\d([ T]\d\d(:\d\d(:\d\d)?)?)?)?)?")
"""A date in ISO 8601 with as much of it as a person typed."""
_WHOLE = re.compile(r"[+-]?[0-9]{1,19}")
"""A whole number that may be exact in a column."""
_TRUE, _FALSE = ("true", "yes", "1"), ("false", "no", "0")
_NAMES = {"month": list(calendar.month_abbr)[1:], "weekday": list(calendar.day_abbr)}
"""The names that numbers of a column stand for, by the column's type on the card; a number counts them from 1."""


def seen(frame: pd.DataFrame, types: tuple[str, ...], view: View) -> pd.DataFrame:
    """Return the rows of a view; their index is their place in the frame, counted from 0.

    `types` are those of the card's columns. Raises `DecisionError` for a column that there is not, and for a value
    that a column of its type cannot be compared with.
    """
    rows = frame.reset_index(drop=True)
    kinds = dict(zip(map(str, rows.columns), types, strict=True))
    for condition in view.conditions:
        rows = rows[_meets(_column(rows, condition.column), kinds[condition.column], condition)]
    return rows if view.order is None else _ordered(rows, view.order)


def _column(rows: pd.DataFrame, name: str) -> pd.Series[Any]:
    """Return a column by the name that the card writes: those of a pivoted table may be numbers."""
    names = list(map(str, rows.columns))
    if name not in names:
        raise DecisionError(f"The result has no column `{name}`.")
    column: pd.Series[Any] = rows.iloc[:, names.index(name)]
    return column


def _ordered(rows: pd.DataFrame, order: Order) -> pd.DataFrame:
    """Return rows in an order, in which equal ones stay as they were; text is ordered without regard to case."""
    from pandas.api.types import is_object_dtype, is_string_dtype

    column = _column(rows, order.column)
    is_text = is_object_dtype(column) or is_string_dtype(column)
    keys = column.map(lambda value: str(value).casefold(), na_action="ignore") if is_text else column
    return rows.loc[keys.sort_values(ascending=not order.descending, kind="stable", na_position="last").index]


def _meets(column: pd.Series[Any], kind: str, condition: Condition) -> pd.Series[bool]:
    from pandas.api.types import is_bool_dtype, is_datetime64_any_dtype, is_numeric_dtype

    if condition.comparison is Comparison.MISSING:
        return column.isna()
    if condition.comparison is Comparison.PRESENT:
        return column.notna()
    typed = condition.value.strip()
    if is_bool_dtype(column):
        return column.notna() & (column == _truth(typed))
    if is_datetime64_any_dtype(column):
        return column.notna() & _compared(*_moments(column, typed), condition.comparison)
    if is_numeric_dtype(column) and condition.comparison is not Comparison.CONTAINS:
        return column.notna() & _compared(column, _number(typed, kind), condition.comparison)
    if kind in _NAMES:
        column = column.map(lambda number: _NAMES[kind][int(number) - 1], na_action="ignore")
    text = column.map(lambda value: str(value).casefold(), na_action="ignore")
    wanted = typed.casefold()
    if condition.comparison is Comparison.CONTAINS:
        return text.notna() & text.map(lambda value: isinstance(value, str) and wanted in value).astype(bool)
    return text.notna() & _compared(text.fillna(""), wanted, condition.comparison)


def _compared(column: pd.Series[Any], wanted: Any, comparison: Comparison) -> pd.Series[bool]:
    met: pd.Series[bool]
    match comparison:
        case Comparison.AT_LEAST:
            met = column >= wanted
        case Comparison.AT_MOST:
            met = column <= wanted
        case _:
            met = column == wanted
    return met


def _moments(column: pd.Series[Any], typed: str) -> tuple[pd.Series[Any], str]:
    """Return dates as texts with as much of them as was typed, so that a month is met by all of its days."""
    if _MOMENT.fullmatch(typed) is None:
        raise DecisionError(f"`{typed}` is not a date. Write one as 2024-03-31, or a part of one as 2024-03 or 2024.")
    texts = column.map(lambda moment: moment.isoformat(sep=" ")[: len(typed)], na_action="ignore")
    return texts.fillna(""), typed.replace("T", " ")


def _number(typed: str, kind: str) -> float:
    """Return what a number column is compared with: a number as the card writes it, or a name that one stands for.

    A whole number stays one, because a float has not all digits of a long id.
    """
    names = [name.casefold() for name in _NAMES.get(kind, ())]
    if typed[:3].casefold() in names:
        return names.index(typed[:3].casefold()) + 1
    digits = typed.replace(",", "")
    try:
        return int(digits) if _WHOLE.fullmatch(digits) else float(digits)
    except ValueError:
        raise DecisionError(f"`{typed}` is not a number. Write one as 1200 or 3.5.") from None


def _truth(typed: str) -> bool:
    if typed.casefold() not in (*_TRUE, *_FALSE):
        raise DecisionError(f"`{typed}` is neither true nor false.")
    return typed.casefold() in _TRUE
