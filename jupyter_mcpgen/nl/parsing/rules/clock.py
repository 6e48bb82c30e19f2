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
    if 1 <= clock.hour <= NOON:
        yield m.Clock(clock.hour % NOON + half.first, clock.minute), SURE


@rule(m.Clock, m.Clock, m.And)
@rule(m.Clock, m.Clock, m.To)
def _clock_to_clock(start: m.Clock, end: m.Clock, context: Context) -> Found:
    if start != end:
        until = MIDNIGHT if end == m.Clock(0) else end.hour
        yield m.Hours(start.hour % MIDNIGHT, until, None, start.minute, end.minute), SURE


@rule(m.Between, m.Hours)
def _between_hours(word: m.Between, hours: m.Hours, context: Context) -> Found:
    yield hours, SURE


@rule(m.TimeSide, m.Clock)
def _side_of_clock(side: m.TimeSide, clock: m.Clock, context: Context) -> Found:
    later = side.op in (CompareOp.GT, CompareOp.GE)
    if later:
        hours = m.Hours(clock.hour % MIDNIGHT, MIDNIGHT, None, clock.minute)
    else:
        hours = m.Hours(0, MIDNIGHT if clock == m.Clock(0) else clock.hour, None, 0, clock.minute)
    if hours != m.Hours(0, MIDNIGHT):
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
    start, end = (hours.start, hours.start_minute), (hours.end, hours.end_minute)
    since, until = _beside(name, CompareOp.GE, *start), _beside(name, CompareOp.LT, *end)
    if start == (0, 0):
        return until
    if end == (MIDNIGHT, 0):
        return since
    return All(terms=(since, until)) if start < end else AnyOf(terms=(since, until))


def _beside(name: str, side: CompareOp, hour: int, minute: int) -> Predicate:
    """Return what is said of a moment's hour, and of its minute in the hour that the time of the day is in."""
    hours, minutes = (DatePart(unit=unit, operand=Col(name=name)) for unit in (DateUnit.HOUR, DateUnit.MINUTE))
    if minute == 0:
        return Compare(op=side, left=hours, right=number(hour))
    other = CompareOp.GT if side is CompareOp.GE else CompareOp.LT
    same = Compare(op=CompareOp.EQ, left=hours, right=number(hour))
    within = All(terms=(same, Compare(op=side, left=minutes, right=number(minute))))
    return AnyOf(terms=(Compare(op=other, left=hours, right=number(hour)), within))


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
