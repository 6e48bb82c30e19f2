"""Dates and years as people write them: "in the 1980s", "2015 or later", "outside 2023", "after 15/06/2023"."""

from __future__ import annotations

import datetime as dt
import re

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.everyday.times.course_of_rows import course_of_rows, date_called
from jupyter_mcpgen.nl.everyday.times.periods import has_dates
from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.expressions import DateUnit

YEARS = 10
_DECADE = re.compile(r"(1[5-9]|20)\d0['’]?s", re.IGNORECASE)
_DASHED = re.compile(r"(?:(?P<day>\d{1,2})-)?(?P<month>[^\W\d_]{3,9})-(?P<year>\d{4}|\d{2})")
_LAST_CENTURY = "69"
"""From here on two digits are a year of the last century."""
_DAY_FIRST, _MONTH_FIRST = re.compile(r"%d.%m"), re.compile(r"%m.%d")


def decade_said(said: Speech, table: Table) -> Speech | None:
    """Say "born in the 1980s" as from 1980 to 1989, by the year or the date of the verb."""
    for found in said.find_each(table.wording("decade_said")):
        if not _DECADE.fullmatch(found["decade"]) or table.is_data(found["decade"]):
            continue
        first = int(found["decade"][:4])
        year = _year_of(found.folded("verb"), table)
        parts = {"first": str(first), "last": str(first + YEARS - 1), "verb": found["verb"], "decade": found["decade"]}
        if year is not None:
            note = f"“{found.text}” is taken to be about `{year}`."
            return said.put(found, found.said("years", column=year, **parts), note)
        date = date_called(found.folded("verb"), table) if found["verb"] else _only_date(table)
        if date is not None:
            note = f"“{found.text}” is taken to be about `{date}`."
            return said.put(found, found.said("dates", column=date, **parts), note)
    return None


def or_later(said: Speech, table: Table) -> Speech | None:
    """Say "in 2015 or later" as since 2015, and "or earlier" as until then."""
    found = said.find(table.wording("or_later"))
    return said.put(found, found.said(found.meant("side"))) if found is not None else None


def outside_a_year(said: Speech, table: Table) -> Speech | None:
    """Say "outside 2023" as not in 2023."""
    found = said.find(table.wording("outside_a_year")) if has_dates(table) else None
    return said.put(found, found.said()) if found is not None else None


def slashed_date(said: Speech, table: Table) -> Speech | None:
    """Say "15/06/2023" as the table writes its dates, or as its day tells; refuse what may be two days."""
    for found in said.find_all(table.wording("slashed_date")):
        first, second, year = int(found.meant("a")), int(found.meant("b")), int(found["year"])
        ways = {day for day in (_day(year, second, first), _day(year, first, second)) if day is not None}
        written = _written(table)
        if len(written) == 1 and len(ways) > 1:
            day = _day(year, second, first) if written == {"day"} else _day(year, first, second)
            ways = {day} if day is not None else ways
        if len(ways) > 1:
            one, other = sorted(ways)
            return said.refusing(found.said("either", said=found.text, one=str(one), other=str(other)))
        if ways:
            told = said.put(found, str(ways.pop()))
            return slashed_date(told, table) or told
    return None


def dashed_date(said: Speech, table: Table) -> Speech | None:
    """Say "03-Jan-24" as the day that it is, and "Jan-24" as a month where the table writes its months so."""
    for found in said.find_all(table.wording("dashed_date")):
        written = _DASHED.fullmatch(found["written"])
        month = table.context.lexicon.months.get(written["month"].casefold()) if written else None
        if written is None or month is None or _is_no_date(found["written"], table) or not has_dates(table):
            continue
        short = len(written["year"]) == 2
        if written["day"] is None and short and not _writes_months_short(table):
            continue  # the 24th of January, or January 2024
        century = 0 if not short else 1900 if written["year"] >= _LAST_CENTURY else 2000
        year = century + int(written["year"])
        told = f"{written['month']} {year}" if written["day"] is None else _day(year, month, int(written["day"]))
        if told is not None:
            further = said.put(found, str(told), f"“{found['written']}” is read as {told}.")
            return dashed_date(further, table) or further
    return None


def _is_no_date(written: str, table: Table) -> bool:
    """Tell whether a text is a value of a column that holds anything but dates."""
    values = table.context.values.get(written.casefold().replace("-", " "), ())
    return any(not table.context.column(value.column).written for value in values)


def _writes_months_short(table: Table) -> bool:
    ways = (way.writing for column in table.context.profile.columns for way in column.written)
    return any(isinstance(way, DateWriting) and way.is_of_short_months for way in ways)


def events_dated(said: Speech, table: Table) -> Speech | None:
    """Say "tests" of rows with a `tested_on`, also where a `next_test` is called after the same."""
    for found in said.find_all(table.wording("events_dated")):
        noun, context = found.folded("noun"), table.context
        if (
            not columns.is_plural(noun, table)
            or columns.is_row(noun, table)
            or columns.date_of(noun, table) is not None
        ):
            continue
        date = date_called(noun, table)
        if date is None or table.is_data(noun) or context.column(date).nulls or _is_beside_a_name(said, found, table):
            continue
        return said.put(found, found.said(), f"Each row is taken to be one of the “{noun}”.")
    return None


def _is_beside_a_name(said: Speech, found: Found, table: Table) -> bool:
    """Tell whether the word before belongs to the name of a column: "next tests" are of `next_test`."""
    before = said.word_before(found)
    return bool(before) and columns.named(f"{before} {found['noun']}", table, columns.STEMMED) is not None


def _day(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None  # no calendar has this day


def _written(table: Table) -> set[str]:
    """Return whether the texts of a table write the day or the month first."""
    formats = [
        way.writing.format
        for column in table.context.profile.columns
        for way in column.written
        if isinstance(way.writing, DateWriting)
    ]
    first = {"day" for one in formats if _DAY_FIRST.search(one)}
    return first | {"month" for one in formats if _MONTH_FIRST.search(one)}


def _only_date(table: Table) -> str | None:
    """Return the date at which rows began, where no year tells of something else."""
    return course_of_rows(table).begun if not _years("", table) else None


def _year_of(verb: str, table: Table) -> str | None:
    """Return the column of years that a verb is of; without one, the only years of a table that has no dates."""
    years = _years(verb, table)
    if not verb and any(columns.holds_dates(name, table) for name in table.context.column_words):
        return None
    return years[0] if len(years) == 1 else None


def _years(verb: str, table: Table) -> list[str]:
    context, year = table.context, m.Unit(DateUnit.START_OF_YEAR)
    return [
        name
        for name, own in context.column_words.items()
        if context.is_whole(name)
        and any(year in context.lexicon.meanings(word) for word in own)
        and (not verb or any(table.akin(verb, word) for word in own))
    ]
