"""How neighbouring meanings combine into phrases.

A rule is a function of two neighbours of certain kinds; it gives the phrases that they may form, each with a cost.
Rules know nothing of positions; the chart parser applies them to every pair of neighbours. A rule holds for
neighbours with nothing but filler between them, unless it names the words (`And`, `Or`, …) that must stand there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar, cast

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.meanings import Meaning
from jupyter_mcpgen.nl.predicates import (
    about,
    both,
    compared,
    during,
    either,
    equal_values,
    equals,
    in_range,
    is_true,
    known_text,
    lists_values,
    number,
    one_of,
    opposite,
)
from jupyter_mcpgen.nl.spans import YEARS, between_spans, month_in, side_of, union, year_span
from jupyter_mcpgen.nl.words import singular
from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Col,
    Compare,
    CompareOp,
    DatePart,
    DateUnit,
    IsMissing,
    Lit,
    Predicate,
    TextMatch,
)
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.schema import ColumnType

Found = Iterator[tuple[Meaning, float]]
Links = frozenset[type[Meaning]]
L = TypeVar("L")
R = TypeVar("R")
Rule = Callable[[Meaning, Meaning, Context], Found]

FEW_VALUES = 20
MOST_KEPT = 100_000
"""The largest k of a "top k"."""
COUNT_ROWS = m.Measured(F.COUNT, None)

PIECE = 0.03
"""What every phrase of a reading costs: fewer, longer phrases explain a question better."""
SURE = 0.0
SLIGHT = 0.02
USUAL = 0.05
FREE = 0.1
"""What a phrase costs that has another reading as good."""
LOOSE = 0.2
"""What joining words without a word that says how costs."""
MANY_GROUPS = 0.12
"""What grouping by a number with many values costs."""

CONFIRMED = 0.2
"""What a value gains when its column is named beside it."""
PIECE_MERGED = PIECE
"""What joining two conditions costs, so that joining them is no cheaper than leaving them apart."""

_OR: Links = frozenset({m.Or})

RULES: dict[tuple[type[Meaning], type[Meaning]], list[tuple[Links, Rule]]] = defaultdict(list)
PROMOTIONS: dict[type[Meaning], list[Callable[[Meaning, Context], Found]]] = defaultdict(list)


def _rule(
    left: type[L], right: type[R], *links: type[Meaning]
) -> Callable[[Callable[[L, R, Context], Found]], Callable[[L, R, Context], Found]]:
    def register(function: Callable[[L, R, Context], Found]) -> Callable[[L, R, Context], Found]:
        pair = cast("tuple[type[Meaning], type[Meaning]]", (left, right))
        RULES[pair].append((frozenset(links), cast("Rule", function)))
        return function

    return register


def _promotion(kind: type[L]) -> Callable[[Callable[[L, Context], Found]], Callable[[L, Context], Found]]:
    def register(function: Callable[[L, Context], Found]) -> Callable[[L, Context], Found]:
        PROMOTIONS[cast("type[Meaning]", kind)].append(cast("Callable[[Meaning, Context], Found]", function))
        return function

    return register


def combine(left: Meaning, right: Meaning, between: Links, context: Context) -> Found:
    """Yield the phrases that two neighbours may form, given what kinds of linking words stand between them."""
    if m.Or in between:
        between = _OR  # in "a, b, or c" the comma is no "and"
    for needed, rule in RULES.get((type(left), type(right)), ()):
        if between & needed if needed else not between:
            yield from rule(left, right, context)


def promote(meaning: Meaning, context: Context) -> Found:
    """Yield what one meaning may be as a phrase of its own."""
    for promotion in PROMOTIONS.get(type(meaning), ()):
        yield from promotion(meaning, context)


# what a word may be alone -------------------------------------------------------------------------------------------


@_promotion(m.CountWord)
def _bare_count(word: m.CountWord, context: Context) -> Found:
    yield COUNT_ROWS, FREE


@_promotion(m.Value)
def _bare_value(value: m.Value, context: Context) -> Found:
    yield m.Condition(equals(value.column, value.value)), SLIGHT


@_promotion(m.Column)
def _yes_or_no(column: m.Column, context: Context) -> Found:
    if context.type_of(column.name) is ColumnType.BOOLEAN:
        yield m.Condition(is_true(column.name)), LOOSE


@_promotion(m.Unit)
def _bare_unit(unit: m.Unit, context: Context) -> Found:
    for name in context.dates:
        yield m.GroupKey(name, unit.unit) if unit.adjective else m.BarePeriod(name, unit.unit), FREE


@_promotion(m.Span)
def _bare_span(span: m.Span, context: Context) -> Found:
    for name in context.dates:
        yield m.Condition(during(name, span)), USUAL
    for name in context.years:
        years = _in_years(name, span)
        if years is not None:
            yield m.Condition(years), USUAL


@_promotion(m.SpanPair)
def _bare_spans(pair: m.SpanPair, context: Context) -> Found:
    joined = union(pair.first, pair.second)
    if joined is not None:
        yield from _bare_span(joined, context)
        return
    for name in context.dates:
        yield m.Condition(AnyOf(terms=(during(name, pair.first), during(name, pair.second)))), USUAL


@_promotion(m.PartValue)
def _bare_part(part: m.PartValue, context: Context) -> Found:
    for name in context.dates:
        expression = DatePart(unit=part.unit, operand=Col(name=name))
        yield m.Condition(Compare(op=CompareOp.EQ, left=expression, right=number(part.number))), USUAL


@_promotion(m.PartChoice)
def _bare_parts(choice: m.PartChoice, context: Context) -> Found:
    for name in context.dates:
        expression = DatePart(unit=choice.unit, operand=Col(name=name))
        terms = tuple(Compare(op=CompareOp.EQ, left=expression, right=number(n)) for n in choice.numbers)
        yield m.Condition(AnyOf(terms=terms)), USUAL


@_promotion(m.Number)
def _bare_year(value: m.Number, context: Context) -> Found:
    if isinstance(value.value, int) and value.value in YEARS and (context.dates or context.years):
        yield replace(year_span(value.value), guessed=True), FREE


# numbers that are asked for -----------------------------------------------------------------------------------------


@_rule(m.Function, m.Column)
def _function_of(function: m.Function, column: m.Column, context: Context) -> Found:
    if takes(function.function, column.name, context):
        yield m.Measured(function.function, column.name), SURE


@_rule(m.Column, m.Function)
def _named_then_function(column: m.Column, function: m.Function, context: Context) -> Found:
    if takes(function.function, column.name, context):
        yield m.Measured(function.function, column.name), MANY_GROUPS


@_rule(m.Function, m.Measured)
def _total_number(function: m.Function, measured: m.Measured, context: Context) -> Found:
    if function.function is F.SUM and measured.function is F.COUNT and measured.column is None:
        yield measured, SLIGHT


@_rule(m.Function, m.Measured, m.And)
def _functions(function: m.Function, measured: m.Measured, context: Context) -> Found:
    if measured.column is not None and takes(function.function, measured.column, context):
        yield m.Several((m.Measured(function.function, measured.column), measured)), SURE


@_rule(m.Function, m.Several, m.And)
def _more_functions(function: m.Function, several: m.Several, context: Context) -> Found:
    for meaning, cost in _functions(function, several.measures[0], context):
        if isinstance(meaning, m.Several):
            yield m.Several((meaning.measures[0], *several.measures)), cost


@_rule(m.Measured, m.Column, m.And)
def _columns_measured(measured: m.Measured, column: m.Column, context: Context) -> Found:
    known = measured.column is not None and measured.function not in (F.COUNT, F.COUNT_DISTINCT)
    if measured == COUNT_ROWS and not context.is_number(column.name) and not context.names_rows(column.name):
        if context.type_of(column.name) is ColumnType.TEXT:
            yield m.Several((measured, m.Measured(F.COUNT_DISTINCT, column.name))), SURE
    if known and takes(measured.function, column.name, context):
        yield m.Several((measured, m.Measured(measured.function, column.name))), SURE


@_rule(m.Several, m.Column, m.And)
def _more_columns(several: m.Several, column: m.Column, context: Context) -> Found:
    for meaning, cost in _columns_measured(several.measures[-1], column, context):
        if isinstance(meaning, m.Several) and len({each.function for each in several.measures}) == 1:
            yield m.Several((*several.measures, meaning.measures[1])), cost


@_rule(m.RowNoun, m.Column, m.And)
def _rows_and(noun: m.RowNoun, column: m.Column, context: Context) -> Found:
    if not noun.assumed and context.is_measure(column.name):
        yield m.RowsAnd(column.name), -FREE


@_rule(m.Column, m.RowNoun, m.And)
def _and_rows(column: m.Column, noun: m.RowNoun, context: Context) -> Found:
    yield from _rows_and(noun, column, context)


@_rule(m.Measured, m.RowNoun, m.And)
def _measured_and_rows(measured: m.Measured, noun: m.RowNoun, context: Context) -> Found:
    if not noun.assumed and measured.column is not None:
        yield m.Several((measured, COUNT_ROWS)), -FREE


@_rule(m.RowNoun, m.Measured, m.And)
def _rows_and_measured(noun: m.RowNoun, measured: m.Measured, context: Context) -> Found:
    if not noun.assumed and measured.column is not None:
        yield m.Several((COUNT_ROWS, measured)), -FREE


@_rule(m.CountWord, m.RowNoun)
def _rows_counted(word: m.CountWord, noun: m.RowNoun, context: Context) -> Found:
    yield from _counted_rows(noun)


@_rule(m.Function, m.RowNoun)
def _rows_in_all(function: m.Function, noun: m.RowNoun, context: Context) -> Found:
    if function.function is F.SUM and noun.noun != "rows":
        yield from ((meaning, cost + FREE) for meaning, cost in _counted_rows(noun))


@_rule(m.RowNoun, m.CountWord)
def _rows_count(noun: m.RowNoun, word: m.CountWord, context: Context) -> Found:
    yield m.Measured(F.COUNT, None, noun.noun if noun.assumed else None), SLIGHT


def _counted_rows(noun: m.RowNoun) -> Found:
    if noun.amount:
        yield m.Measured(F.COUNT, None, noun.noun), SURE
    elif not noun.assumed:
        yield COUNT_ROWS, SURE
    elif singular(noun.noun.casefold()) != noun.noun.casefold():
        yield m.Measured(F.COUNT, None, noun.noun), SURE  # only a plural is something to count


@_rule(m.CountWord, m.Column)
def _number_of(word: m.CountWord, column: m.Column, context: Context) -> Found:
    if context.type_of(column.name) is not ColumnType.BOOLEAN:
        yield _counted(column.name, context), USUAL


@_rule(m.Column, m.CountWord)
def _name_then_count(column: m.Column, word: m.CountWord, context: Context) -> Found:
    yield from _number_of(word, column, context)


@_rule(m.CountWord, m.Condition)
def _count_where(word: m.CountWord, condition: m.Condition, context: Context) -> Found:
    yield m.CountWhere(condition.predicate), SURE


@_rule(m.CountWhere, m.Column)
def _count_of_some(count: m.CountWhere, column: m.Column, context: Context) -> Found:
    if context.type_of(column.name) is not ColumnType.BOOLEAN and about(count.predicate) != column.name:
        yield m.MeasuredWhere(_counted(column.name, context), count.predicate), USUAL


@_rule(m.CountWhere, m.RowNoun)
def _rows_of_some(count: m.CountWhere, noun: m.RowNoun, context: Context) -> Found:
    for meaning, cost in _counted_rows(noun):
        if isinstance(meaning, m.Measured):
            yield m.MeasuredWhere(meaning, count.predicate), cost


@_rule(m.HowMuch, m.Column)
def _how_much(word: m.HowMuch, column: m.Column, context: Context) -> Found:
    if context.is_measure(column.name) and context.adds_up(column.name):
        yield m.Measured(F.SUM, column.name), USUAL


def _counted(name: str, context: Context) -> m.Measured:
    if not context.is_measure(name):
        dated = context.type_of(name) is ColumnType.DATE
        return m.Measured(F.COUNT if dated else F.COUNT_DISTINCT, name)
    return m.Measured(F.SUM if context.adds_up(name) else F.COUNT, name)


def takes(function: F, name: str, context: Context) -> bool:
    """Tell whether a function of a column means something; the figures on a row's number mean nothing."""
    type_ = context.type_of(name)
    if function in (F.COUNT, F.COUNT_DISTINCT):
        return True
    if function in (F.MIN, F.MAX):
        return type_.is_number or type_ is ColumnType.DATE
    if type_ is ColumnType.BOOLEAN:
        return function in (F.SUM, F.MEAN)
    return context.is_measure(name)


