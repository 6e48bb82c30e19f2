"""Plans of parts of a whole that are added up group by group, the largest first: the figures of a Pareto chart."""

from __future__ import annotations

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.comparing.plans.figures import ADDED_UP, Figures, figures_of
from jupyter_mcpgen.plan.expressions import Col, DatePart
from jupyter_mcpgen.plan.ops import Chart, ChartKind, Select, Sort, SortKey, Step, Window, WindowFunction
from jupyter_mcpgen.plan.plan import Plan


def added_up(plan: Plan, percent: bool, name: str) -> Plan:
    """Say which part of the total each group makes up together with those before it.

    Periods stay in their order, other groups come largest first. Raises `PlanError` for what has no total or no groups.
    """
    figures = figures_of(plan)
    measure, keys = figures.measure, figures.aggregate.by.names
    if measure.function not in ADDED_UP or measure.where is not None or len(keys) != 1:
        raise PlanError("Only counts and sums of one kind of groups are added up to their total.")
    if figures.without(Sort, Select):
        raise PlanError("The first few groups have no whole of their own.")
    dated = _is_period(keys[0], figures)
    largest: tuple[Step, ...] = () if dated else (Sort(keys=(SortKey(column=measure.name, descending=True),)),)
    share = figures.free((WindowFunction.PERCENT if percent else WindowFunction.SHARE).value)
    part = Window(
        name=share,
        function=WindowFunction.PERCENT if percent else WindowFunction.SHARE,
        column=Col(name=measure.name),
    )
    total = Window(name=figures.free(name), function=WindowFunction.RUNNING_TOTAL, column=Col(name=share))
    chart = Chart(kind=ChartKind.LINE if dated else ChartKind.BAR, x=keys[0], y=total.name)
    return figures.built((*figures.before, figures.aggregate, *largest, part, total), chart)


def _is_period(key: str, figures: Figures) -> bool:
    made = figures.derived.get(key)
    return made is not None and isinstance(made.expression, DatePart)
