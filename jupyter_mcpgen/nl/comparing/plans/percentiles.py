"""Plans that take other percentiles than the median."""

from __future__ import annotations

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.comparing.plans.figures import figures_of, redrawn, renamed
from jupyter_mcpgen.plan.ops import AggregateFunction, Measure, Select
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