# groups -------------------------------------------------------------------------------------------------------------


@_rule(m.GroupWord, m.Column)
def _by_column(word: m.GroupWord, column: m.Column, context: Context) -> Found:
    many = context.column(column.name).distinct > FEW_VALUES
    if word.each and context.is_measure(column.name) and (many or context.adds_up(column.name)):
        return  # "emissions per output" asks for a ratio
    yield m.Grouped((m.GroupKey(column.name),), word.each), _as_key(column.name, context)


@_rule(m.GroupWord, m.BarePeriod)
def _by_bare_period(word: m.GroupWord, period: m.BarePeriod, context: Context) -> Found:
    yield m.Grouped((m.GroupKey(period.column, period.unit),), word.each), SURE


@_rule(m.Grouped, m.BarePeriod, m.And)
def _and_by_bare_period(grouped: m.Grouped, period: m.BarePeriod, context: Context) -> Found:
    yield from _and_by_period(grouped, m.GroupKey(period.column, period.unit), context)


@_rule(m.GroupWord, m.GroupKey)
def _by_period(word: m.GroupWord, key: m.GroupKey, context: Context) -> Found:
    yield m.Grouped((key,), word.each), SURE


@_rule(m.GroupWord, m.Listed)
def _by_different(word: m.GroupWord, listed: m.Listed, context: Context) -> Found:
    yield m.Grouped((m.GroupKey(listed.column),), word.each), SURE


