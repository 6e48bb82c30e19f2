"""Plans that take the figure of one group off that of another."""

from __future__ import annotations

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.comparing.plans.figures import figures_of
from jupyter_mcpgen.plan.expressions import Col, Columns
from jupyter_mcpgen.plan.ops import Chart, ChartKind, Select, Sort, SortKey, Window, WindowFunction
from jupyter_mcpgen.plan.plan import Plan

_DIFFERENCE = "difference"
_RELATIVE = "relative_difference"


def apart(plan: Plan, column: str, first: str, second: str, *, relative: bool = False) -> Plan:
    """Return the figures of two groups, the second one first, with what the first has more, or that as a part of it.

    Raises `PlanError` for a plan that is not by the column of the two.
    """
    figures = figures_of(plan)
    keys = figures.aggregate.by.names
    if column not in keys or figures.without(Sort, Select):
        raise PlanError("The two groups are not among the groups.")
    others = tuple(key for key in keys if key != column)
    order = SortKey(column=column, descending=second > first)
    window = Window(
        name=figures.free(_RELATIVE if relative else _DIFFERENCE),
        function=WindowFunction.PERCENT_CHANGE if relative else WindowFunction.CHANGE,
        column=Col(name=figures.measure.name),
        by=Columns(names=others),
        order=order,
    )
    in_order = Sort(keys=(*(SortKey(column=key) for key in others), order))
    chart = Chart(kind=ChartKind.BAR, x=(*others, column)[0], y=figures.measure.name, color=column if others else None)
    return figures.built((*figures.before, figures.aggregate, window, in_order), chart)
