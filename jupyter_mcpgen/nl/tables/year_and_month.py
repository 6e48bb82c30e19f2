"""A year in one column and a month in another, and the first day of each month that they make together."""

from __future__ import annotations

import calendar
import datetime as dt
from dataclasses import dataclass

from jupyter_mcpgen.model.profile import FIRST_PLACE, ColumnProfile, Profile, Role
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.plan.expressions import (
    Arithmetic,
    ArithmeticOp,
    Case,
    Col,
    Compare,
    CompareOp,
    DateUnit,
    Expression,
    Lit,
    When,
)
from jupyter_mcpgen.plan.schema import ColumnType, Field, Schema

MONTHS = 12
_OF_A_YEAR, _OF_A_MONTH, _FIRST_DAY = 10_000, 100, 1
_WITH_FOUR_DIGITS = range(1000, 10_000)


@dataclass(frozen=True)
class YearAndMonth:
    """The column of years and the one of months, and the number of the month that each of its values means."""

    year: str
    month: str
    numbers: tuple[tuple[object, int], ...]


def year_and_month(context: Context) -> YearAndMonth | None:
    """Return the one year and the one month of the rows of a table that has no dates."""
    dated = context.dates or any(way.type is ColumnType.DATE for one in context.profile.columns for way in one.written)
    if dated or len(context.years) != 1 or not _whole_years(context.column(context.years[0])):
        return None
    found = [(name, numbers) for name in context.column_words if (numbers := _months_of(name, context))]
    return YearAndMonth(context.years[0], *found[0]) if len(found) == 1 else None


def _whole_years(known: ColumnProfile) -> bool:
    ends = (known.minimum, known.maximum)
    return all(isinstance(end, int) and end in _WITH_FOUR_DIGITS for end in ends)


def _months_of(name: str, context: Context) -> tuple[tuple[object, int], ...]:
    """Return the number of each value of a column that is called a month and holds nothing else; else nothing."""
    month = m.Unit(DateUnit.START_OF_MONTH)
    if not any(month in context.lexicon.meanings(word) for word in context.column_words[name]):
        return ()
    known = context.column(name)
    values = (*known.values, *known.more)
    if not known.complete or not 1 < known.distinct == len(values) <= MONTHS:
        return ()
    numbers = [_number_of(value, context) for value in values]
    known_numbers = [one for one in numbers if one is not None]
    return tuple(zip(values, known_numbers, strict=True)) if len(set(known_numbers)) == len(values) else ()


def _number_of(value: object, context: Context) -> int | None:
    if isinstance(value, str):
        return context.lexicon.months.get(value.strip().casefold())
    return value if isinstance(value, int) and 1 <= value <= MONTHS else None


def digits_of(pair: YearAndMonth) -> Expression:
    """Return the number that has the digits of the first day of a month: 20230701."""
    month: Expression = Col(name=pair.month)
    if any(isinstance(value, str) for value, _ in pair.numbers):
        in_order = sorted(pair.numbers, key=lambda one: one[1])
        branches = tuple(When(condition=_is(pair.month, str(v)), value=_whole(n)) for v, n in in_order)
        month = Case(branches=branches)
    years = Arithmetic(op=ArithmeticOp.MULTIPLY, left=Col(name=pair.year), right=_whole(_OF_A_YEAR))
    months = Arithmetic(op=ArithmeticOp.MULTIPLY, left=month, right=_whole(_OF_A_MONTH))
    both = Arithmetic(op=ArithmeticOp.ADD, left=years, right=months)
    return Arithmetic(op=ArithmeticOp.ADD, left=both, right=_whole(_FIRST_DAY))


def _whole(value: int) -> Lit:
    return Lit(value=value, type=ColumnType.INTEGER)


def _is(column: str, value: str) -> Compare:
    return Compare(op=CompareOp.EQ, left=Col(name=column), right=Lit(value=value, type=ColumnType.TEXT))


def dated(profile: Profile, pair: YearAndMonth, name: str) -> Profile:
    """Return a table's profile with the day, under a name, in the place of its year and its month."""
    first, last = _ends(profile, pair)
    parts = {pair.year, pair.month}
    fields = tuple(field for field in profile.schema_.fields if field.name not in parts)
    columns = tuple(column for column in profile.columns if column.name not in parts)
    day = ColumnProfile(
        name=name, role=Role.TIME, nulls=0, distinct=max(2, profile.rows // 2), minimum=first, maximum=last
    )
    schema = Schema(fields=(Field(name=name, type=ColumnType.DATE), *fields))
    return profile.replace(schema_=schema, columns=(day, *columns))


def months_with_rows(context: Context) -> int:
    """Return how many months of how many years a table with a year and a month has; 0 where it has none."""
    pair = year_and_month(context)
    return len(_months_known(context.profile, pair)) if pair is not None else 0


def _months_known(profile: Profile, pair: YearAndMonth) -> list[tuple[int, int]]:
    """Return the months of years that have rows, in order; nothing where not all rows are known."""
    known = {column.name: column for column in profile.columns}
    year, month = known[pair.year], known[pair.month]
    years, months = ((*column.values, *column.more) for column in (year, month))
    if not year.places or not month.places or len(years) != year.distinct:
        return []
    numbers, missing = dict(pair.numbers), chr(FIRST_PLACE)
    rows = {row for row in zip(year.places, month.places, strict=True) if missing not in row}
    return sorted((years[_place(y)], numbers[months[_place(n)]]) for y, n in rows)


def _ends(profile: Profile, pair: YearAndMonth) -> tuple[str | None, str | None]:
    """Return the first day of the first month and the last day of the last one, where all rows are known."""
    months = _months_known(profile, pair)
    if not months:
        return None, None
    (start, first), (end, last) = months[0], months[-1]
    return str(dt.date(start, first, 1)), str(dt.date(end, last, calendar.monthrange(end, last)[1]))


def _place(letter: str) -> int:
    return ord(letter) - FIRST_PLACE - 1