@_rule(m.Unit, m.Column)
def _period_of(unit: m.Unit, column: m.Column, context: Context) -> Found:
    if context.type_of(column.name) is ColumnType.DATE:
        yield m.GroupKey(column.name, unit.unit), SURE


@_rule(m.Column, m.Unit)
def _named_period(column: m.Column, unit: m.Unit, context: Context) -> Found:
    yield from _period_of(unit, column, context)


@_rule(m.Grouped, m.Column, m.And)
def _and_by_column(grouped: m.Grouped, column: m.Column, context: Context) -> Found:
    key = m.GroupKey(column.name)
    if key not in grouped.keys:
        yield m.Grouped((*grouped.keys, key), grouped.each), min(_as_key(column.name, context), USUAL)


@_rule(m.Grouped, m.GroupKey, m.And)
def _and_by_period(grouped: m.Grouped, key: m.GroupKey, context: Context) -> Found:
    if key not in grouped.keys:
        yield m.Grouped((*grouped.keys, key), grouped.each), SURE


@_rule(m.Grouped, m.Grouped)
@_rule(m.Grouped, m.Grouped, m.And)
def _groups(left: m.Grouped, right: m.Grouped, context: Context) -> Found:
    if not set(left.keys) & set(right.keys):
        yield m.Grouped((*left.keys, *right.keys), left.each or right.each), SURE


@_rule(m.Column, m.Grouped)
def _dated_groups(column: m.Column, grouped: m.Grouped, context: Context) -> Found:
    if any(key.unit is not None and key.column == column.name for key in grouped.keys):
        yield grouped, -FREE  # "hired per year" says which date the year is of


@_rule(m.DistinctWord, m.Column)
def _different_values(word: m.DistinctWord, column: m.Column, context: Context) -> Found:
    if not context.is_measure(column.name):
        yield m.Listed(column.name), SURE


def _as_key(name: str, context: Context) -> float:
    """Return what grouping by a column costs: little for labels, more for numbers with many values."""
    if not context.is_measure(name):
        return SURE
    return USUAL if context.column(name).distinct <= FEW_VALUES else MANY_GROUPS


# conditions ---------------------------------------------------------------------------------------------------------


@_rule(m.WhereWord, m.Condition)
def _where(word: m.WhereWord, condition: m.Condition, context: Context) -> Found:
    yield condition, -SLIGHT


