"""Whether the figures that a chart shows can be added up, as those of the bars that have no room."""

from __future__ import annotations

from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Resample
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.reshaping import Members

_ADDED = (AggregateFunction.SUM, AggregateFunction.COUNT)


def adds_up(plan: Plan) -> bool:
    """Tell whether the drawn column has sums or counts of groups, each row of the data in one group alone."""
    if plan.chart is None or any(isinstance(step, Members) for step in plan.reshaping):
        return False
    made = {name: function for step in plan.steps for name, function in _figures(step).items()}
    return made.get(plan.chart.y or "") in _ADDED


def _figures(step: object) -> dict[str, AggregateFunction | None]:
    """Return what a step makes of columns: the figures by name, and no figure for any other column that it makes."""
    match step:
        case Aggregate(measures=measures) | Resample(measures=measures):
            return {measure.name: measure.function for measure in measures}
        case _:
            name = getattr(step, "name", None)
            return {name: None} if isinstance(name, str) else {}
