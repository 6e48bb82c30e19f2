"""Quarters, halves and months of a year, and verbs of years: "Q1 2024", "January to March 2024", "built in 1950"."""

from __future__ import annotations

import calendar
import datetime as dt

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.tables.own_dates import own_date, year_of_rows
from jupyter_mcpgen.plan.expressions import DateUnit
from jupyter_mcpgen.plan.schema import ColumnType

FEW_DAYS = 62
"""Dates that lie within fewer days than this are drawn day by day."""
MONTHS_OF = {"month": 1, "quarter": 3, "half": 6, "year": 12}
LAST = 0
"""The number of the last one of several periods."""
YEARS_AFTER = {">": 1, "<": -1}
"""From which year on, or until which, a side of a year is: after 1950 is from 1951 on."""


def part_of_year(said: Speech, table: Table) -> Speech | None:
    """Say "the first quarter of 2024" and "H1 2024" by their first and last days."""
    for found in said.find_each(table.wording("part_of_year")) if has_dates(table) else ():
        months = _months(found)
        if months is not None and said.word_before(found) not in table.words("before_a_period"):
            return said.put(found, days_between(int(found["year"]), *months, table))
    return None


def _months(found: Found) -> tuple[int, int] | None:
    """Return the first and the last month of a part of a year."""
    if found["quarter"]:
        return months_of_quarter(int(found.meant("quarter")))
    if found["half"]:
        return _run(int(found.meant("half")), MONTHS_OF["half"])
    nth = int(found.meant("nth"))
    if found["unit"]:
        return _run(nth, MONTHS_OF[found.meant("unit")])
    count = int(found.meant("n"))
    if not 0 < count <= 12 or nth > 1:
        return None
    return (13 - count, 12) if nth == LAST else (1, count)


def months_of_quarter(number: int) -> tuple[int, int]:
    """Return the first and the last month of a quarter."""
    return number * 3 - 2, number * 3


def months_of_half(number: int) -> tuple[int, int]:
    """Return the first and the last month of a half of the year."""
    return number * 6 - 5, number * 6