@_rule(m.Comparison, m.Number)
def _compared_with_number(comparison: m.Comparison, value: m.Number, context: Context) -> Found:
    yield m.HalfComparison(comparison.op, value.value, number(value.value).type), SURE


@_rule(m.Comparison, m.Quote)
def _compared_with_text(comparison: m.Comparison, quote: m.Quote, context: Context) -> Found:
    if comparison.op in (CompareOp.EQ, CompareOp.NE):
        yield m.HalfComparison(comparison.op, quote.text, ColumnType.TEXT), SURE


@_rule(m.Comparison, m.Condition)
def _is(comparison: m.Comparison, condition: m.Condition, context: Context) -> Found:
    if not (equal_values(condition.predicate) or lists_values(condition.predicate)):
        return
    if comparison.op is CompareOp.EQ:
        yield condition, SURE
    elif comparison.op is CompareOp.NE:
        yield m.Condition(opposite(condition.predicate)), SURE


@_rule(m.Not, m.Condition)
def _not(word: m.Not, condition: m.Condition, context: Context) -> Found:
    if about(condition.predicate) is not None:
        yield m.Condition(opposite(condition.predicate)), SURE


@_rule(m.Not, m.Column)
def _without(word: m.Not, column: m.Column, context: Context) -> Found:
    if context.column(column.name).nulls:
        yield m.Condition(IsMissing(operand=Col(name=column.name))), USUAL


@_rule(m.Number, m.OrMore)
def _or_more(value: m.Number, word: m.OrMore, context: Context) -> Found:
    yield m.HalfComparison(word.op, value.value, number(value.value).type), SURE


@_rule(m.Number, m.Scale)
def _scaled(value: m.Number, scale: m.Scale, context: Context) -> Found:
    yield m.Number(value.value * scale.factor), SURE


@_rule(m.Column, m.HalfComparison)
def _column_compared(column: m.Column, half: m.HalfComparison, context: Context) -> Found:
    predicate = compared(column.name, half, context)
    if predicate is not None:
        yield m.Condition(predicate), SURE
    elif context.type_of(column.name) is ColumnType.DATE and isinstance(half.value, int) and half.value in YEARS:
        span = side_of(half.op, year_span(half.value))
        if span is not None and half.op is not CompareOp.NE:
            yield m.Condition(during(column.name, span)), SURE


@_rule(m.HalfComparison, m.Column)
def _compared_column(half: m.HalfComparison, column: m.Column, context: Context) -> Found:
    yield from _column_compared(column, half, context)


@_rule(m.Condition, m.HalfComparison, m.And)
def _and_compared(condition: m.Condition, half: m.HalfComparison, context: Context) -> Found:
    second = _same_column(condition.predicate, half, context)
    if second is not None:
        yield m.Condition(both(condition.predicate, second)), SURE


@_rule(m.Condition, m.HalfComparison, m.Or)
def _or_compared(condition: m.Condition, half: m.HalfComparison, context: Context) -> Found:
    second = _same_column(condition.predicate, half, context)
    joined = either(condition.predicate, second) if second is not None else None
    if joined is not None:
        yield m.Condition(joined), SURE


def _same_column(predicate: Predicate, half: m.HalfComparison, context: Context) -> Predicate | None:
    name = about(predicate)
    return compared(name, half, context) if name is not None else None


@_rule(m.Column, m.Condition)
def _column_is(column: m.Column, condition: m.Condition, context: Context) -> Found:
    if about(condition.predicate) == column.name:
        yield condition, -CONFIRMED


@_rule(m.Condition, m.Column)
def _value_column(condition: m.Condition, column: m.Column, context: Context) -> Found:
    if about(condition.predicate) == column.name:
        yield condition, -CONFIRMED


@_rule(m.Condition, m.RowNoun)
def _such_rows(condition: m.Condition, noun: m.RowNoun, context: Context) -> Found:
    if not noun.assumed:
        yield condition, SURE


@_rule(m.Condition, m.Unit)
def _such_days(condition: m.Condition, unit: m.Unit, context: Context) -> Found:
    if unit.unit is DateUnit.START_OF_DAY and not unit.adjective and context.dates:
        yield m.OnDays(condition.predicate), SLIGHT


@_rule(m.WhereWord, m.OnDays)
def _on_days(word: m.WhereWord, days: m.OnDays, context: Context) -> Found:
    yield days, -SLIGHT


@_rule(m.Column, m.RowNoun)
def _yes_rows(column: m.Column, noun: m.RowNoun, context: Context) -> Found:
    if not noun.assumed and context.type_of(column.name) is ColumnType.BOOLEAN:
        yield m.Condition(is_true(column.name)), SURE


@_rule(m.Column, m.Truth)
def _column_true(column: m.Column, truth: m.Truth, context: Context) -> Found:
    if context.type_of(column.name) is ColumnType.BOOLEAN:
        yield m.Condition(is_true(column.name, truth.value)), SURE


@_rule(m.Comparison, m.Truth)
def _is_true(comparison: m.Comparison, truth: m.Truth, context: Context) -> Found:
    if comparison.op in (CompareOp.EQ, CompareOp.NE):
        yield m.Truth(truth.value is (comparison.op is CompareOp.EQ)), SURE


@_rule(m.Number, m.Column)
def _number_of_things(value: m.Number, column: m.Column, context: Context) -> Found:
    if _is_plain_number(value, column.name, context) and context.could_be(column.name, value.value):
        yield m.Condition(equals(column.name, value.value)), FREE


