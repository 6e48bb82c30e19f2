"""A plan that counts rows, made to count the different values of an identifier instead."""

from __future__ import annotations

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.comparing.plans.figures import redrawn, renamed
from jupyter_mcpgen.plan.expressions import Col, Columns, Compare, CompareOp, Lit
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Chart, Derive, Filter, Measure, Resample, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

PARTS = (AggregateFunction.RATE, AggregateFunction.PERCENT)
"""The figures that are a part of the rows."""


def first_count(plan: Plan) -> Aggregate | Resample | None:
    """Return the step that counts rows of the source, or a part of them; None where none does."""
    first = next((step for step in plan.steps if not isinstance(step, Filter | Derive)), None)
    if not isinstance(first, Aggregate | Resample):
        return None
    return first if any(_counts_rows(measure) for measure in first.measures) else None


def meets_a_condition(step: Aggregate | Resample) -> bool:
    """Tell whether a step counts the rows that meet a condition, or says which part of them do."""
    return any(measure.where is not None for measure in step.measures)


def counting(plan: Plan, key: str) -> Plan | None:
    """Return a plan that counts each value of a key once where it counted rows; None where none can."""
    step = first_count(plan)
    if step is None:
        return None
    place = plan.steps.index(step)
    before, after = plan.steps[:place], plan.steps[place + 1 :]
    try:
        if not meets_a_condition(step):
            return _of_different(plan, before, step, after, key)
        if isinstance(step, Aggregate) and all(_counts_rows(measure) for measure in step.measures):
            return _built(plan, (*before, *_of_those_with_such_rows(step, key), *after), plan.chart)
    except PlanError:
        return None
    return None


def _counts_rows(measure: Measure) -> bool:
    return measure.column is None and measure.function in (AggregateFunction.COUNT, *PARTS)


def _of_different(
    plan: Plan, before: tuple[Step, ...], step: Aggregate | Resample, after: tuple[Step, ...], key: str
) -> Plan:
    """Return a plan of the number of different values; where a later step names the number of rows, called as that."""
    once = Measure(function=AggregateFunction.COUNT_DISTINCT, column=Col(name=key))
    called = {m.name: once.name for m in step.measures if _counts_rows(m) and m.label is None}
    try:
        counted = _counted(step, once, keeping=False)
        return _built(plan, (*before, counted, *renamed(after, called)), redrawn(plan.chart, called))
    except PlanError:
        return _built(plan, (*before, _counted(step, once, keeping=True), *after), plan.chart)


def _counted(step: Aggregate | Resample, once: Measure, *, keeping: bool) -> Aggregate | Resample:
    """Return a step with another figure in the place of the number of rows."""
    measures = tuple(
        (once.model_copy(update={"label": m.name if keeping else m.label}) if _counts_rows(m) else m)
        for m in step.measures
    )
    return step.model_copy(update={"measures": measures})


def _of_those_with_such_rows(step: Aggregate, key: str) -> tuple[Step, ...]:
    """Return the same figures of what a key tells apart, which meets a condition where any of its rows does."""
    within, over = [], []
    for number, measure in enumerate(step.measures, 1):
        if measure.where is None:
            over.append(measure)
            continue
        label = None if len(step.measures) == 1 else f"count_where_{number}"
        such = Measure(function=AggregateFunction.COUNT, where=measure.where, label=label)
        nothing = Lit(value=0, type=ColumnType.INTEGER)
        some = Compare(op=CompareOp.GT, left=Col(name=such.name), right=nothing)
        within.append(such)
        over.append(measure.model_copy(update={"where": some}))
    by = Columns(names=(*step.by.names, key))
    return Aggregate(by=by, measures=tuple(within)), step.model_copy(update={"measures": tuple(over)})


def _built(plan: Plan, steps: tuple[Step, ...], chart: Chart | None) -> Plan:
    return plan.with_steps(steps, chart)
