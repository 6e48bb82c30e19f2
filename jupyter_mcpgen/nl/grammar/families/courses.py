"""Figures in an order: running totals, moving averages, changes, ranks."""

from __future__ import annotations

from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.meanings import Number, Part, Window, Word
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


@rule(C.WINDOW, C.NUMBER, maybe(C.UNIT), C.MOVING)
def moving(table: Table, number: Number, part: Part | None, said: Word) -> Window | None:
    """Read "3 month moving average"."""
    return _moving(number, part)


@rule(C.WINDOW, C.MOVING, maybe(C.OF, C.IN, C.BY), C.NUMBER, maybe(C.UNIT))
def moving_over(table: Table, said: Word, over: Word | None, number: Number, part: Part | None) -> Window | None:
    """Read "moving average over 3 months"."""
    return _moving(number, part)


def _moving(number: Number, part: Part | None) -> Window | None:
    size = int(number.value)
    if size != number.value or not 2 <= size <= 1_000:
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


@rule(C.WINDOW, a(C.CHANGE, words=" ".join(_PREVIOUS)), maybe(C.CHANGE))
def from_before(table: Table, said: Word, how: Word | None) -> Window:
    """Read "month on month growth"."""
    moved = W.CHANGE if how is not None and how.meaning == "change" else W.PERCENT_CHANGE
    return Window(moved, unit=_PREVIOUS[said.meaning])


@rule(C.WINDOW, a(C.CHANGE, words="change percent"))
def change(table: Table, said: Word) -> Window:
    """Read "growth", "change in"."""
    return Window(W.PERCENT_CHANGE if said.meaning == "percent" else W.CHANGE)


@rule(C.WINDOW, C.RANK)
def rank(table: Table, said: Word) -> Window:
    """Read "rank"."""
    return Window(W.RANK)