@_rule(m.Column, m.Number)
def _named_number(column: m.Column, value: m.Number, context: Context) -> Found:
    if _is_plain_number(value, column.name, context) and context.could_be(column.name, value.value):
        yield m.Condition(equals(column.name, value.value)), FREE


def _is_plain_number(value: m.Number, name: str, context: Context) -> bool:
    """Tell a number from a year: "2023 units" asks for a year where the table has dates."""
    is_year = value.value in YEARS and bool(context.dates or context.years) and name not in context.years
    return context.is_number(name) and not is_year


@_rule(m.Column, m.Quote)
def _named_text(column: m.Column, quote: m.Quote, context: Context) -> Found:
    text = known_text(column.name, quote.text, context)
    if text is not None:
        yield m.Condition(equals(column.name, text)), FREE


@_rule(m.Matching, m.Quote)
def _matching_text(matching: m.Matching, quote: m.Quote, context: Context) -> Found:
    yield m.HalfMatch(matching.mode, quote.text), SURE


@_rule(m.Matching, m.RowNoun)
def _matching_word(matching: m.Matching, noun: m.RowNoun, context: Context) -> Found:
    if noun.assumed:
        yield m.HalfMatch(matching.mode, noun.noun), -LOOSE


@_rule(m.Matching, m.Value)
def _matching_value(matching: m.Matching, value: m.Value, context: Context) -> Found:
    yield m.HalfMatch(matching.mode, value.value), FREE


@_rule(m.Column, m.HalfMatch)
def _column_matches(column: m.Column, half: m.HalfMatch, context: Context) -> Found:
    if context.type_of(column.name) is ColumnType.TEXT:
        literal = Lit(value=half.text, type=ColumnType.TEXT)
        yield m.Condition(TextMatch(mode=half.mode, operand=Col(name=column.name), text=literal)), SURE


@_rule(m.Column, m.MissingWord)
def _is_missing(column: m.Column, word: m.MissingWord, context: Context) -> Found:
    yield m.Condition(IsMissing(operand=Col(name=column.name), negated=word.negated)), SURE


@_rule(m.MissingWord, m.Column)
def _missing_in(word: m.MissingWord, column: m.Column, context: Context) -> Found:
    yield from _is_missing(column, word, context)


@_rule(m.MissingWord, m.WhereWord)
def _missing_where(word: m.MissingWord, where: m.WhereWord, context: Context) -> Found:
    yield word, SLIGHT


@_rule(m.Comparison, m.MissingWord)
def _is_not_missing(comparison: m.Comparison, word: m.MissingWord, context: Context) -> Found:
    if comparison.op in (CompareOp.EQ, CompareOp.NE):
        yield m.MissingWord(word.negated is (comparison.op is CompareOp.EQ)), SURE


@_rule(m.Not, m.MissingWord)
def _not_missing(word: m.Not, missing: m.MissingWord, context: Context) -> Found:
    yield m.MissingWord(not missing.negated), SURE


@_rule(m.Number, m.Number, m.And)
def _two_numbers(low: m.Number, high: m.Number, context: Context) -> Found:
    if low.value <= high.value:
        yield m.Pending(low.value, high.value), SURE


@_rule(m.Between, m.Pending)
def _between(word: m.Between, pair: m.Pending, context: Context) -> Found:
    yield m.Range(pair.low, pair.high), SURE


@_rule(m.Between, m.Range)
def _from_to(word: m.Between, range_: m.Range, context: Context) -> Found:
    yield range_, SURE


@_rule(m.Number, m.Number, m.To)
def _number_to_number(low: m.Number, high: m.Number, context: Context) -> Found:
    if low.value <= high.value:
        yield m.Range(low.value, high.value), SLIGHT


@_rule(m.Number, m.Number, m.Or)
def _number_or_number(first: m.Number, second: m.Number, context: Context) -> Found:
    yield m.Choice((first.value, second.value)), SURE


@_rule(m.Number, m.Choice, m.Or)
@_rule(m.Number, m.Choice, m.And)
def _more_choice(first: m.Number, choice: m.Choice, context: Context) -> Found:
    yield m.Choice((first.value, *choice.values)), SURE


@_rule(m.Comparison, m.Choice)
def _is_one_of(comparison: m.Comparison, choice: m.Choice, context: Context) -> Found:
    if comparison.op is CompareOp.EQ:
        yield choice, SURE


@_rule(m.Column, m.Choice)
def _column_choice(column: m.Column, choice: m.Choice, context: Context) -> Found:
    if all(_is_plain_number(m.Number(value), column.name, context) for value in choice.values):
        yield m.Condition(one_of(column.name, choice.values)), USUAL


@_rule(m.Choice, m.Column)
def _choice_column(choice: m.Choice, column: m.Column, context: Context) -> Found:
    yield from _column_choice(column, choice, context)


@_rule(m.Column, m.Range)
def _column_range(column: m.Column, range_: m.Range, context: Context) -> Found:
    ends = (m.Number(range_.low), m.Number(range_.high))
    plain = any(_is_plain_number(end, column.name, context) or context.could_be(column.name, end.value) for end in ends)
    if context.is_number(column.name) and plain:
        yield m.Condition(in_range(column.name, range_.low, range_.high)), SURE


@_rule(m.Range, m.Column)
def _range_column(range_: m.Range, column: m.Column, context: Context) -> Found:
    yield from ((meaning, cost + USUAL) for meaning, cost in _column_range(column, range_, context))


@_rule(m.WhereWord, m.Range)
def _where_range(word: m.WhereWord, range_: m.Range, context: Context) -> Found:
    yield range_, SLIGHT


