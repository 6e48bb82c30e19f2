"""Figures of groups as a follow-up changes them: other groups, figures, limits, orders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl.assembly.answers import Grouping, Listing
from jupyter_mcpgen.nl.assembly.choice import Choice
from jupyter_mcpgen.nl.assembly.query import Query, labels_and_numbers, numbers_of
from jupyter_mcpgen.nl.dialogue.change import ASKED, Change, kept_tests
from jupyter_mcpgen.nl.dialogue.edits import AsShare, BesideYear, InOrder, Limited, OnlyFirst
from jupyter_mcpgen.nl.dialogue.kept_conditions import columns_of
from jupyter_mcpgen.nl.grammar.families.figures import figure, implied
from jupyter_mcpgen.nl.grammar.meanings import (
    Axis,
    Bound,
    Column,
    Costed,
    Extreme,
    Figure,
    Holds,
    Is,
    Limit,
    Measure,
    Number,
    Part,
    PartOfAll,
    Period,
    Rate,
    Ratio,
    Sorted,
    Term,
    Test,
    Window,
    Within,
)
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.expressions import DateUnit
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.ops import WindowFunction

OF_THE_FIGURES = 0.04
"""What it costs to take a bare function for one of the figures that were shown, where rows may be meant as well."""
_ADDED = (F.SUM, F.COUNT, F.COUNT_DISTINCT)
_OF_FIRST = ("first", "head")


def changed_groups(answer: Grouping, change: Change, table: Table) -> Iterator[Choice]:
    """Yield the figures that a follow-up asks for."""
    query, cue = change.query, change.cue
    beside = next((edit for edit in change.edits if isinstance(edit, BesideYear)), None)
    if beside is not None:
        found = _beside_year(answer, beside)
        if found is not None and change == Change(Query(), (beside,), cue):
            yield Choice(found)
        return
    tests = kept_tests(answer.tests, change)
    if tests is None or (answer.lacks is not None and change.has_subject):
        return
    if query.listed and cue.points and change == Change(Query(listed=True, tests=query.tests), (), cue):
        yield Choice(Listing(tests))
        return
    if _shares_of_some(answer, query) and not cue.narrows:
        if change == Change(Query(tests=query.tests), (), cue):
            yield Choice(replace(answer, after=query.tests, first=None))  # its share is that in all of them
        return
    answer = replace(answer, tests=tests)
    labels, amounts = labels_and_numbers(query, numbers_of(table))
    things = tuple(one.column for one in query.entities if one.column)
    marks = tuple(Column(name) for name in dict.fromkeys((*things, *labels)))
    if (marks and query.figures) or (cue.narrows and (marks or amounts)):
        return  # "only the channel" says no value
    keyed = _keyed(answer, (*query.keys, *marks, *_set_apart(answer, query)), change, table)
    if keyed is None:
        return
    for measured, cost in _measured(keyed, amounts, change, table):
        ordered = _ordered(measured, change, table)
        if ordered is not None:
            yield Choice(ordered, cost)
            yield from (Choice(one, cost) for one in _limited_figures(ordered, change))


def _beside_year(answer: Grouping, edit: BesideYear) -> Grouping | None:
    """Return figures of one year beside those of another; None where they are of no one year, or only the first few."""
    if answer.first is not None or answer.window is not None or answer.then is not None or answer.limits:
        return None
    during = [test for test in answer.tests if isinstance(test, Within) and not test.negated]
    periods = [test.period for test in during if isinstance(test.period, Period)]
    if len(during) != 1 or len(periods) != 1 or periods[0].unit is not DateUnit.START_OF_YEAR:
        return None
    year = int(periods[0].start[:4])
    other = edit.year if edit.year is not None else year - 1
    if abs(other - year) != 1:
        return None
    both = Period(f"{min(year, other):04}-01-01", f"{max(year, other) + 1:04}-01-01")
    tests = tuple(replace(test, period=both) if test == during[0] else test for test in answer.tests)
    keys = (*answer.keys, Part(DateUnit.YEAR, during[0].date))
    return replace(answer, tests=tests, keys=keys, ordered=False, order=None, descending=None, chart=None)


def _shares_of_some(answer: Grouping, query: Query) -> bool:
    columns = {key.name for key in answer.keys if isinstance(key, Column)}
    shares = any(isinstance(one, PartOfAll) for one in answer.measures)
    return shares and bool(columns & columns_of(query.tests))


def _set_apart(answer: Grouping, query: Query) -> tuple[Term, ...]:
    """Return what "compare web and phone" groups by, beside the groups that are there."""
    apart = (Column(test.column) for test in query.tests if isinstance(test, Is) and test.apart and query.compared)
    return tuple(one for one in (*answer.keys, *apart) if query.compared) if query.compared else ()


def _keyed(answer: Grouping, keys: tuple[Term, ...], change: Change, table: Table) -> Grouping | None:
    """Return the answer by other groups; None where what was computed of the figures has no place for them."""
    if not keys:
        return answer
    if answer.then is not None or answer.per:
        return None
    keys = tuple(dict.fromkeys((*answer.keys, *keys) if change.cue.adds else keys))
    if answer.window is not None and answer.window.function is not WindowFunction.RANK:
        timed = [
            key for key in keys if isinstance(key, Part) or (isinstance(key, Column) and table.tells_time(key.name))
        ]
        if not timed or (answer.window.size > 1 and timed[:1] != list(answer.keys[:1])):
            return None
        keys = (timed[0], *(key for key in keys if key != timed[0]))
    grouped = {key.name for key in keys if isinstance(key, Column)}
    said = change.query.tests
    tests = tuple(one for one in answer.tests if one in said or not _is_one_of(one, grouped))
    by_key = isinstance(answer.order, Term) and answer.order not in keys and answer.first is None
    if by_key:
        answer = replace(answer, order=None, ordered=False, descending=None)
    return replace(answer, keys=keys, tests=tests, chart=None)


def _is_one_of(test: Test, columns: set[str]) -> bool:
    """Tell whether a condition keeps one of the groups only: "by channel" behind "only phone" asks for every one."""
    return isinstance(test, Is) and not test.negated and len(test.values) == 1 and test.column in columns


def _measured(
    answer: Grouping, amounts: tuple[Term, ...], change: Change, table: Table
) -> Iterator[tuple[Grouping, float]]:
    query, cue = change.query, change.cue
    share = next((one for one in change.edits if isinstance(one, AsShare)), None)
    if share is not None:
        shared = _as_shares(answer, share.percent)
        if shared is not None:
            yield shared, 0.0
        return
    if query.figures:
        yield from _of_figures(answer, change)
        return
    function = F(query.function) if query.function in tuple(F) else None
    if query.function and function is None:
        return
    if amounts:
        found = tuple(_of_amount(answer, term, query.function, table) for term in amounts)
        measures = tuple(one for one in found if one is not None)
        if len(measures) == len(found):
            yield _with_measures(answer, measures, adds=cue.adds), 0.0
        return
    if function is None:
        yield answer, 0.0
        return
    yield from _of_function(answer, function, change, table)


def _of_figures(answer: Grouping, change: Change) -> Iterator[tuple[Grouping, float]]:
    query, cue = change.query, change.cue
    bare = change.counts_alone and len(query.figures) == 1
    if bare and answer.keys and not (query.keys or query.tests):
        if not cue.adds:
            yield replace(answer, then=F.COUNT, ordered=False, order=None, descending=None, first=None, chart=None), 0.0
        return
    if cue.points and not query.keys:
        yield Grouping(answer.tests, (), query.figures), 0.0
        return
    yield _with_measures(answer, query.figures, adds=cue.adds), 0.0


def _of_function(answer: Grouping, function: F, change: Change, table: Table) -> Iterator[tuple[Grouping, float]]:
    """Yield a bare function: of the amounts of the rows, or of the figures that were shown."""
    whole = len(answer.measures) == 1 and answer.keys and answer.then is None and answer.window is None
    added = whole and isinstance(answer.measures[0], Figure) and answer.measures[0].function in _ADDED
    new = bool(change.query.keys)
    if function is F.SUM and added and not change.cue.adds:
        if not (answer.first or answer.limits or new):
            yield replace(answer, keys=(), ordered=False, order=None, descending=None, chart=None), 0.0
        return
    if change.cue.points and whole and not new:
        yield _of_all(answer, function), 0.0
        return
    found = tuple(another_function(one, function, table) for one in answer.measures)
    measures = tuple(one for one in found if one is not None)
    if len(measures) == len(found):
        yield _with_measures(answer, measures, adds=change.cue.adds), 0.0
    if added and not change.cue.said and not new and answer.first is None:
        yield _of_all(answer, function), OF_THE_FIGURES


def _of_all(answer: Grouping, function: F) -> Grouping:
    return replace(answer, then=function, ordered=False, order=None, descending=None, chart=None)


def another_function(measure: Measure, function: F, table: Table) -> Figure | None:
    """Return another function of the same amount."""
    if not isinstance(measure, Figure) or measure.term is None:
        return None
    found = figure(table, function.value, measure.term)
    return replace(found, where=measure.where) if isinstance(found, Figure) else None


def _of_amount(answer: Grouping, term: Term, function: str, table: Table) -> Measure | None:
    """Return the figure of another amount: by the function that is said, else by the one before where it fits."""
    if function:
        found = figure(table, function, term)
        return None if isinstance(found, Costed) else found
    usual = implied(table, term)
    before = {one.function for one in answer.measures if isinstance(one, Figure) and one.term is not None}
    if len(before) != 1 or before <= {F.COUNT, F.COUNT_DISTINCT}:
        return usual
    kept = next(iter(before))
    if not isinstance(usual, Figure) or (kept is F.SUM and usual.function is not F.SUM):
        return usual
    return Figure(kept, term, implied=kept is F.SUM)


def _with_measures(answer: Grouping, measures: tuple[Measure, ...], *, adds: bool) -> Grouping:
    wanted = tuple(dict.fromkeys((*answer.measures, *measures))) if adds else measures
    gone = isinstance(answer.order, Figure | Rate | Ratio | PartOfAll) and answer.order not in wanted
    return replace(answer, measures=wanted, order=None if gone else answer.order, then=None)


def _as_shares(answer: Grouping, percent: bool) -> Grouping | None:
    """Return the figures as parts of their total; None for figures that are no parts of one."""
    if not answer.keys or answer.window is not None or answer.then is not None or answer.limits:
        return None
    match answer.measures:
        case (Figure(function=function) as only,) if function in _ADDED and function is not F.COUNT_DISTINCT:
            return replace(answer, measures=(PartOfAll(only, percent),))
        case (PartOfAll() | Rate() as only,):
            return replace(answer, measures=(replace(only, percent=percent),))
        case _:
            return None


def _ordered(answer: Grouping, change: Change, table: Table) -> Grouping | None:
    """Return the figures in the order, with the limits and the chart that were said; None where they have no place."""
    query = change.query
    if query.statistic is not None or query.asked in ASKED:
        return None
    found: Grouping | None = replace(answer, limits=(*answer.limits, *query.limits))
    if query.window is not None and found is not None:
        found = _windowed(found, query.window, table)
    for edit in change.edits:
        if isinstance(edit, Limited) and found is not None:
            found = _limited(found, edit, query)
        if isinstance(edit, InOrder) and found is not None:
            found = _in_order(found, edit)
        if isinstance(edit, OnlyFirst) and found is not None:
            found = _first(found, Extreme(True, edit.count)) if change.cue.narrows else None
    if query.order is not None and found is not None:
        found = _sorted(found, query.order)
    if query.extreme is not None and found is not None:
        found = _first(found, query.extreme)
    return replace(found, chart=query.kind) if found is not None and query.kind is not None else found


def _limited_figures(answer: Grouping, change: Change) -> Iterator[Grouping]:
    """Yield a limit of an amount as one of its figure: "with a charge above 5" may be of rows or of groups."""
    figures = {one.term: one for one in answer.measures if isinstance(one, Figure) and one.term is not None}
    if not answer.keys or answer.then is not None or answer.window is not None:
        return
    for test in change.query.tests:
        match test:
            case Holds(left, op, Number() as number) if left in figures and test in answer.tests:
                limits = (*answer.limits, Limit(figures[left], Bound(op, number)))
                yield replace(answer, tests=tuple(one for one in answer.tests if one != test), limits=limits)


def _in_order(answer: Grouping, edit: InOrder) -> Grouping | None:
    """Return groups in the order of their figures, of their names, or turned round."""
    if not answer.keys or answer.then is not None:
        return None
    if edit.by_name:
        return replace(answer, ordered=True, order=answer.keys[0], descending=False) if answer.first is None else None
    if edit.reversed:
        by_key = isinstance(answer.order, Term) and answer.order in answer.keys
        usual = not by_key if answer.descending is None else answer.descending
        timed = not answer.ordered and isinstance(answer.keys[0], Part)
        order = answer.keys[0] if timed else answer.order
        return replace(answer, ordered=True, order=order, descending=timed or not usual)
    return answer if answer.ordered else replace(answer, ordered=True)


def _limited(answer: Grouping, edit: Limited, query: Query) -> Grouping | None:
    """Return the groups whose figure is above a limit; "customers over 60" are not those with more than 60."""
    keys = {key.name for key in answer.keys if isinstance(key, Column)}
    if not answer.keys or len(answer.measures) != 1 or answer.then is not None:
        return None
    if any(one.column not in keys for one in query.entities):
        return None
    return replace(answer, limits=(*answer.limits, Limit(answer.measures[0], edit.bound)))


def _sorted(answer: Grouping, order: Sorted) -> Grouping | None:
    if isinstance(order.by, Axis):
        return None
    own = _own(answer, order.by)
    if own is None and isinstance(order.by, Figure) and answer.first is not None:
        return replace(answer, measures=(order.by,), order=None)  # the first few by another figure
    if order.by is not None and own is None:
        return None
    return replace(answer, ordered=True, order=own, descending=order.descending)


def _first(answer: Grouping, extreme: Extreme) -> Grouping | None:
    """Return the first few groups by what was said, by what they are ordered by, or by their figure."""
    if not answer.keys or answer.then is not None or extreme.count is None or extreme.per:
        return None
    if extreme.word in _OF_FIRST and not answer.ordered:
        return None
    own = _own(answer, extreme.by) if extreme.by is not None else answer.order
    if extreme.by is not None and own is None:
        return None
    order = None if isinstance(own, Term) and own in answer.keys else own
    return replace(
        answer, ordered=True, order=order, descending=extreme.descending, first=extreme.count, nth=extreme.nth
    )


def _own(answer: Grouping, by: object) -> Measure | Term | None:
    """Return what groups are ordered by, if they have it."""
    if isinstance(by, Term):
        figures = (one for one in answer.measures if isinstance(one, Figure) and one.term == by)
        own = (key for key in answer.keys if by == key or (isinstance(key, Part) and by == Column(key.date)))
        return next(own, None) or next(figures, None)
    return next((one for one in answer.measures if one == by), None)


def _windowed(answer: Grouping, window: Window, table: Table) -> Grouping | None:
    """Return figures computed along their groups; None where they have no order to go along."""
    if answer.window is not None or answer.first is not None or answer.then is not None or len(answer.measures) != 1:
        return None
    if window.function is WindowFunction.RANK:
        return replace(answer, window=window) if answer.keys else None
    timed = [k for k in answer.keys if isinstance(k, Part) or (isinstance(k, Column) and table.tells_time(k.name))]
    if not timed:
        return None
    keys = (timed[0], *(key for key in answer.keys if key != timed[0]))
    return replace(answer, keys=keys, window=window, ordered=False, order=None, descending=None)
