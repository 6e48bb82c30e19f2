"""Answers that are drawn: a figure by what it is drawn along, or two columns of the rows against each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.assembling.answers import Answer, Grouping, Listing
from jupyter_mcpgen.nl.assembling.implied import BARE_LABEL, BESIDE, IMPLIED, MISPLACED, USUAL_KEPT, implied_functions
from jupyter_mcpgen.nl.assembling.parts import Parts
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.manner.wishes import Manner, Wish
from jupyter_mcpgen.nl.parsing.grammar import COUNT_ROWS
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.ops import ChartKind
from jupyter_mcpgen.plan.schema import ColumnType

Found = Iterator[Answer]

_COUNTS = (F.COUNT, F.COUNT_DISTINCT)
_DRAWABLE = (
    "measures",
    "columns",
    "enumerated",
    "listed",
    "keys",
    "periods",
    "each",
    "of_each",
    "along",
    "rising",
    "having",
    "best",
    "direction",
    "chart",
    "lists_rows",
    "names_rows",
    "varies",
    "relation",
    "beside",
)


def with_manner(parts: Parts, manner: Manner) -> Parts | None:
    """Return the parts with the chart and order that were asked for; None when only a drawing can say them."""
    wish, chart = manner.order, manner.chart
    if manner.key is not None or manner.purpose is not None or (chart and parts.chart):
        return None
    if wish is not None:
        if parts.ordered is not None or not isinstance(wish.target, m.Column | m.Measured):
            return None
        if isinstance(wish.target, m.Measured) and wish.target.function in _COUNTS and wish.target.column:
            return None
        parts = replace(parts, ordered=m.Ordered(wish.target, wish.descending))
    return replace(parts, chart=chart) if chart else parts


def drawings(parts: Parts, manner: Manner, context: Context) -> Found:
    """Yield the answers that a request for a chart, or for figures by groups, may ask for."""
    if not parts.has_only(*_DRAWABLE) or (parts.chart and manner.chart and parts.chart is not manner.chart):
        return
    if parts.best is not None and (manner.is_plain or not parts.measures):
        return
    chart = manner.chart or parts.chart or manner.purpose
    parts, keys = _keys(replace(parts, chart=chart), manner)
    if manner.key is not None and any(key.unit and key.column != manner.key.column for key in keys):
        parts = replace(parts, cost=parts.cost + MISPLACED)  # the bins say which date "in each month" is of
    rising = parts.rising
    if isinstance(rising, m.Measured):
        parts = replace(parts, measures=(*parts.measures, rising))
    elif rising is not None:
        parts = replace(parts, columns=(*parts.columns, rising.name))
    named = tuple(dict.fromkeys((*parts.listed, *parts.columns)))
    if parts.measures:
        yield from _figures(parts, keys, named, manner, context)
    elif keys and not (manner.is_plain and parts.along is None and parts.rising is None):
        yield from _over_keys(parts, keys, named, manner, context)
    elif not manner.is_plain and not keys:
        yield from _columns(parts, named, manner, context)


def _keys(parts: Parts, manner: Manner) -> tuple[Parts, tuple[m.GroupKey, ...]]:
    """Return what to draw along: bins, axes and groups that were named."""
    keys = (*parts.periods, *parts.keys)
    along = parts.along
    if along is not None:
        key = along if isinstance(along, m.GroupKey) else m.GroupKey(along.name)
        keys = (key, *(other for other in keys if other.column != key.column))
    if manner.key is not None:
        keys = (manner.key, *(other for other in keys if other.column != manner.key.column))
    return parts, tuple(dict.fromkeys(keys))


def _figures(
    parts: Parts, keys: tuple[m.GroupKey, ...], named: tuple[str, ...], manner: Manner, context: Context
) -> Found:
    """Yield figures by groups; labels named beside them are the groups, or name them again."""
    cost = parts.cost
    measures = parts.measures
    notes: tuple[str, ...] = ()
    known = {key.column for key in keys} | {each.column for each in measures if each.function in _COUNTS}
    beside = tuple(name for name in named if name not in known)
    if not keys and not beside and (manner.chart is not None or manner.order is not None):
        beside, measures = _counted_labels(measures, context)
        notes = tuple(f"One mark is drawn for each `{name}`, for the number of its rows." for name in beside)
    numbers = tuple(name for name in beside if context.is_measure(name))
    if not keys:
        if not beside or (manner.is_plain and not parts.of_each and not parts.listed):
            return
        if any(context.names_rows(name) for name in beside) and (len(beside) > 1 or not manner.chart):
            return
        keyed = any(context.is_key(name) and context.type_of(name) is not ColumnType.DATE for name in beside)
        if keyed and all(each.function in _COUNTS for each in measures):
            return  # a count for each row says nothing
        keys = tuple(m.GroupKey(name) for name in beside)
        cost += IMPLIED if parts.of_each or parts.listed or manner.chart is not None else BARE_LABEL
        cost += BESIDE if numbers and manner.chart is None else 0.0
    elif beside:
        return  # a figure by groups, and a column that says nothing of them
    columns = {key.column for key in keys}
    measures = tuple(dict.fromkeys(_counting_rows(measured, columns) for measured in measures))
    if any(measured.column in columns for measured in measures):
        return
    for answer in _grouping(parts, keys, measures, cost, manner, context):
        yield answer.noting(*notes)


def _counted_labels(
    measures: tuple[m.Measured, ...], context: Context
) -> tuple[tuple[str, ...], tuple[m.Measured, ...]]:
    """Read "a bar chart of the number of countries": a bar for each country, as high as its rows are many."""
    names = tuple(measured.column for measured in measures if measured.function in _COUNTS and measured.column)
    fitting = len(measures) == len(names) == 1 and not context.is_measure(names[0])
    return (names, (COUNT_ROWS,)) if fitting else ((), measures)


def _counting_rows(measured: m.Measured, keys: set[str]) -> m.Measured:
    """Return a count of the column that makes the groups as a count of their rows."""
    return COUNT_ROWS if measured.function in _COUNTS and measured.column in keys else measured


def _over_keys(
    parts: Parts, keys: tuple[m.GroupKey, ...], named: tuple[str, ...], manner: Manner, context: Context
) -> Found:
    """Yield what is drawn along some keys when no calculation was named."""
    beside = tuple(name for name in named if name not in {key.column for key in keys})
    if not beside:
        if manner.chart is not None or parts.rising is None:
            yield from _grouping(parts, keys, (COUNT_ROWS,), parts.cost + IMPLIED, manner, context)
        return
    bare = all(key.unit is None for key in keys)
    labels = any(not context.is_measure(name) for name in beside)
    rows = parts.along is not None or context.names_rows(keys[0].column)
    if bare and len(keys) == 1 and len(beside) == 1 and (labels or rows):
        yield from _rows(parts, (keys[0].column, *beside), manner, context)
        return
    points = _points(keys, beside, context) if bare and (manner.chart or parts.chart) is ChartKind.SCATTER else ()
    if points:
        yield from _rows(parts, points, manner, context)
        return
    if labels or (manner.chart is ChartKind.SCATTER and bare and len(keys) == 1 and len(beside) > 1):
        return  # two numbers as points, with a label that colours them, are rows
    for function, note, more in implied_functions(beside, context):
        measures = tuple(m.Measured(function, name) for name in beside)
        for answer in _grouping(parts, keys, measures, parts.cost + IMPLIED + more, manner, context):
            yield answer.noting(note)


def _points(keys: tuple[m.GroupKey, ...], beside: tuple[str, ...], context: Context) -> tuple[str, ...]:
    """Return two numbers and the label that colours their points: "spend against revenue by channel"."""
    numbers = [key.column for key in keys if context.is_measure(key.column)]
    labels = [key.column for key in keys if key.column not in numbers]
    fitting = len(numbers) == len(labels) == len(beside) == 1 and context.is_measure(beside[0])
    return (numbers[0], beside[0], labels[0]) if fitting else ()


def _columns(parts: Parts, named: tuple[str, ...], manner: Manner, context: Context) -> Found:
    """Yield the drawing of columns that were only named: one is counted, two are drawn as they stand."""
    target = _counting_keys(manner.order.target, context) if manner.order is not None else None
    along = target == COUNT_ROWS or (isinstance(target, m.Axis) and target.said)
    if len(named) == 1 and (manner.chart is not None or manner.purpose is not None or along):
        if not context.is_measure(named[0]) or context.type_of(named[0]) is ColumnType.DATE:
            yield from _grouping(parts, (m.GroupKey(named[0]),), (COUNT_ROWS,), parts.cost + IMPLIED, manner, context)
    elif len(named) > 1:
        yield from _rows(parts, named, manner, context)


def _rows(parts: Parts, names: tuple[str, ...], manner: Manner, context: Context) -> Found:
    """Yield rows as they are, drawn by their first two columns."""
    numbers = [name for name in names if context.is_number(name)]
    if not numbers or parts.having or (parts.best and parts.best.of):
        return
    chart = parts.chart or (ChartKind.SCATTER if parts.relation and len(numbers) == len(names) == 2 else ChartKind.BAR)
    if chart is ChartKind.HISTOGRAM:
        chart = ChartKind.BAR
    labels = [name for name in names if name not in numbers]
    if len(labels) == 1 and parts.along is None and not parts.keys:
        names = (labels[0], *(name for name in names if name != labels[0]))
    order, descending = _row_order(parts, names, manner, context)
    if order == "":
        return
    notes = _repeats(names[0], chart, context)
    limit = None
    if parts.best is not None:
        limit = parts.best.count or USUAL_KEPT
        order, descending = order or numbers[0], parts.best.descending
    yield Listing(
        parts.conditions,
        names,
        order=order,
        descending=descending,
        limit=limit,
        chart=chart,
        cost=parts.cost,
        notes=notes,
        only_shown=True,
    )


def _repeats(name: str, chart: ChartKind, context: Context) -> tuple[str, ...]:
    if chart is ChartKind.SCATTER or context.column(name).distinct == context.profile.rows:
        return ()
    return (f"Every row is drawn: the question names no calculation, and some rows share the same `{name}`.",)


def _row_order(parts: Parts, names: tuple[str, ...], manner: Manner, context: Context) -> tuple[str | None, bool]:
    """Return the column to order rows by; an empty name when the order makes no sense of rows."""
    wish = _wish(parts, manner)
    if wish is None:
        if parts.direction is None:
            return None, False
        return names[0], parts.direction
    if parts.direction is not None:
        if wish.descending is not None:
            return "", False
        wish = replace(wish, descending=parts.direction)
    match wish.target:
        case m.Axis("x"):
            return names[0], bool(wish.descending)
        case m.Axis():
            return names[1], bool(wish.descending)
        case m.Column(name) | m.GroupKey(name, None) if name in names or wish.axis is None:
            return name, bool(wish.descending)
        case _ if wish.axis is not None:
            return names[0 if wish.axis.side == "x" else 1], bool(wish.descending)
        case m.Measured(_, str() as name) if name in names:
            return name, bool(wish.descending)
        case m.Measured(F.COUNT, None) if len(names) > 1:
            return names[1], bool(wish.descending)
        case _:
            return "", False


def _wish(parts: Parts, manner: Manner) -> Wish | None:
    if manner.order is not None:
        return manner.order
    if parts.ordered is not None and not parts.ordered.then:
        return Wish(parts.ordered.by, parts.ordered.descending)
    return None


def _grouping(
    parts: Parts,
    keys: tuple[m.GroupKey, ...],
    measures: tuple[m.Measured, ...],
    cost: float,
    manner: Manner,
    context: Context,
) -> Found:
    best = parts.best
    if best is not None and best.of is not None and best.of not in {key.column for key in keys}:
        return
    wish = _wish(parts, manner)
    order: m.Measured | m.Column | m.Axis | None = None
    if wish is not None and wish.descending is not None and parts.direction is not None:
        return
    if wish is not None:
        order = _order_of_groups(_counting_keys(wish.target, context), keys, measures) or wish.axis
        if order is None:
            return
        if isinstance(order, m.Measured) and order not in measures:
            measures = (*measures, order)
    extra = tuple(having.measured for having in parts.having if having.measured not in measures)
    directions = (wish.descending if wish else None, parts.direction, best.descending if best else None)
    descending = next((direction for direction in directions if direction is not None), None)
    chart = parts.chart
    if chart is ChartKind.HISTOGRAM or (chart is ChartKind.SCATTER and manner.chart is None and parts.relation):
        chart = ChartKind.BAR
    if parts.relation and manner.chart is None and len(measures) == 2 and len(keys) == 1:
        chart = ChartKind.SCATTER  # how two figures of the groups go together
    yield Grouping(
        parts.conditions,
        keys,
        (*measures, *extra),
        having=parts.having,
        order=order,
        ordered=wish is not None or best is not None or parts.direction is not None,
        descending=descending,
        limit=(best.count or USUAL_KEPT) if best else None,
        chart=chart,
        cost=cost + (MISPLACED if len(keys) > 2 else 0.0),
        drawn=True,
    )


def _counting_keys(
    target: m.Axis | m.Column | m.Measured | m.GroupKey, context: Context
) -> m.Axis | m.Column | m.Measured | m.GroupKey:
    """Return a count of what each row has its own of as a count of rows."""
    if isinstance(target, m.Measured) and target.function in _COUNTS and target.column:
        return COUNT_ROWS if context.is_key(target.column) else target
    return target


def _order_of_groups(
    target: m.Axis | m.Column | m.Measured | m.GroupKey,
    keys: tuple[m.GroupKey, ...],
    measures: tuple[m.Measured, ...],
) -> m.Axis | m.Column | m.Measured | None:
    """Return which axis, or which other figure, the groups are ordered by; None when they do not have it."""
    columns = [key.column for key in keys]
    match target:
        case m.Axis():
            return target
        case m.Column(name) | m.GroupKey(name):
            if name in columns:
                return m.Axis("x") if name == columns[0] else m.Column(name)
            return m.Axis("y") if any(measured.column == name for measured in measures) else None
        case m.Measured(function, column):
            if target in measures:
                return target
            counts = function in _COUNTS
            if counts and (column is None or column in columns):
                counted = next((measured for measured in measures if measured.function in _COUNTS), None)
                return counted or COUNT_ROWS
            same = [measured for measured in measures if measured.column == column]
            return same[0] if len(same) == 1 and not counts else (None if counts else target)
