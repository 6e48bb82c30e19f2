"""The last days, weeks and months of a table: today is not known to it, so they are counted back from its last date."""

from __future__ import annotations

import calendar
import datetime as dt

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.everyday.times.periods import MONTHS_OF, days_of
from jupyter_mcpgen.nl.tables.own_dates import begun_at, own_date, year_of_rows
from jupyter_mcpgen.plan.date_formats import DateWriting

MOST_DAYS_BACK = 36_600
DAYS_OF = {"day": 1, "week": 7}


def lately(said: Speech, table: Table) -> Speech | None:
    """Say "in the last 3 months" by its first day, counted back from the last date that the table has."""
    found = said.find(table.wording("lately"))
    if found is None or said.find(table.wording("moving")):
        return None
    if found.meant("unit") == "year" and (year := year_of_rows(table.context, said.text.split())) is not None:
        return _last_years(said, found, year, table)
    date = _date_meant(said, found, table)
    if date is None and (dates := _dates(table)):
        return said.refusing(found.said("which", said=found.text, columns=", ".join(f"`{name}`" for name in dates)))
    last = _last_day(date, table) if date is not None else None
    first = _back(last, int(found.meant("n") or 1), found.meant("unit")) if last else None
    if first is None:
        return None
    first_word, _, others = found.text.partition(" ")
    period = others if first_word.casefold() in table.words("beside_period") else found.text
    where = "the table" if len(_dates(table)) == 1 else f"`{date}`"
    note = f"“{period}” is counted back from the last date in {where}, {last}."
    return said.put(found, found.said("days", first=str(first)), note)


def older_as_of(said: Speech, table: Table) -> Speech | None:
    """Say "older than 60 days as of 2024-03-31" as before the day that lies 60 days earlier; persons have an age."""
    if table.context.row_nouns & table.words("persons"):
        return None
    for found in said.find_each(table.wording("older_as_of")):
        dates = _dates(table)
        date = dates[0] if len(dates) == 1 else own_date(table.context) or begun_at(table.context)
        day = _iso(found["date"])
        count = 1 if found["one"] else int(found.meant("n") or 0)
        limit = _back(day, count, found.meant("unit")) if day is not None else None
        if date is None or limit is None:
            continue
        first = limit - dt.timedelta(days=1)  # the stretch itself begins on the day after
        note = f"“{found.text}” is taken to mean `{date}` {found.meant('word')} {first}."
        return said.put(found, found.said(column=date, side=found.meant("word"), day=str(first)), note)
    return None


def _iso(text: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text.replace("/", "-"))
    except ValueError:
        return None  # no calendar has this day


def _last_years(said: Speech, found: Found, year: str, table: Table) -> Speech | None:
    """Say "in the last 3 years" of the last years that a column of years has."""
    last, count = table.context.column(year).maximum, int(found.meant("n") or 1)
    if not isinstance(last, int) or count < 1:
        return None
    note = f"“{found.text}” is counted back from the last `{year}`, {last}."
    return said.put(found, found.said("years", column=year, first=str(last - count + 1)), note)


def _dates(table: Table) -> list[str]:
    """Return the columns of dates, also those that are written as text in one way."""
    return [name for name in table.context.profile.schema_.names if days_of(name, table) is not None]


def _date_meant(said: Speech, found: Found, table: Table) -> str | None:
    """Return the date that the word before a period is about, else the only one or the rows' own; None in doubt."""
    dates = _dates(table)
    if len(dates) < 2:
        return dates[0] if dates else None
    before = said.word_before(found)
    return (columns.date_of(before, table) if before else None) or own_date(table.context)


def _last_day(date: str, table: Table) -> dt.date | None:
    """Return the last day of a date; where only months are known, the end of the last one."""
    span = days_of(date, table)
    last = span[1] if span else None
    writings = [way.writing for way in table.context.column(date).written]
    if last is not None and any(isinstance(one, DateWriting) and one.is_of_months for one in writings):
        return last.replace(day=calendar.monthrange(last.year, last.month)[1])
    return last


def _back(last: dt.date, count: int, unit: str) -> dt.date | None:
    """Return the first day of some periods that end with a day; whole months where it ends one."""
    days = DAYS_OF.get(unit)
    if count < 1 or (days or 0) * count > MOST_DAYS_BACK or (days is None and unit not in MONTHS_OF):
        return None
    if days is not None:
        return last - dt.timedelta(days=days * count - 1)
    next_day = last + dt.timedelta(days=1)
    month = next_day.year * 12 + next_day.month - 1 - MONTHS_OF[unit] * count
    if month < 12:
        return None
    longest = calendar.monthrange(month // 12, month % 12 + 1)[1]
    return dt.date(month // 12, month % 12 + 1, min(next_day.day, longest))
