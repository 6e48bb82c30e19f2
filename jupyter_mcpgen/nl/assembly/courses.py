"""Answers along the periods of a date: running totals, moving averages, changes; and ranks of groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl.assembly.answers import Grouping, Moved
from jupyter_mcpgen.nl.assembly.choice import IMPLIED, Choice
from jupyter_mcpgen.nl.assembly.measured import measure_of
from jupyter_mcpgen.nl.assembly.query import Query, labels_and_numbers, numbers_of
from jupyter_mcpgen.nl.grammar.families.figures import implied
from jupyter_mcpgen.nl.grammar.meanings import (
    Bound,
    Column,
    Figure,
    Is,
    Measure,
    Part,
    PartOfAll,
    Period,
    Rate,
    Ratio,
    Season,
    Term,
    Test,
    Window,
    Within,
)
from jupyter_mcpgen.nl.grammar.stretches import year_of
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.nl.schema.additivity import Additivity
from jupyter_mcpgen.plan.expressions import CompareOp, DateUnit
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.ops import WindowFunction

UNSAID_PERIOD = 0.15
"""What it costs to go along the years where nobody said from when to when something changed."""
_LABEL_BESIDE = 0.15
"""What a label costs that stands beside a course without "by"."""
_CHANGES = (WindowFunction.CHANGE, WindowFunction.PERCENT_CHANGE)
_IN_A = {
    (DateUnit.START_OF_YEAR, DateUnit.START_OF_QUARTER): 4,
    (DateUnit.START_OF_YEAR, DateUnit.START_OF_MONTH): 12,
    (DateUnit.START_OF_QUARTER, DateUnit.START_OF_MONTH): 3,
    (DateUnit.START_OF_WEEK, DateUnit.START_OF_DAY): 7,
}
"""How many of the shorter periods are in the longer one."""
_MIRRORED = {
    CompareOp.GT: CompareOp.LT,
    CompareOp.GE: CompareOp.LE,
    CompareOp.LT: CompareOp.GT,
    CompareOp.LE: CompareOp.GE,
}


def course(query: Query, window: Window, table: Table) -> Iterator[Choice]:
    """Yield figures along the periods of a date, or the ranks of groups."""
    if query.limits or query.function or query.compared:
        return
    if window.function is WindowFunction.RANK:
        yield from _ranks(query, window, table)
        return
    found = measure_of(query, table, running=window.function is WindowFunction.RUNNING_TOTAL)
    if window.function is None or window.size == 0 or found is None:
        return
    measure, labels, cost = found
    if isinstance(measure, PartOfAll) and not query.tests and not labels and query.extreme is None:
        if query.keys and window.function is WindowFunction.RUNNING_TOTAL:
            yield Choice(Grouping((), query.keys, (measure,), window=window, chart=query.kind), cost)
        return
    if isinstance(measure, PartOfAll) or query.order is not None:
        return
    placed = _along(query, window, labels, table)
    if placed is None:
        return
    keys, window, more = placed
    figure = _over_time(measure, keys[0], query, table)
    kept = _kept(query, window)
    parts = _before_and_after(query.tests, window, keys[0], asked=bool(query.keys))
    if figure is None or kept is None or parts is None:
        return
    tests, after = parts
    extreme = query.extreme
    yield Choice(
        Grouping(
            tests, keys, (figure,), window=window, after=after, kept=kept, chart=query.kind,
            ordered=extreme is not None, by_window=extreme is not None,
            descending=None if extreme is None else extreme.descending is (window.rises is not False),
            first=extreme.count if extreme is not None else None,
        ),
        cost + more,
    )  # fmt: skip


def _over_time(measure: Measure, key: Term, query: Query, table: Table) -> Measure | None:
    """Add stocks up within a year, of which each thing has one; without groups nobody said over what."""
    term = measure.term if isinstance(measure, Figure) and measure.implied else None
    if not isinstance(term, Column) or table.column(term.name).facts.additivity is not Additivity.SEMI_ADDITIVE:
        return measure
    if not query.keys:
        return None
    return Figure(F.SUM, term) if isinstance(key, Column) else measure


def _along(
    query: Query, window: Window, labels: tuple[str, ...], table: Table
) -> tuple[tuple[Term, ...], Window, float] | None:
    """Return the periods and the other groups, the window over these periods, and the cost."""
    keys, cost = query.keys, 0.0
    timed = [key for key in keys if isinstance(key, Part) or (isinstance(key, Column) and table.tells_time(key.name))]
    if any(table.column(name).is_label for name in labels):
        return None
    if timed:
        keys = (timed[0], *(key for key in keys if key != timed[0]))
    else:
        usual = course_key(window.unit, table)
        moves = window.function in _CHANGES
        if usual is None or (moves and window.unit is None and (table.dates or window.rises is not None)):
            return None  # a change needs to be told from when to when, and "dropped by" may be a deed
        keys, cost = (usual, *keys), UNSAID_PERIOD if moves and window.unit is None else IMPLIED
    unit = keys[0].unit if isinstance(keys[0], Part) else DateUnit.START_OF_YEAR
    if window.unit not in (None, unit):
        size = _IN_A.get((window.unit, unit)) if window.function in _CHANGES and window.unit is not None else None
        if size is None:
            return None
        window = replace(window, size=size)
    more = tuple(Column(name) for name in labels if Column(name) not in keys)
    return (*keys, *more), window, cost + _LABEL_BESIDE * bool(more)


def _kept(query: Query, window: Window) -> tuple[tuple[CompareOp, float], ...] | None:
    """Return limits of the change in periods that are asked for; None where the question does not hold together."""
    if window.by is not None:
        value = window.by.value.value
        if not query.named and query.asked != "which":
            return None
        return _moved_by(window.by, value, rises=window.rises is True)
    if query.extreme is not None:
        if query.extreme.timed:
            return None  # "for the last five days" says which, and not the order
        return () if query.named and query.extreme.by is None and query.extreme.nth is None else None
    if not query.named:
        return ()
    if window.rises is None or window.function not in _CHANGES:
        return None  # "which month" of a course
    return ((CompareOp.GT if window.rises else CompareOp.LT, 0.0),)


def _moved_by(bound: Bound, value: float, *, rises: bool) -> tuple[tuple[CompareOp, float], ...]:
    if rises:
        floor = ((CompareOp.GT, 0.0),) if bound.op in (CompareOp.LT, CompareOp.LE) else ()
        return (*floor, (bound.op, value))
    floor = ((CompareOp.LT, 0.0),) if bound.op in (CompareOp.LT, CompareOp.LE) else ()
    return (*floor, (_MIRRORED[bound.op], -value))


def _before_and_after(
    tests: tuple[Test, ...], window: Window, key: Term, *, asked: bool
) -> tuple[tuple[Test, ...], tuple[Test, ...]] | None:
    """Return the conditions on rows, and those on periods, which choose from what was computed of all of them."""
    unit = key.unit if isinstance(key, Part) else DateUnit.START_OF_YEAR
    before: list[Test] = []
    after: list[Test] = []
    for test in tests:
        if not isinstance(test, Within):
            before.append(test)
            continue
        running = window.function is WindowFunction.RUNNING_TOTAL
        if isinstance(test.period, Season):
            if window.function in _CHANGES and window.unit is None and not asked:
                return None
            within = unit in (DateUnit.START_OF_MONTH, DateUnit.START_OF_QUARTER) and window.unit in (None, unit)
            (after if within and not running and test.period.unit is DateUnit.MONTH else before).append(test)
            continue
        if running and test.period.unit is not unit:
            if test.period.unit is not None and not _is_whole(test.period, unit):
                return None
            before.append(test)
            continue
        moves = window.function in _CHANGES and window.unit is None
        if not _is_whole(test.period, unit) or (moves and not asked):
            return None  # a part of a period, or a change from the one end to the other
        after.append(test)
    return tuple(before), tuple(after)


def _is_whole(period: Period, unit: DateUnit) -> bool:
    """Tell whether a stretch of time begins and ends where periods do."""
    ends = [end for end in (period.start, period.end) if end]
    match unit:
        case DateUnit.START_OF_YEAR:
            return all(end.endswith("-01-01") for end in ends)
        case DateUnit.START_OF_MONTH:
            return all(end.endswith("-01") for end in ends)
        case DateUnit.START_OF_QUARTER:
            return all(end[4:] in ("-01-01", "-04-01", "-07-01", "-10-01") for end in ends)
        case _:
            return True


def _ranks(query: Query, window: Window, table: Table) -> Iterator[Choice]:
    """Yield groups with their ranks; conditions on what is ranked choose from the ranks of all."""
    labels, amounts = labels_and_numbers(query, numbers_of(table))
    order, figures, keys, cost = query.order, query.figures, query.keys, 0.0
    if query.extreme is not None:
        return
    if order is not None and isinstance(order.by, Figure | Ratio | Rate) and not figures:
        figures = (order.by,)
    elif order is not None:
        return
    numbers = tuple(key for key in keys if isinstance(key, Column) and key.name in numbers_of(table))
    keys = tuple(key for key in keys if key not in numbers)
    amounts = (*amounts, *numbers)
    if not figures and len(amounts) == 1:
        found = implied(table, amounts[0])
        figures, cost = (found,) if found is not None else (), IMPLIED
    elif amounts:
        return
    things = tuple(dict.fromkeys((*(one.column for one in query.entities if one.column), *labels)))
    keys = keys or tuple(map(Column, things))
    if len(figures) != 1 or not keys or (things and query.keys and not numbers and not query.named):
        return
    ranked = {key.name for key in keys if isinstance(key, Column)}
    after = tuple(test for test in query.tests if isinstance(test, Is) and test.column in ranked)
    tests = tuple(test for test in query.tests if test not in after)
    descending = order.descending if order is not None else None
    yield Choice(
        Grouping(tests, keys, figures, window=window, after=after, descending=descending, chart=query.kind), cost
    )


def moved(query: Query, table: Table) -> Iterator[Choice]:
    """Yield how a figure changed from one period to another, and where that was the most."""
    window, extreme = query.window, query.extreme
    if window is None or window.function not in _CHANGES or window.unit is not None or window.by is not None:
        return
    if query.limits or query.order is not None or query.statistic is not None or query.function:
        return
    if extreme is not None and (extreme.by is not None or extreme.nth is not None):
        return
    span = _span(query, table)
    if span is None:
        return
    date, first, last = span
    if any(isinstance(key, Part) or key == Column(date) for key in query.keys):
        return  # along all periods, of which these are the first and the last
    found = measure_of(query, table)
    if found is None:
        return
    measure, labels, cost = found
    keys = (*query.keys, *(Column(name) for name in labels if Column(name) not in query.keys))
    at_ends = _at_ends(measure, keys, table)
    if at_ends is None or (extreme is not None and len(keys) != 1):
        return
    percent = window.function is WindowFunction.PERCENT_CHANGE
    count = extreme.count if extreme is not None else None
    descending = extreme is None or extreme.descending is (window.rises is not False)
    rises = window.rises if extreme is not None else None
    answer = Moved(query.tests, keys, at_ends, date, first, last, percent, descending, count, rises)
    yield Choice(answer, cost)


def _at_ends(measure: Measure, keys: tuple[Term, ...], table: Table) -> Measure | None:
    """Add stocks up at either end, of groups."""
    term = measure.term if isinstance(measure, Figure) and measure.implied else None
    if not isinstance(term, Column) or table.column(term.name).facts.additivity is not Additivity.SEMI_ADDITIVE:
        return measure
    return Figure(F.SUM, term) if keys else None


def _span(query: Query, table: Table) -> tuple[str, Period, Period] | None:
    """Return the date and the two periods: those that were said, else the first and the last year that is there."""
    date = next(iter((*table.years, *table.dates)), "")
    if len(query.span) == 2:
        first, last = query.span
        if first.unit is not DateUnit.START_OF_YEAR:
            date = next(iter(table.dates), "")
        return (date, first, last) if date else None
    if query.extreme is None or date not in table.years or query.named:
        return None
    known = table.column(date).known
    low, high = known.minimum, known.maximum
    if not isinstance(low, int) or not isinstance(high, int) or low >= high:
        return None
    return date, year_of(low), year_of(high)


def course_key(unit: DateUnit | None, table: Table) -> Term | None:
    """Return the periods to go along where none were named: of the rows' date, else the years."""
    if table.own_year is not None and unit in (None, DateUnit.START_OF_YEAR):
        return Column(table.own_year)
    if table.dates:
        return Part(unit or DateUnit.START_OF_MONTH, table.dates[0])
    return Column(table.years[0]) if table.years else None
