"""Answers that are numbers: by groups, or over all rows that count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.model.profile import Role
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.assembling.answers import Answer, Grouping
from jupyter_mcpgen.nl.assembling.implied import (
    BARE_LABEL,
    BESIDE,
    IMPLIED,
    MISPLACED,
    OFFERED_ORDERS,
    SECOND_CHOICE,
    USUAL_KEPT,
    all_measures,
    implied_functions,
    named_labels,
)
from jupyter_mcpgen.nl.assembling.parts import Parts
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.parsing.grammar import COUNT_ROWS
from jupyter_mcpgen.nl.predicates import about, number
from jupyter_mcpgen.nl.tables.single_rows import has_one_row_each
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.ops import ChartKind
from jupyter_mcpgen.plan.schema import ColumnType

Found = Iterator[Answer]


def groupings(parts: Parts, context: Context) -> Found:
    """Yield the answers by groups, or the single numbers, that the parts may ask for."""
    allowed = (
        "measures",
        "columns",
        "enumerated",
        "keys",
        "each",
        "beside",
        "contrasted",
        "having",
        "best",
        "ordered",
        "direction",
        "chart",
    )
    if not parts.has_only(*allowed, "names_rows", "varies", "lists_rows"):
        return
    labels = named_labels(parts, context)
    numbers = tuple(name for name in parts.columns if name not in labels)
    cost = parts.cost
    if labels and parts.keys and _only_says_whose(parts, labels, numbers, context):
        parts = replace(parts, columns=numbers)
        yield from (
            answer.noting(grouped_by_others(labels[0])) for answer in measured(parts, numbers, cost + IMPLIED, context)
        )
        return
    if labels:
        if parts.keys or any(_holds_dates(name, context) or context.names_rows(name) for name in labels):
            return
        if _may_be_of_all(parts, labels, context):
            yield _of_all(parts, labels[0], cost, context)
        yes_or_no = any(context.type_of(name) is ColumnType.BOOLEAN for name in labels)
        counted = parts.measures == (COUNT_ROWS,)
        if parts.chart is not None and counted and not yes_or_no:
            cost += BARE_LABEL  # "the regions with a flaw, and count them in a chart": such a chart is by something
        else:
            cost += BESIDE if yes_or_no or counted or parts.ordered else BARE_LABEL
        parts = replace(parts, keys=tuple(m.GroupKey(name) for name in labels))
    if parts.best is not None and any(key.unit is None and context.is_measure(key.column) for key in parts.keys):
        cost += MISPLACED
    hinted = parts.ordered is not None and parts.ordered.hinted and parts.ordered.descending is None
    if hinted and parts.best is None and parts.direction is None:
        cost += MISPLACED
    if parts.lists_rows and any(context.is_measure(key.column) and key.unit is None for key in parts.keys):
        cost += SECOND_CHOICE
    if parts.best is not None and not (parts.measures or numbers or parts.ordered or parts.having):
        yield from _best_by_anything(parts, cost, context)
        return
    yield from measured(parts, numbers, cost, context)


def _only_says_whose(parts: Parts, labels: tuple[str, ...], numbers: tuple[str, ...], context: Context) -> bool:
    """Tell whether an identifier beside other groups only says whose figure it is: "cost of dead trees by district"."""
    if len(labels) != 1 or context.names_rows(labels[0]) or not parts.conditions or not (parts.measures or numbers):
        return False
    return context.column(labels[0]).role is Role.IDENTIFIER and parts.has_only(
        "measures", "columns", "keys", "names_rows"
    )


def grouped_by_others(name: str) -> str:
    """Say that a figure is of all rows of what a column tells apart, with the groups that were asked for."""
    return f"The figure is of all these rows, and not of each `{name}`; ask “by {name}” for one of each."


def _holds_dates(name: str, context: Context) -> bool:
    """Tell whether a column holds dates, also as texts that write them."""
    written = any(way.type is ColumnType.DATE for way in context.column(name).written)
    return written or context.type_of(name) is ColumnType.DATE


def _may_be_of_all(parts: Parts, labels: tuple[str, ...], context: Context) -> bool:
    """Tell whether a label may only say whose numbers are meant: "average age of patients"."""
    named = [measured.column for measured in parts.measures]
    counted = any(measured.function in (F.COUNT, F.COUNT_DISTINCT) for measured in parts.measures)
    if not named or counted or len(labels) != 1 or not parts.has_only("measures", "columns", "names_rows"):
        return False
    return context.type_of(labels[0]) is ColumnType.TEXT or context.is_code(labels[0])


def _of_all(parts: Parts, name: str, cost: float, context: Context) -> Grouping:
    """Return the figure of all rows; "discount of orders" over `order_no` asks for nothing else."""
    said_of_some = bool(parts.conditions) and context.column(name).role is Role.IDENTIFIER  # "of pro users"
    if not context.is_code(name) and not said_of_some:
        return Grouping(parts.conditions, (), parts.measures, cost=cost + BARE_LABEL)
    note = f"The figure is of all these rows; ask “by {name}” for one of each."
    return Grouping(parts.conditions, (), parts.measures, cost=cost, notes=(note,))


def _best_by_anything(parts: Parts, cost: float, context: Context) -> Found:
    """Offer what "the top 5 customers" may be ordered by."""
    measures = sorted(all_measures(context), key=lambda name: context.adds_up(name) is not True)
    named = [m.Measured(F.SUM if context.adds_up(name) else F.MEAN, name) for name in measures]
    choices = (COUNT_ROWS, *named[: OFFERED_ORDERS - 1])
    for choice in choices:
        yield from measured(replace(parts, measures=(choice,)), (), cost, context)


def measured(parts: Parts, numbers: tuple[str, ...], cost: float, context: Context) -> Found:
    """Yield the answers for some measures; number columns without a function get the usual one."""
    ordered = parts.ordered
    implied = numbers
    if ordered is not None and isinstance(ordered.by, m.Column) and not parts.measures and not implied:
        keys = {key.column for key in parts.keys}
        implied = () if ordered.by.name in keys else (ordered.by.name,)
    if not implied:
        measures = parts.measures or (_ordered_measure(parts),)
        named = parts.measures or parts.names_rows or parts.having
        extra = 0.0 if named or measures[0] != COUNT_ROWS else 0.1
        yield from _grouping(parts, measures, cost + extra, context)
        if not parts.measures and extra and parts.keys:
            yield from _of_the_condition(parts, cost + extra, context)
        return
    extra = BESIDE if parts.measures and not parts.beside else IMPLIED
    if extra == BESIDE and parts.measures == (COUNT_ROWS,) and not parts.keys:
        extra = MISPLACED  # "how many orders had a discount" asks for no average of the discounts beside their number
    for function, notes, more in _functions(parts, implied, context):
        measures = (*parts.measures, *(m.Measured(function, name) for name in implied))
        for answer in _grouping(parts, measures, cost + extra + more, context):
            yield answer.noting(notes)
    whole = all(context.type_of(name) is ColumnType.INTEGER for name in implied)
    if len(implied) == 1 and whole and context.adds_up(implied[0]) and not parts.measures and ordered is None:
        above = Compare(op=CompareOp.GT, left=Col(name=implied[0]), right=number(0))
        said = replace(parts, conditions=(*parts.conditions, above))
        yield from _grouping(said, (COUNT_ROWS,), cost + extra + SECOND_CHOICE + IMPLIED, context)


def _functions(parts: Parts, names: tuple[str, ...], context: Context) -> Iterator[tuple[F, str, float]]:
    """Yield the functions that suit columns without one; of groups of one row each all of them give its value."""
    usual = tuple(implied_functions(names, context))
    single = next(
        (key.column for key in parts.keys if key.unit is None and has_one_row_each(key.column, context)), None
    )
    if single is not None:
        function, _, cost = usual[0]
        yield function, f"Each `{single}` has one row, whose value is its figure.", cost
        for other, note, _ in usual[1:]:
            if other is F.SUM:
                yield other, note, cost + SECOND_CHOICE  # what is divided by another figure is a sum
        return
    yield from usual
    yield from _named_in(names, context)


def _named_in(names: tuple[str, ...], context: Context) -> Iterator[tuple[F, str, float]]:
    """Yield the calculation that a column's own name says: "max temp" may be `temp_max`, or its largest value."""
    if len(names) != 1:
        return
    unit = context.written_out(split_name(context.column(names[0]).unit or ""))  # "min" may be minutes
    for word in context.column_words[names[0]]:
        for meaning in context.lexicon.meanings(word) if word not in unit else ():
            if isinstance(meaning, m.Function) and meaning.function in (F.MAX, F.MIN):
                yield meaning.function, f"The “{word}” of `{names[0]}` is read as the calculation too.", 0.0


