"""Levels, such as a population, over rows of several times: added up over the years, they say nothing of any."""

from __future__ import annotations

import datetime as dt
import operator
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Understanding
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import (
    Bin,
    Col,
    Columns,
    Compare,
    CompareOp,
    DatePart,
    DateUnit,
    IsIn,
    Lit,
    Predicate,
    terms_of,
)
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Sort, SortKey, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

_MIDNIGHT = "T00:00:00"
_HOLDS: dict[CompareOp, Callable[[Any, Any], bool]] = {
    CompareOp.EQ: operator.eq,
    CompareOp.NE: operator.ne,
    CompareOp.LT: operator.lt,
    CompareOp.LE: operator.le,
    CompareOp.GT: operator.gt,
    CompareOp.GE: operator.ge,
}
MOSTLY = 0.6
"""A table that has a row for this part of the pairs of a thing and a time tells of things at times."""


def asking_which_time(meant: Understanding, context: Context) -> Understanding:
    """Ask at which time is meant where the levels of several times would be added up; return anything else as it is."""
    if not isinstance(meant, Answered):
        return meant
    level = level_added_up(meant.winner.plan, context)
    time = _time(meant.winner.plan, context) if level is not None else None
    if level is None or time is None:
        return meant
    options = tuple(_options(meant.winner, time, context))
    lines = "; ".join(f"({number}) {say_plan(option.plan)}" for number, option in enumerate(options, 1))
    which = "Is this what you mean" if len(options) == 1 else "Which one is meant"
    kept = _times_kept(meant.winner.plan, time, context)
    times = context.column(time).distinct if kept is None else len(kept)
    return Asked(
        f"`{level}` is a level: added up over {times:,} values of `{time}` it says nothing of "
        f"any of them. {which}: {lines}? Ask again in its words.",
        options,
    )


def level_added_up(plan: Plan, context: Context) -> str | None:
    """Return the first level that a plan adds up over rows as they are."""
    first = next((step for step in plan.steps if not isinstance(step, Filter | Derive)), None)
    if not isinstance(first, Aggregate):
        return None
    sums = (one.column.name for one in first.measures if one.column and one.function is AggregateFunction.SUM)
    return next((name for name in sums if set(context.column_words.get(name, ())) & context.lexicon.levels), None)


def _time(plan: Plan, context: Context) -> str | None:
    """Return the times of the things that a table tells of, where a plan is of several of them."""
    first = next(step for step in plan.steps if isinstance(step, Aggregate))
    alone = {*first.by.names, *_one_to_one(plan, first, context)}
    for name in (*context.years, *context.dates):
        if _is_of_things(name, context) and name not in alone and not _is_of_one_time(plan, name, context):
            return name
    return None


def _is_of_one_time(plan: Plan, name: str, context: Context) -> bool:
    """Tell whether the conditions of a plan keep the rows of one time, such as a month of monthly figures."""
    kept = _times_kept(plan, name, context)
    return any(_is_one(term, name) for term in _terms(plan)) or (kept is not None and len(kept) <= 1)


def last_time(plan: Plan, name: str, context: Context) -> Filter | None:
    """Return the condition that a row is of the last time that a plan is of; None where that cannot be told."""
    kept = _times_kept(plan, name, context)
    if kept is None and any(name in names_in(term) for term in _terms(plan)):
        return None
    last = max(kept) if kept else context.column(name).maximum
    if last is None:
        return None
    value = Lit(value=last.removesuffix(_MIDNIGHT) if isinstance(last, str) else last, type=context.type_of(name))
    return Filter(predicate=Compare(op=CompareOp.EQ, left=Col(name=name), right=value))


def _times_kept(plan: Plan, name: str, context: Context) -> tuple[Any, ...] | None:
    """Return the times that the conditions of a plan keep; None where not all times are known, or not what is kept."""
    times = _all_times(name, context)
    if times is None:
        return None
    for term in (term for term in _terms(plan) if name in names_in(term)):
        match term:
            case Compare(op=op, left=Col(name=own), right=Lit(value=str() | int() | float() as end)) if own == name:
                if any(isinstance(time, str) is not isinstance(end, str) for time in times):
                    return None
                times = tuple(time for time in times if _HOLDS[op](_moment(time), _moment(end)))
            case _:
                return None
    return times


