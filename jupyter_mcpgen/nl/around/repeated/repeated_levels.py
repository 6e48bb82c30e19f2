"""Levels that stand on several rows of one thing and time: a town's population beside each of its services' budgets.

Added up over these rows, it counts every head as often as the town has rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from jupyter_mcpgen.nl.around.repeated.levels import last_time, level_added_up
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding
from jupyter_mcpgen.nl.tables.dependencies import repeats_within
from jupyter_mcpgen.nl.tables.levels_at_times import labels_of_things
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import Col, Columns, Compare, CompareOp, IsIn, Predicate, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Measure, Sort, SortKey, Step
from jupyter_mcpgen.plan.plan import Plan


@dataclass(frozen=True)
class _Repeats:
    """What a level is of: it stands on several rows of a thing at a time."""

    level: str
    thing: str
    time: str
    perhaps: bool = False
    """True where the figures are of some label that may tell the repeats apart, or may be one of the thing."""


def asking_once_each(meant: Understanding, context: Context) -> Understanding:
    """Ask with a level taken once of each thing at a time, where a plan adds up its repeats; refuse where none can."""
    if not isinstance(meant, Answered):
        return meant
    plan = meant.winner.plan
    level = level_added_up(plan, context)
    found = _repeated(level, plan, context) if level is not None else None
    if found is None:
        return meant
    options = tuple(_options(meant.winner, found, context))
    if found.perhaps and len(options) == 1 and found.time in _told_apart(plan):
        note = f"`{found.level}` is taken once of each `{found.thing}` and `{found.time}`, however many rows they have."
        own = replace(options[0], assumptions=(*options[0].assumptions, note))
        return Answered(own, no_chart=meant.no_chart)
    repeated = f"`{found.level}` is repeated in several rows of each `{found.thing}` and `{found.time}`"
    told = f"{repeated}, so a total of all rows would count it several times."
    if not options:
        return Refused(
            f"{told} I could not use it once for each in this question. Ask for the average `{found.level}`.",
            words=(found.level,),
        )
    which = "Is this what you mean" if len(options) == 1 else "Which one is meant"
    lines = "; ".join(f"({number}) {say_plan(option.plan)}" for number, option in enumerate(options, 1))
    return Asked(f"{told} {which}: {lines}?", options)


def _repeated(level: str, plan: Plan, context: Context) -> _Repeats | None:
    """Return of what a level has one figure each, where a plan is of several rows of these."""
    rows, values = context.profile.rows, context.column(level).distinct
    labels = labels_of_things(context)
    apart = set(_told_apart(plan))
    for time in (*context.years, *context.dates):
        times = context.column(time).distinct
        for thing in labels if 1 < times < rows else ():
            pairs = context.column(thing).distinct * times
            others = [name for name in labels if name != thing and rows <= pairs * context.column(name).distinct]
            told = max(times, context.column(thing).distinct) < values <= pairs < rows and bool(others)
            if told and repeats_within(level, (thing, time), context):
                if apart.isdisjoint(others):
                    return _Repeats(level, thing, time)
                return _Repeats(level, thing, time, perhaps=True) if len(others) > 1 else None
    return None


def _told_apart(plan: Plan) -> Iterator[str]:
    """Yield the labels of which a plan has one value in each figure: it groups by them, or keeps one."""
    first = _first(plan)
    yield from first.by.names
    for step in plan.steps[: plan.steps.index(first)]:
        if isinstance(step, Filter):
            yield from (name for term in terms_of(step.predicate) if (name := _one_value(term)) is not None)


def _one_value(term: Predicate) -> str | None:
    """Return the column of which a condition keeps one value."""
    match term:
        case Compare(op=CompareOp.EQ, left=Col(name=name)):
            return name
        case IsIn(operand=Col(name=name), values=(_,), negated=False):
            return name
        case _:
            return None


def _first(plan: Plan) -> Aggregate:
    return next(step for step in plan.steps if isinstance(step, Aggregate))


def _options(winner: Reading, found: _Repeats, context: Context) -> Iterator[Reading]:
    """Yield the same with the level taken once: at the time that is said, else at the last one and at each."""
    told = set(_told_apart(winner.plan))
    if found.time in told:
        yield from _once(winner, found, (), found.time in _first(winner.plan).by.names)
        return
    last = last_time(winner.plan, found.time, context)
    if last is not None:
        yield from _once(winner, found, (last,), by_time=False)
    if not _first(winner.plan).by.names:
        yield from _once(winner, found, (), by_time=True)


def _once(winner: Reading, found: _Repeats, kept: tuple[Step, ...], by_time: bool) -> Iterator[Reading]:
    """Yield a reading in which each thing at a time has its level once; none where more is computed of the rows."""
    plan, first = winner.plan, _first(winner.plan)
    place = plan.steps.index(first)
    measure = first.measures[0]
    if len(first.measures) != 1 or measure.where is not None:
        return
    groups = tuple(name for name in first.by.names if name not in (found.thing, found.time))
    each = Measure(function=AggregateFunction.MAX, column=Col(name=found.level))
    once = Aggregate(by=Columns(names=(found.thing, found.time, *groups)), measures=(each,))
    keys = first.by.names
    sort: tuple[Step, ...] = ()
    if by_time and found.time not in keys:
        keys, sort = (*keys, found.time), (Sort(keys=(SortKey(column=found.time),)),)
    total = Measure(function=AggregateFunction.SUM, column=Col(name=each.name), label=measure.name)
    rest = plan.steps[place + 1 :]
    if any(found.level in names_in(step) for step in rest):
        return
    summed = Aggregate(by=Columns(names=keys), measures=(total,))
    steps = (*kept, *plan.steps[:place], once, summed, *rest, *sort)
    made = plan.tried(steps, plan.chart)
    if made is None:
        return
    yield replace(winner, plan=made)
