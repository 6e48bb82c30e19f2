"""Reads a plan back as the answer that it came from, so that a follow-up can change a part of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.assembling.answers import Grouping, Listing, to_plan
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.plan.expressions import All, Columns, Compare, DateName, DatePart, Lit, Predicate
from jupyter_mcpgen.plan.ops import Aggregate, Derive, Filter, Limit, Select, Sort, Step, TopPerGroup
from jupyter_mcpgen.plan.plan import Plan


def recall(plan: Plan, context: Context) -> Grouping | Listing | None:
    """Return the answer that gives exactly this plan; None for a plan that no such answer gives."""
    read_back = _read_back(list(plan.steps)) if plan.second is None else None
    for answer in _ways(read_back) if read_back is not None else ():
        try:
            if plan.chart is not None and to_plan(answer, context).chart != plan.chart:
                answer = replace(answer, chart=plan.chart.kind)
            again = to_plan(answer, context)
        except PlanError:
            continue  # not the way that the plan came about
        if again.steps == plan.steps:
            return answer
    return None


def _ways(answer: Grouping | Listing) -> Iterator[Grouping | Listing]:
    """Yield an answer in its usual order without that order first, so that a change of it may bring another one."""
    if isinstance(answer, Grouping) and answer.order == answer.measures[0] and answer.descending and not answer.limit:
        yield replace(answer, order=None, ordered=False, descending=None)
    yield answer


def _read_back(steps: list[Step]) -> Grouping | Listing | None:
    conditions = _conditions(steps)
    periods: dict[str, m.GroupKey] = {}
    while steps and isinstance(derived := steps[0], Derive):
        if not isinstance(derived.expression, DatePart | DateName):
            return None
        periods[derived.name] = m.GroupKey(derived.expression.operand.name, derived.expression.unit)
        steps.pop(0)
    if steps and isinstance(aggregate := steps[0], Aggregate):
        # a named weekday stands beside its number: the two are one key
        keys = tuple(dict.fromkeys(periods.get(name, m.GroupKey(name)) for name in aggregate.by.names))
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
            case TopPerGroup(by=by, keys=(key,), count=count):
                order = measured.get(key.column) or m.Column(key.column)
                kept = replace(answer, order=order, ordered=True, descending=key.descending)
                answer = replace(kept, limit=count, per=len(by.names))
            case Aggregate(by=Columns(names=()), measures=(over,)) if len(measured) == 1:
                answer = replace(answer, then=over.function)
            case Select():
                pass  # the names of weekdays without their numbers
            case _:
                return None
    return answer


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
            case TopPerGroup(by=by, keys=(key,), count=count):
                answer = replace(answer, order=key.column, descending=key.descending, limit=count, per=by.names)
            case _:
                return None
    return answer