def _ordered_measure(parts: Parts) -> m.Measured:
    if parts.having:
        return parts.having[0].measured
    ordered = parts.ordered
    return ordered.by if ordered is not None and isinstance(ordered.by, m.Measured) else COUNT_ROWS


def _of_the_condition(parts: Parts, cost: float, context: Context) -> Found:
    """Offer the number that a condition is about: "revenue above 2,000 by region" may ask for revenue."""
    for predicate in parts.conditions:
        name = about(predicate)
        exact = isinstance(predicate, Compare) and predicate.op is CompareOp.EQ
        if name is not None and context.is_measure(name) and not exact and not parts.best:
            for function, note, more in implied_functions((name,), context):
                for answer in _grouping(parts, (m.Measured(function, name),), cost + more, context):
                    yield answer.noting(note)


def _grouping(parts: Parts, measures: tuple[m.Measured, ...], cost: float, context: Context) -> Found:
    """Yield the grouped answer, or answers where a rate per period may be meant."""
    extra = tuple(having.measured for having in parts.having)
    ordered = parts.ordered
    if ordered is not None and isinstance(ordered.by, m.Measured):
        extra = (*extra, ordered.by)
    measures = tuple(dict.fromkeys((*measures, *extra)))
    choices = (ordered.descending if ordered else None, parts.direction, parts.best.descending if parts.best else None)
    descending = next((choice for choice in choices if choice is not None), None)
    limit: int | None = None
    notes: tuple[str, ...] = ()
    if parts.best is not None:
        limit = parts.best.count or USUAL_KEPT
        if parts.best.count is None:
            notes = (f"The first {USUAL_KEPT} are kept, because the question names no number.",)
    if ordered is not None and ordered.then:
        return
    if not parts.keys and (ordered or parts.direction is not None or parts.best or parts.having or parts.lists_rows):
        return
    if not parts.keys and parts.chart is not None:
        if parts.chart is not ChartKind.LINE or len(context.dates) != 1:
            return  # a single number is not drawn
        notes = (*notes, f"The line follows `{context.dates[0]}`, because the question names no other order.")
        parts = replace(parts, keys=(m.GroupKey(context.dates[0]),))
    grouping = Grouping(
        parts.conditions,
        parts.keys,
        measures,
        having=parts.having,
        order=ordered.by if ordered else None,
        ordered=ordered is not None or parts.best is not None or parts.direction is not None,
        descending=descending,
        limit=limit,
        chart=parts.chart,
        cost=cost,
        notes=notes,
    )
    yield grouping
    if parts.each and len(measures) == 1 and not extra and limit is None:
        yield from _rates(grouping, context)


def _rates(grouping: Grouping, context: Context) -> Found:
    """Offer the mean of the totals: "average monthly revenue" is seldom the mean of the single rows."""
    measured = grouping.measures[0]
    if measured.function is not F.MEAN or measured.column is None or context.adds_up(measured.column) is False:
        return
    periods = tuple(key for key in grouping.keys if key.unit is not None and key.unit.is_period)
    if periods:
        labels = tuple(key for key in grouping.keys if key not in periods)
        totals = replace(grouping, keys=(*labels, *periods), measures=(m.Measured(F.SUM, measured.column),), chart=None)
        yield replace(totals, then=F.MEAN, per=len(labels))
