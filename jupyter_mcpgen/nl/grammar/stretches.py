"""Years, quarters and months as stretches of time."""

from __future__ import annotations

import calendar
from contextlib import suppress
from datetime import date, timedelta

from jupyter_mcpgen.nl.grammar.meanings import Period, Season
from jupyter_mcpgen.plan.expressions import DateUnit

_YEAR = DateUnit.START_OF_YEAR
_MONTHS_OF_QUARTER = 3
_DAYS_OF = {DateUnit.START_OF_DAY: 1, DateUnit.START_OF_WEEK: 7}
_MONTHS_OF = {DateUnit.START_OF_MONTH: 1, DateUnit.START_OF_QUARTER: _MONTHS_OF_QUARTER, _YEAR: 12}
COMPARED = (DateUnit.START_OF_YEAR, DateUnit.START_OF_QUARTER, DateUnit.START_OF_MONTH)
"""Periods of which one may be compared with another."""


def year_of(year: int) -> Period:
    """Return a year."""
    return Period(f"{year:04}-01-01", _first_of(year + 1, 1), _YEAR)


def month_of(year: int, month: int) -> Period:
    """Return a month of a year."""
    following = (year + 1, 1) if month == 12 else (year, month + 1)
    return Period(f"{year:04}-{month:02}-01", _first_of(*following), DateUnit.START_OF_MONTH)


def _first_of(year: int, month: int) -> str:
    """Return the first day of a month; nothing behind the end of the calendar, so that the stretch is open."""
    return f"{year:04}-{month:02}-01" if year <= date.max.year else ""


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


def period_with(day: str, unit: DateUnit) -> Period | None:
    """Return the year, quarter or month that a day lies in."""
    size = _MONTHS_OF.get(unit)
    if size is None:
        return None
    start = date(int(day[:4]), (int(day[5:7]) - 1) // size * size + 1, 1)
    end = _moved(start, 1, unit)
    return Period(start.isoformat(), end.isoformat(), unit) if end is not None else None


def up_to(last: str) -> Period | None:
    """Return all time up to the end of a day; None for the last day of the calendar."""
    end = _moved(date.fromisoformat(last[:10]), 1, DateUnit.START_OF_DAY)
    return Period(date.min.isoformat(), end.isoformat()) if end is not None else None


def end_of(period: Period, number: int, unit: DateUnit, *, last: bool) -> Period | None:
    """Return the first or last so many days, weeks or months of a period."""
    start, end = date.fromisoformat(period.start), date.fromisoformat(period.end)
    inner = _moved(end, -number, unit) if last else _moved(start, number, unit)
    if inner is None:
        return None
    return Period(inner.isoformat(), period.end) if last else Period(period.start, inner.isoformat())


def _moved(day: date, number: int, unit: DateUnit) -> date | None:
    """Return the day so many days, weeks or months away, the last of a month where that has fewer days.

    None for a unit that is no stretch of days, and for a day that is not in the calendar.
    """
    if unit in _DAYS_OF:
        with suppress(OverflowError):
            return day + timedelta(days=number * _DAYS_OF[unit])
    if unit not in _MONTHS_OF:
        return None
    months = day.year * 12 + day.month - 1 + number * _MONTHS_OF[unit]
    year, month = months // 12, months % 12 + 1
    if not date.min.year <= year <= date.max.year:
        return None
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))
