"""Names a reading by what sets it apart from another one."""

from __future__ import annotations

from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.english_measures import say_measure
from jupyter_mcpgen.plan.english_values import say_predicate, say_writing
from jupyter_mcpgen.plan.expressions import DatePart, Parse
from jupyter_mcpgen.plan.ops import Aggregate, Derive, Filter, Limit, Measure, Sort
from jupyter_mcpgen.plan.plan import Plan

LONGEST = 48
"""Labels are for small buttons; a longer one gives way to the whole reading."""


def labels(winner: Plan, others: tuple[Plan, ...]) -> tuple[str, ...]:
    """Return a short name for each plan beside the winner; no two are the same.

    Where short names are alike, they say all that sets the plan apart, and where those are alike the whole reading.
    """
    readings = [say_plan(other) for other in others]
    differences = [_difference(winner, other) or reading for other, reading in zip(others, readings, strict=True)]
    short = [_shortened(difference) for difference in differences]
    return tuple(
        next((name for name, names in ((brief, short), (difference, differences)) if names.count(name) == 1), reading)
        for brief, difference, reading in zip(short, differences, readings, strict=True)
    )


def _shortened(label: str) -> str:
    """Return a label that fits a button: its first parts."""
    while len(label) > LONGEST and ", " in label:
        label = label.rpartition(", ")[0]
    return label if len(label) <= LONGEST else f"{label[: LONGEST - 1].rstrip(' ,')}…"


def _difference(winner: Plan, other: Plan) -> str:
    own, base = _aspects(other), _aspects(winner)
    single = len(_aggregates(other)) == len(_aggregates(winner)) == 1
    if single and own["measures"] != base["measures"] and _columns(other) == _columns(winner):
        own["measures"] = " and ".join(measure.function.value for measure in _measures(other))
    own["order"] = own["order"] if own["measures"] == base["measures"] else ""
    return ", ".join(said for aspect, said in own.items() if said and said != base[aspect])


def _aspects(plan: Plan) -> dict[str, str]:
    """Return what a plan says, by the part of the answer that it is about."""
    derived = {step.name: step.expression for step in plan.steps if isinstance(step, Derive)}
    aspects = dict.fromkeys(("measures", "groups", "rows", "order", "texts"), "")
    parsed = [value for value in derived.values() if isinstance(value, Parse)]
    aspects["texts"] = " and ".join(f"{value.operand.name} {say_writing(value.writing)}" for value in parsed)
    aggregates = _aggregates(plan)
    if not aggregates:
        aspects["measures"] = "rows"
    for aggregate in aggregates[:1]:
        aspects["measures"] = " and ".join(say_measure(measure) for measure in aggregate.measures)
        names = [_say_key(derived.get(name), name) for name in aggregate.by.names]
        aspects["groups"] = f"by {' and '.join(names)}" if names else "in all"
    if len(aggregates) > 1:
        aspects["measures"] = ", then ".join(say_measure(step.measures[0]) for step in reversed(aggregates))
    filters = [say_predicate(step.predicate) for step in plan.steps if isinstance(step, Filter)]
    aspects["rows"] = f"where {' and '.join(filters)}" if filters else ""
    limits = [step.count for step in plan.steps if isinstance(step, Limit)]
    sorts = [step.keys[0] for step in plan.steps if isinstance(step, Sort)]
    if sorts:
        aspects["order"] = f"{sorts[0].column} {'largest' if sorts[0].descending else 'smallest'} first"
    if limits:
        aspects["order"] += f", first {limits[0]}" if aspects["order"] else f"first {limits[0]}"
    return aspects


def _say_key(expression: object, name: str) -> str:
    if not isinstance(expression, DatePart):
        return name
    return f"{expression.unit.value.removeprefix('start_of_')} of {expression.operand.name}"


def _aggregates(plan: Plan) -> list[Aggregate]:
    return [step for step in plan.steps if isinstance(step, Aggregate)]


def _measures(plan: Plan) -> tuple[Measure, ...]:
    return next((step.measures for step in _aggregates(plan)), ())


def _columns(plan: Plan) -> list[str | None]:
    return [measure.column.name if measure.column else None for measure in _measures(plan)]
