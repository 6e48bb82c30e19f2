"""Which figures change when a join repeats rows: their column, and the table that it comes from."""

from __future__ import annotations

from enum import StrEnum

from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.ops import FIGURES, Aggregate, AggregateFunction, Derive, Measure, Pivot, Resample, Window
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.sources import Join, JoinKind, Summary

UNMOVED = frozenset({AggregateFunction.MIN, AggregateFunction.MAX, AggregateFunction.COUNT_DISTINCT})
"""Functions that give the same when a row is there twice."""


class Side(StrEnum):
    """One of the two tables of a join."""

    FIRST = "first"
    SECOND = "second"


def weighed_measures(plan: Plan) -> tuple[Measure, ...]:
    """Return the figures of the source's rows that count a repeated row as often as it is there."""
    figures = next((step for step in plan.steps if isinstance(step, FIGURES)), None)
    match figures:
        case Aggregate(measures=measures) | Resample(measures=measures):
            found = measures
        case Pivot(measure=measure):
            found = (measure,)
        case _:
            found = ()
    return tuple(measure for measure in found if measure.function not in UNMOVED)


def sides_of(plan: Plan, column: str) -> frozenset[Side]:
    """Return the tables that a column's values come from; a computed column has those of what it is computed of."""
    if not isinstance(plan.second, Join | Summary):
        return frozenset({Side.FIRST})
    made: dict[str, frozenset[Side]] = {}
    for step in plan.steps:
        if isinstance(step, Derive | Window):
            read = step.expression if isinstance(step, Derive) else step.column
            sides = [made.get(name) or _side(plan.second, name) for name in names_in(read)]
            made[step.name] = frozenset().union(*sides)
    return made.get(column) or _side(plan.second, column)


def _side(join: Join | Summary, column: str) -> frozenset[Side]:
    is_outer = isinstance(join, Join) and join.how is JoinKind.OUTER
    if is_outer and any(pair.is_one_column and pair.first.name == column for pair in join.keys):
        return frozenset(Side)
    return frozenset({Side.FIRST if column in join.first_schema.names else Side.SECOND})
