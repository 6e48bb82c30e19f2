"""Levels, such as a population, over rows of several times: added up over the years, they say nothing of any."""

from __future__ import annotations

import datetime as dt
import operator
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl.around.repeated.once_each import AVERAGES, figures_of_rows
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import IN_ITS_WORDS, Answered, Asked, Reading, Understanding, asking_which
from jupyter_mcpgen.nl.tables.levels_at_times import is_level, known_at, tells_one_row, times_of_things
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import (
    Arithmetic,
    ArithmeticOp,
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
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Derive,
    Filter,
    Measure,
    Resample,
    Select,
    Sort,
    SortKey,
    Step,
)
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


def asking_which_time(meant: Understanding, context: Context) -> Understanding:
    """Ask at which time is meant where the levels of several times would be added up; return anything else as it is.

    Of an average of a level, ask whether it is one of the rows or of the totals of each time.
    """
    match meant:
        case Answered(winner):
            return _asked(winner, context) or _looked_up(winner, context) or _of_averages(meant, context)
        case Asked(options=options):
            return _of_each_way(meant, options, context)
        case _:
            return meant


def _asked(winner: Reading, context: Context) -> Asked | None:
    """Return the question at which time a level is meant; None where a plan adds up the levels of one time."""
    level, time = _level_and_time(winner.plan, context)
    if level is None or time is None:
        return None
    options = tuple(_options(winner, time, context))
    lines = "; ".join(f"({number}) {say_plan(option.plan)}" for number, option in enumerate(options, 1))
    which = "Is this what you mean" if len(options) == 1 else "Which one is meant"
    kept = _times_kept(winner.plan, time, context)
    times = known_at(time, context).distinct if kept is None else len(kept)
    asked = f"{which}: {lines}? Ask again in its words." if options else "Say which time is meant."
    told = f"`{level}` is a level, such as a stock: its total over {times:,} values of `{time}` has no meaning."
    return Asked(f"{told} {asked}", options)


def _looked_up(winner: Reading, context: Context) -> Asked | None:
    """Ask at which time is meant where one figure of one thing is looked up, and the table tells it of several."""
    *conditions, last = winner.plan.steps or (None,)
    if not conditions or not isinstance(last, Select) or not all(isinstance(step, Filter) for step in conditions):
        return None
    time = next((name for name in times_of_things(context) if not _is_of_one_time(winner.plan, name, context)), None)
    figures = [name for name in last.columns.names if context.is_measure(name)]
    told = {name for step in conditions for name in names_in(step)} & set(context.column_words)
    if any(2 * context.column(name).distinct > context.profile.rows for name in told):
        return None  # hardly any thing has several rows
    if time is None or len(last.columns.names) != len(figures) or len(figures) != 1:
        return None
    latest = last_time(winner.plan, time, context)
    listed = Select(columns=Columns(names=(time, *figures)))
    plans = ((*conditions, latest, last) if latest is not None else None, (*conditions, listed))
    options = tuple(replace(winner, plan=winner.plan.with_steps(steps)) for steps in plans if steps is not None)
    return asking_which(options, f"`{figures[0]}` differs by `{time}`. ") if len(options) > 1 else None


def _of_each_way(asked: Asked, options: tuple[Reading, ...], context: Context) -> Understanding:
    """Return a question back whose ways add up the levels of no more than one time."""
    found = [_level_and_time(option.plan, context) for option in options]
    level, time = next((one for one in found if None not in one), (None, None))
    if level is None or time is None:
        return asked
    ways: dict[str, Reading] = {}
    for option, (own, moment) in zip(options, found, strict=True):
        several = own is not None and moment is not None
        for way in _options(option, moment or "", context) if several else (option,):
            ways.setdefault(say_plan(way.plan), way)
    why = f"`{level}` is a level, such as a stock, so it is not added up over the values of `{time}`. "
    if len(ways) == 1:
        return Asked(f"{why}Is this what you mean: {next(iter(ways))}?{IN_ITS_WORDS}", tuple(ways.values()))
    return asking_which(tuple(ways.values()), why, IN_ITS_WORDS) if ways else asked


