"""The cell of one row where a sum over it was read: nothing that is missing is 0, as a sum of no values would be."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Understanding
from jupyter_mcpgen.plan.expressions import Col, Columns, Compare, CompareOp, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Select, Step


def showing_one_cell(meant: Understanding, context: Context) -> Understanding:
    """Return a meaning with the cell itself where it adds up a column that has gaps, over the row of one key."""
    if not isinstance(meant, Answered):
        return meant
    plan = meant.winner.plan
    *before, last = plan.steps or (None,)
    column = _added_up(last, context)
    if column is None or not any(_holds_one_row(step, context) for step in before):
        return meant
    cell = plan.with_steps((*plan.steps[:-1], Select(columns=Columns(names=(column,)))))
    return replace(meant, winner=replace(meant.winner, plan=cell))


def _added_up(step: Step | None, context: Context) -> str | None:
    """Return the column with gaps that a step adds up over all rows; None for any other step."""
    if not isinstance(step, Aggregate) or step.by.names or len(step.measures) != 1:
        return None
    measure = step.measures[0]
    name = measure.column.name if measure.column is not None and measure.where is None else None
    known = name is not None and name in context.profile.schema_.names
    summed = measure.function is AggregateFunction.SUM
    return name if name is not None and known and summed and context.column(name).nulls else None


def _holds_one_row(step: Step | None, context: Context) -> bool:
    if not isinstance(step, Filter):
        return False
    terms = terms_of(step.predicate)
    held = [t.left.name for t in terms if isinstance(t, Compare) and t.op is CompareOp.EQ and isinstance(t.left, Col)]
    return any(name in context.profile.schema_.names and context.is_key(name) for name in held)
