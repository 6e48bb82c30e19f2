"""From the parts of a question to the answers that it may have, with what each costs in certainty."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from operator import attrgetter

from jupyter_mcpgen.nl.assembly.answers import Answer, Grouping, Listing, Moved
from jupyter_mcpgen.nl.assembly.choice import BESIDE, IMPLIED, SECOND, Choice
from jupyter_mcpgen.nl.assembly.drawings import binned, drawings, grouping, is_drawn
from jupyter_mcpgen.nl.assembly.query import Query, labels_and_numbers
from jupyter_mcpgen.nl.assembly.statistics import statistics
from jupyter_mcpgen.nl.grammar.families.figures import ROWS, counted, figure, implied
from jupyter_mcpgen.nl.grammar.meanings import (
    Axis,
    Both,
    Bound,
    Column,
    Computed,
    Entity,
    Extreme,
    Figure,
    Holds,
    Is,
    Lacks,
    Limit,
    Measure,
    Number,
    OfEach,
    Part,
    PartOfAll,
    Period,
    Rate,
    Ratio,
    Term,
    Test,
    Window,
    Within,
)
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.expressions import CompareOp, DateUnit
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.ops import ChartKind, WindowFunction

USUAL_KEPT = 10
"""How many "top regions" without a number keeps."""
UNSAID_PERIOD = 0.15
"""What it costs to go along the months where nobody said from when to when something changed."""
ANY_YARDSTICK, MOST_YARDSTICKS = 0.3, 5
"""What it costs to take an amount for what "best" means, and how many are offered."""


def choices(query: Query, table: Table) -> Iterator[Choice]:
    """Yield the answers that a question may have."""
    query = _dated(_of_its_date(binned(query, table), table), table)
    if query.function:
        joined = _joined(query, table)
        if joined is None:
            return
        query = joined
    if query.span or query.how_much:
        yield from _moved(query, table)
        return
    query = _timed(query, table)
    if is_drawn(query):
        yield from drawings(query, table)
        return
    if query.statistic is not None and query.drawn is not None and query.drawn.kind is ChartKind.SCATTER:
        return  # a scatter plot shows rows
    if query.statistic is not None:
        yield from (Choice(answer) for answer in statistics(query, query.statistic.name, table))
        return
    if query.window is not None:
        yield from _course(query, query.window, table)
    elif query.extreme is not None:
        yield from _extremes(query, query.extreme, table)
    elif _asks_for_figures(query, table):
        yield from _figures(query, table)
    else:
        yield from _rows(query, table)


def _joined(query: Query, table: Table) -> Query | None:
    """Join a function with the one amount that stands apart from it: "who scored the most on average"."""
    if query.figures:
        return None
    extreme = query.extreme
    if extreme is not None and isinstance(extreme.by, Term):
        found = figure(table, query.function, extreme.by)
        return None if not isinstance(found, Figure) else replace(query, extreme=replace(extreme, by=found))
    numbers = _numbers(table)
    amounts = [term for term in query.terms if not isinstance(term, Column) or term.name in numbers]
    if len(amounts) != 1:
        return None
    found = figure(table, query.function, amounts[0])
    terms = tuple(term for term in query.terms if term != amounts[0])
    return replace(query, figures=(found,), terms=terms) if isinstance(found, Figure) else None


def _of_its_date(query: Query, table: Table) -> Query:
    """Take a date that was named for that of the periods: "cancellations per month" go by `cancelled_at`."""
    named = [term for term in query.terms if isinstance(term, Column) and table.is_date(term.name)]
    periods = [key for key in query.keys if isinstance(key, Part)]
    if len(named) != 1 or not periods or query.figures:
        return query
    date = named[0].name
    keys = tuple(replace(key, date=date) if isinstance(key, Part) else key for key in query.keys)
    terms = tuple(term for term in query.terms if term != named[0])
    tests = (*query.tests, Lacks(date, negated=True)) if table.column(date).nulls else query.tests
    figures = query.figures if terms else (ROWS,)
    return replace(query, keys=keys, terms=terms, tests=tests, figures=figures)


def _asks_for_figures(query: Query, table: Table) -> bool:
    if query.figures or query.limits or query.keys or query.drawn is not None:
        return True
    apart = any(isinstance(test, Is) and test.apart for test in query.tests)
    return apart and (query.compared or _amounts(query, table))


def _timed(query: Query, table: Table) -> Query:
    """Group by the periods of a date where a course over time was asked for."""
    if query.drawn is None or not query.drawn.timed or any(isinstance(key, Part) for key in query.keys):
        return query
    if query.pair is not None or any(isinstance(term, Column) and _tells_time(term, table) for term in query.terms):
        return query
    key = _course_key(None, table)
    return replace(query, keys=(key, *query.keys)) if key is not None and key not in query.keys else query


def _amounts(query: Query, table: Table) -> bool:
    return bool(labels_and_numbers(query, _numbers(table))[1])


def _dated(query: Query, table: Table) -> Query:
    """Put the date of the rows where a period was said without one."""
    date = table.dates[0] if table.dates else ""
    year = table.years[0] if table.years else ""

    def settled(test: Test) -> Test:
        if not isinstance(test, Within) or test.date:
            return test
        whole = isinstance(test.period, Period) and all(
            end[4:] in ("", "-01-01") for end in (test.period.start, test.period.end)
        )
        return replace(test, date=year if year and (whole or not date) else date)

    return replace(query, tests=tuple(settled(test) for test in query.tests))


def _numbers(table: Table) -> frozenset[str]:
    """Return the columns of amounts; numbers that say yes and no are none."""
    views = ((name, table.column(name)) for name in table.names if table.is_number(name))
    return frozenset(name for name, view in views if not view.is_label and view.truth is None)


# -- the first few ---------------------------------------------------------------------------------------------------


def _extremes(query: Query, extreme: Extreme, table: Table) -> Iterator[Choice]:
    labels, amounts = labels_and_numbers(query, _numbers(table))
    things = tuple(dict.fromkeys((*(one.column for one in query.entities if one.column), *labels)))
    of_rows = any(not one.column for one in query.entities)
    if query.asked == "who" and not things and not of_rows and not table.rows_are_persons:
        things = table.persons[:1]
    keys = query.keys
    by, cost = extreme.by, 0.0
    if query.order is not None and (by is not None or isinstance(query.order.by, Axis)):
        return
    if by is None:
        by, keys, cost = _yardstick(query, amounts, keys, table)
        if by is None:
            yield from _by_any(query, extreme, things, table)
            return
    if query.limits:
        if not things:
            return
        measure = implied(table, by) if isinstance(by, Term) else by
        if measure is None:
            return
        yield Choice(
            Grouping(
                query.tests, tuple(map(Column, things[:1])), (measure,), query.limits,
                ordered=True, descending=extreme.descending, first=extreme.count, chart=_kind(query),
            ),
            cost,
        )  # fmt: skip
        return
    count = extreme.count
    if not isinstance(by, Term):
        shown = tuple(dict.fromkeys((by, *query.figures)))
        yield from _groups_by(query, extreme, shown, things, keys, cost, table)
        return
    if isinstance(by, Column) and table.is_date(by.name):
        yield from _rows_by(query, extreme, by, things, keys, cost, table)
        return
    figure = implied(table, by)
    if figure is None:
        return
    unique = [name for name in things if table.column(name).is_unique]
    if keys and not things:
        if count and count > 1:
            names = tuple(term.name for term in keys if isinstance(term, Column))
            if len(names) == len(keys):
                yield Choice(Listing(query.tests, (), by, extreme.descending, count, per=names), cost)
        elif query.weak:
            yield Choice(_ordered(query, keys, (figure,), extreme), cost + IMPLIED)
        else:
            end = Figure(F.MAX if extreme.descending else F.MIN, by)
            yield Choice(Grouping(query.tests, keys, (end,), chart=_kind(query)), cost)
        return
    of_value = extreme.of_value or table.lists("plain", extreme.word)
    of_rows = of_rows or query.asked in ("who", "when", "where") or (count or 0) > 1
    if unique or (not things and (of_rows or not of_value)):
        yield from _rows_by(query, extreme, by, things, keys, cost, table)
        return
    if things:
        groups = (*keys, *map(Column, things[:1]))
        grouping = _ordered(query, groups, (figure,), extreme)
        yield Choice(replace(grouping, per=len(keys), ordered=True), cost + IMPLIED)
        yield Choice(Listing(query.tests, (), by, extreme.descending, count, nth=extreme.nth), cost + SECOND)
        return
    end = Figure(F.MAX if extreme.descending else F.MIN, by)
    if extreme.nth is None:
        yield Choice(Grouping(query.tests, (), (end,)), cost)


def _by_any(query: Query, extreme: Extreme, things: tuple[str, ...], table: Table) -> Iterator[Choice]:
    """Yield "the best region" by each amount that may be meant, none of them surely: a person has to say."""
    if len(things) != 1 or query.keys or query.limits:
        return
    concepts = (concept for order in table.lexicon.judgement(extreme.word) for concept in order.concepts)
    judged = [name for concept in concepts for name, _ in table.columns_about(concept)]
    numbers = [name for name in table.names if name in _numbers(table) and name not in table.years]
    for name in tuple(dict.fromkeys(judged or numbers))[:MOST_YARDSTICKS]:
        found = implied(table, Column(name))
        if found is not None:
            yield Choice(_ordered(query, (Column(things[0]),), (found,), extreme), ANY_YARDSTICK)


def _by_each(query: Query, thing: str, table: Table) -> Iterator[Choice]:
    """Yield "compare the regions" by each amount that may be meant, and by how many rows there are."""
    numbers = [name for name in table.names if name in _numbers(table) and name not in table.years]
    figures = [found for name in numbers if (found := implied(table, Column(name))) is not None]
    for one in (*figures[: MOST_YARDSTICKS - 1], ROWS):
        yield Choice(Grouping(query.tests, (Column(thing),), (one,)), ANY_YARDSTICK)


def _yardstick(
    query: Query, amounts: tuple[Term, ...], keys: tuple[Term, ...], table: Table
) -> tuple[Measure | Term | None, tuple[Term, ...], float]:
    """Return the figure or amount that ranks the results, the groups that are left, and the cost."""
    if query.figures:
        return query.figures[0], keys, 0.0
    if query.order is not None and query.order.by is not None and not isinstance(query.order.by, Axis):
        return query.order.by, keys, 0.0
    for term in keys:
        if isinstance(term, Column) and table.is_number(term.name) and not table.column(term.name).is_label:
            return term, tuple(other for other in keys if other != term), 0.0
        if isinstance(term, Computed):
            return term, tuple(other for other in keys if other != term), 0.0
    if amounts:
        return amounts[0], keys, 0.02
    return None, keys, 0.0


def _ordered(query: Query, keys: tuple[Term, ...], measures: tuple[Measure, ...], extreme: Extreme) -> Grouping:
    return Grouping(
        query.tests, keys, measures, query.limits, ordered=True, descending=extreme.descending, first=extreme.count,
        nth=extreme.nth, chart=_kind(query),
    )  # fmt: skip


def _groups_by(
    query: Query,
    extreme: Extreme,
    measures: tuple[Measure, ...],
    things: tuple[str, ...],
    keys: tuple[Term, ...],
    cost: float,
    table: Table,
) -> Iterator[Choice]:
    """Yield the groups that come first by a figure."""
    if len(things) > 1:
        return
    groups = tuple(map(Column, things))
    if groups and keys:
        yield Choice(replace(_ordered(query, (*keys, *groups), measures, extreme), per=len(keys)), cost)
    elif groups:
        yield Choice(_ordered(query, groups, measures, extreme), cost)
    elif keys and (query.weak or (extreme.count or 0) > 1 or table.lists("top", extreme.word)):
        yield Choice(_ordered(query, keys, measures, extreme), cost)
    elif keys:
        whole = replace(_ordered(query, keys, measures, extreme), first=None, ordered=False, descending=None)
        yield Choice(whole, cost + IMPLIED)


def _rows_by(
    query: Query,
    extreme: Extreme,
    by: Term,
    things: tuple[str, ...],
    keys: tuple[Term, ...],
    cost: float,
    table: Table,
) -> Iterator[Choice]:
    """Yield the rows that come first by a value of theirs."""
    if keys:
        names = tuple(term.name for term in keys if isinstance(term, Column))
        if len(names) == len(keys):
            yield Choice(Listing(query.tests, (), by, extreme.descending, extreme.count, per=names), cost)
        return
    asked = query.asked == "when" and isinstance(by, Column) and table.is_date(by.name)
    if asked and not things and extreme.nth is None:
        end = Figure(F.MAX if extreme.descending else F.MIN, by)
        yield Choice(Grouping(query.tests, (), (end,)), cost)
        return
    yield Choice(Listing(query.tests, (), by, extreme.descending, extreme.count, nth=extreme.nth), cost)


# -- figures ---------------------------------------------------------------------------------------------------------


def _figures(query: Query, table: Table) -> Iterator[Choice]:
    labels, amounts = labels_and_numbers(query, _numbers(table))
    things = tuple(dict.fromkeys((*(one.column for one in query.entities if one.column), *labels)))
    measures, cost = query.figures, 0.0
    keys = query.keys
    among = [measure.among for measure in measures if isinstance(measure, Rate) and measure.among is not None]
    if among:
        if len(measures) > 1:
            return  # the other figures would be of these rows alone
        query = replace(query, tests=(*query.tests, among[0]))
    if query.tests and any(isinstance(measure, PartOfAll) for measure in measures):
        only = measures[0]
        if isinstance(only, PartOfAll) and only.figure == ROWS and len(measures) == 1 and not (keys or query.terms):
            test = query.tests[0] if len(query.tests) == 1 else Both(query.tests)
            yield Choice(Grouping((), (), (Rate(test, only.percent),)))
        return  # else the rows that count may be those of the part, or of the whole
    if query.limits and measures and not keys and (ROWS in measures or _is_count(measures[0])):
        yield from _groups_counted(query, table)
        return
    if any(isinstance(measure, OfEach) for measure in measures):
        yield from _of_each_group(query, things)
        return
    if query.named and not query.limits:
        return  # "which month" alone asks for no figure
    if any(table.column(name).truth is not None for name in labels):
        return
    apart = [test.column for test in query.tests if isinstance(test, Is) and test.apart and not _is_total(measures)]
    if apart and not query.limits and not things and all(isinstance(key, Part) for key in keys):
        keys = (*keys, *(Column(name) for name in apart[:1]))
    if amounts:
        more = tuple(implied(table, term) for term in amounts)
        if None in more or (measures and not keys):
            return
        measures, cost = (*measures, *(one for one in more if one is not None)), cost + IMPLIED
    if query.limits and not keys:
        keys = tuple(map(Column, things))
        if not keys:
            return
        measures = measures or tuple(dict.fromkeys(limit.measure for limit in query.limits))
    elif things:
        if measures and not keys:
            keys, cost = tuple(map(Column, things)), cost + BESIDE
        elif not measures and keys and len(things) == 1 and table.column(things[0]).is_label:
            found = counted(table, Entity(things[0]))  # "orders by country" counts each order once
            measures = (found,) if isinstance(found, Figure) else ()
            if not measures:
                return
        elif not measures:
            keys = (*keys, *(Column(name) for name in things if Column(name) not in keys))
        elif any(Column(name) not in keys for name in things):
            return
    if query.limits:
        measures = measures or tuple(dict.fromkeys(limit.measure for limit in query.limits))
    if not measures:
        if any(table.is_amount_noun(one.word) for one in query.entities):
            return  # "sales by region" are not how many there were
        measures, cost = (ROWS,), cost + (0.0 if query.entities else IMPLIED)
    only = measures[0]
    if isinstance(only, Figure) and only.implied and isinstance(only.term, Column) and _shows_cell(query, keys, table):
        yield Choice(Listing(query.tests, (only.term.name,)), cost)
        return
    if not keys and any(one.each for one in query.entities):
        return  # a figure of every row alone
    yield from grouping(query, keys, measures, table, cost)


def _of_each_group(query: Query, things: tuple[str, ...]) -> Iterator[Choice]:
    """Yield a figure of the figures of groups, for all of them or within further groups."""
    only = query.figures[0]
    alone = len(query.figures) == 1 and not (things or query.terms or query.limits or query.order or query.named)
    if isinstance(only, OfEach) and alone and only.each not in query.keys:
        keys = (*query.keys, only.each)
        yield Choice(Grouping(query.tests, keys, (only.figure,), per=len(query.keys), then=only.function))


def _is_total(measures: tuple[Measure, ...]) -> bool:
    """Tell whether one total was asked for, which adds up what was set side by side."""
    return any(isinstance(one, Figure) and one.function is F.SUM and not one.implied for one in measures)


def _is_count(measure: Measure) -> bool:
    return isinstance(measure, Figure) and measure.function is F.COUNT_DISTINCT and isinstance(measure.term, Column)


def _groups_counted(query: Query, table: Table) -> Iterator[Choice]:
    """Yield how many things meet a limit of what each has: "how many towns had more than 3 orders"."""
    counted = [figure.term for figure in query.figures if _is_count(figure) and isinstance(figure, Figure)]
    if len(query.figures) != 1 or len(counted) != 1 or counted[0] is None or query.terms or query.entities:
        return
    measures = tuple(dict.fromkeys(limit.measure for limit in query.limits))
    yield Choice(Grouping(query.tests, (counted[0],), measures, query.limits, then=F.COUNT))


def _never(query: Query, things: tuple[str, ...], table: Table) -> Choice | None:
    """Return "members without a fine" as those that have no such row, where members come back in several rows."""
    if len(things) != 1 or not table.repeats(things[0]):
        return None
    denied = [test for test in query.tests if isinstance(test, Is) and test.negated and test.column != things[0]]
    if len(denied) != 1:
        return None
    rest = tuple(test for test in query.tests if test is not denied[0])
    lacks = replace(denied[0], negated=False)
    return Choice(Grouping(rest, (Column(things[0]),), (ROWS,), lacks=lacks), IMPLIED)


def _shows_cell(query: Query, keys: tuple[Term, ...], table: Table) -> bool:
    """Tell whether an amount is that of one row, which shows its cell."""
    return not keys and len(query.figures) <= 1 and not query.limits and _finds_one(query.tests, table)


def _kind(query: Query) -> ChartKind | None:
    return query.drawn.kind if query.drawn is not None else None


# -- courses ---------------------------------------------------------------------------------------------------------


def _course(query: Query, window: Window, table: Table) -> Iterator[Choice]:
    """Yield figures along the periods of a date."""
    labels, amounts = labels_and_numbers(query, _numbers(table))
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
    keys = query.keys
    if window.function is WindowFunction.RANK:
        keys = keys or tuple(map(Column, labels))
        if keys:
            yield Choice(Grouping(query.tests, keys, measures, window=window, chart=_kind(query)), cost)
        return
    timed = [key for key in keys if isinstance(key, Part) or (isinstance(key, Column) and _tells_time(key, table))]
    if not timed:
        usual = _course_key(window.unit, table)
        if usual is None or (window.unit is None and keys and window.function in _CHANGES and table.dates):
            return  # a change of groups needs to be told from when to when
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
    yield Choice(Grouping(tests, keys, measures, window=window, after=after, chart=_kind(query)), cost)


_CHANGES = (WindowFunction.CHANGE, WindowFunction.PERCENT_CHANGE)


def _moved(query: Query, table: Table) -> Iterator[Choice]:
    """Yield how a figure changed from one year to another."""
    window, labels, amounts = query.window, *labels_and_numbers(query, _numbers(table))
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


def _tells_time(key: Column, table: Table) -> bool:
    return key.name in table.years or table.is_date(key.name) or table.is_time(key.name)


def _course_key(unit: DateUnit | None, table: Table) -> Term | None:
    if table.dates:
        return Part(unit or DateUnit.START_OF_MONTH, table.dates[0])
    return Column(table.years[0]) if table.years else None


# -- rows ------------------------------------------------------------------------------------------------------------


def _rows(query: Query, table: Table) -> Iterator[Choice]:
    """Yield rows, or figures of an amount that was named without a function."""
    labels, amounts = labels_and_numbers(query, _numbers(table))
    things = tuple(dict.fromkeys((*(one.column for one in query.entities if one.column), *labels)))
    if query.compared and not amounts and len(things) == 1:
        yield from _by_each(query, things[0], table)
        return
    order = query.order
    never = _never(query, things, table)
    if never is not None:
        if not amounts and order is None:
            yield never
        return
    if query.asked in _ASKED_FOR and not things and not amounts:
        things = _ASKED_FOR[query.asked](table)[:1]
        if not things and not (query.asked == "who" and table.rows_are_persons):
            return  # no column says who, when or where
    by = order.by if order is not None and isinstance(order.by, Term) else None
    names = tuple(term.name for term in query.terms if isinstance(term, Column))
    shown = tuple(dict.fromkeys((*(one.column for one in query.entities if one.column), *names)))
    grouped = _of_each_thing(query, table)
    if grouped is not None:
        yield grouped
        return
    tested = {one.column for one in query.tests if isinstance(one, Is)}
    untold = tuple(name for name in shown if name not in tested)
    if shown and not untold:
        return  # what was said is not what is asked for
    shown = untold or shown or things
    if any(not one.column for one in query.entities) and any(table.column(name).truth is not None for name in shown):
        return  # "insured hires" are some of the hires, not what `insured` says
    listing = Listing(query.tests, shown, by, bool(order and order.descending))
    if order is not None and by is None:
        return
    single = _finds_one(query.tests, table)
    if amounts and not things:
        measures = tuple(one for term in amounts if (one := implied(table, term)) is not None)
        if len(measures) == len(amounts) and order is None:
            yield Choice(Grouping(query.tests, (), measures), IMPLIED + (SECOND if single else 0.0))
        if len(names) == len(query.terms):
            yield Choice(listing, 0.0 if single else SECOND)
        return
    if len(names) < len(query.terms):
        return
    if not query.tests and not shown and not (query.listed and query.entities):
        return
    repeated = len(shown) == 1 and any(one.asked for one in query.entities) and table.is_told_often(shown[0])
    if any(one.different for one in query.entities) or (repeated and not _finds_one(query.tests, table)):
        yield Choice(replace(listing, distinct=True))
        return
    if shown and not query.tests and len(shown) == 1 and not amounts:
        yield Choice(replace(listing, distinct=True), IMPLIED)
        return
    yield Choice(listing, 0.0)


_ASKED_FOR: dict[str, Callable[[Table], tuple[str, ...]]] = {
    "when": attrgetter("times"),
    "where": attrgetter("places"),
    "who": attrgetter("persons"),
}
"""The columns that question words ask for."""


def _of_each_thing(query: Query, table: Table) -> Choice | None:
    """Return "couriers with more than 60 km" by the total of each courier, where couriers come back in several rows."""
    labels, _ = labels_and_numbers(query, _numbers(table))
    things = tuple(dict.fromkeys((*(one.column for one in query.entities if one.column), *labels)))
    limits = tuple(limit for test in query.tests if (limit := _total_limited(test, table)) is not None)
    text = len(things) == 1 and (table.is_text(things[0]) or table.column(things[0]).is_label)
    if not text or len(query.terms) > 1 or not limits or not table.repeats(things[0]):
        return None
    measures = tuple(dict.fromkeys(limit.measure for limit in limits))
    rest = tuple(test for test in query.tests if _total_limited(test, table) is None)
    return Choice(Grouping(rest, (Column(things[0]),), measures, limits))


def _total_limited(test: Test, table: Table) -> Limit | None:
    """Return a limit of an amount as one of its total."""
    match test:
        case Holds(Column(name), op, Number() as number) if op is not CompareOp.EQ and table.column(name).adds_up:
            return Limit(Figure(F.SUM, Column(name)), Bound(op, number))
        case _:
            return None


def looks_up(answer: Answer, query: Query, table: Table) -> bool:
    """Tell whether an answer shows cells of one row, which a condition names.

    "Who" may be anybody that has to do with the row, as long as the row itself is no person.
    """
    if not isinstance(answer, Listing) or not answer.columns or not _finds_one(answer.tests, table):
        return False
    anybody = query.asked == "who" and not query.terms and not any(one.column for one in query.entities)
    return not anybody or table.rows_are_persons


def _finds_one(tests: tuple[Test, ...], table: Table) -> bool:
    """Tell whether a condition names one row, as that of an identifier or a name does."""
    return any(isinstance(test, Is) and not test.negated and table.column(test.column).is_unique for test in tests)
