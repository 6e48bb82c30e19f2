"""The periods of time that a plan groups by, such as months, and the plan with others in their place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.plan.expressions import DatePart, DateUnit
from jupyter_mcpgen.plan.ops import Chart, Derive, Resample, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.shape import with_names
from jupyter_mcpgen.plan.slots import rebuilt

PERIODS = tuple(unit for unit in DateUnit if unit.is_period)


def period_in(step: object) -> DateUnit | None:
    """Return the period whose beginning a step makes a column of."""
    match step:
        case Derive(expression=DatePart(unit=unit)) | Resample(unit=unit) if unit.is_period:
            return unit
        case _:
            return None


def said_period(unit: str) -> str:
    """Return a period as it is said, such as `month`."""
    return unit.removeprefix("start_of_")


def with_period(plan: Plan, number: int, unit: DateUnit) -> Plan:
    """Return a plan with another period in the step of that number, counted among those that have one.

    A column that is called by its period is called by the new one, also by the steps after it and the chart.
    """
    place = [place for place, step in enumerate(plan.steps) if period_in(step) is not None][number - 1]
    before = plan.steps[place]
    old = period_in(before)
    if not isinstance(before, Derive | Resample) or old is None:
        raise PlanError("This reading has no period to change.")
    name = before.name
    if name.rstrip("_") == said_period(old):
        name = _free(said_period(unit), plan, before)
    names = {before.name: name}
    after = _with_unit(before, unit).model_copy(update={"name": name})
    rest = tuple(cast("Step", rebuilt(step, lambda node: with_names(node, names))) for step in plan.steps[place + 1 :])
    return plan.with_steps((*plan.steps[:place], after, *rest), plan.chart and _drawn(plan.chart, names))


def _with_unit(step: Derive | Resample, unit: DateUnit) -> Derive | Resample:
    if isinstance(step, Resample):
        return step.model_copy(update={"unit": unit})
    return step.model_copy(update={"expression": step.expression.model_copy(update={"unit": unit})})


def _drawn(chart: Chart, names: Mapping[str, str]) -> Chart:
    places = {"x": chart.x, "y": chart.y, "color": chart.color}
    return chart.model_copy(update={place: names.get(n, n) for place, n in places.items() if n is not None})


def _free(name: str, plan: Plan, own: Derive | Resample) -> str:
    """Return a name that no other column has."""
    made = {step.name for step in plan.steps if isinstance(step, Derive | Resample) and step is not own}
    while name in (*plan.source_schema.names, *plan.table_schema.names) or name in made:
        name += "_"
    return name
