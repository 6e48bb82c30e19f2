"""The time of the day in a column of texts beside the day in another: `Time` 18:30 of the `Date` 12/31/2024."""

from __future__ import annotations

import re

from jupyter_mcpgen.model.profile import ColumnProfile, Profile, Role, Written
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.schema import ColumnType

_CLOCKS = {
    "%H:%M": re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]"),
    "%H:%M:%S": re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"),
}
_NO_DAY = "1900-01-01T"
"""The day of a time that is read without one."""


def clock_beside_day(context: Context) -> tuple[str, Written] | None:
    """Return the one column of times of the day beside the one of days, with how it is read; else None."""
    dates = [one for one in context.profile.columns if one.role is Role.TIME or _writes_dates(one)]
    if len(dates) != 1 or dates[0].name in context.clocks or any(map(_has_time, dates[0].written)):
        return None
    found = [(one.name, way) for one in context.profile.columns if (way := _clock(one, context)) is not None]
    return found[0] if len(found) == 1 else None


def with_clock(profile: Profile, name: str, way: Written) -> Profile:
    """Return a profile in which the texts of a column may be read as times."""
    columns = tuple(one.replace(written=(way,)) if one.name == name else one for one in profile.columns)
    return profile.replace(columns=columns)


def _writes_dates(column: ColumnProfile) -> bool:
    return any(way.type is ColumnType.DATE for way in column.written)


def _has_time(way: Written) -> bool:
    return not isinstance(way.writing, DateWriting) or way.writing.has_time


def _clock(column: ColumnProfile, context: Context) -> Written | None:
    texts = [str(value) for value in (*column.values, *column.more)]
    if context.type_of(column.name) is not ColumnType.TEXT or column.written or not texts:
        return None
    for format_, pattern in _CLOCKS.items():
        if all(pattern.fullmatch(text) for text in texts):
            values = ColumnProfile(
                name=column.name,
                role=Role.TIME,
                nulls=column.nulls,
                distinct=column.distinct,
                minimum=_NO_DAY + min(texts),
                maximum=_NO_DAY + max(texts),
            )
            writing = DateWriting(format=format_)
            return Written(writing=writing, type=ColumnType.DATE, missing=0, unreadable=0, values=values)
    return None
