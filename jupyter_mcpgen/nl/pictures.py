"""Tells which readings must show the same figures over a table, so that nobody is asked to choose between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp, Lit, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, Derive, Filter, Limit, Measure, Select, Sort, TopPerGroup
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.plan import Plan

_COUNTS = (F.COUNT, F.COUNT_DISTINCT)
_OF_ONE_VALUE_ITSELF = (F.SUM, F.MEAN, F.MEDIAN, F.MIN, F.MAX)


@dataclass(frozen=True)
class _Picture:
    """What a plan shows: made of which rows, which columns, in which order, drawn how."""

    made_of: tuple[str, ...]
    columns: tuple[str, ...]
    order: tuple[tuple[str, bool], ...]
    limit: int | None
    chart: str | None


def same_picture(first: Plan, second: Plan, context: Context) -> bool:
    """Tell whether two plans give the same figures whatever is in the rows: a mean over one row is its sum.

    An order that only one of them has was not asked for, and does not tell them apart; nor does a chart.
    """
    if (first.source, first.source_schema) != (second.source, second.source_schema):
        return False
    one, other = _picture(first, context), _picture(second, context)
    if one is None or other is None or (one.limit is not None and one.order != other.order):
        return False
    if one.limit is not None and (one.made_of, one.limit, one.order) == (other.made_of, other.limit, other.order):
        shown = {*one.columns}, {*other.columns}
        return shown[0] <= shown[1] or shown[1] <= shown[0]  # the same rows, with fewer of their columns
    alike = (one.made_of, one.columns, one.limit) == (other.made_of, other.columns, other.limit)
    ordered = not one.order or not other.order or one.order == other.order
    return alike and ordered and (one.chart is None or other.chart is None or one.chart == other.chart)


def _picture(plan: Plan, context: Context) -> _Picture | None:
    """Return what a plan shows; None for one with steps of which nothing is known."""
    made_of: list[str] = []
    columns = plan.source_schema.names
    order: tuple[tuple[str, bool], ...] = ()
    limit: int | None = None
    said: Mapping[str, str] = {}
    for step in plan.steps:
        match step:
            case Filter() | Derive() if not said:
                made_of.append(step.model_dump_json())
            case Aggregate(by=by, measures=measures) if not said:
                alone = any(name in plan.source_schema.names and context.is_key(name) for name in by.names)
                alone = alone or context.tell_rows_apart(frozenset({*by.names, *_pinned(plan)}))
                said = {measure.name: _figure(measure, context, alone=alone) for measure in measures}
                columns = (*by.names, *said.values())
                if not alone:
                    made_of.append(f"groups by {by.names}")
            case Sort(keys=keys) if not order:
                order = tuple((said.get(key.column, key.column), key.descending) for key in keys)
            case TopPerGroup(by=by, keys=keys, count=count) if said:
                best = tuple((said.get(key.column, key.column), key.descending) for key in keys)
                made_of.append(f"the first {count} of each {by.names} by {best}")
            case Limit(count=count) if limit is None:
                limit = count
            case Select(columns=shown):
                columns = tuple(said.get(name, name) for name in shown.names)
            case _:
                return None
    return _Picture(tuple(made_of), columns, order, limit, plan.chart.kind.value if plan.chart else None)


def _pinned(plan: Plan) -> Iterator[str]:
    """Yield the columns of which the rows that are kept have one value."""
    for step in plan.steps:
        if isinstance(step, Filter):
            for part in terms_of(step.predicate):
                match part:
                    case Compare(op=CompareOp.EQ, left=Col(name=name), right=Lit()):
                        yield name


def _figure(measure: Measure, context: Context, *, alone: bool) -> str:
    """Return what a figure is over groups, which are of one row each where the row stands `alone`."""
    name = measure.column.name if measure.column is not None else None
    if measure.where is not None or measure.fraction is not None:
        return measure.model_dump_json()
    if name is None:
        return "count of rows" if measure.function is F.COUNT else measure.model_dump_json()
    there = name in context.profile.schema_.names and context.column(name).nulls == 0
    if there and (measure.function is F.COUNT or (measure.function in _COUNTS and context.is_key(name))):
        return "count of rows"
    if there and alone and measure.function in _OF_ONE_VALUE_ITSELF:
        return name
    return f"{measure.function.value} of {name}"
