"""Days between a date and a moment: days of the calendar, because the date has no time of day."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Reading, Understanding
from jupyter_mcpgen.plan.expressions import Col, DatePart, DateUnit, Moment, TimeBetween, TimeUnit
from jupyter_mcpgen.plan.ops import Derive, Step
from jupyter_mcpgen.plan.plan import Plan


def in_calendar_days(meant: Understanding, context: Context) -> Understanding:
    """Return a meaning whose days between a date and a moment are counted from day to day, without the hour."""
    if not isinstance(meant, Answered):
        return meant
    winner = _by_the_day(meant.winner, context)
    return meant if winner is meant.winner else replace(meant, winner=winner)


def _by_the_day(reading: Reading, context: Context) -> Reading:
    plan, steps, notes = reading.plan, list[Step](), list[str]()
    for step in plan.steps:
        moment = _moment_beside_a_date(step, context)
        if moment is None or not isinstance(step, Derive) or not isinstance(step.expression, TimeBetween):
            steps.append(step)
            continue
        day = _free(f"day_of_{moment}", plan)
        steps.append(Derive(name=day, expression=DatePart(unit=DateUnit.START_OF_DAY, operand=Col(name=moment))))
        ends = {end: Col(name=day) for end in ("start", "end") if getattr(step.expression, end) == Col(name=moment)}
        steps.append(step.model_copy(update={"expression": step.expression.model_copy(update=ends)}))
        notes.append(f"Days are those of the calendar, without the time of day of `{moment}`.")
    if not notes:
        return reading
    try:
        made = plan.with_steps(tuple(steps), plan.chart)
    except PlanError:
        return reading  # a column has that name already
    return replace(reading, plan=made, assumptions=(*reading.assumptions, *notes))


def _moment_beside_a_date(step: Step, context: Context) -> str | None:
    """Return the moment from or to which days are counted, where the other end has no time of day."""
    if not isinstance(step, Derive) or not isinstance(step.expression, TimeBetween):
        return None
    ends = (step.expression.start, step.expression.end)
    moments = [end.name for end in ends if isinstance(end, Col) and end.name in context.clocks]
    other = all(_is_a_day(end, context) for end in ends if not (isinstance(end, Col) and end.name in moments))
    return moments[0] if step.expression.unit is TimeUnit.DAYS and len(moments) == 1 and other else None


def _is_a_day(moment: Moment, context: Context) -> bool:
    return isinstance(moment, Col) and moment.name in context.dates


def _free(name: str, plan: Plan) -> str:
    taken = {*plan.source_schema.names, *(step.name for step in plan.steps if isinstance(step, Derive))}
    return name if name not in taken else f"{name}_"
