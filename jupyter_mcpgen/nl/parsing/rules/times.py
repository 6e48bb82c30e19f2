"""Phrases for stretches of time: "in 2020", "since March 2023", "before 2020-03-01"."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.parsing.grammar import (
    FREE,
    LOOSE,
    SLIGHT,
    SURE,
    USUAL,
    Found,
    rule,
)
from jupyter_mcpgen.nl.predicates import (
    YEARS,
    during,
    holds_years,
    in_years,
    number,
)
from jupyter_mcpgen.nl.spans import between_spans, month_in, side_of, union, year_span
from jupyter_mcpgen.plan.expressions import (
    Col,
    Compare,
    CompareOp,
    DateUnit,
)
from jupyter_mcpgen.plan.schema import ColumnType


@rule(m.WhereWord, m.Number)
def _in_year(word: m.WhereWord, value: m.Number, context: Context) -> Found:
    if isinstance(value.value, int) and value.value in YEARS and (context.dates or context.years):
        yield year_span(value.value), SURE


@rule(m.Unit, m.Number)
def _year_called(unit: m.Unit, value: m.Number, context: Context) -> Found:
    years = unit.unit in (DateUnit.YEAR, DateUnit.START_OF_YEAR) and not unit.adjective
    if years and isinstance(value.value, int) and 1_000 <= value.value < 3_000:
        yield value, SURE  # "the year 1850", "the year of 1850"


@rule(m.WhereWord, m.Span)
def _in_span(word: m.WhereWord, span: m.Span, context: Context) -> Found:
    yield span, SURE


@rule(m.WhereWord, m.SpanPair)
def _in_spans(word: m.WhereWord, pair: m.SpanPair, context: Context) -> Found:
    yield pair, SURE


@rule(m.WhereWord, m.PartValue)
def _in_part(word: m.WhereWord, part: m.PartValue, context: Context) -> Found:
    yield part, SURE


@rule(m.PartValue, m.PartValue, m.And)
@rule(m.PartValue, m.PartValue, m.Or)
def _part_or_part(first: m.PartValue, second: m.PartValue, context: Context) -> Found:
    if first.unit is second.unit and first != second:
        yield m.PartChoice(first.unit, (first.number, second.number)), SURE


@rule(m.PartValue, m.PartChoice, m.And)
@rule(m.PartValue, m.PartChoice, m.Or)
def _more_parts(first: m.PartValue, choice: m.PartChoice, context: Context) -> Found:
    if first.unit is choice.unit and first.number not in choice.numbers:
        yield m.PartChoice(first.unit, (first.number, *choice.numbers)), SURE


@rule(m.PartValue, m.PartValue, m.To)
def _part_to_part(first: m.PartValue, second: m.PartValue, context: Context) -> Found:
    if first.unit is second.unit and first.number < second.number:
        yield m.PartChoice(first.unit, tuple(range(first.number, second.number + 1))), SURE


@rule(m.WhereWord, m.PartChoice)
def _in_parts(word: m.WhereWord, choice: m.PartChoice, context: Context) -> Found:
    yield choice, SURE


@rule(m.Between, m.PartChoice)
def _between_parts(word: m.Between, choice: m.PartChoice, context: Context) -> Found:
    if choice.numbers[-1] > choice.numbers[0]:
        yield m.PartChoice(choice.unit, tuple(range(choice.numbers[0], choice.numbers[-1] + 1))), SURE


@rule(m.TimeSide, m.Span)
def _side(side: m.TimeSide, span: m.Span, context: Context) -> Found:
    found = side_of(side.op, span)
    if found is not None:
        yield found, -SLIGHT


@rule(m.TimeSide, m.Number)
def _side_of_year(side: m.TimeSide, value: m.Number, context: Context) -> Found:
    if isinstance(value.value, int) and value.value in YEARS:
        yield from _side(side, year_span(value.value), context)


@rule(m.Column, m.SideOfNumber)
def _column_after_number(column: m.Column, side: m.SideOfNumber, context: Context) -> Found:
    if context.is_number(column.name):
        literal = number(side.value)
        yield m.Condition(Compare(op=side.op, left=Col(name=column.name), right=literal)), SLIGHT


@rule(m.TimeSide, m.Number)
def _side_of_number(side: m.TimeSide, value: m.Number, context: Context) -> Found:
    if value.value not in YEARS:
        yield m.SideOfNumber(side.op, value.value), FREE


@rule(m.Comparison, m.Span)
def _compared_span(comparison: m.Comparison, span: m.Span, context: Context) -> Found:
    found = None if span.guessed or comparison.op is CompareOp.NE else side_of(comparison.in_time, span)
    if found is not None:
        yield found, SLIGHT


@rule(m.PartValue, m.Number)
def _month_of_year(part: m.PartValue, value: m.Number, context: Context) -> Found:
    span = month_in(part, value.value)
    if span is not None:
        yield span, -FREE


@rule(m.PartValue, m.Span, m.And)
@rule(m.PartValue, m.Span, m.Or)
def _months_of_one_year(part: m.PartValue, span: m.Span, context: Context) -> Found:
    """Say "March and April 2023" as two months of that year; months apart are no one stretch."""
    first = month_in(part, int(span.start[:4])) if span.start is not None else None
    joined = union(first, span) if first is not None else None
    if joined is not None:
        yield joined, -LOOSE


@rule(m.Span, m.Span, m.To)
def _span_to_span(first: m.Span, second: m.Span, context: Context) -> Found:
    joined = between_spans(first, second)
    if joined is not None:
        yield joined, SLIGHT


@rule(m.Span, m.Span, m.And)
def _span_and_span(first: m.Span, second: m.Span, context: Context) -> Found:
    if between_spans(first, second) is not None:
        yield m.SpanPair(first, second), SURE


@rule(m.Between, m.SpanPair)
def _between_spans(word: m.Between, pair: m.SpanPair, context: Context) -> Found:
    joined = between_spans(pair.first, pair.second)
    if joined is not None:
        yield joined, -LOOSE


@rule(m.Between, m.Span)
def _from_span(word: m.Between, span: m.Span, context: Context) -> Found:
    if span.start is not None and span.end is not None:
        yield span, USUAL


@rule(m.Column, m.Span)
@rule(m.Column, m.Span, m.And)
def _column_during(column: m.Column, span: m.Span, context: Context) -> Found:
    if context.type_of(column.name) is ColumnType.DATE:
        yield m.Condition(during(column.name, span)), SURE
    elif holds_years(column.name, context):
        years = in_years(column.name, span)
        if years is not None:
            yield m.Condition(years), SURE
