"""Answers that are rows, and questions that name columns or conditions only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.assembling.answers import Answer, Listing
from jupyter_mcpgen.nl.assembling.groupings import groupings, measured
from jupyter_mcpgen.nl.assembling.implied import (
    BARE_LABEL,
    BESIDE,
    MISPLACED,
    OFFERED_ORDERS,
    SECOND_CHOICE,
    USUAL_KEPT,
    all_measures,
    counts,
    named_labels,
)
from jupyter_mcpgen.nl.assembling.parts import Parts
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.schema import ColumnType

Found = Iterator[Answer]


def without_measures(parts: Parts, context: Context) -> Found:
    """Read a question that names columns or conditions only."""
    labels = named_labels(parts, context)
    numbers = tuple(name for name in parts.columns if name not in labels)
    if parts.enumerated and labels and not (parts.ordered and parts.ordered.hinted):
        yield from _listings(parts, context)
        return
    parts = parts.without("enumerated")
    rows_only = parts.has_only("columns", "names_rows", "lists_rows", "best", "first", "ordered", "direction")
    plain = not (parts.best or parts.first or parts.ordered or parts.direction is not None)
    if plain and not parts.lists_rows and parts.columns and not (parts.names_rows and labels):
        if not any(context.names_rows(name) and not context.is_measure(name) for name in labels):
            yield from _named_only(parts, labels, numbers, context)
    elif parts.ordered and labels and not numbers and not parts.names_rows and not parts.lists_rows:
        yield from groupings(parts, context)
    if rows_only:
        yield from _listings(parts, context)
    grouping = not any(context.names_rows(name) for name in labels)
    if labels and not numbers and parts.lists_rows and grouping and parts.has_only("columns", "lists_rows"):
        yield counts(parts, labels, parts.cost)


_OF_ONE_ROW = (F.SUM, F.MEAN, F.MEDIAN)
"""What gives a row's own figure where each group is one row."""


def figures_of_rows(parts: Parts, context: Context) -> Listing | None:
    """Read "the fee of each member" as each row's own cells beside what the row is called; None for anything else."""
    own = tuple(one.column for one in parts.measures if one.function in _OF_ONE_ROW and one.column is not None)
    fitting = parts.has_only("columns", "measures", "enumerated", "names_rows", "lists_rows")
    figures = (*parts.columns, *own)
    if not fitting or len(own) < len(parts.measures) or not any(map(context.is_measure, figures)):
        return None
    keys = [name for name in context.profile.schema_.names if context.is_key(name) and not context.is_measure(name)]
    called = [name for name in keys if not context.is_number(name)] or keys
    return Listing(parts.conditions, tuple(dict.fromkeys((*called[:1], *figures))), cost=parts.cost)


def _named_only(parts: Parts, labels: tuple[str, ...], numbers: tuple[str, ...], context: Context) -> Found:
    allowed = parts.has_only("columns", "names_rows", "chart", "varies", "each")
    if allowed and numbers:
        keys = tuple(m.GroupKey(name) for name in labels)
        dated = any(context.type_of(name) is ColumnType.DATE for name in labels)
        cost = parts.cost + (BESIDE if dated else BARE_LABEL if labels else 0.1)
        yield from measured(replace(parts, keys=keys), numbers, cost, context)
    elif allowed and labels:
        yes_or_no = len(labels) > 1 and any(context.type_of(name) is ColumnType.BOOLEAN for name in labels)
        yield counts(parts, labels, parts.cost + (MISPLACED if yes_or_no else 0.2))


def _listings(parts: Parts, context: Context) -> Found:
    column, descending = _row_order(parts, context)
    best = parts.best
    cost = parts.cost + _showing_cost(parts, context)
    if parts.chart is not None or (parts.ordered is not None and isinstance(parts.ordered.by, m.Measured)):
        return
    if parts.ordered is not None and parts.ordered.hinted and best is None and parts.direction is None:
        cost += 0.0 if parts.lists_rows else MISPLACED
    if column is None and parts.direction is not None:
        return
    if best is not None and column is None:
        yield from _rows_by_anything(parts, cost, context)
        return
    narrowed = parts.first is not None or best is not None or column is not None or parts.conditions or parts.columns
    if not (narrowed or parts.lists_rows or parts.names_rows):
        return
    limit = parts.first if parts.first is not None else (best.count or USUAL_KEPT) if best else None
    notes = (f"The first {USUAL_KEPT} are kept, because the question names no number.",)
    shown = () if best is not None and parts.columns == (column,) else _shown(parts.columns, column)
    yield Listing(
        parts.conditions,
        shown,
        order=column,
        then=parts.ordered.then if parts.ordered else (),
        descending=descending,
        limit=limit,
        cost=cost,
        notes=notes if best is not None and best.count is None else (),
    )


def _showing_cost(parts: Parts, context: Context) -> float:
    """Return what it costs to show some columns of the rows: nothing where the question lists them."""
    labels = named_labels(parts, context)
    if not parts.columns or not (labels or not (parts.best or parts.first or parts.ordered)):
        return 0.0
    if parts.enumerated and labels:
        return 0.0
    unique = any(context.names_rows(name) for name in labels)
    if parts.lists_rows:
        numbers = len(labels) < len(parts.columns)
        return 0.0 if numbers or parts.names_rows or unique else SECOND_CHOICE
    if parts.names_rows:
        return SECOND_CHOICE if unique else MISPLACED  # "wet road crashes" asks for some rows, not for `road_defect`
    return 0.0 if unique else SECOND_CHOICE


def _shown(columns: tuple[str, ...], column: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*columns, *([column] if column else [])])) if columns else ()


def _rows_by_anything(parts: Parts, cost: float, context: Context) -> Found:
    """Offer what "the top 5 rows" may be ordered by."""
    best = parts.best
    measures = [name for name in all_measures(context) if context.is_measure(name)]
    for name in measures[:OFFERED_ORDERS] if best is not None else ():
        limit = (best.count if best else None) or USUAL_KEPT
        shown = _shown(parts.columns, name)
        descending = best is None or best.descending
        yield Listing(parts.conditions, shown, order=name, descending=descending, limit=limit, cost=cost)


def _row_order(parts: Parts, context: Context) -> tuple[str | None, bool]:
    choices = (parts.ordered.descending if parts.ordered else None, parts.direction)
    descending = next((choice for choice in choices if choice is not None), None)
    if descending is None:
        descending = parts.best.descending if parts.best else False
    if parts.ordered is not None and isinstance(parts.ordered.by, m.Column):
        return parts.ordered.by.name, descending
    numbers = [name for name in parts.columns if context.is_measure(name)]
    return (numbers[0] if parts.best is not None and len(numbers) == 1 else None), descending
