"""How the texts of a column are written where a person said which marks and orders hold for their file.

What is said settles what would be asked; what contradicts the cells is refused with the first of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from jupyter_mcpgen.data.date_formats import is_day_first, read_dates
from jupyter_mcpgen.data.written_numbers import read_numbers
from jupyter_mcpgen.errors import DataError
from jupyter_mcpgen.model.profile import ColumnProfile
from jupyter_mcpgen.model.request import DAY_FIRST, MONTH_FIRST, ReadOptions
from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.number_writing import NumberWriting
from jupyter_mcpgen.plan.writings import Writing

_READABLE = 0.8
_OPTIONS = {"decimal": "--decimal", "thousands": "--thousands", "dates": "--dates"}


def settled(ways: Sequence[Writing], name: str, column: pd.Series, said: ReadOptions) -> tuple[Writing, ...]:
    """Return which of the ways that were found for a column hold; raises `DataError` where what is said holds in none.

    `column` has the texts row by row.
    """
    kept = tuple(ways)
    if said.dates is not None:
        kept = _dated(kept, name, column, said.dates)
    numbers = [way for way in kept if isinstance(way, NumberWriting)]
    if said.mark is not None:
        _require_marks(numbers, name, column, "decimal", said.mark)
    if said.thousands is not None:
        _require_marks(numbers, name, column, "thousands", said.thousands)
    return kept


def require_format(table: str, columns: Sequence[ColumnProfile], frame: pd.DataFrame, said: ReadOptions) -> None:
    """Raise `DataError` where a format of dates is said, and no column of a table writes its dates in it."""
    if said.dates is None or not _is_format(said.dates):
        return
    dated = {
        place: one.writing.format
        for place, column in enumerate(columns)
        for one in column.written
        if isinstance(one.writing, DateWriting)
    }
    if said.dates in dated.values():
        return
    for place in dated:
        column = frame.iloc[:, place]
        raise _contradiction(columns[place].name, column, column.notna(), "dates", said.dates)
    raise DataError(
        f"No column of `{table}` has dates such as `{said.dates}` writes them. Say what does, or let the file decide "
        "with `--dates auto`."
    )


def _is_format(dates: str) -> bool:
    return dates not in (DAY_FIRST, MONTH_FIRST)


def _dated(ways: tuple[Writing, ...], name: str, column: pd.Series, dates: str) -> tuple[Writing, ...]:
    if _is_format(dates):
        return _in_format(ways, column, dates)
    dated = [way for way in ways if isinstance(way, DateWriting)]
    kept = tuple(way for way in dated if is_day_first(way) in (dates == DAY_FIRST, None))
    if dated and not kept:
        late = read_dates(column, dated[0]).dt.day > 12  # the day that cannot be a month
        raise _contradiction(name, column, late, "dates", dates)
    return kept if dated else ways


def _in_format(ways: tuple[Writing, ...], column: pd.Series, format_: str) -> tuple[Writing, ...]:
    """Return the format that is said, for a column whose texts are written so; other columns may have others."""
    if any(not isinstance(way, DateWriting) for way in ways):
        return ways
    writing = DateWriting(format=format_)
    words = column.dropna()
    reads = int(read_dates(words, writing).notna().sum())
    found = max((int(read_dates(words, way).notna().sum()) for way in ways if isinstance(way, DateWriting)), default=0)
    return (writing,) if reads and reads >= max(found, _READABLE * len(words)) else ways


def _require_marks(ways: Sequence[NumberWriting], name: str, column: pd.Series, option: str, said: str) -> None:
    """Raise `DataError` for numbers that can only be read with another mark than the one that is said."""
    if not ways or any(getattr(way, option) == said for way in ways):
        return
    mark = getattr(ways[0], option)
    other = ways[0].model_copy(update={option: ""} if option == "thousands" else {"decimal": said, "thousands": mark})
    has_mark = column.str.contains(mark, regex=False, na=False) if mark else column.isna() & column.notna()
    wrong = has_mark & read_numbers(column, ways[0]).notna() & read_numbers(column, other).isna()
    if wrong.any():
        raise _contradiction(name, column, wrong, option, said)


def _contradiction(name: str, column: pd.Series, wrong: pd.Series, option: str, said: str) -> DataError:
    place = int(wrong.fillna(value=False).to_numpy().argmax())
    row = int(column.index[place]) + 1  # of a large table only some rows are looked at
    return DataError(
        f"`{_OPTIONS[option]} {said}` does not hold for `{name}`: row {row:,} is `{column.iloc[place]}`. Say what "
        f"does, or let the file decide with `{_OPTIONS[option]} auto`."
    )
