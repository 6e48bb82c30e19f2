"""Two values or two periods set side by side: "Oslo compared with Bergen", "Q2 2023 vs Q3 2023"."""

from __future__ import annotations

import re

from jupyter_mcpgen.nl.everyday.periods import days_between, has_dates, months_of_quarter
from jupyter_mcpgen.nl.everyday.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.wording import Found

MOST_WORDS_OF_A_VALUE = 3


def two_periods(said: Speech, table: Table) -> Speech | None:
    """Say "in Q2 2023 vs Q3 2023" as both quarters, quarter by quarter."""
    found = said.find(table.wording("two_periods"))
    if found is None or not has_dates(table):
        return None
    unit = next((unit for unit in ("quarter", "month") if found[unit]), "year")
    first, second = _days_of(found, unit, "", table), _days_of(found, unit, "other_", table)
    return said.put(found, found.said(unit, first=first, second=second))


def _days_of(found: Found, unit: str, which: str, table: Table) -> str:
    """Return a period by its first and last day."""
    number, year = found.meant(f"{which}{unit}"), int(found[f"{which}year"])
    match unit:
        case "quarter":
            return days_between(year, *months_of_quarter(int(number)), table)
        case "month":
            return days_between(year, int(number), int(number), table)
        case _:
            return days_between(year, 1, 12, table)


def two_values(said: Speech, table: Table) -> Speech | None:
    """Say "compared with" between two values of the data as "vs"."""
    found = said.find(table.wording("two_values"))
    if found is None:
        return None
    before, after = _words(said.before(found)), _words(said.behind(found))
    sizes = range(1, MOST_WORDS_OF_A_VALUE + 1)
    left = _columns_of([before[-size:] for size in sizes], table)
    right = _columns_of([after[:size] for size in sizes], table)
    return said.put(found, found.said()) if left & right else None


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _columns_of(phrases: list[list[str]], table: Table) -> set[str]:
    values = table.context.values
    return {values[phrase][0].column for phrase in map(" ".join, phrases) if phrase in values}
