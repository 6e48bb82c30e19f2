"""Names of tools, from the shape of their plans."""

from __future__ import annotations

from collections.abc import Set

from jupyter_mcpgen.plan.expressions import DatePart
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Describe, Filter, Limit, Sort
from jupyter_mcpgen.plan.plan import Plan

_SHORT = {AggregateFunction.COUNT: "count", AggregateFunction.COUNT_DISTINCT: "count_distinct"}


def tool_name(plan: Plan, taken: Set[str]) -> str:
    """Return a name such as `sum_by_group` or `top_count_by_month_where` that no other tool has."""
    name = "_".join(_words(plan))[:60].rstrip("_")
    candidate, number = name, 2
    while candidate in taken:
        candidate, number = f"{name}_{number}", number + 1
    return candidate


def _words(plan: Plan) -> list[str]:
    aggregate = next((step for step in plan.steps if isinstance(step, Aggregate)), None)
    describes = any(isinstance(step, Describe) for step in plan.steps)
    limited = any(isinstance(step, Limit) for step in plan.steps)
    filtered = any(isinstance(step, Filter) for step in plan.steps)
    words = ["top"] if limited else []
    if aggregate is not None:
        words += _measures(aggregate)
        words += ["by", *_keys(plan, aggregate)] if aggregate.by.names else []
    elif describes:
        words.append("describe_columns")
    elif any(isinstance(step, Sort) for step in plan.steps):
        words.append("rows" if limited else "sorted_rows")
    else:
        words.append("rows" if filtered or limited else "select_columns")
    return [*words, "where"] if filtered else words


def _measures(aggregate: Aggregate) -> list[str]:
    functions = dict.fromkeys(_SHORT.get(m.function, m.function.value) for m in aggregate.measures)
    whole = not aggregate.by.names and len(functions) == 1 and next(iter(functions)) == "count"
    return ["count_rows"] if whole else ["_and_".join(functions), *([] if aggregate.by.names else ["of_column"])]


def _keys(plan: Plan, aggregate: Aggregate) -> list[str]:
    units = {
        step.name: step.expression.unit.value.removeprefix("start_of_")
        for step in plan.steps
        if isinstance(step, Derive) and isinstance(step.expression, DatePart)
    }
    return ["_and_".join(dict.fromkeys(units.get(name, "group") for name in aggregate.by.names))]
