"""Says of a line chart that it joins what has no order: a line from Friday to Oslo shows a course that there is not."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Reading, Understanding
from jupyter_mcpgen.plan.ops import ChartKind
from jupyter_mcpgen.plan.schema import ColumnType


def noting_unordered(meant: Understanding, context: Context) -> Understanding:
    """Return a meaning that says of each line chart over labels without an order that the line means nothing."""
    if not isinstance(meant, Answered):
        return meant
    others = tuple(_noted(other, context) for other in meant.alternatives)
    return replace(meant, winner=_noted(meant.winner, context), alternatives=others)


def _noted(reading: Reading, context: Context) -> Reading:
    chart = reading.plan.chart
    if chart is None or chart.kind is not ChartKind.LINE or not _is_unordered(chart.x, reading, context):
        return reading
    note = f"The line joins values of `{chart.x}`, which have no order of their own; ask for a bar chart instead."
    return replace(reading, assumptions=(*reading.assumptions, note))


def _is_unordered(name: str, reading: Reading, context: Context) -> bool:
    """Tell whether a column holds labels that nothing puts in an order."""
    if name not in context.profile.schema_.names or context.column(name).written or context.column(name).order:
        return False
    result = reading.plan.result_schema
    return name in result.names and result.type_of(name) is ColumnType.TEXT
