"""Plans that take a figure over the figures of smaller groups: the mean of the days' totals of each region."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.comparing.plans.figures import Figures, figures_of, redrawn, renamed
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.tables.own_dates import own_date
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Col, Columns, DatePart, DateUnit
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Limit, Measure, Select, Sort, Step
from jupyter_mcpgen.plan.plan import Plan


@dataclass(frozen=True)
class Inner:
    """The smaller groups: a column, or the periods of a date, by the words for them."""

    words: str
    column: str | None = None
    unit: DateUnit | None = None


def nested(plan: Plan, function: AggregateFunction, inner: Inner, context: Context) -> Plan:
    """Group a plan's figures one level further down, and take a function of them in each of the groups it had.

    Raises `PlanError` where the plan has no single figure, or is grouped by the smaller groups already.
    """
    figures = figures_of(plan)
    made, name = _made(figures, inner, context)
    keys = figures.aggregate.by.names
    if name in keys or figures.measure.where is not None:
        raise PlanError("The smaller groups are those that the figures are of already.")
    if any(not isinstance(step, Sort | Select | Limit) for step in figures.after):
        raise PlanError("Figures of some groups only are not nested.")
    smaller = figures.aggregate.model_copy(update={"by": Columns(names=(*keys, name))})
    over = Measure(function=function, column=Col(name=figures.measure.name))
    larger = Aggregate(by=Columns(names=keys), measures=(over,))
    names = {figures.measure.name: over.name}
    steps: tuple[Step, ...] = (*figures.before, *made, smaller, larger, *renamed(figures.after, names))
    return figures.built(steps, redrawn(plan.chart, names) if keys else None)


def _made(figures: Figures, inner: Inner, context: Context) -> tuple[tuple[Step, ...], str]:
    """Return the step that makes the smaller groups, if any, and what they are called."""
    if inner.unit is None:
        return (), inner.column or ""
    dates = _dates_of(figures, context)
    if len(dates) != 1:
        raise PlanError("Nothing says by which date the periods are.")
    part = DatePart(unit=inner.unit, operand=Col(name=dates[0]))
    known = next((name for name, step in figures.derived.items() if step.expression == part), None)
    if known is not None:
        return (), known
    name = figures.free(inner.unit.value.removeprefix("start_of_"))
    return (Derive(name=name, expression=part),), name


def _dates_of(figures: Figures, context: Context) -> tuple[str, ...]:
    """Return the date that a plan is about already, else the rows' own, else the dates of the table."""
    named = [name for step in figures.before for name in names_in(step) if name in context.dates]
    own = own_date(context)
    return tuple(dict.fromkeys(named)) or ((own,) if own is not None else context.dates)
