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
_BEFORE = r"(?P<before>(?:\b(?:in|during|for|of|from|over)\s+)?(?:\bthe\s+)?)"
_MONTHS = "|".join(name.casefold() for name in calendar.month_name if name)
_SIDES = re.compile(
    r"\b(?:since|after|before|until|till|to|from|and|vs|versus|or|than|with)\s+(?:the\s+)?$", re.IGNORECASE
)


def part_of_year(said: Speech, table: Table) -> Speech | None:
    """Say "the first quarter of 2024" and "H1 2024" by their first and last days."""
    if not table.context.dates:
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
        return said.put(found, _days(int(found["year"]), *months))
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


def _days(year: int, first: int, last: int) -> str:
    end = calendar.monthrange(year, last)[1]
    return f"between {dt.date(year, first, 1)} and {dt.date(year, last, end)}"


def months_of_year(said: Speech, table: Table) -> Speech | None:
    """Say "from January to March 2024" by its first and last days: the year is of both months."""
    if not table.context.dates:
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
    return said.put(found, _days(int(found["year"]), first, last)) if first < last else None


def quarter_of_any_year(said: Speech, table: Table) -> Speech | None:
    """Say "in Q2" by its months."""
    found = said.find(r"\b(?:in|during|for)\s+q(?P<q>[1-4])\b(?!\s*(?:of\s+)?\d)")
    if found is None or not table.context.dates or table.is_data(f"q{found['q']}"):
        return None
    first, last = int(found["q"]) * 3 - 2, int(found["q"]) * 3
    return said.put(found, f"from {calendar.month_name[first]} to {calendar.month_name[last]}")


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
    """Say "over time" as by day, where the only dates lie within a few weeks."""
    found = said.find(r"\bover\s+time\b")
    if found is None or len(table.context.dates) != 1:
        return None
    known = table.context.column(table.context.dates[0])
    if known.minimum is None or known.maximum is None:
        return None
    days = (dt.date.fromisoformat(str(known.maximum)[:10]) - dt.date.fromisoformat(str(known.minimum)[:10])).days
    return said.put(found, "by day") if days <= FEW_DAYS else None