@_rule(m.Condition, m.Condition, m.Or)
def _or(left: m.Condition, right: m.Condition, context: Context) -> Found:
    joined = either(left.predicate, right.predicate)
    if joined is None:
        return
    cost = SURE if about(joined) else PIECE_MERGED
    yield m.Condition(joined), cost + (FREE if _splits_a_choice(left.predicate, right.predicate) else SURE)


def _splits_a_choice(left: Predicate, right: Predicate) -> bool:
    """Tell whether two values of one column would be torn apart, as the channels in "north and online or store"."""
    last = left.terms[-1] if isinstance(left, All) else left
    first = right.terms[0] if isinstance(right, All) else right
    return about(left) != about(right) and about(last) is not None and about(last) == about(first)


@_rule(m.Condition, m.Condition, m.And)
def _and(left: m.Condition, right: m.Condition, context: Context) -> Found:
    if about(left.predicate) != about(right.predicate):
        yield m.Condition(both(left.predicate, right.predicate)), PIECE_MERGED
    elif equal_values(left.predicate) and equal_values(right.predicate):
        joined = either(left.predicate, right.predicate)  # "clear and rain" means rows of either
        if joined is not None:
            yield m.Condition(joined), SLIGHT


@_rule(m.Condition, m.Condition)
def _side_by_side(left: m.Condition, right: m.Condition, context: Context) -> Found:
    if about(left.predicate) != about(right.predicate):
        yield m.Condition(both(left.predicate, right.predicate)), PIECE_MERGED


@_rule(m.Condition, m.Condition, m.Versus)
def _contrast(left: m.Condition, right: m.Condition, context: Context) -> Found:
    name, joined = about(left.predicate), either(left.predicate, right.predicate)
    if name is not None and name == about(right.predicate) and joined is not None and equal_values(joined):
        yield m.Contrast(joined, name), SURE


# times --------------------------------------------------------------------------------------------------------------


@_rule(m.WhereWord, m.Number)
def _in_year(word: m.WhereWord, value: m.Number, context: Context) -> Found:
    if isinstance(value.value, int) and value.value in YEARS and (context.dates or context.years):
        yield year_span(value.value), SURE


@_rule(m.WhereWord, m.Span)
def _in_span(word: m.WhereWord, span: m.Span, context: Context) -> Found:
    yield span, SURE


@_rule(m.WhereWord, m.SpanPair)
def _in_spans(word: m.WhereWord, pair: m.SpanPair, context: Context) -> Found:
    yield pair, SURE


@_rule(m.WhereWord, m.PartValue)
def _in_part(word: m.WhereWord, part: m.PartValue, context: Context) -> Found:
    yield part, SURE


@_rule(m.PartValue, m.PartValue, m.And)
@_rule(m.PartValue, m.PartValue, m.Or)
def _part_or_part(first: m.PartValue, second: m.PartValue, context: Context) -> Found:
    if first.unit is second.unit and first != second:
        yield m.PartChoice(first.unit, (first.number, second.number)), SURE


@_rule(m.PartValue, m.PartChoice, m.And)
@_rule(m.PartValue, m.PartChoice, m.Or)
def _more_parts(first: m.PartValue, choice: m.PartChoice, context: Context) -> Found:
    if first.unit is choice.unit and first.number not in choice.numbers:
        yield m.PartChoice(first.unit, (first.number, *choice.numbers)), SURE


@_rule(m.PartValue, m.PartValue, m.To)
def _part_to_part(first: m.PartValue, second: m.PartValue, context: Context) -> Found:
    if first.unit is second.unit and first.number < second.number:
        yield m.PartChoice(first.unit, tuple(range(first.number, second.number + 1))), SURE


@_rule(m.WhereWord, m.PartChoice)
@_rule(m.Between, m.PartChoice)
def _in_parts(word: m.WhereWord | m.Between, choice: m.PartChoice, context: Context) -> Found:
    if isinstance(word, m.WhereWord):
        yield choice, SURE
    elif choice.numbers[-1] > choice.numbers[0]:
        yield m.PartChoice(choice.unit, tuple(range(choice.numbers[0], choice.numbers[-1] + 1))), SURE


@_rule(m.TimeSide, m.Span)
def _side(side: m.TimeSide, span: m.Span, context: Context) -> Found:
    found = side_of(side.op, span)
    if found is not None:
        yield found, -SLIGHT


@_rule(m.TimeSide, m.Number)
def _side_of_year(side: m.TimeSide, value: m.Number, context: Context) -> Found:
    if isinstance(value.value, int) and value.value in YEARS:
        yield from _side(side, year_span(value.value), context)


@_rule(m.Comparison, m.Span)
def _compared_span(comparison: m.Comparison, span: m.Span, context: Context) -> Found:
    found = None if span.guessed or comparison.op is CompareOp.NE else side_of(comparison.op, span)
    if found is not None:
        yield found, SLIGHT


@_rule(m.PartValue, m.Number)
def _month_of_year(part: m.PartValue, value: m.Number, context: Context) -> Found:
    span = month_in(part, value.value)
    if span is not None:
        yield span, -FREE


@_rule(m.Span, m.Span, m.To)
def _span_to_span(first: m.Span, second: m.Span, context: Context) -> Found:
    joined = between_spans(first, second)
    if joined is not None:
        yield joined, SLIGHT


@_rule(m.Span, m.Span, m.And)
def _span_and_span(first: m.Span, second: m.Span, context: Context) -> Found:
    if between_spans(first, second) is not None:
        yield m.SpanPair(first, second), SURE


