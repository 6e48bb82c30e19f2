"""Plans that keep the last row of each group, or the groups whose last row is old."""

from __future__ import annotations

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.comparing.plans.figures import figures_of
from jupyter_mcpgen.plan.expressions import Col, Columns, Compare, CompareOp, Lit
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Filter,
    Measure,
    Select,
    Sort,
    SortKey,
    Step,
    TopPerGroup,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType


def first_of_each(plan: Plan, group: str, date: str, *, last: bool) -> Plan:
    """Keep the row of each group with its latest, or its earliest, date; raises `PlanError` where rows are no rows."""
    if any(not isinstance(step, Filter) for step in plan.steps):
        raise PlanError("The last of each is one of the rows.")
    key = SortKey(column=date, descending=last)
    top = TopPerGroup(by=Columns(names=(group,)), keys=(key,), count=1)
    return plan.with_steps((*plan.steps, top))


def figures_of_first(plan: Plan, group: str, date: str, *, last: bool = False) -> Plan:
    """Compute a plan over the earliest row of each group only, or the latest; raises `PlanError` for other plans."""
    top = TopPerGroup(by=Columns(names=(group,)), keys=(SortKey(column=date, descending=last),), count=1)
    if plan.steps and all(isinstance(step, Filter) for step in plan.steps):
        return plan.with_steps((top, *plan.steps))
    return figures_of(plan).built((top, *plan.steps), plan.chart)


def last_before(plan: Plan, day: str, *, counted: bool, since: bool = False) -> Plan:
    """Keep the groups whose last date is before a day, or since then, the oldest first, or count them."""
    figures = figures_of(plan)
    if not figures.aggregate.by.names or any(isinstance(step, Select) for step in figures.without(Sort)):
        raise PlanError("The groups are shown with their last dates.")
    name = figures.measure.name
    op = CompareOp.GE if since else CompareOp.LT
    old = Compare(op=op, left=Col(name=name), right=Lit(value=day, type=ColumnType.DATE))
    number = Aggregate(measures=(Measure(function=AggregateFunction.COUNT),))
    last: Step = number if counted else Sort(keys=(SortKey(column=name),))
    return figures.built((*figures.before, figures.aggregate, Filter(predicate=old), last), None)