def _level_and_time(plan: Plan, context: Context) -> tuple[str | None, str | None]:
    level = level_added_up(plan, context)
    return level, _time(plan, context) if level is not None else None


def level_added_up(plan: Plan, context: Context) -> str | None:
    """Return the first level that a plan adds up over rows as they are; of two levels that it divides, none."""
    first = figures_of_rows(plan)
    measures = first.measures if first is not None else ()
    sums = [one.column.name for one in measures if one.column and one.function is AggregateFunction.SUM]
    made = {step.name: step.expression for step in plan.steps if isinstance(step, Derive)}
    worth = (made[name] for name in sums if isinstance(made.get(name), Arithmetic))
    parts = [part for one in worth if getattr(one, "op", None) is ArithmeticOp.MULTIPLY for part in names_in(one)]
    levels = [name for name in (*sums, *parts) if is_level(name, context)]
    both = len(levels) == len(sums) > 1 and any(_divides(step) for step in plan.steps)
    return levels[0] if levels and not both else None


def _divides(step: Step) -> bool:
    return isinstance(step, Derive) and getattr(step.expression, "op", None) is ArithmeticOp.DIVIDE


def _time(plan: Plan, context: Context) -> str | None:
    """Return the times of the things that a table tells of, where a plan is of several of them."""
    first = figures_of_rows(plan)
    if first is None:
        return None
    alone = {*first.by.names, *_one_to_one(plan, first, context)}
    for name in times_of_things(context):
        if name not in alone and not _is_of_one_time(plan, name, context):
            return name
    return None


def _of_averages(meant: Answered, context: Context) -> Answered | Asked:
    """Ask whether the rows or the totals of each time are averaged, where a level has several rows at each.

    Of groups it is said that these are averages of rows.
    """
    plan = meant.winner.plan
    first = figures_of_rows(plan)
    if (
        not isinstance(first, Aggregate)
        or len(first.measures) != 1
        or not set(first.by.names) <= set(context.column_words)
    ):
        return meant
    measure = first.measures[0]
    of = measure.column.name if measure.column is not None and measure.where is None else ""
    times = times_of_things(context) if measure.function in AVERAGES and is_level(of, context) else ()
    time = next(iter(times), None)
    if time is None or time in first.by.names or tells_one_row((*first.by.names, *_told(plan), time), context):
        return meant
    about = f"`{of}` has several rows at each `{time}`"
    if first.by.names:
        note = f"{about}: this is the average of the rows, not of the totals of each `{time}`."
        return replace(meant, winner=replace(meant.winner, assumptions=(*meant.winner.assumptions, note)))
    total = Measure(function=AggregateFunction.SUM, column=measure.column)
    each = Aggregate(by=Columns(names=(time,)), measures=(total,))
    over = measure.model_copy(update={"column": Col(name=total.name)})
    rest = plan.steps[plan.steps.index(first) + 1 :]
    if rest:
        return meant
    totals = plan.with_steps((*plan.steps[:-1], each, Aggregate(measures=(over,))))
    return asking_which((replace(meant.winner, plan=totals), meant.winner), f"{about}. ", IN_ITS_WORDS)


def _told(plan: Plan) -> Iterator[str]:
    """Yield the columns of which the conditions of a plan keep one value."""
    for term in _terms(plan):
        yield from (name for name in names_in(term) if _is_one(term, name))


def _is_of_one_time(plan: Plan, name: str, context: Context) -> bool:
    """Tell whether the conditions of a plan keep the rows of one time, such as a month of monthly figures."""
    kept = _times_kept(plan, name, context)
    return any(_is_one(term, name) for term in _terms(plan)) or (kept is not None and len(kept) <= 1)


