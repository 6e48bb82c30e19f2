"""Dates that a question leaves open, and periods in which a table has no rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from jupyter_mcpgen.nl.assembly.derivation import Derivation
from jupyter_mcpgen.nl.assembly.edits import mapped, parts
from jupyter_mcpgen.nl.constraints.verdict import Doubt, Refusal
from jupyter_mcpgen.nl.grammar.meanings import Column, Figure, Lacks, Part, Period, Test, Within
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.expressions import DateUnit

_FINER = {DateUnit.START_OF_DAY, DateUnit.START_OF_WEEK, DateUnit.WEEKDAY, DateUnit.HOUR}
_DAY = "%d"


def date_left_open(found: Derivation, table: Table) -> Doubt | None:
    """Ask which date is meant where rows have several, none is that of the row itself, and none was named."""
    rivals = table.date_rivals
    if len(rivals) < 2 or any(found.names(name) for name in table.dates):
        return None
    own = rivals[0]
    if own not in {one.date for one in parts(found.answer) if isinstance(one, Within | Part)}:
        return None

    def other(date: str) -> Any:
        return mapped(found.answer, lambda one: _moved(one, own, date))

    return Doubt(tuple(other(date) for date in rivals[1:]))


def date_of_figure(found: Derivation, table: Table) -> Doubt | None:
    """Ask whether the amount paid is that of the day when it was paid, where another date tells the periods."""
    used = {one.date for one in parts(found.answer) if isinstance(one, Within | Part) and one.date}
    terms = [one.term for one in parts(found.answer) if isinstance(one, Figure) and isinstance(one.term, Column)]
    said = {word.text for term in terms for word in table.column(term.name).facts.words if word.heavy}
    other = [name for name in table.dates if said & {word.text for word in table.column(name).facts.words}]
    if len(used) != 1 or len(other) != 1 or used & set(other) or not used <= set(table.dates):
        return None
    own = next(iter(used))
    return Doubt((mapped(found.answer, lambda one: _moved(one, own, other[0])),))


def date_of_deed(found: Derivation, table: Table) -> Doubt | None:
    """Ask of "how many orders in June were cancelled" whether they were ordered or cancelled in June."""
    answer = found.answer
    tests: tuple[Test, ...] = getattr(answer, "tests", ())
    deeds = [one.column for one in tests if isinstance(one, Lacks) and one.negated and table.is_date(one.column)]
    own = {one.date for one in tests if isinstance(one, Within)} - {*deeds, *table.years}
    if len(deeds) != 1 or len(own) != 1 or found.names(next(iter(own))):
        return None
    return Doubt((mapped(answer, lambda one: _moved(one, next(iter(own)), deeds[0])),))


def _moved(one: Any, own: str, date: str) -> Any:
    return replace(one, date=date) if isinstance(one, Within | Part) and one.date == own else one


def finer_than_dates(found: Derivation, table: Table) -> Refusal | None:
    """Refuse days of a column that only has months."""
    hours = (one for one in parts(found.answer) if isinstance(one, Part) and one.unit is DateUnit.HOUR)
    for one in hours:
        if one.date in table.names and not table.has_clock(one.date):
            return Refusal(f"`{one.date}` has days without times. Ask by day, week or month.", (one.date,))
    for name in _dates_by_day(found):
        if name in table.names and table.has_months_only(name):
            return Refusal(f"`{name}` has months without days. Ask by month, quarter or year.", (name,))
    return None


def _dates_by_day(found: Derivation) -> Iterator[str]:
    for one in parts(found.answer):
        match one:
            case Part(unit, date) if unit in _FINER:
                yield date
            case Within(Period(start, end, unit), date) if unit is DateUnit.START_OF_DAY or not _first(start, end):
                yield date
            case _:
                pass


def _first(*days: str) -> bool:
    """Tell whether days are the first of a month."""
    return all(not day or day.endswith("-01") for day in days)
