"""Plans that take one figure over the figures of all groups."""

from __future__ import annotations

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Measure, Select, Sort
from jupyter_mcpgen.plan.plan import Plan


def over_groups(plan: Plan, function: AggregateFunction) -> Plan:
    """Take one figure over the first figure of all groups; raises `PlanError` where a plan has no groups."""
    place = next((i for i, step in enumerate(plan.steps) if isinstance(step, Aggregate)), None)
    grouped = plan.steps[place] if place is not None else None
    if place is None or not isinstance(grouped, Aggregate) or not grouped.by.names or len(grouped.measures) != 1:
        raise PlanError("There are no groups with one figure each.")
    after = plan.steps[place + 1 :]
    if any(not isinstance(step, Filter | Sort | Select) for step in after):
        raise PlanError("A figure is taken over all groups, not over the first of them.")
    kept = tuple(step for step in after if isinstance(step, Filter))
    counts = function is AggregateFunction.COUNT
    over = Measure(function=function, column=None if counts else Col(name=grouped.measures[0].name))
    return plan.with_steps((*plan.steps[: place + 1], *kept, Aggregate(measures=(over,))))
