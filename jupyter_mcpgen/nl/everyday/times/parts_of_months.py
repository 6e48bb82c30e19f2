"""Weeks and parts of months: "the first week of October 2024", "the week of 2024-10-09", "week 40 of 2024"."""

from __future__ import annotations

import calendar
import datetime as dt

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.everyday.times.periods import LAST, days_of, has_dates, only_year

DAYS_OF_A_WEEK = 7
MIDDLE = 15
"""The last day of the first half of a month, however long it is."""


def part_of_month(said: Speech, table: Table) -> Speech | None:
    """Say "the first week of October 2024" and "the last 10 days of May" by their first and last days."""
    for found in said.find_each(table.wording("part_of_month")) if has_dates(table) else ():
        month = int(found.meant("month"))
        year = found["year"] or only_year(table, month, month)
        days = _days(found, int(year), month) if year is not None else None
        if year is not None and days is not None:
            first, last = (dt.date(int(year), month, day) for day in days)
            return _put(said, found, first, last, table)
    return None


def week_of_a_day(said: Speech, table: Table) -> Speech | None:
    """Say "the week of 2024-10-09" by its Monday and Sunday, "the week starting 2024-10-09" by 7 days from that one."""
    found = said.find(table.wording("week_of_a_day"))
    day = _date(found["date"]) if found is not None and has_dates(table) else None
    if found is None or day is None:
        return None
    first = day if found["from"] else day - dt.timedelta(days=day.weekday())
    return _put(said, found, first, first + dt.timedelta(days=DAYS_OF_A_WEEK - 1), table)


def numbered_week(said: Speech, table: Table) -> Speech | None:
    """Say "week 40 of 2024" by its days; weeks are numbered as in ISO 8601."""
    found = said.find(table.wording("numbered_week"))
    if found is None or not has_dates(table):
        return None
    try:
        first = dt.date.fromisocalendar(int(found["year"]), int(found.meant("n")), 1)
    except ValueError:
        return None  # the year has no such week
    return _put(said, found, first, first + dt.timedelta(days=DAYS_OF_A_WEEK - 1), table)


def _days(found: Found, year: int, month: int) -> tuple[int, int] | None:
    """Return the first and the last day of a part of a month."""
    length, nth = calendar.monthrange(year, month)[1], int(found.meant("nth"))
    if found["half"]:
        return {1: (1, MIDDLE), 2: (MIDDLE + 1, length), LAST: (MIDDLE + 1, length)}.get(nth)
    count = int(found.meant("n")) if found["n"] else DAYS_OF_A_WEEK
    if found["n"] and nth > 1:
        return None  # the second 10 days
    first = length - count + 1 if nth == LAST else (nth - 1) * count + 1
    return (first, first + count - 1) if count > 0 and 0 < first <= first + count - 1 <= length else None


def _date(text: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return None  # written in another way


def _put(said: Speech, found: Found, first: dt.date, last: dt.date, table: Table) -> Speech:
    note = f"“{found.text}” is taken to be from {first} to {last}."
    return said.put(found, table.say("days_between", first=str(first), last=str(last)), note)


def part_of_date_first(said: Speech, table: Table) -> Speech | None:
    """Say "extract the month from the date and count the orders in each month" as the orders by month of that date.

    Over several years a month may be the one of a calendar, whatever the year: asked about.
    """
    found = said.find(table.wording("part_of_date_first"))
    date = columns.named(found["date"], table) if found else None
    if found is None or date is None or not columns.holds_dates(date, table):
        return None
    if found.meant("unit") != found.meant("again"):
        return None
    way, unit = "which" if found["which"] else "by", found.meant("unit")
    known = days_of(date, table)
    recurring = table.meaning("recurring_parts", unit)
    if recurring == unit or (known is not None and known[0].year == known[1].year and unit != "day"):
        return said.put(found, found.said(way, date=date, unit=unit))
    ways = (said.put(found, found.said(way, date=date, unit=one)).text for one in (recurring, unit))
    return said.asking_back(found.said("asked", unit=unit, recurring=recurring, date=date), *ways)
