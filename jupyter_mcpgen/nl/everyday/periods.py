"""Quarters, halves and months of a year, and verbs of years: "Q1 2024", "January to March 2024", "built in 1950"."""

from __future__ import annotations

import calendar
import datetime as dt
import re

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.everyday.kinship import akin
from jupyter_mcpgen.nl.everyday.speech import Speech, Table
from jupyter_mcpgen.plan.expressions import DateUnit
from jupyter_mcpgen.plan.schema import ColumnType

FEW_DAYS = 62
"""Dates that lie within fewer days than this are drawn day by day."""
_NTH = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": 0, "final": 0}
_NUMBERS = {"two": 2, "three": 3, "four": 4, "six": 6, "nine": 9}
_COUNTS = {**_NUMBERS, "five": 5, "seven": 7, "eight": 8, "ten": 10, "twelve": 12}
MOST_DAYS_BACK = 36_600
_BEFORE = r"(?P<before>(?:\b(?:in|during|for|of|from|over)\s+)?(?:\bthe\s+)?)"
_MONTHS = "|".join(name.casefold() for name in calendar.month_name if name)
_SIDES = re.compile(
    r"\b(?:since|after|before|until|till|to|from|and|vs|versus|or|than|with)\s+(?:the\s+)?$", re.IGNORECASE
)


def part_of_year(said: Speech, table: Table) -> Speech | None:
    """Say "the first quarter of 2024" and "H1 2024" by their first and last days."""
    if not has_dates(table):
        return None
    patterns = (
        rf"{_BEFORE}\bq(?P<q>[1-4])(?:\s+(?:of\s+)?|[-/])(?P<year>(?:19|20)\d\d)\b",
        rf"{_BEFORE}\b(?P<year>(?:19|20)\d\d)[\s-]*q(?P<q>[1-4])\b",
        rf"{_BEFORE}\bh(?P<h>[12])(?:\s+(?:of\s+)?|[-/])(?P<year>(?:19|20)\d\d)\b",
        rf"{_BEFORE}\b(?P<nth>{'|'.join(_NTH)})\s+(?P<unit>quarter|half)\s+(?:of\s+)?(?P<year>(?:19|20)\d\d)\b",
        rf"{_BEFORE}\b(?P<nth>first|last)\s+(?P<n>\d{{1,2}}|{'|'.join(_NUMBERS)})\s+months\s+of\s+(?P<year>(?:19|20)\d\d)\b",
    )
    for pattern in patterns:
        found = said.find(pattern)
        months = _months(found.groupdict()) if found else None
        if found is None or months is None or _SIDES.search(said.text[: found.start()]):
            continue
        return said.put(found, days_between(int(found["year"]), *months))
    return None


def _months(said: dict[str, str | None]) -> tuple[int, int] | None:
    if said.get("q"):
        return int(said["q"] or 0) * 3 - 2, int(said["q"] or 0) * 3
    if said.get("h"):
        return int(said["h"] or 0) * 6 - 5, int(said["h"] or 0) * 6
    nth = _NTH[(said.get("nth") or "").casefold()]
    if said.get("n"):
        text = (said["n"] or "").casefold()
        count = _NUMBERS.get(text) or int(text)
        return None if not 0 < count < 13 else (1, count) if nth else (13 - count, 12)
    length = 3 if (said.get("unit") or "").casefold() == "quarter" else 6
    number = nth or 12 // length
    return (number * length - length + 1, number * length) if number * length <= 12 else None


def days_between(year: int, first: int, last: int) -> str:
    """Say some months of a year by their first and last day."""
    end = calendar.monthrange(year, last)[1]
    return f"between {dt.date(year, first, 1)} and {dt.date(year, last, end)}"


def months_of_year(said: Speech, table: Table) -> Speech | None:
    """Say "from January to March 2024" by its first and last days: the year is of both months."""
    if not has_dates(table):
        return None
    found = said.find(
        rf"\b(?:from|between|in|during)\s+(?P<a>{_MONTHS})\s+(?:to|and|through|until|till|-|–)\s+(?P<b>{_MONTHS})\s+(?:of\s+)?(?P<year>(?:19|20)\d\d)\b"
    )
    if found is None or (
        found[0].casefold().startswith(("in", "during")) and re.search(r"\band\b", found[0], re.IGNORECASE)
    ):
        return None
    names = [name.casefold() for name in calendar.month_name]
    first, last = names.index(found["a"].casefold()), names.index(found["b"].casefold())
    return said.put(found, days_between(int(found["year"]), first, last)) if first < last else None