@_rule(m.Between, m.SpanPair)
def _between_spans(word: m.Between, pair: m.SpanPair, context: Context) -> Found:
    joined = between_spans(pair.first, pair.second)
    if joined is not None:
        yield joined, -LOOSE


@_rule(m.Between, m.Span)
def _from_span(word: m.Between, span: m.Span, context: Context) -> Found:
    if span.start is not None and span.end is not None:
        yield span, USUAL


@_rule(m.Column, m.Span)
@_rule(m.Column, m.Span, m.And)
def _column_during(column: m.Column, span: m.Span, context: Context) -> Found:
    if context.type_of(column.name) is ColumnType.DATE:
        yield m.Condition(during(column.name, span)), SURE
    elif _holds_years(column.name, context):
        years = _in_years(column.name, span)
        if years is not None:
            yield m.Condition(years), SURE


def _holds_years(name: str, context: Context) -> bool:
    column = context.column(name)
    if context.type_of(name) is not ColumnType.INTEGER or column.minimum is None:
        return False
    return bool(column.minimum in YEARS and column.maximum in YEARS)


def _in_years(name: str, span: m.Span) -> Predicate | None:
    """Return a condition on a column of years; None for a span that does not begin and end with a year."""
    if any(edge is not None and not edge.endswith("-01-01") for edge in (span.start, span.end)):
        return None
    low = int(span.start[:4]) if span.start else None
    high = int(span.end[:4]) - 1 if span.end else None
    if low is not None and high is not None:
        return equals(name, low) if low == high else in_range(name, low, high)
    edge, op = (low, CompareOp.GE) if low is not None else (high, CompareOp.LE)
    return Compare(op=op, left=Col(name=name), right=number(edge)) if edge is not None else None


# orders -------------------------------------------------------------------------------------------------------------


@_rule(m.Extreme, m.Number)
def _top_k(extreme: m.Extreme, value: m.Number, context: Context) -> Found:
    if isinstance(value.value, int) and 0 < value.value < MOST_KEPT:
        yield m.Best(value.value, extreme.descending), SURE


@_rule(m.Number, m.Extreme)
def _k_highest(value: m.Number, extreme: m.Extreme, context: Context) -> Found:
    yield from ((meaning, cost + SLIGHT) for meaning, cost in _top_k(extreme, value, context))


@_rule(m.FirstWord, m.Number)
def _first_k(word: m.FirstWord, value: m.Number, context: Context) -> Found:
    if isinstance(value.value, int) and 0 < value.value < MOST_KEPT:
        yield m.First(value.value), SURE


@_rule(m.First, m.RowNoun)
def _first_rows(first: m.First, noun: m.RowNoun, context: Context) -> Found:
    if not noun.assumed:
        yield first, SURE


@_rule(m.Best, m.Column)
def _best_of(best: m.Best, column: m.Column, context: Context) -> Found:
    if best.of is None and not context.is_measure(column.name):
        yield m.Best(best.count, best.descending, column.name), SURE


@_rule(m.Best, m.RowNoun)
def _best_rows(best: m.Best, noun: m.RowNoun, context: Context) -> Found:
    if best.of is None and not noun.assumed:
        yield best, SURE


@_rule(m.Extreme, m.Column)
def _extreme_column(extreme: m.Extreme, column: m.Column, context: Context) -> Found:
    name = column.name
    if extreme.ranks and not context.is_measure(name):
        yield m.Best(None, extreme.descending, name), SURE
    elif context.is_measure(name) and not extreme.ranks:
        yield m.Superlative(column, extreme.descending), USUAL
        yield m.Measured(F.MAX if extreme.descending else F.MIN, name), FREE
    elif not context.is_number(name) and not extreme.ranks and context.type_of(name) is ColumnType.TEXT:
        yield m.Superlative(m.Measured(F.COUNT_DISTINCT, name), extreme.descending), FREE


@_rule(m.Extreme, m.Measured)
def _extreme_measure(extreme: m.Extreme, measured: m.Measured, context: Context) -> Found:
    if not extreme.ranks:
        yield m.Superlative(measured, extreme.descending), SURE


@_rule(m.Extreme, m.RowNoun)
def _most_rows(extreme: m.Extreme, noun: m.RowNoun, context: Context) -> Found:
    if extreme.ranks:
        if not noun.assumed:
            yield m.Best(None, extreme.descending), SURE
        return
    for counted, cost in _counted_rows(noun):
        if isinstance(counted, m.Measured):
            yield m.Superlative(counted, extreme.descending), cost + USUAL


@_rule(m.Extreme, m.Condition)
def _most_such(extreme: m.Extreme, condition: m.Condition, context: Context) -> Found:
    if not extreme.ranks and equal_values(condition.predicate):
        yield m.Superlative(COUNT_ROWS, extreme.descending, condition.predicate), USUAL


@_rule(m.WhereWord, m.Superlative)
def _with_superlative(word: m.WhereWord, superlative: m.Superlative, context: Context) -> Found:
    yield superlative, SURE


@_rule(m.RowNoun, m.Superlative)
def _row_with_most(noun: m.RowNoun, superlative: m.Superlative, context: Context) -> Found:
    if not noun.assumed and isinstance(superlative.by, m.Column):
        yield m.TopRow(superlative.by.name, superlative.descending), -FREE


@_rule(m.MostCommon, m.Column)
def _commonest(word: m.MostCommon, column: m.Column, context: Context) -> Found:
    yield m.Commonest(column.name, word.descending), SURE


