"""Charts whose parts make up a whole: what they draw has to add up, so a mean is not what was meant."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Reading
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, ChartKind, Measure
from jupyter_mcpgen.plan.plan import Plan


def adds_up(plan: Plan, context: Context) -> bool:
    """Tell whether the figures that a plan draws are parts of their total."""
    measures = {one.name: one for step in plan.steps if isinstance(step, Aggregate) for one in step.measures}
    drawn = measures.get(plan.chart.y or "") if plan.chart is not None else None
    return drawn is not None and _is_part(drawn, context)


def _is_part(measure: Measure, context: Context) -> bool:
    match measure.function:
        case AggregateFunction.SUM | AggregateFunction.COUNT:
            return True
        case AggregateFunction.COUNT_DISTINCT:  # what each row has its own of is in one group only
            return measure.column is not None and context.is_key(measure.column.name)
        case _:
            return False


def of_a_whole(readings: list[Reading], margin: float, context: Context) -> list[Reading]:
    """Return the readings with the one first that adds up, where the near ones are all slices of a pie."""
    near = [one for one in readings if one.cost - readings[0].cost < margin]
    slices = all(one.plan.chart is not None and one.plan.chart.kind is ChartKind.PIE for one in near)
    parts = [one for one in near if adds_up(one.plan, context)]
    if not slices or len(near) == 1 or len(parts) != 1:
        return readings
    rest = [one for one in readings if one not in near]
    return [*parts, *rest]