def _run(nth: int, length: int) -> tuple[int, int] | None:
    last = (nth or 12 // length) * length
    return (last - length + 1, last) if last <= 12 else None


def days_between(year: int, first: int, last: int, table: Table) -> str:
    """Say some months of a year by their first and last day."""
    end = calendar.monthrange(year, last)[1]
    return table.say("days_between", first=str(dt.date(year, first, 1)), last=str(dt.date(year, last, end)))


def months_of_year(said: Speech, table: Table) -> Speech | None:
    """Say "from January to March 2024" by its first and last days: the year is of both months."""
    found = said.find(table.wording("months_of_year"))
    if found is None or not has_dates(table):
        return None
    first, last = int(found.meant("first")), int(found.meant("last"))
    return said.put(found, days_between(int(found["year"]), first, last, table)) if first < last else None


def quarter_of_any_year(said: Speech, table: Table) -> Speech | None:
    """Say "in Q2" by its months."""
    found = said.find(table.wording("quarter_of_any_year"))
    if found is None or not has_dates(table) or table.is_data(found["quarter"]):
        return None
    if any(name.casefold().startswith(found.folded("quarter")) for name in table.context.column_words):
        return None  # the first question of a survey: `Q1 Pay is fair`
    return said.put(found, found.said(found.meant("quarter")))


def month_without_year(said: Speech, table: Table) -> Speech | None:
    """Say "since March" as since the last March that the table has, and "before March" where all is of one year."""
    found = said.find(table.wording("month_without_year"))
    spans = _spans(table) if found is not None else []
    if found is None or len(spans) != 1:
        return None
    first, last = spans[0]
    month, since = int(found.meant("month")), found.meant("side") == "since"
    if not since and first.year != last.year:
        return None
    year = last.year if month <= last.month else last.year - 1
    if since and dt.date(year, month, 1) < first.replace(day=1):
        return None
    note = f"“{found.text}” is taken to be of {year}, because the dates end in {last}."
    way = "since" if since else "other"
    return said.put(found, found.said(way, first=str(dt.date(year, month, 1)), year=str(year)), note)


def _spans(table: Table) -> list[tuple[dt.date, dt.date]]:
    """Return the first and the last day of each column of dates, and of each way to read a text as dates."""
    return [span for column in table.context.profile.columns for span in _spans_of(column.name, table)]


def days_of(name: str, table: Table) -> tuple[dt.date, dt.date] | None:
    """Return the first and the last day of a column, where there is one way to read it as dates."""
    spans = _spans_of(name, table)
    return spans[0] if len(spans) == 1 else None


def _spans_of(name: str, table: Table) -> list[tuple[dt.date, dt.date]]:
    column = table.context.column(name)
    known = [column] if name in table.context.dates else []
    written = [way.values for way in column.written if way.type is ColumnType.DATE]
    ends = [(values.minimum, values.maximum) for values in (*known, *written)]
    return [(_day(first), _day(last)) for first, last in ends if first is not None and last is not None]


def _day(value: object) -> dt.date:
    return dt.date.fromisoformat(str(value)[:10])


def within(said: Speech, table: Table) -> Speech | None:
    """Say "resolved within 3 days" as at most 3 of a column that counts the days of it."""
    found = said.find(table.wording("within"))
    if found is None:
        return None
    unit, verb, context = found.meant("unit"), found.folded("verb"), table.context
    fitting = [
        name
        for name, own in context.column_words.items()
        if unit in own and context.is_measure(name) and any(table.akin(verb, word) for word in own)
    ]
    if len(fitting) != 1:
        return None
    note = f"“{found.text}” is taken to mean `{fitting[0]}` of at most {found['n']}."
    return said.put(found, found.said(column=fitting[0]), note)


def only_year(table: Table, first: int = 1, last: int = 12) -> str | None:
    """Return the one year in which the dates of a table have some months; None where there are several."""
    years = years_with(table, first, last)
    return str(years[0]) if len(years) == 1 else None


def years_with(table: Table, first: int, last: int) -> tuple[int, ...]:
    """Return the years in which the dates of a table have some months."""
    own = own_date(table.context)
    known = _spans(table) if own is None else _spans_of(own, table)
    spans = [(start.replace(day=1), end) for start, end in known]
    years = {
        year
        for start, end in spans
        for year in range(start.year, end.year + 1)
        if start <= dt.date(year, last, 28) and dt.date(year, first, 1) <= end
    }
    return tuple(sorted(years))


def over_a_year(said: Speech, table: Table) -> Speech | None:
    """Say "how did sales develop over 2024" of the rows of that year."""
    found = said.find(table.wording("over_a_year"))
    if found is None or not any(start.year <= int(found["year"]) <= end.year for start, end in _spans(table)):
        return None
    return said.put(found, found.said(verb=found["verb"], year=found["year"]))


def period_of_a_date(said: Speech, table: Table) -> Speech | None:
    """Say "departure hour" as the hour of the one date that is called after a departure."""
    for found in said.find_all(table.wording("period_of_a_date")):
        noun = found.folded("noun")
        if table.is_data(f"{noun} {found['unit']}") or columns.named(noun, table, SHORTENED):
            continue
        same = {word for group in table.vocabulary.same_event if noun in group for word in group}
        own = ((name, words) for name, words in table.context.column_words.items() if columns.holds_dates(name, table))
        dates = [name for name, words in own if same & set(words) or any(table.akin(noun, word) for word in words)]
        if len(dates) == 1:
            return said.put(found, found.said(column=dates[0], unit=found["unit"]))
    return None


def has_dates(table: Table) -> bool:
    """Tell whether a table has dates, also written as text."""
    written = (way for column in table.context.profile.columns for way in column.written)
    return bool(table.context.dates) or any(way.type is ColumnType.DATE for way in written)


def part_of_week(said: Speech, table: Table) -> Speech | None:
    """Say "on weekends" by the names of the days."""
    found = said.find(table.wording("part_of_week"))
    if found is None or not has_dates(table) or table.is_data(found["which"]):
        return None
    return said.put(found, found.said(found.meant("which")))


def each_weekday(said: Speech, table: Table) -> Speech | None:
    """Say "on Mondays and Fridays" by the names of the days."""
    found = said.find(table.wording("each_weekday"))
    if found is None or not has_dates(table):
        return None
    days = {name: found.meant(name) for name in ("a", "b", "c", "d") if found[name]}
    return said.put(found, found.said(str(len(days)), **days))


def verbs_of_years(said: Speech, table: Table) -> Speech | None:
    """Say "built before 1950" of the column that holds the year in which it was built."""
    found = said.find(table.wording("verbs_of_years"))
    if found is None:
        return None
    context, year = table.context, m.Unit(DateUnit.START_OF_YEAR)
    fitting = [
        name
        for name, own in context.column_words.items()
        if context.is_whole(name)
        and any(year in context.lexicon.meanings(word) for word in own)
        and any(table.akin(found.folded("verb"), word) for word in own)
    ]
    if len(fitting) != 1:
        return None
    side = found.meant("side")
    limit = int(found["year"]) + YEARS_AFTER.get(side, 0)
    side = f"{side}=" if side in YEARS_AFTER else side
    return said.put(found, found.said(column=fitting[0], side=side, year=str(limit)))


def came_out(said: Speech, table: Table) -> Speech | None:
    """Say "came out" as released, where a column is about that."""
    found = said.find(table.wording("came_out"))
    if found is None:
        return None
    own = table.context.column_words.values()
    known = any(table.akin(found.said(), word) for words in own for word in words)
    return said.put(found, found.said()) if known else None


def brought_out(said: Speech, table: Table) -> Speech | None:
    """Say "games released in 2008" as those in 2008, where one date or year is all that the table tells of when."""
    times = [name for name in table.context.column_words if columns.holds_dates(name, table)]
    times += [name for name in table.context.years if name not in times]
    for found in said.find_all(table.wording("brought_out")) if len(times) == 1 else ():
        verb, noun = found.folded("verb"), found["noun"]
        own = {*table.context.value_parts, *(word for words in table.context.column_words.values() for word in words)}
        if not columns.is_row(noun, table) or any(table.akin(verb, word) for word in own):
            continue
        return said.put(found, found.said(), f"“{found['verb']}” is taken to be told by `{times[0]}`.")
    return None


def over_time(said: Speech, table: Table) -> Speech | None:
    """Say "over time" as by year where only years are known, and as by day where all dates lie within a few weeks."""
    found = said.find(table.wording("over_time"))
    context = table.context
    if found is None:
        return None
    year = year_of_rows(context, said.text.split())
    if year is not None:
        return said.put(found, found.said("years", column=year))
    if not context.dates:
        return None
    known = context.column(context.dates[0])
    if len(context.dates) != 1 or known.minimum is None or known.maximum is None:
        return None
    days = (_day(known.maximum) - _day(known.minimum)).days
    return said.put(found, found.said("days")) if days <= FEW_DAYS else None


def year_beside(said: Speech, table: Table) -> Speech | None:
    """Say "the year before 2028" as 2027, not as all years before it."""
    found = said.find(table.wording("year_beside"))
    if found is None:
        return None
    year = int(found["year"]) + (1 if found.meant("side") == "after" else -1)
    return said.put(found, found.said(year=str(year)))
