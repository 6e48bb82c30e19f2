"""Totals that mean nothing: of stocks over time, of totals so far, of amounts in several currencies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from jupyter_mcpgen.nl.assembly.answers import Answer, Grouping
from jupyter_mcpgen.nl.assembly.derivation import Derivation
from jupyter_mcpgen.nl.assembly.edits import parts
from jupyter_mcpgen.nl.constraints.verdict import Doubt, Offer, Refusal, Verdict
from jupyter_mcpgen.nl.grammar.meanings import Column, Figure, Holds, Is, Number, Period, Season, Test, Within
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.nl.schema.additivity import Additivity
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp, DateUnit, Predicate, terms_of
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Measure, Resample
from jupyter_mcpgen.plan.plan import Plan

_COMBINED = frozenset({AggregateFunction.SUM, AggregateFunction.MEAN, AggregateFunction.MEDIAN})


def levels_added_over_time(found: Derivation, table: Table) -> Verdict | None:
    """Ask of the sum of a stock over several times whether that of the last or of each is meant."""
    times = (*table.dates, *table.years, *table.periods)
    if not times:
        return None
    implied = {
        figure.term.name
        for figure in (found.answer.measures if isinstance(found.answer, Grouping) else ())
        if isinstance(figure, Figure) and figure.implied and isinstance(figure.term, Column)
    }
    for measure in _measures(found.plan):
        name = _name(measure)
        stock = name in table.names and table.column(name).is_stock
        if _at_one_time(found.plan, times) or any(_holds_one(one, table) for one in parts(found.answer)):
            mean = Figure(AggregateFunction.MEAN, Column(name))
            answer = found.answer
            if stock and name in implied and isinstance(answer, Grouping) and len(answer.measures) == 1:
                return Offer((replace(answer, measures=(mean,)),))
            return None
        if stock and (measure.function is AggregateFunction.SUM or name in implied):
            asked = _at_each_time(found.answer, name, times[0], table)
            return asked or Refusal(
                f"`{name}` is a level, such as a stock, so it is not added up over time. Say at which time, or ask for "
                "its average.",
                (name,),
            )
    return None


def _at_each_time(answer: Answer, name: str, time: str, table: Table) -> Doubt | None:
    """Return the answer at the last time, the one at each time, and the average of all of them, for a single stock."""
    if not isinstance(answer, Grouping) or len(answer.measures) != 1 or answer.then is not None or answer.window:
        return None
    added, mean = (Figure(function, Column(name)) for function in (AggregateFunction.SUM, AggregateFunction.MEAN))
    plain = replace(answer, measures=(added,))
    last, key = _last(time, table), Column(time)
    others = [replace(plain, tests=(*answer.tests, last))] if last is not None else []
    return Doubt((*others, replace(plain, keys=(*answer.keys, key)), replace(answer, measures=(mean,))), instead=True)


def _last(time: str, table: Table) -> Test | None:
    """Return the condition that a row is of the last time."""
    known = table.column(time).known
    if table.is_date(time):
        day = date.fromisoformat(str(known.maximum)[:10])
        return Within(Period(day.isoformat(), (day + timedelta(days=1)).isoformat(), DateUnit.START_OF_DAY), time)
    if table.is_text(time):
        return Is(time, (max(map(str, known.values)),)) if known.complete else None
    return Holds(Column(time), CompareOp.EQ, Number(float(known.maximum)))


def level_of_several(found: Derivation, table: Table) -> Doubt | None:
    """Ask of the average of a stock that has several rows at each time whether their total is averaged."""
    times = (*table.dates, *table.years, *table.periods)
    match found.answer:
        case Grouping(keys=(), measures=(Figure(AggregateFunction.MEAN, Column(name)),), then=None) as answer:
            several = table.column(name).is_stock and times and table.is_told_often(times[0])
        case _:
            return None
    if not several or _at_one_time(found.plan, times):
        return None
    added = Figure(AggregateFunction.SUM, Column(name))
    return Doubt((replace(answer, keys=(Column(times[0]),), measures=(added,), then=AggregateFunction.MEAN),))


def totals_so_far_added(found: Derivation, table: Table) -> Refusal | None:
    """Refuse the sum of a column that adds up what came before already."""
    for measure in _measures(found.plan):
        name = _name(measure)
        running = name in table.names and table.column(name).facts.additivity is Additivity.RUNNING
        if running and measure.function is AggregateFunction.SUM:
            return Refusal(
                f"`{name}` is a running total, so adding it up would count values twice. Ask for its largest value.",
                (name,),
            )
    return None


def currencies_mixed(found: Derivation, table: Table) -> Doubt | Refusal | None:
    """Ask whether amounts in several currencies are combined, unless rows are grouped or filtered by currency."""
    codes = table.currency_codes
    if not codes or set(_told_apart(found.plan)) & set(codes):
        return None
    for measure in _measures(found.plan):
        name = _name(measure)
        if measure.function in _COMBINED and name in table.names and table.is_in_several_currencies(name):
            if isinstance(found.answer, Grouping) and found.answer.then is None:
                return Doubt((replace(found.answer, keys=(*found.answer.keys, Column(codes[0]))),))
            return Refusal(
                f"`{name}` has amounts in several currencies (see `{codes[0]}`). Ask for one currency, group by "
                f"`{codes[0]}`, or choose an amount in a single currency.",
                (name,),
            )
    return None


def _measures(plan: Plan) -> Iterator[Measure]:
    for step in plan.steps:
        if isinstance(step, Aggregate | Resample):
            yield from step.measures


def _name(measure: Measure) -> str:
    return measure.column.name if measure.column is not None else ""


def _told_apart(plan: Plan) -> Iterator[str]:
    """Yield the columns by which rows are grouped or chosen."""
    for step in plan.steps:
        if isinstance(step, Aggregate | Resample):
            yield from step.by.names
        elif isinstance(step, Filter):
            yield from names_in(step)


def _at_one_time(plan: Plan, times: tuple[str, ...]) -> bool:
    """Tell whether groups are of periods, or one time is chosen."""
    grouped = any(isinstance(step, Resample) for step in plan.steps)
    made = {name for step in plan.steps if isinstance(step, Aggregate) for name in step.by.names}
    chosen = (term for step in plan.steps if isinstance(step, Filter) for term in terms_of(step.predicate))
    return grouped or bool(made & set(times)) or any(_is_one(term, times) for term in chosen)


def _holds_one(test: object, table: Table) -> bool:
    """Tell whether a period, or a month of any year, holds only one date of the table."""
    if not isinstance(test, Within) or test.negated or not table.is_date(test.date):
        return False
    known = table.column(test.date).known
    kept = (*known.values, *known.more)
    days = [str(day)[:10] for day in kept] if len(kept) == known.distinct else []
    match test.period:
        case Period(start, end):
            return len([day for day in days if start <= day and (not end or day < end)]) == 1
        case Season(DateUnit.MONTH, numbers):
            return len([day for day in days if int(day[5:7]) in numbers]) == 1
        case _:
            return False


def _is_one(predicate: Predicate, times: tuple[str, ...]) -> bool:
    match predicate:
        case Compare(op=CompareOp.EQ, left=Col(name=name)):
            return name in times
        case _:
            return False
