"""Answers about which come first: the largest and smallest, the first few, the best by something."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl.assembly.answers import Grouping, Listing
from jupyter_mcpgen.nl.assembly.choice import IMPLIED, SECOND, Choice
from jupyter_mcpgen.nl.assembly.query import Query, labels_and_numbers, numbers_of
from jupyter_mcpgen.nl.grammar.families.figures import ROWS, implied
from jupyter_mcpgen.nl.grammar.families.superlatives import judged
from jupyter_mcpgen.nl.grammar.meanings import (
    Axis,
    Column,
    Computed,
    Extreme,
    Figure,
    Measure,
    Part,
    Term,
)
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.ops import AggregateFunction as F

ANY_YARDSTICK, MOST_YARDSTICKS = 0.3, 5
"""What it costs to take an amount for what "best" means, and how many are offered."""


SAID_BY = -0.05
"""What it costs less that a number behind "by" ranks and makes no groups."""
SOME = 10
"""How many come first where a plural says that there are several."""


def extremes(query: Query, extreme: Extreme, table: Table) -> Iterator[Choice]:
    """Yield the groups or rows that come first, or the smallest or largest value itself."""
    periods = tuple(term for term in query.terms if isinstance(term, Part) and term not in query.keys)
    dated = isinstance(extreme.by, Column) and table.is_date(extreme.by.name)
    if periods and not dated:  # "busiest hour of the pickup"
        rest = tuple(term for term in query.terms if term not in periods)
        query = replace(query, terms=rest, keys=(*query.keys, *periods), weak=query.weak or not query.keys)
    labels, amounts = labels_and_numbers(query, numbers_of(table))
    things = tuple(dict.fromkeys((*(one.column for one in query.entities if one.column), *labels)))
    of_rows = any(not one.column and not one.behind for one in query.entities)
    if query.asked == "who" and any(table.is_date(name) and table.tells_deed(name) for name in things):
        return  # "who returned the most" is about what was returned
    if query.asked == "who":
        things = tuple(name for name in things if not table.is_date(name))
    if query.asked == "who" and not things and not of_rows and not table.rows_are_persons:
        things = table.persons[:1]
    if not query.asked and any(table.is_date(name) and not table.says_when(name) for name in things):
        return  # a date beside what is ranked is what happened, and no group
    keys = query.keys
    by, cost = extreme.by, 0.0
    if query.order is not None and (by is not None or isinstance(query.order.by, Axis)):
        return
    if by is None:
        by, left, cost = _yardstick(query, amounts, keys, table)
        if by is None:
            yield from _by_any(query, extreme, things, table)
            return
        named, keys = left != keys, left
        of_rows = of_rows or (named and not things)  # "the largest lake by depth" is a lake
        better = judged(table, extreme.word, by) if not isinstance(by, Axis) else None
        extreme = replace(extreme, descending=extreme.descending if better is None else better)
    elif any(isinstance(key, Column) and key.name in numbers_of(table) for key in keys):
        return  # what is largest is so by one amount
    if query.limits:
        if not things:
            return
        measure = implied(table, by) if isinstance(by, Term) else by
        if measure is None:
            return
        yield Choice(
            Grouping(
                query.tests, tuple(map(Column, things[:1])), (measure,), query.limits,
                ordered=True, descending=extreme.descending, first=extreme.count, chart=query.kind,
            ),
            cost,
        )  # fmt: skip
        return
    if query.several and extreme.count == 1 and extreme.nth is None and (of_rows or extreme.of_row or things):
        extreme = replace(extreme, count=SOME)
    count = extreme.count
    if not isinstance(by, Term):
        periods_only = bool(keys) and all(isinstance(key, Part) for key in keys)
        if periods_only and (len(keys) > 1 or not (query.weak or things or query.order)):
            return  # "highest daily total", "highest daily total in each month"
        shown = tuple(dict.fromkeys((by, *query.figures)))
        yield from _groups_by(query, extreme, shown, things, keys, cost, table)
        return
    if query.figures not in ((), (ROWS,)):
        return  # a figure has no place beside the rows that come first
    if isinstance(by, Column) and table.is_date(by.name):
        yield from _rows_by(query, extreme, by, things, keys, cost, table)
        return
    figure = implied(table, by)
    if figure is None:
        return
    if extreme.of_row and not keys:
        yield Choice(Listing(query.tests, (), by, extreme.descending, count, nth=extreme.nth), cost)
        return
    unique = [name for name in things if table.column(name).is_unique]
    if keys and not things:
        if query.asked == "who":
            yield from _rows_by(query, extreme, by, things, keys, cost, table)
        elif count and count > 1 and _ranks_groups(query, extreme, figure) and not of_rows:
            yield Choice(_ordered(query, keys, (figure,), extreme), cost)  # "cost by town, top 3"
        elif count and count > 1:
            names = tuple(term.name for term in keys if isinstance(term, Column))
            if len(names) == len(keys):
                yield Choice(Listing(query.tests, (), by, extreme.descending, count, per=names), cost)
        elif query.weak and (query.named or not _is_mean(figure) or not table.lists("plain", extreme.word)):
            yield Choice(_ordered(query, keys, (figure,), extreme), cost + IMPLIED)
        elif extreme.nth is None:
            end = Figure(F.MAX if extreme.descending else F.MIN, by)
            yield Choice(Grouping(query.tests, keys, (end,), chart=query.kind), cost)
        return
    of_value = extreme.of_value or table.lists("plain", extreme.word)
    of_rows = of_rows or query.asked in ("who", "when", "where") or (count or 0) > 1
    beside = any(term != by for term in amounts)  # "the cost of the longest wait"
    cost, of_rows = cost + (SECOND if beside else 0.0), of_rows or beside
    if unique or (not things and (of_rows or not of_value)):
        yield from _rows_by(query, extreme, by, things, keys, cost, table)
        return
    if things:
        groups = (*keys, *map(Column, things[:1]))
        grouping = _ordered(query, groups, (figure,), extreme)
        yield Choice(replace(grouping, per=len(keys), ordered=True), cost + IMPLIED)
        adds = not isinstance(figure, Figure) or figure.function is F.SUM
        behind = SECOND if adds or not of_value else IMPLIED  # the highest salary is one, or the average
        yield Choice(Listing(query.tests, (), by, extreme.descending, count, nth=extreme.nth), cost + behind)
        return
    end = Figure(F.MAX if extreme.descending else F.MIN, by)
    if extreme.nth is None:
        yield Choice(Grouping(query.tests, (), (end,)), cost)


def _ranks_groups(query: Query, extreme: Extreme, figure: Measure) -> bool:
    """Tell whether the first few are of the groups that are named: "cost by town, top 3"."""
    plain = extreme.by is None and not extreme.timed and not _is_mean(figure)
    return plain and len(query.keys) == 1 and isinstance(query.keys[0], Column)


def _is_mean(figure: Measure) -> bool:
    return isinstance(figure, Figure) and figure.function is F.MEAN


def _by_any(query: Query, extreme: Extreme, things: tuple[str, ...], table: Table) -> Iterator[Choice]:
    """Yield "the best region" by each amount that may be meant, none of them surely: a person has to say."""
    if len(things) != 1 or query.keys or query.limits:
        return
    concepts = (concept for order in table.lexicon.judgement(extreme.word) for concept in order.concepts)
    judged = [name for concept in concepts for name, _ in table.columns_about(concept)]
    numbers = [name for name in table.names if name in numbers_of(table) and name not in table.years]
    for name in tuple(dict.fromkeys(judged or numbers))[:MOST_YARDSTICKS]:
        found = implied(table, Column(name))
        if found is not None:
            yield Choice(_ordered(query, (Column(things[0]),), (found,), extreme), ANY_YARDSTICK)


def by_each(query: Query, thing: str, table: Table) -> Iterator[Choice]:
    """Yield "compare the regions" by each amount that may be meant, and by how many rows there are."""
    numbers = [name for name in table.names if name in numbers_of(table) and name not in table.years]
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
            left = tuple(other for other in keys if other != term)
            return term, left, SAID_BY if not left else 0.0
        if isinstance(term, Computed):
            return term, tuple(other for other in keys if other != term), 0.0
    if amounts:
        return amounts[0], keys, 0.02
    return None, keys, 0.0


def _ordered(query: Query, keys: tuple[Term, ...], measures: tuple[Measure, ...], extreme: Extreme) -> Grouping:
    return Grouping(
        query.tests, keys, measures, query.limits, ordered=True, descending=extreme.descending, first=extreme.count,
        nth=extreme.nth, chart=query.kind,
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
