"""Answers along the periods of a date: running totals, moving averages, changes, ranks, two years compared."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl.assembly.answers import Grouping, Moved
from jupyter_mcpgen.nl.assembly.choice import IMPLIED, Choice
from jupyter_mcpgen.nl.assembly.query import Query, labels_and_numbers, numbers_of
from jupyter_mcpgen.nl.grammar.families.figures import ROWS, implied
from jupyter_mcpgen.nl.grammar.meanings import (
    Column,
    Figure,
    Part,
    PartOfAll,
    Rate,
    Ratio,
    Term,
    Window,
    Within,
)
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.expressions import DateUnit
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.ops import WindowFunction

UNSAID_PERIOD = 0.15
"""What it costs to go along the years where nobody said from when to when something changed."""


def course(query: Query, window: Window, table: Table) -> Iterator[Choice]:
    """Yield figures along the periods of a date."""
    labels, amounts = labels_and_numbers(query, numbers_of(table))
    if (
        query.extreme is not None
        or query.limits
        or (query.order is not None and window.function is WindowFunction.RANK)
    ):
        return
    measures, cost = query.figures, 0.0
    if not measures and query.order is not None and isinstance(query.order.by, Figure | Ratio | Rate):
        measures = (query.order.by,)
    if not measures and amounts:
        found = implied(table, amounts[0])
        if found is None or len(amounts) > 1:
            return
        measures, cost = (found,), IMPLIED
    if not measures and (query.entities or window.function is not WindowFunction.RANK):
        measures = (ROWS,)
    if len(measures) != 1:
        return
    if isinstance(measures[0], PartOfAll):
        return
    averaged = isinstance(measures[0], Figure) and measures[0].function in (F.MEAN, F.MEDIAN)
    if window.function is WindowFunction.RUNNING_TOTAL and (averaged or isinstance(measures[0], Rate)):
        return  # averages do not add up
    keys = query.keys
    if window.function is WindowFunction.RANK:
        keys = keys or tuple(map(Column, labels))
        if keys:
            yield Choice(Grouping(query.tests, keys, measures, window=window, chart=query.kind), cost)
        return
    timed = [key for key in keys if isinstance(key, Part) or (isinstance(key, Column) and table.tells_time(key.name))]
    if not timed:
        usual = course_key(window.unit, table)
        if usual is None or (window.unit is None and window.function in _CHANGES and table.dates):
            return  # a change needs to be told from when to when
        keys, cost = (usual, *keys), cost + (IMPLIED if window.function not in _CHANGES else UNSAID_PERIOD)
    else:
        keys = (timed[0], *(key for key in keys if key != timed[0]))
    keys = (*keys, *(Column(name) for name in labels if Column(name) not in keys))
    during = tuple(test for test in query.tests if isinstance(test, Within))
    unit = keys[0].unit if isinstance(keys[0], Part) else DateUnit.START_OF_YEAR
    after = tuple(
        test
        for test in during
        if window.function is not WindowFunction.RUNNING_TOTAL or getattr(test.period, "unit", None) is unit
    )
    tests = tuple(test for test in query.tests if test not in after)
    yield Choice(Grouping(tests, keys, measures, window=window, after=after, chart=query.kind), cost)


_CHANGES = (WindowFunction.CHANGE, WindowFunction.PERCENT_CHANGE)


def moved(query: Query, table: Table) -> Iterator[Choice]:
    """Yield how a figure changed from one year to another."""
    window, labels, amounts = query.window, *labels_and_numbers(query, numbers_of(table))
    date = next(iter((*table.years, *table.dates)), "")
    if len(query.span) != 2 or window is None or window.function not in _CHANGES or not date:
        return
    if query.extreme is not None or query.limits or query.order is not None or query.statistic is not None:
        return
    if any(isinstance(key, Part) or key == Column(date) for key in query.keys):
        return  # along all periods, of which these are the first and the last
    measures = query.figures or tuple(one for term in amounts if (one := implied(table, term)) is not None)
    if not measures and query.entities:
        measures = (ROWS,)
    if len(measures) != 1 or len(amounts) > 1 or (query.figures and amounts):
        return
    keys = (*query.keys, *(Column(name) for name in labels if Column(name) not in query.keys))
    first, last = (int(period.start[:4]) for period in query.span)
    percent = window.function is WindowFunction.PERCENT_CHANGE
    yield Choice(Moved(query.tests, keys, measures[0], date, first, last, percent), 0.0 if query.figures else IMPLIED)


def course_key(unit: DateUnit | None, table: Table) -> Term | None:
    """Return the periods to go along where none were named: of the rows' date, else the years."""
    if table.own_year is not None and unit in (None, DateUnit.START_OF_YEAR):
        return Column(table.own_year)
    if table.dates:
        return Part(unit or DateUnit.START_OF_MONTH, table.dates[0])
    return Column(table.years[0]) if table.years else None
