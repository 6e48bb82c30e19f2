"""Draws a result of which only the kind of chart is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.plan.fitting import fitting_chart
from jupyter_mcpgen.plan.ops import Chart, ChartKind
from jupyter_mcpgen.toolkit.charts import vega_lite_chart

if TYPE_CHECKING:
    import pandas as pd

_MOST_SLICES = 12
_FEWEST_BINNED = 5
"""How many values a histogram has at least: fewer are read better one by one."""
_FEWEST_ROWS = 2


def chart_of(result: pd.DataFrame, kind: ChartKind | None) -> dict[str, Any] | None:
    """Return a result as a chart of a kind, or None where its columns do not fit one."""
    chart = None if kind is None else _fitting(result, kind)
    if chart is None:
        return None
    try:
        return vega_lite_chart(result, chart.kind.value, chart.x, chart.y or chart.x, color=chart.color)
    except (KeyError, ValueError):
        return None  # more groups than a chart shows; the table is there to see


def kinds_that_fit(result: pd.DataFrame) -> tuple[ChartKind, ...]:
    """Return the kinds of chart that a person may switch to: those that say something about the result."""
    if len(result) < _FEWEST_ROWS:
        return ()
    return tuple(kind for kind in ChartKind if _says_something(result, kind))


def _says_something(result: pd.DataFrame, kind: ChartKind) -> bool:
    chart = _fitting(result, kind)
    if chart is None:
        return False
    match kind:
        case ChartKind.PIE:
            slices = result[chart.y or chart.x]
            return len(result) <= _MOST_SLICES and bool((slices >= 0).all()) and bool(slices.sum() > 0)
        case ChartKind.HISTOGRAM:
            return int(result[chart.x].nunique()) >= _FEWEST_BINNED
        case _:
            return True


def _fitting(result: pd.DataFrame, kind: ChartKind) -> Chart | None:
    numbers = [str(name) for name in result.select_dtypes("number", exclude="timedelta").columns]
    return fitting_chart(kind, [str(name) for name in result.columns], numbers)