def quarter_of_any_year(said: Speech, table: Table) -> Speech | None:
    """Say "in Q2" by its months."""
    found = said.find(r"\b(?:in|during|for)\s+q(?P<q>[1-4])\b(?!\s*(?:of\s+)?\d)")
    if found is None or not has_dates(table) or table.is_data(f"q{found['q']}"):
        return None
    first, last = int(found["q"]) * 3 - 2, int(found["q"]) * 3
    return said.put(found, f"from {calendar.month_name[first]} to {calendar.month_name[last]}")


def lately(said: Speech, table: Table) -> Speech | None:
    """Say "in the last 3 months" by its first day, counted back from the last date that the table has."""
    found = said.find(
        rf"\b(?:in|over|during|within|for|of|from)\s+the\s+(?:last|past|latest|most\s+recent)\s+(?:(?P<n>\d{{1,3}}|{'|'.join(_COUNTS)})\s+)?"
        r"(?P<unit>day|week|month|quarter|year)s?\b(?!\s+of\b)"
    )
    if found is None or said.find(r"\b(?:moving|rolling|trailing)\b"):
        return None
    last = _last_date(table)
    if last is None:
        return None
    text = (found["n"] or "1").casefold()
    first = _back(last, _COUNTS.get(text) or int(text), found["unit"].casefold())
    if first is None:
        return None
    phrase = re.sub(r"^\w+\s+", "", found[0])
    return said.put(found, f"since {first}", f"“{phrase}” is counted back from the last date in the table, {last}.")


def month_without_year(said: Speech, table: Table) -> Speech | None:
    """Say "since March" as since the last March that the table has, and "before March" where all is of one year."""
    found = said.find(rf"\b(?P<side>since|after|before|until)\s+(?P<month>{_MONTHS})\b(?!\s+(?:of\s+)?\d|\s*,\s*\d)")
    spans = _spans(table) if found is not None else []
    if found is None or len(spans) != 1:
        return None
    first, last = spans[0]
    side = found["side"].casefold()
    month = [name.casefold() for name in calendar.month_name].index(found["month"].casefold())
    if side != "since" and first.year != last.year:
        return None
    year = last.year if month <= last.month else last.year - 1
    if side == "since" and dt.date(year, month, 1) < first.replace(day=1):
        return None
    note = f"“{found[0]}” is taken to be of {year}, because the dates end in {last}."
    return said.put(
        found, f"{side} {found['month']} {year}" if side != "since" else f"since {year}-{month:02}-01", note
    )


def _last_date(table: Table) -> dt.date | None:
    """Return the last day of the only dates in a table, also where they are written as text."""
    spans = _spans(table)
    return spans[0][1] if len(spans) == 1 else None


def _spans(table: Table) -> list[tuple[dt.date, dt.date]]:
    """Return the first and the last day of each column of dates, and of each way to read a text as dates."""
    known = [table.context.column(name) for name in table.context.dates]
    written = [way for c in table.context.profile.columns for way in c.written if way.type is ColumnType.DATE]
    ends = [(column.minimum, column.maximum) for column in (*known, *(way.values for way in written))]
    return [
        (dt.date.fromisoformat(str(first)[:10]), dt.date.fromisoformat(str(last)[:10]))
        for first, last in ends
        if first is not None and last is not None
    ]


