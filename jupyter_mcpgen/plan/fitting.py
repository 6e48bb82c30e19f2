"""Which columns of a result a chart of a kind draws, where only the kind was named."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from jupyter_mcpgen.plan.ops import Chart, ChartKind

_TWO, _THREE = 2, 3


def fitting_chart(kind: ChartKind, names: Sequence[str], numbers: Collection[str]) -> Chart | None:
    """Return a chart over a result's columns: the first one across, the last number up, one between as the color.

    A scatter plot has numbers on both sides, and a histogram counts those of one column. None where the columns do not
    fit: a chart needs a number to draw.
    """
    of_numbers = [name for name in names if name in numbers]
    if kind is ChartKind.HISTOGRAM:
        return Chart(kind=kind, x=of_numbers[-1]) if of_numbers else None
    if kind is ChartKind.SCATTER:
        return Chart(kind=kind, x=of_numbers[0], y=of_numbers[-1]) if len(of_numbers) >= _TWO else None
    figures = [name for name in names[1:] if name in numbers]
    if kind is ChartKind.BOX or len(names) < _TWO or not figures:
        return None
    between = [name for name in names[1:] if name not in numbers]
    color = between[0] if len(names) >= _THREE and between else None
    if kind is ChartKind.HEATMAP and color is None:
        return None
    return Chart(kind=kind, x=names[0], y=figures[-1], color=None if kind is ChartKind.PIE else color)
