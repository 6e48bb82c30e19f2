"""Figures in an order: running totals, moving averages, changes, ranks."""

from __future__ import annotations

from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.meanings import Bound, Number, Part, Window, Word
from jupyter_mcpgen.nl.grammar.rule import Family, a, maybe
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.expressions import DateUnit
from jupyter_mcpgen.plan.ops import WindowFunction as W

COURSES = Family("courses")
rule = COURSES.rule


@rule(C.WINDOW, C.RUNNING)
def running(table: Table, said: Word) -> Window:
    """Read "running total"."""
    return Window(W.RUNNING_TOTAL)


@rule(C.WINDOW, C.NUMBER, maybe(C.UNIT), a(C.MOVING, words="mean"))
def moving(table: Table, number: Number, part: Part | None, said: Word) -> Window | None:
    """Read "3 month moving average"."""
    return _moving(number, part)


@rule(C.WINDOW, a(C.MOVING, words="along"), C.NUMBER, maybe(C.UNIT), a(C.AGGREGATE, words="mean"))
def along(table: Table, said: Word, number: Number, part: Part | None, mean: Word) -> Window | None:
    """Read "rolling 3 month average"."""
    return _moving(number, part)


@rule(C.WINDOW, a(C.MOVING, words="mean"))
def moving_unsaid(table: Table, said: Word) -> Window:
    """Read "moving average" whose periods another part of the question says."""
    return Window(W.MOVING_AVERAGE, 0)


@rule(C.WINDOW, a(C.OVER, C.OF, C.IN), C.NUMBER, C.UNIT)
def over_so_many(table: Table, said: Word, number: Number, part: Part) -> Window | None:
    """Read "over 3 months" of a moving average that is named elsewhere."""
    found = _moving(number, part)
    return Window(None, found.size, found.unit) if found is not None else None


def _moving(number: Number, part: Part | None) -> Window | None:
    size = int(number.value)
    if size != number.value or number.unit or not 2 <= size <= 1_000:
        return None
    return Window(W.MOVING_AVERAGE, size, part.unit if part is not None else None)


_PREVIOUS = {
    "previous": None,
    "previous_year": DateUnit.START_OF_YEAR,
    "previous_quarter": DateUnit.START_OF_QUARTER,
    "previous_month": DateUnit.START_OF_MONTH,
    "previous_week": DateUnit.START_OF_WEEK,
    "previous_day": DateUnit.START_OF_DAY,
}
_RISES = {"up": True, "down": False}


@rule(C.WINDOW, a(C.CHANGE, words=" ".join(_PREVIOUS)), maybe(C.CHANGE))
def from_before(table: Table, said: Word, how: Word | None) -> Window | None:
    """Read "month on month growth"."""
    if how is not None and how.meaning in _PREVIOUS:
        return None
    moved = W.CHANGE if how is not None and how.meaning != "percent" else W.PERCENT_CHANGE
    return Window(moved, unit=_PREVIOUS[said.meaning], rises=_RISES.get(how.meaning) if how is not None else None)


@rule(C.WINDOW, a(C.CHANGE, words="change percent"), a(C.CHANGE, words="previous"), C.UNIT)
def change_from_previous(table: Table, said: Word, previous: Word, part: Part) -> Window:
    """Read "the change from the previous month"."""
    return Window(W.PERCENT_CHANGE if said.meaning == "percent" else W.CHANGE, unit=part.unit)


@rule(C.WINDOW, a(C.CHANGE, words="change percent up down"))
def change(table: Table, said: Word) -> Window:
    """Read "growth", "change in", "fell"."""
    moved = W.PERCENT_CHANGE if said.meaning == "percent" else W.CHANGE
    return Window(moved, rises=_RISES.get(said.meaning))


@rule(C.WINDOW, a(C.CHANGE, words="up down"), C.BY, C.BOUND)
def change_by(table: Table, said: Word, by: Word, bound: Bound) -> Window | None:
    """Read "fell by more than 20 %"."""
    unit = table.lexicon.unit(bound.value.unit) if bound.value.unit else None
    percent = unit is not None and unit.name == _PERCENT
    if bound.upper is not None or (unit is not None and not percent):
        return None
    return Window(W.PERCENT_CHANGE if percent else W.CHANGE, rises=_RISES[said.meaning], by=bound)


@rule(C.WINDOW, C.IN, a(C.SHARE, words="percent"), cost=0.05)
def in_percent(table: Table, said: Word, share: Word) -> Window:
    """Read "in percent" of a change that is named elsewhere."""
    return Window(None)


_PERCENT = "percent"


def joined(one: Window, other: Window) -> Window | None:
    """Return two parts of a question about a course as one; None where they are two."""
    whole, more = (one, other) if one.function is not None else (other, one)
    match whole, more:
        case Window(W.MOVING_AVERAGE, 0), Window(None, size, unit) if size > 1:
            return Window(W.MOVING_AVERAGE, size, unit)
        case Window(W.CHANGE, _, unit, rises, None), Window(None, 1):
            return Window(W.PERCENT_CHANGE, unit=unit, rises=rises)
        case Window(W.PERCENT_CHANGE), Window(None, 1):
            return whole
        case Window(W.CHANGE | W.PERCENT_CHANGE), Window(W.CHANGE | W.PERCENT_CHANGE):
            told, plain = (one, other) if one.unit is not None else (other, one)
            if told.unit is None or plain.unit is not None:
                return None
            return Window(plain.function, unit=told.unit, rises=plain.rises, by=plain.by)
        case _:
            return None


@rule(C.WINDOW, C.RANK)
def rank(table: Table, said: Word) -> Window:
    """Read "rank"."""
    return Window(W.RANK)