def _back(last: dt.date, count: int, unit: str) -> dt.date | None:
    """Return the first day of some periods that end with a day; whole months where it ends one."""
    days = {"day": 1, "week": 7}.get(unit)
    if count < 1 or (days or 0) * count > MOST_DAYS_BACK:
        return None
    if days is not None:
        return last - dt.timedelta(days=days * count - 1)
    next_day = last + dt.timedelta(days=1)
    month = next_day.year * 12 + next_day.month - 1 - {"month": 1, "quarter": 3, "year": 12}[unit] * count
    if month < 12:
        return None
    longest = calendar.monthrange(month // 12, month % 12 + 1)[1]
    return dt.date(month // 12, month % 12 + 1, min(next_day.day, longest))


def within(said: Speech, table: Table) -> Speech | None:
    """Say "within 3 days" as at most 3 of a column that counts days."""
    found = said.find(
        r"\bwithin\s+(?P<n>\d+(?:\.\d+)?)\s+(?P<unit>minute|hour|day|week|month)s?\b(?!\s+(?:of|after|before)\b)"
    )
    if found is None:
        return None
    unit = found["unit"].casefold()
    context = table.context
    fitting = [n for n, own in context.column_words.items() if unit in own and context.is_measure(n)]
    verb = re.search(r"(\w+)\s*$", said.text[: found.start()])
    said_by = [n for n in fitting if verb and any(akin(verb[1].casefold(), word) for word in context.column_words[n])]
    if len(said_by) != 1 or verb is None:
        return None
    text = f"{said.text[: verb.start()]}with `{said_by[0]}` at most {found['n']}{said.text[found.end() :]}"
    return said.saying(text, f"“{verb[1]} {found[0]}” is taken to mean `{said_by[0]}` of at most {found['n']}.")


def has_dates(table: Table) -> bool:
    """Tell whether a table has dates, also written as text."""
    written = (way for column in table.context.profile.columns for way in column.written)
    return bool(table.context.dates) or any(way.type is ColumnType.DATE for way in written)


def days_of_the_week(said: Speech, table: Table) -> Speech | None:
    """Say "on weekends" and "on Mondays" by the names of the days."""
    if not has_dates(table):
        return None
    found = said.find(r"\b(?:on|at|during|over)\s+(?:the\s+)?(?P<which>weekends?|weekdays|working\s+days|workdays)\b")
    if found is not None and not table.is_data(found["which"]):
        ends = found["which"].casefold().startswith("weekend")
        return said.put(found, "on Saturday or Sunday" if ends else "from Monday to Friday")
    days = "|".join(calendar.day_name)
    plural = rf"(?:{days})s"
    found = said.find(rf"\bon\s+(?P<days>{plural}(?:(?:\s*,\s*|\s+and\s+|\s+or\s+){plural})*)\b")
    if found is None:
        return None
    named = [day.capitalize() for day in re.findall(rf"({days})s", found["days"], re.IGNORECASE)]
    return said.put(found, "on " + " or ".join(named))


def verbs_of_years(said: Speech, table: Table) -> Speech | None:
    """Say "built before 1950" of the column that holds the year in which it was built."""
    found = said.find(
        r"\b(?P<verb>\w{3,})\s+(?P<side>before|after|since|in|until)\s+(?:the\s+year\s+)?(?P<year>(?:1[5-9]|20)\d\d)\b(?!\s*-|\s+and)"
    )
    if found is None:
        return None
    context = table.context
    year = m.Unit(DateUnit.START_OF_YEAR)
    fitting = [
        name
        for name, own in context.column_words.items()
        if context.type_of(name) is ColumnType.INTEGER
        and any(year in context.lexicon.meanings(word) for word in own)
        and any(akin(found["verb"].casefold(), word) for word in own)
    ]
    if len(fitting) != 1:
        return None
    op, step = {"before": ("<=", -1), "after": (">=", 1), "since": (">=", 0), "in": ("=", 0), "until": ("<=", 0)}[
        found["side"].casefold()
    ]
    return said.put(found, f"where `{fitting[0]}` {op} {int(found['year']) + step}")


def came_out(said: Speech, table: Table) -> Speech | None:
    """Say "came out" as released, where a column is about that."""
    found = said.find(r"\b(?:came|come|comes)\s+out\b")
    if found is None or not any("release" in own or "released" in own for own in table.context.column_words.values()):
        return None
    return said.put(found, "released")


def over_time(said: Speech, table: Table) -> Speech | None:
    """Say "over time" as by year where only years are known, and as by day where all dates lie within a few weeks."""
    found = said.find(r"\b(?:over\s+time|over\s+the\s+years|through\s+the\s+years)\b")
    if found is not None and not table.context.dates and len(table.context.years) == 1:
        return said.put(found, f"by `{table.context.years[0]}`")
    if found is None or len(table.context.dates) != 1:
        return None
    known = table.context.column(table.context.dates[0])
    if known.minimum is None or known.maximum is None:
        return None
    days = (dt.date.fromisoformat(str(known.maximum)[:10]) - dt.date.fromisoformat(str(known.minimum)[:10])).days
    return said.put(found, "by day") if days <= FEW_DAYS else None
