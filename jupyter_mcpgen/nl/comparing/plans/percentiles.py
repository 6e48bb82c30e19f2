"""Plans that take other percentiles than the median, or the distance between two of them."""

from __future__ import annotations

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.comparing.plans.figures import figures_of, redrawn, renamed
from jupyter_mcpgen.plan.expressions import Arithmetic, ArithmeticOp, Col
from jupyter_mcpgen.plan.ops import AggregateFunction, Derive, Measure, Select
from jupyter_mcpgen.plan.plan import Plan


def at_fractions(plan: Plan, fractions: tuple[float, ...]) -> Plan:
    """Take other percentiles than the median."""
    figures = figures_of(plan)
    median = AggregateFunction.MEDIAN
    if not any(measure.function is median for measure in figures.aggregate.measures):
        raise PlanError("There is no percentile to take.")
    measures: list[Measure] = []
    names: dict[str, str] = {}
    for old in figures.aggregate.measures:
        new = [_quantile(old, fraction) for fraction in fractions] if old.function is median else [old]
        measures += new
        names[old.name] = new[0].name
    aggregate = figures.aggregate.model_copy(update={"measures": tuple(measures)})
    after = renamed(figures.without(), names)
    if len(fractions) > 1 and any(isinstance(step, Select) for step in after):
        raise PlanError("Several percentiles need a column each.")
    return figures.built((*figures.before, aggregate, *after), redrawn(figures.plan.chart, names))


def _quantile(median: Measure, fraction: float) -> Measure:
    return Measure(function=AggregateFunction.QUANTILE, column=median.column, fraction=fraction)


def spread(plan: Plan) -> Plan:
    """Say how far apart the quartiles of a number are, instead of its median."""
    quartiles = figures_of(at_fractions(plan, (0.25, 0.75)))
    if len(quartiles.aggregate.measures) != 2:
        raise PlanError("Only one number is spread at a time.")
    low, high = quartiles.aggregate.measures
    column = low.column.name if low.column is not None else ""
    name = quartiles.free(f"iqr_{column}")
    between = Arithmetic(op=ArithmeticOp.SUBTRACT, left=Col(name=high.name), right=Col(name=low.name))
    names = {low.name: name}
    after = renamed(quartiles.without(Select), names)
    steps = (*quartiles.before, quartiles.aggregate, Derive(name=name, expression=between), *after)
    return quartiles.built(steps, redrawn(quartiles.plan.chart, names))
