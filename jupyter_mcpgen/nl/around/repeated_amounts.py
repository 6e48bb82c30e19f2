"""Amounts that stand on every row of what they are of: the total of an order beside each of its lines.

Added up over the lines, or averaged over them, it counts as often as the order has lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.identifiers import repeats, told_apart
from jupyter_mcpgen.nl.everyday.speech import Table
from jupyter_mcpgen.nl.everyday.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding
from jupyter_mcpgen.nl.tables.dependencies import has_one_value, is_known_by_row, repeats_within
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import Col, Columns
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Measure, Resample, Step
from jupyter_mcpgen.plan.plan import Plan

FEWEST_REPEATED, FEWEST_VALUES = 10, 5
"""Figures that are the same by chance in all rows of each of so many, of so many values, are not met with."""
_COUNTING_EACH = (
    AggregateFunction.SUM,
    AggregateFunction.MEAN,
    AggregateFunction.MEDIAN,
    AggregateFunction.STD,
    AggregateFunction.VAR,
    AggregateFunction.QUANTILE,
)
"""The figures that change with how often a value is there."""


@dataclass(frozen=True)
class _Repeated:
    """An amount, and the identifier of what it is of."""

    amount: str
    key: str
    surely: bool
    """Whether every row was looked at."""


def taking_once_each(meant: Understanding, context: Context, language: str) -> Understanding:
    """Return a meaning that takes an amount once of what it is of, where it stands on several rows of it.

    Where it is not known whether it is the same in all of them, both ways are asked about.
    """
    vocabulary = load_vocabulary(language)
    if vocabulary is None or not isinstance(meant, Answered):
        return meant
    found = _repeated(meant.winner.plan, Table(context, vocabulary))
    if found is None:
        return meant
    own = _once(meant.winner, found, context)
    if own is None and found.surely:
        return Refused(
            f"`{found.amount}` is the same in all rows of each `{found.key}`, and what I read counts it in every row "
            f"({say_plan(meant.winner.plan)}), so nothing was computed. Ask for it by `{found.key}`, or for the "
            f"“largest `{found.amount}` by `{found.key}`”.",
            (found.amount,),
            meant.winner,
        )
    if own is None:
        return meant
    if found.surely:
        note = f"`{found.amount}` is the same in all rows of each `{found.key}`, so it is taken once of each."
        return Answered(replace(own, assumptions=(*own.assumptions, note)), no_chart=meant.no_chart)
    ways = (own, meant.winner)
    lines = "; ".join(f"({number}) {say_plan(way.plan)}" for number, way in enumerate(ways, 1))
    return Asked(
        f"`{found.amount}` may be said of each `{found.key}`, of which there are several rows, or of each row. "
        f"This can be read in 2 ways: {lines}. Which one do you mean?",
        ways,
    )


def _repeated(plan: Plan, table: Table) -> _Repeated | None:
    """Return the amount that a plan counts in every row, and that is of what has several rows."""
    first = _first(plan)
    amounts = {one.column.name for one in _counting_each(first) if one.column is not None}
    context = table.context
    for amount in sorted(amounts & set(context.column_words)):
        for key in context.column_words:
            told = told_apart(key, table)
            if not told or key == amount or not repeats(key, table) or context.names_rows(key):
                continue
            if not _is_of_one_time(key, context):
                continue  # what is paid each month is paid each time
            shared = bool(set(told) & set(context.column_words[amount]))
            known = is_known_by_row(amount, key, context=context)
            if known and has_one_value(amount, key, context) and (shared or _is_no_chance(amount, key, context)):
                return _Repeated(amount, key, surely=True)
            if not known and shared:
                return _Repeated(amount, key, surely=False)
    return None


def _counting_each(step: Aggregate | Resample | None) -> Iterator[Measure]:
    """Yield the figures of a step that change with how often a value is there."""
    yield from (measure for measure in step.measures if measure.function in _COUNTING_EACH) if step is not None else ()


def _is_of_one_time(key: str, context: Context) -> bool:
    """Tell whether all rows of the same key are of the same times: the lines of an order, and no months of a person."""
    named = (
        name
        for name, words in context.column_words.items()
        if any(isinstance(meaning, m.Unit) for word in words for meaning in context.lexicon.meanings(word))
    )
    times = {*context.dates, *context.years, *named}
    return all(has_one_value(time, key, context) or not is_known_by_row(time, key, context=context) for time in times)


def _is_no_chance(amount: str, key: str, context: Context) -> bool:
    several = context.profile.rows - context.column(key).distinct
    many = several >= FEWEST_REPEATED and context.column(amount).distinct >= FEWEST_VALUES
    return many and repeats_within(amount, (key,), context)


def _first(plan: Plan) -> Aggregate | Resample | None:
    """Return the first step that is no condition and no column; None where it puts no rows together."""
    step = next((step for step in plan.steps if not isinstance(step, Derive | Filter)), None)
    return step if isinstance(step, Aggregate | Resample) else None


def _once(reading: Reading, found: _Repeated, context: Context) -> Reading | None:
    """Return a reading that takes an amount once of each; None where its groups divide what it is of."""
    plan, first = reading.plan, _first(reading.plan)
    if first is None:
        return None
    place = plan.steps.index(first)
    steps = _within(first, found) if found.key in first.by.names else _before(first, found, context)
    if steps is None:
        return None
    try:
        made = Plan(
            source=plan.source,
            source_schema=plan.source_schema,
            second=plan.second,
            steps=(*plan.steps[:place], *steps, *plan.steps[place + 1 :]),
            chart=plan.chart,
        )
    except PlanError:
        return None
    return replace(reading, plan=made)


def _within(first: Aggregate | Resample, found: _Repeated) -> tuple[Step, ...]:
    """Return the same figures of each, where an amount is taken as it is."""
    measures = tuple(
        measure.model_copy(update={"function": AggregateFunction.MAX, "fraction": None, "label": measure.name})
        if measure.column == Col(name=found.amount) and measure.function in _COUNTING_EACH
        else measure
        for measure in first.measures
    )
    return (first.model_copy(update={"measures": measures}),)


def _before(first: Aggregate | Resample, found: _Repeated, context: Context) -> tuple[Step, ...] | None:
    """Return the same figures over one row of each; None where they are of other columns, too, or of parts of each."""
    groups = first.by.names + ((first.date.name,) if isinstance(first, Resample) else ())
    known = [name for name in groups if name in context.column_words]
    if len(first.measures) != 1 or len(known) < len(groups) or first.measures[0].where is not None:
        return None
    if found.surely and not all(has_one_value(name, found.key, context) for name in groups):
        return None
    each = Measure(function=AggregateFunction.MAX, column=Col(name=found.amount))
    once = Aggregate(by=Columns(names=(*groups, found.key)), measures=(each,))
    measure = first.measures[0].model_copy(update={"column": Col(name=each.name), "label": first.measures[0].name})
    return once, first.model_copy(update={"measures": (measure,)})