def last_time(plan: Plan, name: str, context: Context) -> Filter | None:
    """Return the condition that a row is of the last time that a plan is of; None where that cannot be told."""
    kept = _times_kept(plan, name, context)
    if kept is None and any(name in names_in(term) for term in _terms(plan)):
        return None
    if context.type_of(name) is ColumnType.TEXT:
        last = _last_text(name, kept, context)
    else:
        last = max(kept) if kept else context.column(name).maximum
    if last is None or (isinstance(last, str) and context.is_number(name)):
        return None  # 20241231
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
                times = tuple(time for time in times if _holds(op, time, end))
            case Compare(op=op, left=DatePart(unit=unit), right=Lit(value=int() as number)) if unit in _NUMBERS:
                times = tuple(time for time in times if _HOLDS[op](_NUMBERS[unit](str(time)[:10]), number))
            case _:
                return None
    return times


def _last_text(name: str, kept: tuple[Any, ...] | None, context: Context) -> str | None:
    """Return the last of the periods that letters order; None where they do not, or where some are left out."""
    known = context.column(name)
    every = _all_times(name, context)
    if known.nulls or every is None or (kept is not None and len(kept) < len(every)):
        return None
    texts = [str(text) for text in (*known.values, *known.more)]
    ordered = known.kind is Kind.PERIOD or (
        len({len(text) for text in texts}) == 1 and all(map(_begins_with_a_year, texts))
    )
    return max(texts) if ordered and len(texts) == known.distinct else None


def _begins_with_a_year(text: str) -> bool:
    return text[:4].isdigit() and not text[4:5].isdigit()


def _all_times(name: str, context: Context) -> tuple[Any, ...] | None:
    known = known_at(name, context)
    times = (*known.values, *known.more)
    return times if len(times) == known.distinct else None


def _holds(op: CompareOp, time: Any, end: Any) -> bool:
    """Tell whether a comparison of two times holds: of texts by the moments that they write, else by their letters."""
    moments = _moment(time), _moment(end)
    return _HOLDS[op](*moments) if None not in moments else _HOLDS[op](time, end)


def _moment(time: Any) -> Any:
    """Return a time as what can be compared; None for a text that writes no moment."""
    if not isinstance(time, str):
        return time
    try:
        return dt.datetime.fromisoformat(time).replace(tzinfo=None)
    except ValueError:
        return None


def _terms(plan: Plan) -> tuple[Predicate, ...]:
    return tuple(term for step in plan.steps if isinstance(step, Filter) for term in terms_of(step.predicate))


def _one_to_one(plan: Plan, first: Aggregate | Resample, context: Context) -> Iterator[str]:
    """Yield the times whose periods make the groups, where each period has no more than one of the times."""
    if isinstance(first, Resample) and first.unit in _PERIODS and first.date.name in context.column_words:
        days = {str(time)[:10] for time in _all_times(first.date.name, context) or ()}
        if len({_PERIODS[first.unit](day) for day in days}) == known_at(first.date.name, context).distinct:
            yield first.date.name
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
            if len(periods) == known_at(name, context).distinct:
                yield name


_NUMBERS: dict[DateUnit, Callable[[str], int]] = {
    DateUnit.YEAR: lambda day: int(day[:4]),
    DateUnit.QUARTER: lambda day: (int(day[5:7]) + 2) // 3,
    DateUnit.MONTH: lambda day: int(day[5:7]),
}
"""The number of a part of a day."""
_PERIODS: dict[DateUnit, Callable[[str], str]] = {
    DateUnit.START_OF_YEAR: lambda day: day[:4],
    DateUnit.START_OF_QUARTER: lambda day: f"{day[:4]} {(int(day[5:7]) - 1) // 3}",
    DateUnit.START_OF_MONTH: lambda day: day[:7],
    DateUnit.START_OF_DAY: lambda day: day,
}
"""What a day has in common with the other days of its period."""


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
    first = figures_of_rows(plan)
    if not isinstance(first, Aggregate):
        return
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
    if not first.by.names and plan.steps[-1] == first:
        grouped: tuple[Step, ...] = (
            *plan.steps[:-1],
            first.model_copy(update={"by": Columns(names=(time,))}),
            Sort(keys=(SortKey(column=time),)),
        )
        yield replace(winner, plan=plan.with_steps(grouped))
