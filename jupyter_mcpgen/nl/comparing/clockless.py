"""Hours of dates that have none: "units per hour" over days would put every row into hour 0."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding
from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.expressions import DatePart, DateUnit, Parse
from jupyter_mcpgen.plan.ops import Derive
from jupyter_mcpgen.plan.writings import Writing

_OF_A_CLOCK = (DateUnit.HOUR, DateUnit.MINUTE)


def without_empty_hours(meant: Understanding, context: Context) -> Understanding:
    """Refuse groups by the hour of a date that has no time of day, and name the date; else the meaning.

    Of several dates that are asked about, the only one with a time of day is meant.
    """
    if isinstance(meant, Asked):
        kept = tuple(option for option in meant.options if _date_without_hours(option, context) is None)
        if kept or not meant.options:
            return Answered(kept[0]) if len(kept) == 1 < len(meant.options) else meant
    readings = meant.options[:1] if isinstance(meant, Asked) else ()
    readings = (meant.winner,) if isinstance(meant, Answered) else readings
    date = next((_date_without_hours(reading, context) for reading in readings), None)
    if date is None:
        return meant
    return Refused(
        f"`{date}` holds days without a time of day, so hours and minutes are not known. Ask by day, week or month, or "
        "divide by a column that holds the hours."
    )


def _date_without_hours(reading: Reading, context: Context) -> str | None:
    made = [step for step in reading.plan.steps if isinstance(step, Derive)]
    parts = [step.expression for step in made]
    dates = [part.operand.name for part in parts if isinstance(part, DatePart) and part.unit in _OF_A_CLOCK]
    read = {step.name for step in made if isinstance(step.expression, Parse) and _has_no_time(step.expression.writing)}
    return next((name for name in dates if name in read or name in _days(context)), None)


def _days(context: Context) -> set[str]:
    return set(context.dates) - set(context.clocks)


def _has_no_time(writing: Writing) -> bool:
    return isinstance(writing, DateWriting) and not writing.has_time
