"""Rewrites that leave the meaning of a plan as it is: conditions earlier, columns that nothing reads left out.

Each rewrite is a function from a plan to an equal plan; `rewrite` applies them in turn until nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable

from jupyter_mcpgen.plan.columns import READS_WHAT_IT_NAMES, names_in
from jupyter_mcpgen.plan.expressions import All, Bin, Columns, Predicate
from jupyter_mcpgen.plan.ops import (
    FIGURES,
    Aggregate,
    Derive,
    Filter,
    Pivot,
    Resample,
    Select,
    Sort,
    Step,
    Window,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Node

MOST_ROUNDS = 50
"""Bound on how often the rewrites run; every round moves a step forward, so plans need far fewer."""


def rewrite(plan: Plan) -> Plan:
    """Return an equal plan that reads fewer rows and columns."""
    for _ in range(MOST_ROUNDS):
        changed = plan
        for rule in REWRITES:
            changed = rule(changed)
        if changed == plan:
            break
        plan = changed
    return plan


def push_filters(plan: Plan) -> Plan:
    """Move each condition before a step that it does not depend on, and that it cannot change."""
    steps = list(plan.steps)
    for place in range(1, len(steps)):
        before, step = steps[place - 1], steps[place]
        if isinstance(step, Filter) and _commutes(step, before):
            steps[place - 1], steps[place] = step, before
    return plan if tuple(steps) == plan.steps else _with(plan, tuple(steps))


def _commutes(condition: Filter, step: Step) -> bool:
    """Tell whether a condition may come before a step; no window, limit or figure sees fewer rows for it."""
    needed = set(names_in(condition.predicate))
    match step:
        case Derive():
            return step.name not in needed and not _looks_at_other_rows(step)
        case Sort() | Select():
            return True
        case Aggregate():
            return bool(step.by.names) and needed <= set(step.by.names)
        case _:
            return False


def _looks_at_other_rows(node: Node) -> bool:
    """Tell whether a value depends on all rows, as intervals between the smallest and the largest do."""
    if isinstance(node, Bin):
        return node.count is not None
    values = (getattr(node, name) for name in type(node).model_fields)
    children = (child for value in values for child in (value if isinstance(value, tuple) else (value,)))
    return any(isinstance(child, Node) and _looks_at_other_rows(child) for child in children)


def merge_filters(plan: Plan) -> Plan:
    """Make one condition of two that follow each other."""
    steps: list[Step] = []
    for step in plan.steps:
        last = steps[-1] if steps else None
        if isinstance(step, Filter) and isinstance(last, Filter):
            steps[-1] = Filter(predicate=All(terms=(*_terms(last.predicate), *_terms(step.predicate))))
        else:
            steps.append(step)
    return plan if tuple(steps) == plan.steps else _with(plan, tuple(steps))


def _terms(predicate: Predicate) -> tuple[Predicate, ...]:
    return predicate.terms if isinstance(predicate, All) else (predicate,)


def drop_unread_columns(plan: Plan) -> Plan:
    """Leave out computed columns that no later step, no figure and no chart reads."""
    for place, step in enumerate(plan.steps):
        if isinstance(step, Derive | Window) and not _is_read(plan, place, step.name):
            return _with(plan, (*plan.steps[:place], *plan.steps[place + 1 :]))
    return plan


def _is_read(plan: Plan, place: int, name: str) -> bool:
    if name in plan.schema_at(place).names:
        return True  # it stands in the place of another column, which would come back
    for step in plan.steps[place + 1 :]:
        if name in set(names_in(step)) or (isinstance(step, Derive | Window | Resample) and step.name == name):
            return True
        if isinstance(step, (*FIGURES, Select)):
            return False
    return True


def prune_columns(plan: Plan) -> Plan:
    """Read only the columns that the figures need, where a plan computes figures."""
    figures = next((p for p, s in enumerate(plan.steps) if isinstance(s, Aggregate | Resample | Pivot)), None)
    if figures is None or not all(isinstance(step, READS_WHAT_IT_NAMES) for step in plan.steps[:figures]):
        return plan
    named = {name for step in plan.steps[: figures + 1] for name in names_in(step)}
    needed = tuple(name for name in plan.source_schema.names if name in named)
    if not needed or len(needed) == len(plan.source_schema.names):
        return plan
    made = {step.name for step in plan.steps[:figures] if isinstance(step, Derive | Window)}
    if made & set(plan.source_schema.names):
        return plan
    return _with(plan, (Select(columns=Columns(names=needed)), *plan.steps))


def _with(plan: Plan, steps: tuple[Step, ...]) -> Plan:
    return Plan(source=plan.source, source_schema=plan.source_schema, second=plan.second, steps=steps, chart=plan.chart)


REWRITES: tuple[Callable[[Plan], Plan], ...] = (push_filters, merge_filters, drop_unread_columns, prune_columns)
"""Every rewrite, in the order in which they are tried."""