@_rule(m.GroupWord, m.Measured)
def _by_measure(word: m.GroupWord, measured: m.Measured, context: Context) -> Found:
    if not word.each:
        yield m.Ordered(measured, None, hinted=True), USUAL


@_rule(m.GroupWord, m.RowNoun)
def _by_rows(word: m.GroupWord, noun: m.RowNoun, context: Context) -> Found:
    if not word.each and not noun.assumed:
        yield m.Ordered(COUNT_ROWS, None, hinted=True), FREE


@_rule(m.GroupWord, m.Superlative)
def _by_superlative(word: m.GroupWord, superlative: m.Superlative, context: Context) -> Found:
    if not word.each and superlative.where is None:
        yield m.Ordered(superlative.by, superlative.descending, hinted=True), USUAL


@_rule(m.GroupWord, m.Column)
def _by_number(word: m.GroupWord, column: m.Column, context: Context) -> Found:
    if context.is_number(column.name) and not word.each:
        yield m.Ordered(column, None, hinted=True), FREE


@_rule(m.SortWord, m.Measured)
def _sorted_by_measure(word: m.SortWord, measured: m.Measured, context: Context) -> Found:
    yield m.Ordered(measured, None), SURE


@_rule(m.SortWord, m.Column)
def _sorted_by_column(word: m.SortWord, column: m.Column, context: Context) -> Found:
    yield m.Ordered(column, None), SURE


@_rule(m.SortWord, m.Ordered)
def _sorted_by(word: m.SortWord, ordered: m.Ordered, context: Context) -> Found:
    yield m.Ordered(ordered.by, ordered.descending), SURE


@_rule(m.SortWord, m.Superlative)
def _sorted_by_most(word: m.SortWord, superlative: m.Superlative, context: Context) -> Found:
    if superlative.where is None:
        yield m.Ordered(superlative.by, superlative.descending), SURE


@_rule(m.Ordered, m.Direction)
def _ordered_down(ordered: m.Ordered, direction: m.Direction, context: Context) -> Found:
    if ordered.descending is None:
        yield replace(ordered, descending=direction.descending), SURE


@_rule(m.Ordered, m.Column, m.Then)
@_rule(m.Ordered, m.Column, m.And)
def _then_by(ordered: m.Ordered, column: m.Column, context: Context) -> Found:
    if isinstance(ordered.by, m.Column) and not ordered.hinted and column != ordered.by:
        yield replace(ordered, then=(*ordered.then, column.name)), -FREE


@_rule(m.Measured, m.HalfComparison)
def _groups_having(measured: m.Measured, half: m.HalfComparison, context: Context) -> Found:
    if not isinstance(half.value, str):
        yield m.Having(measured, half.op, half.value), SURE


@_rule(m.HalfComparison, m.RowNoun)
def _having_rows(half: m.HalfComparison, noun: m.RowNoun, context: Context) -> Found:
    if not noun.assumed and not isinstance(half.value, str):
        yield m.Having(COUNT_ROWS, half.op, half.value), SURE


@_rule(m.WhereWord, m.Having)
def _where_having(word: m.WhereWord, having: m.Having, context: Context) -> Found:
    yield having, -SLIGHT


# charts and tables --------------------------------------------------------------------------------------------------


@_rule(m.Column, m.Column, m.Versus)
def _against(up: m.Column, across: m.Column, context: Context) -> Found:
    if context.is_number(up.name) and context.is_number(across.name) and up != across:
        yield m.Pair(up.name, across.name), SURE


@_rule(m.Column, m.Column, m.And)
def _two_columns(first: m.Column, second: m.Column, context: Context) -> Found:
    if first != second:
        yield m.ColumnList((first.name, second.name)), SURE


@_rule(m.ColumnList, m.Column, m.And)
def _more_listed(listed: m.ColumnList, column: m.Column, context: Context) -> Found:
    if column.name not in listed.names:
        yield m.ColumnList((*listed.names, column.name)), SURE


@_rule(m.WhereWord, m.ChartWord)
def _in_a_chart(word: m.WhereWord, chart: m.ChartWord, context: Context) -> Found:
    yield chart, SURE


@_rule(m.WhereWord, m.RowNoun)
def _in_rows(word: m.WhereWord, noun: m.RowNoun, context: Context) -> Found:
    if not noun.assumed:
        yield noun, SLIGHT


@_rule(m.WhereWord, m.TableNoun)
def _in_table(word: m.WhereWord, noun: m.TableNoun, context: Context) -> Found:
    yield noun, SLIGHT


@_rule(m.RowNoun, m.TableNoun)
def _table_of_rows(noun: m.RowNoun, table: m.TableNoun, context: Context) -> Found:
    if noun.assumed:
        yield m.NamedTable(noun.noun), -LOOSE  # "traffic accident dataset": what precedes the noun describes it
    else:
        yield noun, SURE


@_rule(m.RowNoun, m.NamedTable)
def _table_of(noun: m.RowNoun, table: m.NamedTable, context: Context) -> Found:
    yield m.NamedTable(f"{noun.noun} {table.words}"), -LOOSE if noun.assumed else SURE


@_rule(m.WhereWord, m.NamedTable)
def _in_named_table(word: m.WhereWord, table: m.NamedTable, context: Context) -> Found:
    yield table, SURE


@_rule(m.Column, m.ColumnNoun)
def _column_named(column: m.Column, noun: m.ColumnNoun, context: Context) -> Found:
    yield column, SURE


@_rule(m.ColumnNoun, m.Column)
def _named_column(noun: m.ColumnNoun, column: m.Column, context: Context) -> Found:
    yield column, SURE
