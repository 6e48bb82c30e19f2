"""Months without days: a text such as `2023-07` says nothing of weeks, weekdays or the days after the 15th."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding, asking_which
from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.expressions import (
    Col,
    Compare,
    CompareOp,
    DateName,
    DatePart,
    DateUnit,
    Lit,
    Parse,
    TimeBetween,
    TimeUnit,
)
from jupyter_mcpgen.plan.ops import Derive, Resample
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Node

_SHORTER = frozenset(
    {
        *(DateUnit.DAY, DateUnit.WEEKDAY, DateUnit.HOUR, DateUnit.MINUTE),
        *(DateUnit.START_OF_WEEK, DateUnit.START_OF_DAY),
    }
)
"""What is shorter than a month."""
_LONG_TIMES = frozenset({TimeUnit.MONTHS, TimeUnit.YEARS})
_FROM_ITS_DAY = frozenset({CompareOp.GE, CompareOp.LT, CompareOp.EQ, CompareOp.NE})
"""Comparisons with the first day of a month that no month lies across."""


def keeping_months_whole(meant: Understanding, made: frozenset[str] = frozenset()) -> Understanding:
    """Return a meaning without the readings that divide months of which no days are known, or a refusal.

    `made` are further columns of months, beside those that are read from texts.
    """
    match meant:
        case Answered(winner, alternatives):
            column = _divided(winner.plan, made)
            if column is not None:
                return _refused(column)
            kept = tuple(one for one in alternatives if _divided(one.plan, made) is None)
            return meant if len(kept) == len(alternatives) else Answered(winner, kept, meant.no_chart)
        case Asked(options=options):
            kept = tuple(one for one in options if _divided(one.plan, made) is None)
            if kept or not options:
                return meant if len(kept) == len(options) else _one_or_asked(kept)
            return _refused(str(_divided(options[0].plan, made)))
        case Refused():
            return meant


def _one_or_asked(options: tuple[Reading, ...]) -> Understanding:
    if len(options) == 1:
        return Answered(options[0])
    return asking_which(options)


def _refused(column: str) -> Refused:
    return Refused(
        f"`{column}` holds months without days, so I cannot compute by day or week. Ask by month, quarter or year, or "
        "name whole months, such as: since March 2023.",
        words=(column,),
    )


def _divided(plan: Plan, made: frozenset[str]) -> str | None:
    """Return a column of months that a plan takes for days, None for none."""
    months = made | {step.name for step in plan.steps if isinstance(step, Derive) and _reads_months(step)}
    parts = (node for step in plan.steps for node in _nodes(step)) if months else iter(())
    return next((name for node in parts for name in _cut_by(node) if name in months), None)


def _reads_months(step: Derive) -> bool:
    match step.expression:
        case Parse(writing=DateWriting() as writing):
            return writing.is_of_months
        case _:
            return False


def _nodes(value: object) -> Iterator[Node]:
    """Yield a part of a plan with all of its own parts."""
    if isinstance(value, tuple):
        for one in value:
            yield from _nodes(one)
    elif isinstance(value, Node):
        yield value
        for name in type(value).model_fields:
            yield from _nodes(getattr(value, name))


def _cut_by(node: Node) -> Iterator[str]:
    """Yield the columns of which a node needs more than the month."""
    match node:
        case DatePart(unit=unit, operand=Col(name=name)) | Resample(unit=unit, date=Col(name=name)):
            if unit in _SHORTER:
                yield name
        case DateName(unit=DateUnit.WEEKDAY, operand=Col(name=name)):
            yield name
        case TimeBetween(unit=unit, start=start, end=end):
            if unit not in _LONG_TIMES:
                yield from (side.name for side in (start, end) if isinstance(side, Col))
        case Compare(op=op, left=Col(name=name), right=Lit(value=str() as day)):
            if not _begins_or_ends_a_month(day[:10], op):
                yield name
        case _:
            return


def _begins_or_ends_a_month(text: str, op: CompareOp) -> bool:
    try:
        day = dt.date.fromisoformat(text)
    except ValueError:
        return True  # no day at all
    return day.day == 1 if op in _FROM_ITS_DAY else (day + dt.timedelta(days=1)).day == 1
