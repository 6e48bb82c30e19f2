"""Phrases for which rows count: "severity > 3", "not clear", "between 3 and 5", "starting with A"."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.parsing.grammar import CONFIRMED, FREE, LOOSE, SLIGHT, SURE, USUAL, Found, promotion, rule
from jupyter_mcpgen.nl.parsing.rules.having import is_beyond
from jupyter_mcpgen.nl.predicates import (
    YEARS,
    about,
    compared,
    during,
    equal_values,
    equals,
    holds_years,
    in_range,
    is_true,
    known_text,
    lists_values,
    number,
    one_of,
    opposite,
    says_no,
)
from jupyter_mcpgen.nl.spans import side_of, year_span
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp, DateUnit, IsMissing, Lit, TextMatch
from jupyter_mcpgen.plan.schema import ColumnType


@rule(m.WhereWord, m.Condition)
def _where(word: m.WhereWord, condition: m.Condition, context: Context) -> Found:
    yield _led(condition), -SLIGHT


def _led(condition: m.Condition) -> m.Condition:
    """Return a condition with a word before it that leads to it; a denied one is led to behind the negation only."""
    return condition if condition.denied is not None else replace(condition, led=True)


@rule(m.WhereWord, m.NotedCondition)
def _where_said(word: m.WhereWord, condition: m.NotedCondition, context: Context) -> Found:
    yield condition, -SLIGHT


@rule(m.Ordinal, m.Column)
def _numbered(place: m.Ordinal, column: m.Column, context: Context) -> Found:
    known = context.column(column.name)
    if context.type_of(column.name) is ColumnType.INTEGER and known.complete and place.number in known.values:
        yield m.Condition(equals(column.name, place.number)), SURE  # "second class" of a column with the classes 1 to 3


@rule(m.Comparison, m.Number)
def _compared_with_number(comparison: m.Comparison, value: m.Number, context: Context) -> Found:
    yield m.HalfComparison(comparison.op, value.value, number(value.value).type, comparison.of), SURE


@promotion(m.HalfComparison)
def _of_its_own(half: m.HalfComparison, context: Context) -> Found:
    fitting = [name for name, words in context.column_words.items() if half.of in words and context.is_measure(name)]
    predicate = compared(fitting[0], half, context) if len(fitting) == 1 else None
    if predicate is not None:
        yield m.Condition(predicate), SURE  # "younger than 30" can only be about `age`


@rule(m.Comparison, m.Quote)
def _compared_with_text(comparison: m.Comparison, quote: m.Quote, context: Context) -> Found:
    if comparison.op in (CompareOp.EQ, CompareOp.NE):
        yield m.HalfComparison(comparison.op, quote.text, ColumnType.TEXT), SURE


@rule(m.Comparison, m.Condition)
def _is(comparison: m.Comparison, condition: m.Condition, context: Context) -> Found:
    if not (equal_values(condition.predicate) or lists_values(condition.predicate)):
        return
    if comparison.op is CompareOp.EQ:
        yield _led(condition), SURE
    elif comparison.op is CompareOp.NE:
        yield m.Condition(opposite(condition.predicate), _denied(comparison), condition.led), SURE


@rule(m.Not, m.Condition)
def _not(word: m.Not, condition: m.Condition, context: Context) -> Found:
    if about(condition.predicate) is not None:
        yield m.Condition(opposite(condition.predicate), _denied(word), condition.led), SURE


def _denied(word: m.Not | m.Comparison) -> m.Denied:
    return m.Denied.LEFT_OUT if word.wide else m.Denied.NOT


@rule(m.Not, m.NotedCondition)
def _not_said(word: m.Not, condition: m.NotedCondition, context: Context) -> Found:
    """Read "not delayed" as the other side of what "delayed" is taken to mean."""
    yield m.NotedCondition(opposite(condition.predicate), condition.note), -FREE


@rule(m.Not, m.Column)
def _without(word: m.Not, column: m.Column, context: Context) -> Found:
    """Read "without a refund" as the rows that have none; where some have a refund of 0, either may be meant."""
    known = context.column(column.name)
    if known.nulls and not says_no(column.name, context):
        denied = _denied(word)
        yield m.Condition(IsMissing(operand=Col(name=column.name)), denied), USUAL
        if context.is_measure(column.name) and known.minimum == 0:
            yield m.Condition(Compare(op=CompareOp.EQ, left=Col(name=column.name), right=number(0)), denied), USUAL
    elif context.is_measure(column.name) and known.minimum is not None and known.minimum > 0:
        yield m.Condition(IsMissing(operand=Col(name=column.name)), _denied(word)), USUAL  # no row is without one


@rule(m.Number, m.OrMore)
def _or_more(value: m.Number, word: m.OrMore, context: Context) -> Found:
    yield m.HalfComparison(word.op, value.value, number(value.value).type), SURE


@rule(m.Number, m.Scale)
def _scaled(value: m.Number, scale: m.Scale, context: Context) -> Found:
    yield m.Number(value.value * scale.factor), SURE


@rule(m.Column, m.HalfComparison)
def _column_compared(column: m.Column, half: m.HalfComparison, context: Context) -> Found:
    predicate = compared(column.name, half, context)
    if predicate is not None:
        yield m.Condition(predicate), SURE
    elif context.type_of(column.name) is ColumnType.DATE and isinstance(half.value, int) and half.value in YEARS:
        span = side_of(half.in_time, year_span(half.value))
        if span is not None and half.op is not CompareOp.NE:
            yield m.Condition(during(column.name, span)), SURE


@rule(m.HalfComparison, m.Column)
def _compared_column(half: m.HalfComparison, column: m.Column, context: Context) -> Found:
    if context.is_code(column.name):
        return  # "more than 5 orders" counts them, whatever numbers they have
    for condition, cost in _column_compared(column, half, context):
        yield condition, cost + (FREE if is_beyond(column.name, half, context) else SURE)


@rule(m.Column, m.Condition)
def _column_is(column: m.Column, condition: m.Condition, context: Context) -> Found:
    if about(condition.predicate) == column.name:
        yield replace(condition, named=True), -CONFIRMED


@rule(m.Condition, m.Column)
def _value_column(condition: m.Condition, column: m.Column, context: Context) -> Found:
    if about(condition.predicate) == column.name:
        yield condition, -CONFIRMED


@rule(m.Condition, m.InColumn)
def _value_in_column(condition: m.Condition, column: m.InColumn, context: Context) -> Found:
    if about(condition.predicate) == column.name:  # "neutral in the workload" of several columns with one scale
        yield condition, -CONFIRMED


@rule(m.Condition, m.RowNoun)
def _such_rows(condition: m.Condition, noun: m.RowNoun, context: Context) -> Found:
    if not noun.assumed:
        yield condition, -FREE


@rule(m.Condition, m.Unit)
def _such_days(condition: m.Condition, unit: m.Unit, context: Context) -> Found:
    if unit.unit is DateUnit.START_OF_DAY and not unit.adjective and context.dates:
        yield m.OnDays(condition.predicate), SLIGHT


@rule(m.WhereWord, m.OnDays)
def _on_days(word: m.WhereWord, days: m.OnDays, context: Context) -> Found:
    yield days, -SLIGHT


@rule(m.Column, m.RowNoun)
def _yes_rows(column: m.Column, noun: m.RowNoun, context: Context) -> Found:
    if not noun.assumed and context.type_of(column.name) is ColumnType.BOOLEAN:
        yield m.Condition(is_true(column.name)), SURE


@rule(m.Column, m.Column)
def _yes_things(flag: m.Column, things: m.Column, context: Context) -> Found:
    label = context.type_of(things.name) is ColumnType.TEXT or context.is_code(things.name)
    if context.type_of(flag.name) is ColumnType.BOOLEAN and label:
        yield m.ColumnWhere(things.name, is_true(flag.name)), -FREE  # "discontinued items"


@rule(m.Column, m.Truth)
def _column_true(column: m.Column, truth: m.Truth, context: Context) -> Found:
    if context.type_of(column.name) is ColumnType.BOOLEAN:
        yield m.Condition(is_true(column.name, truth.value)), SURE


@rule(m.Comparison, m.Truth)
def _is_true(comparison: m.Comparison, truth: m.Truth, context: Context) -> Found:
    if comparison.op in (CompareOp.EQ, CompareOp.NE):
        yield m.Truth(truth.value is (comparison.op is CompareOp.EQ)), SURE


@rule(m.Number, m.Column)
def _number_of_things(value: m.Number, column: m.Column, context: Context) -> Found:
    if _is_plain_number(value, column.name, context) and context.could_be(column.name, value.value):
        yield m.Condition(equals(column.name, value.value)), FREE


@rule(m.Column, m.Number)
def _named_number(column: m.Column, value: m.Number, context: Context) -> Found:
    if _is_plain_number(value, column.name, context) and context.could_be(column.name, value.value):
        yield m.Condition(equals(column.name, value.value)), FREE


def _is_plain_number(value: m.Number, name: str, context: Context) -> bool:
    """Tell a number from a year: "2023 units" asks for a year where the table has dates."""
    is_year = value.value in YEARS and bool(context.dates or context.years) and name not in context.years
    return context.is_number(name) and not is_year


@rule(m.Column, m.Quote)
def _named_text(column: m.Column, quote: m.Quote, context: Context) -> Found:
    text = known_text(column.name, quote.text, context)
    if text is not None:
        yield m.Condition(equals(column.name, text)), FREE


@rule(m.Matching, m.Quote)
def _matching_text(matching: m.Matching, quote: m.Quote, context: Context) -> Found:
    yield m.HalfMatch(matching.mode, quote.text), SURE


@rule(m.Matching, m.RowNoun)
def _matching_word(matching: m.Matching, noun: m.RowNoun, context: Context) -> Found:
    named = any(context.plain(noun.noun) in words for words in context.column_words.values())
    if noun.assumed and not named:  # "ending with a margin of 2" is no text that ends with "margin"
        yield m.HalfMatch(matching.mode, noun.noun), -LOOSE


@rule(m.Matching, m.Value)
def _matching_value(matching: m.Matching, value: m.Value, context: Context) -> Found:
    yield m.HalfMatch(matching.mode, value.value), FREE


@rule(m.Column, m.HalfMatch)
def _column_matches(column: m.Column, half: m.HalfMatch, context: Context) -> Found:
    if context.type_of(column.name) is ColumnType.TEXT:
        literal = Lit(value=half.text, type=ColumnType.TEXT)
        yield m.Condition(TextMatch(mode=half.mode, operand=Col(name=column.name), text=literal)), SURE


@rule(m.Column, m.MissingWord)
def _is_missing(column: m.Column, word: m.MissingWord, context: Context) -> Found:
    yield m.Condition(IsMissing(operand=Col(name=column.name), negated=word.negated)), SURE


@rule(m.MissingWord, m.Column)
def _missing_in(word: m.MissingWord, column: m.Column, context: Context) -> Found:
    yield from _is_missing(column, word, context)


@rule(m.MissingWord, m.WhereWord)
def _missing_where(word: m.MissingWord, where: m.WhereWord, context: Context) -> Found:
    yield word, SLIGHT


@rule(m.Comparison, m.MissingWord)
def _is_not_missing(comparison: m.Comparison, word: m.MissingWord, context: Context) -> Found:
    if comparison.op in (CompareOp.EQ, CompareOp.NE):
        yield m.MissingWord(word.negated is (comparison.op is CompareOp.EQ)), SURE


@rule(m.Not, m.MissingWord)
def _not_missing(word: m.Not, missing: m.MissingWord, context: Context) -> Found:
    yield m.MissingWord(not missing.negated), SURE


@rule(m.Number, m.Number, m.And)
def _two_numbers(low: m.Number, high: m.Number, context: Context) -> Found:
    if low.value <= high.value:
        yield m.Pending(low.value, high.value), SURE


@rule(m.Between, m.Pending)
def _between(word: m.Between, pair: m.Pending, context: Context) -> Found:
    yield m.Range(pair.low, pair.high), SURE


@rule(m.Between, m.Range)
def _from_to(word: m.Between, range_: m.Range, context: Context) -> Found:
    yield range_, SURE


@rule(m.Number, m.Number, m.To)
def _number_to_number(low: m.Number, high: m.Number, context: Context) -> Found:
    if low.value <= high.value:
        yield m.Range(low.value, high.value), SLIGHT


@rule(m.Number, m.Number, m.Or)
def _number_or_number(first: m.Number, second: m.Number, context: Context) -> Found:
    yield m.Choice((first.value, second.value)), SURE


@rule(m.Number, m.Choice, m.Or)
@rule(m.Number, m.Choice, m.And)
def _more_choice(first: m.Number, choice: m.Choice, context: Context) -> Found:
    yield m.Choice((first.value, *choice.values)), SURE


@rule(m.Comparison, m.Choice)
def _is_one_of(comparison: m.Comparison, choice: m.Choice, context: Context) -> Found:
    if comparison.op is CompareOp.EQ:
        yield choice, SURE


@rule(m.Column, m.Choice)
def _column_choice(column: m.Column, choice: m.Choice, context: Context) -> Found:
    if all(_is_plain_number(m.Number(value), column.name, context) for value in choice.values):
        yield m.Condition(one_of(column.name, choice.values)), USUAL


@rule(m.Choice, m.Column)
def _choice_column(choice: m.Choice, column: m.Column, context: Context) -> Found:
    yield from _column_choice(column, choice, context)


def _are_dated(range_: m.Range, context: Context) -> bool:
    """Tell whether both ends of a range are years that lie within the dates of a table."""
    if not all(isinstance(end, int) and end in YEARS for end in (range_.low, range_.high)):
        return False
    spans = ((context.column(name).minimum, context.column(name).maximum) for name in context.dates)
    years = [(int(str(first)[:4]), int(str(last)[:4])) for first, last in spans if first is not None]
    return any(first <= range_.low and range_.high <= last for first, last in years)


@rule(m.Column, m.Range)
def _column_range(column: m.Column, range_: m.Range, context: Context) -> Found:
    ends = (m.Number(range_.low), m.Number(range_.high))
    if column.name not in context.years and not holds_years(column.name, context) and _are_dated(range_, context):
        return  # "sales from 2022 to 2023" is of the sales of these years
    plain = any(_is_plain_number(end, column.name, context) or context.could_be(column.name, end.value) for end in ends)
    if context.is_number(column.name) and plain:
        yield m.Condition(in_range(column.name, range_.low, range_.high)), SURE


@rule(m.Range, m.Column)
def _range_column(range_: m.Range, column: m.Column, context: Context) -> Found:
    yield from ((meaning, cost + USUAL) for meaning, cost in _column_range(column, range_, context))


@rule(m.WhereWord, m.Range)
def _where_range(word: m.WhereWord, range_: m.Range, context: Context) -> Found:
    yield range_, SLIGHT
