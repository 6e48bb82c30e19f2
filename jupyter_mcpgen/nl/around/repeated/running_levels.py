"""Levels told row by row, such as a balance after each move or the reading of a meter: no sum of rows is one.

The last of each thing may be meant, or the average; which rows are the last of a thing nobody can tell from the name.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import replace

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.other_names import written_otherwise
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.expressions import Col, Columns, Compare, CompareOp, Lit, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Measure, Resample
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

_DAY = dt.timedelta(days=1)


def refusing_sums_of_levels(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Refuse a sum over rows of what stood at each of them; such a sum is no way that is asked about."""
    meant = _of_what_is_new(meant, question, context)
    match meant:
        case Answered(winner):
            name = _added_up(winner.plan, context, language)
        case Asked(options=options):
            added = [_added_up(option.plan, context, language) for option in options]
            name = next((one for one in added if one is not None), None)
            left = tuple(option for option, one in zip(options, added, strict=True) if one is None)
            if name is not None and left:
                lines = "; ".join(f"({number}) {say_plan(one.plan)}" for number, one in enumerate(left, 1))
                why = f"By its name, `{name}` is what there was at the time of each row, so it is not added up."
                return Asked(f"{why} Is this what you mean: {lines}? Ask again in its words.", left)
        case _:
            return meant
    if name is None:
        return meant
    return Refused(
        f"By its name, `{name}` is what there was at the time of each row, so it is not added up over rows. "
        f"Ask for the largest, the smallest or the average `{name}`, or for `{name}` on one day.",
        words=(name,),
    )


def _of_what_is_new(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return a meaning in which what runs up is the total of what is new, or is looked up on the one day asked for."""
    if not context.running_totals or not isinstance(meant, Answered):
        return meant
    words = {token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)}
    said = bool(words & (context.lexicon.running_totals | context.lexicon.totals_so_far))
    winner = meant.winner
    on_a_day = _is_of_one_day(winner.plan, context)
    if on_a_day and said:
        return replace(meant, winner=_on_its_day(winner, context))
    if on_a_day or (said and _follows_time(winner.plan, context)):
        return meant
    return replace(meant, winner=_added_anew(winner, context))


def _follows_time(plan: Plan, context: Context) -> bool:
    """Tell whether a plan has figures of several times."""
    dates = _dates(context)
    grouped = {name for step in plan.steps if isinstance(step, Aggregate) for name in step.by.names}
    derived = (step for step in plan.steps if isinstance(step, Derive) and dates & set(names_in(step.expression)))
    return bool(grouped & dates) or any(derived) or any(isinstance(step, Resample) for step in plan.steps)


def _added_anew(reading: Reading, context: Context) -> Reading:
    """Return a reading that adds up what is new in each row, in the place of what runs up."""
    measures = [one for step in reading.plan.steps if isinstance(step, Aggregate | Resample) for one in step.measures]
    totals = context.running_totals
    added = {
        one.column.name: totals[one.column.name]
        for one in measures
        if one.column is not None and one.function is AggregateFunction.SUM and one.column.name in totals
    }
    if not added:
        return reading
    old = reading.plan
    steps = tuple(written_otherwise(step, added) for step in old.steps)
    chart = None if old.chart is None else written_otherwise(old.chart, added)
    plan = old.with_steps(steps, chart)
    notes = (f"`{total}` runs up over the rows, so `{new}` is added up." for total, new in added.items())
    said = (note for note in reading.assumptions if not any(f"`{total}` is added up" in note for total in added))
    return replace(reading, plan=plan, assumptions=(*said, *notes))


def _on_its_day(reading: Reading, context: Context) -> Reading:
    """Return a reading that takes what had run up by a day from the rows of that day."""
    kept = tuple(step for step in reading.plan.steps if isinstance(step, Filter))
    figures = [step for step in reading.plan.steps if isinstance(step, Aggregate | Resample)]
    summed = [one.column.name for step in figures for one in step.measures if one.column is not None]
    totals = {new: total for total, new in context.running_totals.items()}
    if len(figures) != 1 or len(summed) != 1 or summed[0] not in totals:
        return reading
    total = totals[summed[0]]
    groups = Columns(names=tuple(name for name in figures[0].by.names if name in context.column_words))
    measure = Measure(function=AggregateFunction.SUM, column=Col(name=total))
    plan = reading.plan.with_steps((*kept, Aggregate(by=groups, measures=(measure,))))
    note = f"`{total}` has run up to that day."
    return replace(reading, plan=plan, assumptions=(note,), no_chart=not groups.names)


def _added_up(plan: Plan, context: Context, language: str) -> str | None:
    """Return the first such level that a plan adds up over rows as they are."""
    first = next((step for step in plan.steps if not isinstance(step, Filter | Derive)), None)
    if not isinstance(first, Aggregate | Resample) or _is_of_one_day(plan, context):
        return None
    sums = (one.column.name for one in first.measures if one.column and one.function is AggregateFunction.SUM)
    return next((name for name in sums if _is_running(name, context, language)), None)


def _is_running(name: str, context: Context, language: str) -> bool:
    """Tell whether a column is called a level after or before something, or the reading of a meter."""
    vocabulary = load_vocabulary(language)
    if name not in context.column_words or not _is_dated(context):
        return False
    words = set(split_name(name))
    stood = bool(set(context.column_words[name]) & context.lexicon.levels)
    told = stood and bool(words & vocabulary.words("told_row_by_row"))
    unit = set(split_name(context.column(name).unit or "")) | words
    metered = words & vocabulary.words("readings_of_meters") and unit & vocabulary.words("metered_units")
    runs = name in context.running_totals or bool(words & context.lexicon.running_totals)
    return told or bool(metered) or runs


def _is_of_one_day(plan: Plan, context: Context) -> bool:
    """Tell whether the rows of one date are chosen: by the day itself, or from it to before the next one."""
    said = dict(_dates_said(plan))
    return any((name, CompareOp.EQ) in said or _is_a_day(name, said) for name in _dates(context))


def _dates_said(plan: Plan) -> Iterator[tuple[tuple[str, CompareOp], str]]:
    """Yield the days that conditions compare columns with, by the column and the comparison."""
    for step in plan.steps:
        for term in terms_of(step.predicate) if isinstance(step, Filter) else ():
            match term:
                case Compare(op=op, left=Col(name=name), right=Lit(value=str() as moment, type=ColumnType.DATE)):
                    yield (name, op), moment[:10]
                case _:
                    pass


def _is_a_day(name: str, said: Mapping[tuple[str, CompareOp], str]) -> bool:
    start, end = (said.get((name, op)) for op in (CompareOp.GE, CompareOp.LT))
    if start is None or end is None:
        return False
    return dt.date.fromisoformat(end) - dt.date.fromisoformat(start) == _DAY


def _is_dated(context: Context) -> bool:
    """Tell whether rows have a date, also one that is written as a text."""
    return bool(_dates(context))


def _dates(context: Context) -> frozenset[str]:
    """Return the columns of dates, also those that are written as texts."""
    written = (c.name for c in context.profile.columns if any(one.type is ColumnType.DATE for one in c.written))
    return frozenset((*context.dates, *written))
