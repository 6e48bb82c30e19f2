"""Answers about what is set side by side: figures of periods, and the gap between two values or periods."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl.assembly.answers import Gapped, Grouping
from jupyter_mcpgen.nl.assembly.choice import Choice
from jupyter_mcpgen.nl.assembly.courses import course_key, moved
from jupyter_mcpgen.nl.assembly.measured import measure_of
from jupyter_mcpgen.nl.assembly.query import Query, numbers_of
from jupyter_mcpgen.nl.grammar.families.figures import ROWS
from jupyter_mcpgen.nl.grammar.meanings import (
    Column,
    Either,
    Figure,
    Is,
    Measure,
    Part,
    Period,
    Season,
    Sides,
    Term,
    Within,
)
from jupyter_mcpgen.nl.grammar.stretches import in_year
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.expressions import DateUnit
from jupyter_mcpgen.plan.ops import WindowFunction

_CHANGES = (WindowFunction.CHANGE, WindowFunction.PERCENT_CHANGE)
_OF_SEASON = {DateUnit.MONTH: DateUnit.START_OF_MONTH, DateUnit.QUARTER: DateUnit.START_OF_QUARTER}


def compares(query: Query) -> bool:
    """Tell whether periods, or two things and the gap between them, are compared."""
    return query.gap or (query.sides is not None and bool(query.sides.periods))


def comparisons(query: Query, table: Table) -> Iterator[Choice]:
    """Yield what is compared, and how a figure went on where nothing else is."""
    if query.extreme is not None or query.limits or query.order is not None or query.statistic is not None:
        return
    sides = query.sides.periods if query.sides is not None else ()
    told = query.compared or query.gap or query.asked == "how" or query.window is not None
    if query.sides is not None and query.sides.listed and not told:
        return
    if query.window is not None and query.window.function in _CHANGES:
        if sides and not query.gap:
            yield from _changed(query, sides, table)
        elif query.asked == "how" and not query.gap:
            yield from _went(query, table)
        return
    if query.window is not None:
        return
    if query.gap:
        yield from _gaps(query, sides, table)
    elif sides:
        yield from _periods(query, sides, table)


def _periods(query: Query, sides: tuple[Period | Season, ...], table: Table) -> Iterator[Choice]:
    """Yield a figure of each period: "March vs April"."""
    query, date = _of_date(query, table)
    placed = _placed(query, sides, table, date)
    found = measure_of(query, table)
    if placed is None or found is None or found[1]:
        return
    key, query = placed
    measure, _, cost = found
    keys = (key, *(one for one in query.keys if one != key))
    if not any(isinstance(one, Part) for one in query.keys):
        yield Choice(Grouping(query.tests, keys, (measure,), chart=query.kind), cost)


def _of_date(query: Query, table: Table) -> tuple[Query, str]:
    """Return the date that was named, of which the rows are counted: "applications in Q1 vs Q2"."""
    named = [term for term in query.terms if isinstance(term, Column) and table.is_date(term.name)]
    if len(named) != 1:
        return query, ""
    rest = tuple(term for term in query.terms if term != named[0])
    figures = query.figures if query.figures or rest else (ROWS,)
    return replace(query, terms=rest, figures=figures), named[0].name


def _placed(
    query: Query, sides: tuple[Period | Season, ...], table: Table, date: str = ""
) -> tuple[Term, Query] | None:
    """Return the periods to group by, and the question with the condition that its rows lie in them."""
    years = [test for test in query.tests if isinstance(test, Within) and isinstance(test.period, Period)]
    if len(years) == 1 and all(isinstance(one, Season) for one in sides):
        whole = tuple(in_year(one, years[0].period) for one in sides)  # type: ignore[arg-type]
        if all(whole):
            sides = tuple(one for one in whole if one is not None)
            query = replace(query, tests=tuple(test for test in query.tests if test is not years[0]))
    unit = sides[0].unit
    if unit is None or any(isinstance(test, Within) for test in query.tests):
        return None
    date = date or next(iter((*table.years, *table.dates) if unit is DateUnit.START_OF_YEAR else table.dates), "")
    if not date:
        return None
    tests = (*query.tests, Either(tuple(Within(period, date) for period in sides)))
    key: Term = Column(date) if date in table.years else Part(_OF_SEASON.get(unit, unit), date)
    return key, replace(query, tests=tests)


def _changed(query: Query, sides: tuple[Period | Season, ...], table: Table) -> Iterator[Choice]:
    """Yield the change to the later of two periods: "growth 2024 vs 2023"."""
    periods = sorted((one for one in sides if isinstance(one, Period)), key=lambda one: one.start)
    if len(periods) == len(sides) == 2:
        yield from moved(replace(query, span=tuple(periods)), table)


def _went(query: Query, table: Table) -> Iterator[Choice]:
    """Yield a figure along the periods: "how did the sales change"."""
    found = measure_of(query, table)
    key = course_key(None, table)
    spans = any(isinstance(test, Within) and test.period.unit is None for test in query.tests)
    if found is None or found[1] or key is None or spans:
        return
    timed = any(isinstance(one, Part) or (isinstance(one, Column) and table.tells_time(one.name)) for one in query.keys)
    keys = query.keys if timed else (key, *query.keys)
    yield Choice(Grouping(query.tests, keys, (found[0],), chart=query.kind), found[2])


def _gaps(query: Query, sides: tuple[Period | Season, ...], table: Table) -> Iterator[Choice]:
    """Yield how far the figures of two values or periods lie apart."""
    found = measure_of(query, table)
    if found is None or found[1] or any(isinstance(key, Part) for key in query.keys):
        return
    measure, _, cost = found
    pairs = [test for test in query.tests if isinstance(test, Is) and test.apart and not test.negated]
    if len(pairs) == 1 and len(pairs[0].values) == 2 and not sides:
        first, second = pairs[0].values
        single = table.column(pairs[0].column).is_unique and not query.keys
        gap = Gapped(query.tests, Column(pairs[0].column), measure, (first, second), single=single, by=query.keys)
        yield Choice(gap, cost)
        return
    placed = _placed(query, sides, table) if len(sides) == 2 else None
    if placed is None or pairs or not all(isinstance(one, Period) for one in sides):
        return
    key, query = placed
    starts = [one.start for one in sides if isinstance(one, Period)]
    years = isinstance(key, Column)
    values = tuple(int(start[:4]) if years else start for start in starts)
    single = isinstance(key, Column) and table.column(key.name).is_unique and not query.keys
    yield Choice(Gapped(query.tests, key, measure, (values[0], values[1]), single=single, by=query.keys), cost)


def is_against(query: Query) -> bool:
    """Tell whether values were set against each other: "Leeds vs York"."""
    return any(isinstance(test, Is) and test.against for test in query.tests)


def set_apart(
    query: Query, amounts: tuple[Term, ...], table: Table
) -> tuple[tuple[Term, ...], tuple[Measure, ...], tuple[Term, ...]] | None:
    """Return groups, figures and amounts, with a group for each value that was set beside another.

    None where nobody said what is compared.
    """
    keys, measures = query.keys, query.figures
    apart = [Column(test.column) for test in query.tests if isinstance(test, Is) and test.apart]
    if not apart:
        return keys, measures, amounts
    if query.compared:  # "compare Leeds and York by price"
        beside = tuple(key for key in keys if isinstance(key, Column) and key.name in numbers_of(table))
        keys, amounts = tuple(key for key in keys if key not in beside), (*amounts, *beside)
    timed = [key for key in keys if isinstance(key, Part) or (isinstance(key, Column) and table.tells_time(key.name))]
    only = apart[0]
    own = keys
    keys = keys if only in keys else (*keys, only)
    if not (measures or amounts) and query.order is not None and isinstance(query.order.by, Figure):
        measures = (query.order.by,)  # "by average price"
    if measures or amounts:
        return keys, measures, amounts
    rows = [one for one in query.entities if not one.column]
    about = [name for one in rows for name, _ in table.columns_about(one.word) if table.is_number(name)]
    if about or not (rows or own or query.compared):
        return None
    totals = [name for name in table.amounts if name not in table.years]
    if timed and not query.entities:
        return (keys, measures, (Column(totals[0]),)) if len(totals) == 1 else None
    return keys, measures, amounts


def listed_only(sides: Sides | None) -> bool:
    """Tell whether something else has to say that these are compared."""
    return sides is not None and sides.listed
