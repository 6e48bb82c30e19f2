"""Hours of dates that have none: "units per hour" over days would put every row into hour 0."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding
from jupyter_mcpgen.plan.expressions import DatePart, DateUnit
from jupyter_mcpgen.plan.ops import Derive

_OF_A_CLOCK = (DateUnit.HOUR, DateUnit.MINUTE)


def without_empty_hours(meant: Understanding, context: Context) -> Understanding:
    """Refuse groups by the hour of a date that has no time of day, and name the date; else the meaning.

    Of several dates that are asked about, the only one with a time of day is meant.
    """
    if isinstance(meant, Asked):
        kept = tuple(option for option in meant.options if _date_without_hours(option, context) is None)
        return Answered(kept[0]) if len(kept) == 1 < len(meant.options) else meant
    date = _date_without_hours(meant.winner, context) if isinstance(meant, Answered) else None
    if date is None:
        return meant
    return Refused(
        f"`{date}` holds days without a time of day, so its rows have no hours or minutes, and nothing was computed. "
        f"Ask by day, week or month instead, or divide by a column that holds the hours."
    )


def _date_without_hours(reading: Reading, context: Context) -> str | None:
    parts = [step.expression for step in reading.plan.steps if isinstance(step, Derive)]
    dates = [part.operand.name for part in parts if isinstance(part, DatePart) and part.unit in _OF_A_CLOCK]
    return next((name for name in dates if name in context.dates and name not in context.clocks), None)
