"""Phrases for hours and seasons, of any day and any year: "between 9 am and 5 pm", "in the morning", "in summer"."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.parsing.grammar import CONFIRMED, SURE, USUAL, Found, promotion, rule
from jupyter_mcpgen.nl.predicates import number
from jupyter_mcpgen.nl.tables.own_dates import other_date_cost
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import All, AnyOf, Col, Compare, CompareOp, DatePart, DateUnit, Predicate

NOON, MIDNIGHT = 12, 24


@rule(m.Number, m.HalfDay)
def _hour_of_half(value: m.Number, half: m.HalfDay, context: Context) -> Found:
    if isinstance(value.value, int) and 1 <= value.value <= NOON:
        yield m.Clock(value.value % NOON + half.first), SURE


@rule(m.Clock, m.HalfDay)
def _clock_of_half(clock: m.Clock, half: m.HalfDay, context: Context) -> Found:
    yield from _hour_of_half(m.Number(clock.hour), half, context)


@rule(m.Clock, m.Clock, m.And)
@rule(m.Clock, m.Clock, m.To)
def _clock_to_clock(start: m.Clock, end: m.Clock, context: Context) -> Found:
    if start != end:
        yield m.Hours(start.hour % MIDNIGHT, end.hour or MIDNIGHT), SURE


@rule(m.Between, m.Hours)
def _between_hours(word: m.Between, hours: m.Hours, context: Context) -> Found:
    yield hours, SURE


@rule(m.TimeSide, m.Clock)
def _side_of_clock(side: m.TimeSide, clock: m.Clock, context: Context) -> Found:
    later = side.op in (CompareOp.GT, CompareOp.GE)
    hours = m.Hours(clock.hour % MIDNIGHT, MIDNIGHT) if later else m.Hours(0, clock.hour or MIDNIGHT)
    if (hours.start, hours.end) != (0, MIDNIGHT):
        yield hours, SURE


@rule(m.WhereWord, m.Hours)
def _in_hours(word: m.WhereWord, hours: m.Hours, context: Context) -> Found:
    yield hours, SURE


@promotion(m.Hours)
def _at_hours(hours: m.Hours, context: Context) -> Found:
    for name in context.clocks:
        predicate = _during_hours(name, hours)
        cost = USUAL + other_date_cost(name, context)
        if hours.word is None:
            yield m.Condition(predicate), cost
        else:
            note = f"“{hours.word}” is taken as {hours.start}:00 up to {hours.end}:00 by `{name}`."
            yield m.NotedCondition(predicate, note), cost


@rule(m.Column, m.NotedCondition)
def _column_during(column: m.Column, noted: m.NotedCondition, context: Context) -> Found:
    if set(names_in(noted.predicate)) == {column.name}:
        yield noted, -CONFIRMED


def _during_hours(name: str, hours: m.Hours) -> Predicate:
    hour = DatePart(unit=DateUnit.HOUR, operand=Col(name=name))
    since = Compare(op=CompareOp.GE, left=hour, right=number(hours.start))
    until = Compare(op=CompareOp.LT, left=hour, right=number(hours.end))
    if hours.start == 0:
        return until
    if hours.end == MIDNIGHT:
        return since
    return All(terms=(since, until)) if hours.start < hours.end else AnyOf(terms=(since, until))


@rule(m.WhereWord, m.Season)
def _in_season(word: m.WhereWord, season: m.Season, context: Context) -> Found:
    yield season, SURE


@promotion(m.Season)
def _during_season(season: m.Season, context: Context) -> Found:
    for name in context.dates:
        month = DatePart(unit=DateUnit.MONTH, operand=Col(name=name))
        terms = tuple(Compare(op=CompareOp.EQ, left=month, right=number(n)) for n in season.months)
        said = ", ".join(str(n) for n in season.months)
        note = f"“{season.word}” is taken as the months {said}, as north of the equator."
        yield m.NotedCondition(AnyOf(terms=terms), note), USUAL + other_date_cost(name, context)
