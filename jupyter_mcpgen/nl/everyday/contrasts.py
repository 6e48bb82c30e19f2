"""Two values or two periods set side by side: "Oslo compared with Bergen", "Q2 2023 vs Q3 2023"."""

from __future__ import annotations

import calendar
import re

from jupyter_mcpgen.nl.everyday.periods import days_between, has_dates
from jupyter_mcpgen.nl.everyday.speech import Speech, Table

_MONTHS = [name.casefold() for name in calendar.month_name]
_AGAINST = r"(?:as\s+)?compared\s+(?:with|to)|in\s+comparison\s+(?:with|to)|versus|vs\.?|against"
_PERIODS = {
    "quarter": r"(?:q[1-4]\s+(?:of\s+)?(?:19|20)\d\d)",
    "month": rf"(?:(?:{'|'.join(filter(None, _MONTHS))})\s+(?:19|20)\d\d)",
    "year": r"(?:(?:19|20)\d\d)",
}


def two_periods(said: Speech, table: Table) -> Speech | None:
    """Say "in Q2 2023 vs Q3 2023" as both quarters, quarter by quarter."""
    if not has_dates(table):
        return None
    for unit, period in _PERIODS.items():
        found = said.find(
            rf"\b(?:in|for|during)\s+(?P<first>{period})\s+(?:{_AGAINST})\s+(?:(?:in|for|during)\s+)?(?P<second>{period})\b(?!-)"
        )
        if found is not None:
            first, second = _days_of(found["first"], unit), _days_of(found["second"], unit)
            return said.put(found, f"{first} or {second} by {unit}")
    return None


def _days_of(text: str, unit: str) -> str:
    """Return a period by its first and last day."""
    year = int(text[-4:])
    match unit:
        case "quarter":
            last = int(text[1]) * 3
            return days_between(year, last - 2, last)
        case "month":
            month = _MONTHS.index(re.split(r"\s+", text.casefold())[0])
            return days_between(year, month, month)
        case _:
            return days_between(year, 1, 12)


def two_values(said: Speech, table: Table) -> Speech | None:
    """Say "compared with" between two values of the data as "vs"."""
    found = said.find(
        r"\s+(?:(?:as\s+)?compared\s+(?:with|to)|in\s+comparison\s+(?:with|to)|than)\s+(?:in\s+|for\s+|among\s+)?"
    )
    if found is None:
        return None
    before, after = _words(said.text[: found.start()]), _words(said.text[found.end() :])
    left = {table.context.values[phrase][0].column for phrase in _ends(before) if phrase in table.context.values}
    right = {table.context.values[phrase][0].column for phrase in _starts(after) if phrase in table.context.values}
    return said.put(found, " vs ") if left & right else None


def _words(text: str) -> list[str]:
    return re.findall(r"[\w-]+", text.casefold().replace("-", " "))


def _ends(words: list[str]) -> list[str]:
    return [" ".join(words[-size:]) for size in (1, 2, 3)]


def _starts(words: list[str]) -> list[str]:
    return [" ".join(words[:size]) for size in (1, 2, 3)]