def _all_times(name: str, context: Context) -> tuple[Any, ...] | None:
    known = context.column(name)
    times = (*known.values, *known.more)
    return times if len(times) == known.distinct else None


def _moment(time: Any) -> Any:
    """Return a time as what can be compared: a text as the moment that it writes."""
    return dt.datetime.fromisoformat(time).replace(tzinfo=None) if isinstance(time, str) else time


def _terms(plan: Plan) -> tuple[Predicate, ...]:
    return tuple(term for step in plan.steps if isinstance(step, Filter) for term in terms_of(step.predicate))


def _one_to_one(plan: Plan, first: Aggregate, context: Context) -> Iterator[str]:
    """Yield the times whose periods make the groups, where each period has no more than one of the times."""
    for step in plan.steps:
        if isinstance(step, Derive) and step.name in first.by.names:
            match step.expression:
                case DatePart(unit=unit, operand=Col(name=name)) if name in context.column_words and unit in _PERIODS:
                    period = _PERIODS[unit]
                    periods = {period(str(time)[:10]) for time in _all_times(name, context) or ()}
                case Bin(width=float() as width, operand=Col(name=name)) if name in context.column_words:
                    periods = {str(time // width) for time in _all_times(name, context) or ()}
                case _:
                    continue
            if len(periods) == context.column(name).distinct:
                yield name


_PERIODS: dict[DateUnit, Callable[[str], str]] = {
    DateUnit.START_OF_YEAR: lambda day: day[:4],
    DateUnit.START_OF_QUARTER: lambda day: f"{day[:4]} {(int(day[5:7]) - 1) // 3}",
    DateUnit.START_OF_MONTH: lambda day: day[:7],
    DateUnit.START_OF_DAY: lambda day: day,
}
"""What a day has in common with the other days of its period."""


def _is_of_things(time: str, context: Context) -> bool:
    """Tell whether some label has a row for most of the values of a time."""
    rows, times = context.profile.rows, context.column(time).distinct
    labels = [context.column(name).distinct for name in labels_of_things(context)]
    things = (*labels, *(first * second for first, second in combinations(labels, 2)))
    pairs = (number * times for number in things)
    return 1 < times < rows and any(rows <= pair and rows >= MOSTLY * pair for pair in pairs)


def labels_of_things(context: Context) -> tuple[str, ...]:
    """Return the columns of texts that several rows share, and that write no numbers or dates."""
    texts = (context.column(f.name) for f in context.profile.schema_.fields if f.type is ColumnType.TEXT)
    return tuple(known.name for known in texts if 1 < known.distinct < context.profile.rows and not known.written)


def _is_one(term: Predicate, name: str) -> bool:
    """Tell whether a condition keeps the rows of one time."""
    match term:
        case Compare(op=CompareOp.EQ, left=Col(name=own)):
            return own == name
        case IsIn(operand=Col(name=own), values=values):
            return own == name and len(values) == 1
        case _:
            return False


def _options(winner: Reading, time: str, context: Context) -> Iterator[Reading]:
    """Yield the reading of each time where periods of them make groups; else at the last time, and of each time."""
    plan = winner.plan
    first = next(step for step in plan.steps if isinstance(step, Aggregate))
    made = [step for step in plan.steps if isinstance(step, Derive) and step.name in first.by.names]
    periods = [step for step in made if time in names_in(step.expression)]
    if len(periods) == 1 and first == plan.steps[-1]:
        names = tuple(time if name == periods[0].name else name for name in first.by.names)
        kept_steps = [step for step in plan.steps[:-1] if step != periods[0]]
        each = first.model_copy(update={"by": Columns(names=names)})
        yield replace(winner, plan=plan.with_steps((*kept_steps, each)))
        return
    last = last_time(plan, time, context)
    if last is not None:
        yield replace(winner, plan=plan.with_steps((last, *plan.steps)))
    alone = next(step for step in plan.steps if isinstance(step, Aggregate))
    if not alone.by.names and plan.steps[-1] == alone:
        grouped: tuple[Step, ...] = (
            *plan.steps[:-1],
            alone.model_copy(update={"by": Columns(names=(time,))}),
            Sort(keys=(SortKey(column=time),)),
        )
        yield replace(winner, plan=plan.with_steps(grouped))
