"""Which figures change when rows are there several times: by a join, as one of several cells, or with each member."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import (
    Arithmetic,
    ArithmeticOp,
    Col,
    Compare,
    CompareOp,
    Expression,
    Lit,
    Predicate,
    terms_of,
)
from jupyter_mcpgen.plan.ops import (
    FIGURES,
    Aggregate,
    AggregateFunction,
    Derive,
    Describe,
    Distinct,
    Filter,
    Measure,
    Pivot,
    Resample,
    Window,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.reshaping import Members, Unpivot
from jupyter_mcpgen.plan.sources import Join, JoinKind, Summary

UNMOVED = frozenset({AggregateFunction.MIN, AggregateFunction.MAX, AggregateFunction.COUNT_DISTINCT})
"""Functions that give the same when a row is there twice."""


_OF_MEMBERS = (AggregateFunction.COUNT_DISTINCT, AggregateFunction.MODE)
_ADDED = (AggregateFunction.SUM, AggregateFunction.COUNT)


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


def is_multiplied(plan: Plan, column: str, side: Side) -> bool:
    """Tell whether values of the other table go into a computed column only as factors of what belongs to one table.

    The quantity of an order line times the price of its product is the line's own, though the price stands in many
    lines. A quotient or a difference of the two is not: its sum would count the other table's values again.
    """
    computed = {step.name: step.expression for step in plan.steps if isinstance(step, Derive)}
    if not isinstance(plan.second, Join) or column not in computed or sides_of(plan, column) != frozenset(Side):
        return False
    return _is_multiplied(computed[column], computed, plan.second, side)


def _is_multiplied(part: Expression, computed: Mapping[str, Expression], join: Join, side: Side) -> bool:
    match part:
        case Col(name=name) if name in computed:
            return _is_multiplied(computed[name], computed, join, side)
        case Col(name=name):
            return _side(join, name) == {side}
        case Lit():
            return True
        case Arithmetic(op=ArithmeticOp.MULTIPLY, left=left, right=right):
            factors = [factor for factor in (left, right) if not isinstance(factor, Lit)]
            return any(_is_multiplied(factor, computed, join, side) for factor in factors)
        case Arithmetic(left=left, right=right):
            return all(_is_multiplied(term, computed, join, side) for term in (left, right))
        case _:
            return False


def _side(join: Join | Summary, column: str) -> frozenset[Side]:
    is_outer = isinstance(join, Join) and join.how is JoinKind.OUTER
    if is_outer and any(pair.is_one_column and pair.first.name == column for pair in join.keys):
        return frozenset(Side)
    return frozenset({Side.FIRST if column in join.first_schema.names else Side.SECOND})


def counted_again(plan: Plan) -> tuple[Measure, ...]:
    """Return the figures that count a row of the table as often as columns or lists make rows of it."""
    found: dict[Measure, None] = {}
    for step in plan.reshaping:
        match step:
            case Unpivot() if not (_groups_by(plan, step.name) or _keeps_one(plan, step.name)):
                own = _made_of(plan, step.value)
                found |= {m: None for m in weighed_measures(plan) if m.function in _ADDED and _column(m) - own}
            case Members(column=column) if not is_by_member(plan, column.name):
                found |= dict.fromkeys(weighed_measures(plan))
            case _:
                continue
    return tuple(found)


def is_by_member(plan: Plan, name: str) -> bool:
    """Tell whether a plan over members of lists is by member, of one member, or about which members there are."""
    figures = next((step for step in plan.steps if isinstance(step, FIGURES)), None)
    if isinstance(figures, Aggregate) and all(_is_of_members(measure, name) for measure in figures.measures):
        return True
    listed = any(isinstance(step, Distinct) and name in step.columns.names for step in plan.steps)
    return listed or _groups_by(plan, name) or _keeps_one(plan, name)


def _is_of_members(measure: Measure, name: str) -> bool:
    return measure.function in _OF_MEMBERS and _column(measure) == {name}


def _column(measure: Measure) -> set[str]:
    return set() if measure.column is None else {measure.column.name}


def _made_of(plan: Plan, name: str) -> set[str]:
    """Return a column, and those that are computed from it."""
    made = {name}
    for step in plan.steps:
        if isinstance(step, Derive | Window) and made.intersection(names_in(step)):
            made.add(step.name)
    return made


def _groups_by(plan: Plan, name: str) -> bool:
    """Tell whether the first figures are by a column."""
    match next((step for step in plan.steps if isinstance(step, FIGURES)), None):
        case Aggregate(by=by) | Describe(by=by) | Resample(by=by):
            return name in by.names
        case Pivot(by=by, column=column):
            return name in (*by.names, column.name)
        case _:
            return False


def _keeps_one(plan: Plan, name: str) -> bool:
    """Tell whether a condition on the rows leaves one value of a column."""
    for step in plan.steps:
        if isinstance(step, FIGURES):
            break
        if isinstance(step, Filter) and any(_is_one(term, name) for term in terms_of(step.predicate)):
            return True
    return False


def _is_one(term: Predicate, name: str) -> bool:
    match term:
        case Compare(op=CompareOp.EQ, left=Col() as column, right=Lit()):
            return column.name == name
        case _:
            return False
