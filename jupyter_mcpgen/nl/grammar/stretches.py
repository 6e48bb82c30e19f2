"""Years, quarters and months as stretches of time."""

from __future__ import annotations

from jupyter_mcpgen.nl.grammar.meanings import Period, Season
from jupyter_mcpgen.plan.expressions import DateUnit

_YEAR = DateUnit.START_OF_YEAR
_MONTHS_OF_QUARTER = 3
COMPARED = (DateUnit.START_OF_YEAR, DateUnit.START_OF_QUARTER, DateUnit.START_OF_MONTH)
"""Periods of which one may be compared with another."""


def year_of(year: int) -> Period:
    """Return a year."""
    return Period(f"{year:04}-01-01", f"{year + 1:04}-01-01", _YEAR)


def month_of(year: int, month: int) -> Period:
    """Return a month of a year."""
    following = (year + 1, 1) if month == 12 else (year, month + 1)
    return Period(f"{year:04}-{month:02}-01", f"{following[0]:04}-{following[1]:02}-01", DateUnit.START_OF_MONTH)


def quarter_of(year: int, quarter: int) -> Period:
    """Return a quarter of a year."""
    first = month_of(year, _MONTHS_OF_QUARTER * quarter - 2)
    return Period(first.start, month_of(year, _MONTHS_OF_QUARTER * quarter).end, DateUnit.START_OF_QUARTER)


def of_year(season: Season, period: Period) -> Period | None:
    """Return a month or quarter in the year of another: the "March" of "March or May 2020"."""
    if len(season.numbers) != 1 or period.unit not in COMPARED:
        return None
    year, number = int(period.start[:4]), season.numbers[0]
    if season.unit is DateUnit.MONTH and period.unit is DateUnit.START_OF_MONTH:
        return month_of(year, number)
    if season.unit is DateUnit.QUARTER and period.unit is DateUnit.START_OF_QUARTER:
        return quarter_of(year, number)
    return None


def in_year(season: Season, period: Period) -> Period | None:
    """Return a month or quarter of every year in one year."""
    if period.unit is not DateUnit.START_OF_YEAR or len(season.numbers) != 1:
        return None
    make = {DateUnit.MONTH: month_of, DateUnit.QUARTER: quarter_of}.get(season.unit)
    return make(int(period.start[:4]), season.numbers[0]) if make is not None else None
