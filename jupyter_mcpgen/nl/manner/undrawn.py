"""Says which figures a chart that was asked for leaves out: a line chart of two measures draws the first."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.manner.reader import manner_of
from jupyter_mcpgen.nl.reading import Answered, Reading, Understanding
from jupyter_mcpgen.plan.ops import Aggregate, Resample


def noting_undrawn(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning that says of each chart which figures of its table it does not draw, where a chart was named."""
    if not isinstance(meant, Answered) or not _undrawn(meant.winner) or manner_of(question, context, language).is_plain:
        return meant
    others = tuple(_noted(other) for other in meant.alternatives)
    return replace(meant, winner=_noted(meant.winner), alternatives=others)


def _noted(reading: Reading) -> Reading:
    undrawn, chart = _undrawn(reading), reading.plan.chart
    if not undrawn or chart is None:
        return reading
    left_out = " and ".join(f"`{name}`" for name in undrawn)
    note = f"The {chart.kind.value} chart draws `{chart.y}` only; {left_out} can be read in the table."
    return replace(reading, assumptions=(*reading.assumptions, note))


def _undrawn(reading: Reading) -> tuple[str, ...]:
    """Return the figures of equal rank with the one that a chart draws, which it has no place for."""
    plan = reading.plan
    figures = next((step for step in reversed(plan.steps) if isinstance(step, Aggregate | Resample)), None)
    names = () if figures is None else tuple(measure.name for measure in figures.measures)
    if plan.chart is None or plan.chart.y not in names:
        return ()
    return tuple(name for name in names if name in plan.result_schema.names and name not in plan.chart.columns)
