"""Reads a plan back as the answer that it came from, so that a follow-up can change a part of it."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.answers import Grouping, Listing, to_plan
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.plan.expressions import All, Compare, DatePart, Lit, Predicate
from jupyter_mcpgen.plan.ops import Aggregate, Derive, Filter, Limit, Select, Sort, Step
from jupyter_mcpgen.plan.plan import Plan


def recall(plan: Plan, context: Context) -> Grouping | Listing | None:
    """Return the answer that gives exactly this plan; None for a plan that no such answer gives."""
    try:
        answer = _read_back(list(plan.steps))
        if answer is None:
            return None
        if plan.chart is not None and to_plan(answer, context).chart != plan.chart:
            answer = replace(answer, chart=plan.chart.kind)
        again = to_plan(answer, context)
    except PlanError:
        return None
    return answer if again.steps == plan.steps else None


def _read_back(steps: list[Step]) -> Grouping | Listing | None:
    conditions = _conditions(steps)
    periods: dict[str, m.GroupKey] = {}
    while steps and isinstance(derived := steps[0], Derive):
        if not isinstance(derived.expression, DatePart):
            return None
        periods[derived.name] = m.GroupKey(derived.expression.operand.name, derived.expression.unit)
        steps.pop(0)
    if steps and isinstance(aggregate := steps[0], Aggregate):
        keys = tuple(periods.get(name, m.GroupKey(name)) for name in aggregate.by.names)
        return _grouping(conditions, keys, aggregate, steps[1:])
    return _listing(conditions, steps) if not periods else None


def _conditions(steps: list[Step]) -> tuple[Predicate, ...]:
    """Take the leading filter off the steps and return what it demands."""
    if not steps or not isinstance(first := steps[0], Filter):
        return ()
    steps.pop(0)
    return first.predicate.terms if isinstance(first.predicate, All) else (first.predicate,)


def _grouping(
    conditions: tuple[Predicate, ...], keys: tuple[m.GroupKey, ...], aggregate: Aggregate, rest: list[Step]
) -> Grouping | None:
    measured = {
        measure.name: m.Measured(measure.function, measure.column.name if measure.column else None)
        for measure in aggregate.measures
    }
    answer = Grouping(conditions, keys, tuple(measured.values()))
    for step in rest:
        match step:
            case Filter(predicate=Compare(op=op, left=left, right=Lit(value=int() | float() as value))):
                named = measured.get(getattr(left, "name", ""))
                if named is None:
                    return None
                answer = replace(answer, having=(*answer.having, m.Having(named, op, value)))
            case Sort(keys=(key,)):
                order = measured.get(key.column) or m.Column(key.column)
                answer = replace(answer, order=order, ordered=True, descending=key.descending)
            case Limit(count=count):
                answer = replace(answer, limit=count)
            case _:
                return None
    usual = answer.order == answer.measures[0] and answer.descending and answer.limit is None
    return replace(answer, order=None, ordered=False, descending=None) if usual else answer


def _listing(conditions: tuple[Predicate, ...], steps: list[Step]) -> Listing | None:
    answer = Listing(conditions, ())
    for step in steps:
        match step:
            case Sort(keys=(first, *others)) if all(key.descending == first.descending for key in others):
                then = tuple(key.column for key in others)
                answer = replace(answer, order=first.column, then=then, descending=first.descending)
            case Limit(count=count):
                answer = replace(answer, limit=count)
            case Select(columns=columns):
                answer = replace(answer, columns=columns.names)
            case _:
                return None
    return answer
