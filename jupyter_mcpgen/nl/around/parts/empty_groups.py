"""Groups without a single value under a figure of their sums: a month whose revenue is missing earned not 0."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Reading, Understanding, each_reading
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp, IsMissing, Lit
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Measure, Sort, SortKey, Step
from jupyter_mcpgen.plan.plan import Plan

_UNCHANGED = (AggregateFunction.SUM, AggregateFunction.COUNT)
"""Figures of sums that a 0 changes nothing of, or that count the groups themselves."""
_KEEPS_ZERO: dict[CompareOp, Callable[[float, float], bool]] = {
    CompareOp.EQ: operator.eq,
    CompareOp.NE: operator.ne,
    CompareOp.LT: operator.lt,
    CompareOp.LE: operator.le,
    CompareOp.GT: operator.gt,
    CompareOp.GE: operator.ge,
}
"""Whether 0 keeps a limit."""


def leaving_out_empty_groups(meant: Understanding, context: Context) -> Understanding:
    """Return a meaning whose figure of groups' sums is one of the groups that have a value to add up."""
    return each_reading(meant, partial(_with_values, context=context))


def _with_values(reading: Reading, context: Context) -> Reading:
    found = _place_of_sums(reading.plan, context)
    if found is None:
        return reading
    place, column = found
    valued = Filter(predicate=IsMissing(operand=Col(name=column), negated=True))
    note = f"Groups without any `{column}` are left out, and are no 0."
    old = reading.plan
    plan = old.with_steps((*old.steps[:place], valued, *old.steps[place:])).model_copy(update={"chart": old.chart})
    return replace(reading, plan=plan, assumptions=(*reading.assumptions, note))


def _place_of_sums(plan: Plan, context: Context) -> tuple[int, str] | None:
    """Return where groups are added up that a 0 would be wrong among, and the column, where it lacks values."""
    for place, step in enumerate(plan.steps):
        match step:
            case Aggregate(measures=(total,), by=by) if total.function is AggregateFunction.SUM and total.where is None:
                name = total.column.name if total.column is not None else ""
                known = name in context.column_words and context.column(name).nulls > 0
                if by.names and known and _meets_zeros(total, plan.steps[place + 1 :], context):
                    return (place, name) if not _asks_for_values(plan, name) else None
            case _:
                pass
    return None


def _meets_zeros(total: Measure, behind: tuple[Step, ...], context: Context) -> bool:
    """Tell whether steps behind sums give something else with a 0 among them: a limit that it keeps, the lowest."""
    for step in behind:
        match step:
            case Filter(predicate=Compare(left=Col(name=total.name), op=op, right=Lit(value=int() | float() as limit))):
                if _KEEPS_ZERO[op](0, limit):
                    return True
            case Sort(keys=(SortKey(column=total.name, descending=False), *_)):
                return True
            case Aggregate(measures=(over,), by=by):
                taken = over.column is not None and over.column.name == total.name
                return taken and _counts_zeros(over, total, context, over_all=not by.names)
            case Filter() | Sort():
                pass
            case _:
                return False
    return False


def _counts_zeros(over: Measure, total: Measure, context: Context, *, over_all: bool) -> bool:
    """Tell whether a figure of sums would be another one with a 0 among them: the largest only where all are below."""
    low = context.column(total.column.name).minimum if total.column is not None else None
    above = over.function is AggregateFunction.MAX and over_all and isinstance(low, int | float) and low >= 0
    return over.function not in _UNCHANGED and not above


def _asks_for_values(plan: Plan, name: str) -> bool:
    chosen = (step.predicate for step in plan.steps if isinstance(step, Filter))
    return any(term == IsMissing(operand=Col(name=name), negated=True) for term in chosen)
