"""What one word may be as a phrase of its own."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.parsing.grammar import (
    COUNT_ROWS,
    FREE,
    LOOSE,
    SLIGHT,
    SURE,
    USUAL,
    Found,
    promotion,
)
from jupyter_mcpgen.nl.predicates import (
    YEARS,
    during,
    equals,
    in_years,
    is_true,
    number,
)
from jupyter_mcpgen.nl.spans import union, year_span
from jupyter_mcpgen.nl.tables.own_dates import other_date_cost
from jupyter_mcpgen.plan.expressions import (
    AnyOf,
    Col,
    Compare,
    CompareOp,
    DatePart,
)
from jupyter_mcpgen.plan.schema import ColumnType


@promotion(m.CountWord)
def _bare_count(word: m.CountWord, context: Context) -> Found:
    yield COUNT_ROWS, FREE


@promotion(m.Value)
def _bare_value(value: m.Value, context: Context) -> Found:
    yield m.Condition(equals(value.column, value.value)), SLIGHT


@promotion(m.Column)
def _yes_or_no(column: m.Column, context: Context) -> Found:
    if context.type_of(column.name) is ColumnType.BOOLEAN:
        yield m.Condition(is_true(column.name)), LOOSE


@promotion(m.Unit)
def _bare_unit(unit: m.Unit, context: Context) -> Found:
    for name in context.dates:
        period = m.GroupKey(name, unit.unit) if unit.adjective else m.BarePeriod(name, unit.unit)
        yield period, FREE + other_date_cost(name, context)


@promotion(m.Span)
def _bare_span(span: m.Span, context: Context) -> Found:
    by_year = {name: years for name in context.years if (years := in_years(name, span)) is not None}
    for years in by_year.values():
        yield m.Condition(years), USUAL
    for name in context.dates:
        told = any(context.tells_the_year_of(year, name) for year in by_year)
        yield m.Condition(during(name, span)), USUAL + (FREE if told else SURE) + other_date_cost(name, context)


@promotion(m.SpanPair)
def _bare_spans(pair: m.SpanPair, context: Context) -> Found:
    joined = union(pair.first, pair.second)
    if joined is not None:
        yield from _bare_span(joined, context)
        return
    for name in context.dates:
        either = AnyOf(terms=(during(name, pair.first), during(name, pair.second)))
        yield m.Condition(either), USUAL + other_date_cost(name, context)


@promotion(m.PartValue)
def _bare_part(part: m.PartValue, context: Context) -> Found:
    for name in context.dates:
        expression = DatePart(unit=part.unit, operand=Col(name=name))
        same = Compare(op=CompareOp.EQ, left=expression, right=number(part.number))
        yield m.Condition(same), USUAL + other_date_cost(name, context)


@promotion(m.PartChoice)
def _bare_parts(choice: m.PartChoice, context: Context) -> Found:
    for name in context.dates:
        expression = DatePart(unit=choice.unit, operand=Col(name=name))
        terms = tuple(Compare(op=CompareOp.EQ, left=expression, right=number(n)) for n in choice.numbers)
        yield m.Condition(AnyOf(terms=terms)), USUAL + other_date_cost(name, context)


@promotion(m.Number)
def _bare_year(value: m.Number, context: Context) -> Found:
    if isinstance(value.value, int) and value.value in YEARS and (context.dates or context.years):
        yield replace(year_span(value.value), guessed=True), FREE
