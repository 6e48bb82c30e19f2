"""Invented values for a person's columns, for small tables that travel with a tool: none of them is from the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, assert_never

import pandas as pd

from jupyter_mcpgen.data.with_columns import with_columns
from jupyter_mcpgen.model.profile import ColumnProfile, Profile, Role
from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.moments import ClockWriting, CountedUnit, CountedWriting, DigitsWriting, ZonedWriting
from jupyter_mcpgen.plan.number_writing import NumberWriting
from jupyter_mcpgen.plan.schema import ColumnType, Field
from jupyter_mcpgen.plan.writings import TruthWriting, Writing

Wanted = Mapping[str, Sequence[Any]]
_WORDS = ("alpha", "beta", "gamma", "delta")
_NUMBERS = (1, 9)
_DAYS = pd.Timestamp("2023-11-15"), pd.Timestamp("2024-03-15")
_NEAR = 4
"""How far invented numbers lie around a constant that a condition compares them with."""
_NEAR_DAYS = pd.Timedelta(days=60)
_SECONDS = 1_704_067_200
"""The first second of 2024, counted from 1970."""
_DIGITS = (20_240_101, 20_240_128)
_DIGITS_YEAR_LAST = (1_012_010, 1_012_040)
"""The first of January, of one year after the other."""
_SPREADSHEET_DAYS = (45_292, 45_352)
_CLOCKS = {"h:mm:ss": ("0:45:10", "1:30:05", "2:00:00"), "h:mm": ("0:45", "1:30", "2:00"), "m:ss": ("0:45", "1:30")}


def invented(profile: Profile, wanted: Wanted, writings: Mapping[str, Writing]) -> Profile:
    """Return a profile of the same columns whose values and bounds are made up.

    `wanted` holds constants to draw numbers and dates around, `writings` says how a column is written that is read.
    """
    known = {column.name: column for column in profile.columns}
    columns = tuple(
        _invented(
            field, known[field.name], wanted.get(field.name, ()), writings.get(field.name) or _way(known[field.name])
        )
        for field in profile.schema_.fields
    )
    return Profile(name=profile.name, schema_=profile.schema_, rows=0, columns=columns)


def rounded(frame: pd.DataFrame, wanted: Wanted) -> pd.DataFrame:
    """Return a table whose real numbers end in 0 or 5 after the point, so that it is easy to read."""
    halves = {}
    for name in frame.select_dtypes("float64").columns:
        column = frame[name]
        halves[name] = column.where(column.isin(list(wanted.get(name, ()))), (column * 2).round() / 2)
    return with_columns(frame, halves)


def _invented(field: Field, known: ColumnProfile, wanted: Sequence[Any], writing: Writing | None) -> ColumnProfile:
    low, high = _bounds(field.type, known, wanted, writing)
    return ColumnProfile(
        name=field.name,
        role=Role.IDENTIFIER if known.role is Role.IDENTIFIER and not wanted and writing is None else Role.CATEGORY,
        nulls=min(known.nulls, 1),
        distinct=0,
        values=_words(writing) if field.type is ColumnType.TEXT else (),
        minimum=low,
        maximum=high,
    )


def _way(known: ColumnProfile) -> Writing | None:
    """Return how the texts of a column are written, if they write something."""
    return known.written[0].writing if known.written else None


def _bounds(type_: ColumnType, known: ColumnProfile, wanted: Sequence[Any], writing: Writing | None) -> tuple[Any, Any]:
    match type_:
        case ColumnType.INTEGER | ColumnType.REAL:
            if isinstance(writing, CountedWriting):
                if writing.unit is CountedUnit.SPREADSHEET_DAYS:
                    return _SPREADSHEET_DAYS
                per = writing.unit.per_second
                return _SECONDS * per, (_SECONDS + 60 * 86_400) * per
            if isinstance(writing, DigitsWriting):
                return _DIGITS if writing.format == "%Y%m%d" else _DIGITS_YEAR_LAST
            numbers = [float(value) for value in wanted]
            return (min(numbers) - _NEAR, max(numbers) + _NEAR) if numbers else _NUMBERS
        case ColumnType.DATE:
            days = [pd.Timestamp(value) for value in wanted]
            low, high = (min(days) - _NEAR_DAYS, max(days) + _NEAR_DAYS) if days else _DAYS
            return (low, high) if _has_days_only(known) else (low, high + pd.Timedelta(hours=1))
        case ColumnType.TEXT | ColumnType.BOOLEAN:
            return None, None
        case _:
            assert_never(type_)


def _has_days_only(known: ColumnProfile) -> bool:
    ends = [pd.Timestamp(end) for end in (known.minimum, known.maximum) if end is not None]
    return all(end == end.normalize() for end in ends)


def _words(writing: Writing | None) -> tuple[str, ...]:
    """Return texts that write something where they are read so, and otherwise words."""
    match writing:
        case None | CountedWriting() | DigitsWriting():
            return _WORDS
        case NumberWriting(decimal=point, prefixes=prefixes, suffixes=suffixes):
            before, after = (prefixes or ("",))[0], (suffixes or ("",))[0]
            return tuple(f"{before}{number}{point}5{after}" for number in (1, 20, 3, 45))
        case DateWriting(months=months):
            shape = writing.format.replace("%z", "+0000")
            days = (pd.Timestamp(2023, 12, 30), pd.Timestamp(2024, 1, 5), pd.Timestamp(2024, 2, 17))
            return tuple(_in_language(day.strftime(shape), months) for day in days)
        case TruthWriting(true=true, false=false):
            return true[0], false[0]
        case ZonedWriting():
            return "2023-12-30T10:00:00Z", "2024-01-05T23:30:00Z", "2024-02-17T00:15:00Z"
        case ClockWriting(parts=parts):
            return _CLOCKS[parts]
        case _:
            assert_never(writing)


def _in_language(text: str, months: Mapping[str, str]) -> str:
    for own, english in months.items():
        text = text.replace(english, own)
    return text
