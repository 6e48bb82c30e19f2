"""Plans that take an amount once of each thing, where it stands on several rows of it."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.tables.dependencies import has_one_value
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Col, Columns
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Measure, Resample, Sort, Step
from jupyter_mcpgen.plan.plan import Plan

COUNTING_EACH = (
    AggregateFunction.SUM,
    AggregateFunction.MEAN,
    AggregateFunction.MEDIAN,
    AggregateFunction.STD,
    AggregateFunction.VAR,
    AggregateFunction.QUANTILE,
)
"""The figures that change with how often a value is there."""
AVERAGES = (AggregateFunction.MEAN, AggregateFunction.MEDIAN)


def figures_of_rows(plan: Plan) -> Aggregate | Resample | None:
    """Return the first step that is no condition and no column; None where it puts no rows together."""
    step = next((step for step in plan.steps if not isinstance(step, Derive | Filter)), None)
    return step if isinstance(step, Aggregate | Resample) else None


def taken_once(plan: Plan, amount: str, key: str, context: Context, *, over_all: bool = False) -> Plan | None:
    """Return a plan that takes an amount once of each value of a key; None where its other figures are not of these.

    With `over_all`, an average of each becomes the one over all of them.
    """
    first = figures_of_rows(plan)
    if first is None:
        return None
    averaged = _average_of_each(plan, first, amount, key) if over_all else None
    if averaged is not None:
        return averaged
    steps = _within(first, amount) if key in first.by.names else _before(first, amount, key, context)
    if steps is None:
        return None
    place = plan.steps.index(first)
    return plan.tried((*plan.steps[:place], *steps, *plan.steps[place + 1 :]), plan.chart)


def _average_of_each(plan: Plan, first: Aggregate | Resample, amount: str, key: str) -> Plan | None:
    """Return the average over all values of a key, where a plan averages each: there is one amount of each."""
    measure, place = first.measures[0], plan.steps.index(first)
    alone = first.by.names == (key,) and len(first.measures) == 1 and measure.function in AVERAGES
    only = alone and measure.column == Col(name=amount) and measure.where is None
    if isinstance(first, Resample) or not only or not all(isinstance(step, Sort) for step in plan.steps[place + 1 :]):
        return None
    each = Measure(function=AggregateFunction.MAX, column=measure.column)
    over = measure.model_copy(update={"column": Col(name=each.name)})
    once = (Aggregate(by=first.by, measures=(each,)), Aggregate(measures=(over,)))
    return plan.with_steps((*plan.steps[:place], *once))


def divides(plan: Plan, key: str, context: Context) -> bool:
    """Tell whether some value of a key may have rows in several groups of the first figures of a plan."""
    first = figures_of_rows(plan)
    if first is None or key in first.by.names:
        return False
    return not all(has_one_value(name, key, context) for name in _sources(plan, first, context))


def _sources(plan: Plan, first: Aggregate | Resample, context: Context) -> Iterator[str]:
    """Yield the columns of a table that tell in which group a row is."""
    made = {step.name: step.expression for step in plan.steps if isinstance(step, Derive)}
    groups = first.by.names + ((first.date.name,) if isinstance(first, Resample) else ())
    for name in groups:
        of = names_in(made[name]) if name in made else (name,)
        yield from (one for one in of if one in context.column_words)


def _within(first: Aggregate | Resample, amount: str) -> tuple[Step, ...]:
    """Return the same figures of each, where an amount is taken as it is."""
    measures = tuple(
        measure.model_copy(update={"function": AggregateFunction.MAX, "fraction": None, "label": measure.name})
        if measure.column == Col(name=amount) and measure.function in COUNTING_EACH
        else measure
        for measure in first.measures
    )
    return (first.model_copy(update={"measures": measures}),)


def _before(first: Aggregate | Resample, amount: str, key: str, context: Context) -> tuple[Step, ...] | None:
    """Return the same figures over one row of each; None where others are of single rows."""
    if key not in context.column_words:
        return None
    inner, outer = [], []
    for measure in first.measures:
        parts = _parts(measure, amount)
        if parts is None:
            return None
        inner.append(parts[0])
        outer.append(parts[1])
    groups = first.by.names + ((first.date.name,) if isinstance(first, Resample) else ())
    once = Aggregate(by=Columns(names=(*groups, key)), measures=tuple(dict.fromkeys(inner)))
    return once, first.model_copy(update={"measures": tuple(outer)})


def _parts(measure: Measure, amount: str) -> tuple[Measure, Measure] | None:
    """Return a figure of the rows of each, and the same figure over all; None where no such pair gives it."""
    if measure.where is not None:
        return None
    if measure.column == Col(name=amount) and measure.function in COUNTING_EACH:
        each = Measure(function=AggregateFunction.MAX, column=measure.column)
        return each, measure.model_copy(update={"column": Col(name=each.name), "label": measure.name})
    added = (AggregateFunction.SUM, AggregateFunction.COUNT)
    if measure.function in added:
        each = measure.model_copy(update={"label": f"{measure.name}_of_each"})
        return each, Measure(function=AggregateFunction.SUM, column=Col(name=each.name), label=measure.name)
    return None
