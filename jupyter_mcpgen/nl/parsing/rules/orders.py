"""Phrases for order and extremes: "top 10 states", "the highest average price", "sorted by price"."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.parsing.grammar import (
    COUNT_ROWS,
    FREE,
    MOST_KEPT,
    SLIGHT,
    SURE,
    USUAL,
    Found,
    rule,
)
from jupyter_mcpgen.nl.parsing.rules.numbers import counted_rows, happens_in_some
from jupyter_mcpgen.nl.predicates import (
    equal_values,
)
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.schema import ColumnType


@rule(m.Extreme, m.Number)
def _top_k(extreme: m.Extreme, value: m.Number, context: Context) -> Found:
    if isinstance(value.value, int) and 0 < value.value < MOST_KEPT:
        yield m.Best(value.value, extreme.descending), SURE


@rule(m.Number, m.Extreme)
def _k_highest(value: m.Number, extreme: m.Extreme, context: Context) -> Found:
    yield from ((meaning, cost + SLIGHT) for meaning, cost in _top_k(extreme, value, context))


@rule(m.FirstWord, m.Number)
def _first_k(word: m.FirstWord, value: m.Number, context: Context) -> Found:
    if isinstance(value.value, int) and 0 < value.value < MOST_KEPT:
        yield m.First(value.value), SURE


@rule(m.First, m.RowNoun)
def _first_rows(first: m.First, noun: m.RowNoun, context: Context) -> Found:
    if not noun.assumed:
        yield first, SURE


@rule(m.Best, m.Column)
def _best_of(best: m.Best, column: m.Column, context: Context) -> Found:
    if best.of is None and not context.is_measure(column.name):
        yield m.Best(best.count, best.descending, column.name), SURE


@rule(m.Best, m.RowNoun)
def _best_rows(best: m.Best, noun: m.RowNoun, context: Context) -> Found:
    if best.of is None and not noun.assumed:
        yield replace(best, rows=True), SURE


@rule(m.Extreme, m.Column)
def _extreme_column(extreme: m.Extreme, column: m.Column, context: Context) -> Found:
    name = column.name
    if extreme.ranks and not context.is_measure(name):
        yield m.Best(None, extreme.descending, name), SURE
    elif (context.is_measure(name) and not extreme.ranks) or (
        context.column(name).kind is Kind.YEAR and not extreme.ranks and not extreme.counts
    ):
        yield m.Superlative(column, extreme.descending), USUAL
        yield m.Measured(F.MAX if extreme.descending else F.MIN, name), FREE
    elif context.column(name).order and not extreme.ranks and not extreme.counts:
        yield m.Measured(F.MAX if extreme.descending else F.MIN, name), FREE
    elif not context.is_number(name) and extreme.counts and context.type_of(name) is ColumnType.TEXT:
        yield m.Superlative(m.Measured(F.COUNT_DISTINCT, name), extreme.descending), FREE
        if happens_in_some(name, context):
            yield m.Superlative(m.Measured(F.COUNT, name), extreme.descending), FREE


@rule(m.Extreme, m.Measured)
def _extreme_measure(extreme: m.Extreme, measured: m.Measured, context: Context) -> Found:
    if not extreme.ranks:
        yield m.Superlative(measured, extreme.descending), SURE


@rule(m.Extreme, m.RowNoun)
def _most_rows(extreme: m.Extreme, noun: m.RowNoun, context: Context) -> Found:
    if extreme.ranks:
        if not noun.assumed:
            yield m.Best(None, extreme.descending), SURE
        return
    for counted, cost in counted_rows(noun, context) if extreme.counts else ():
        if isinstance(counted, m.Measured):
            yield m.Superlative(counted, extreme.descending), cost + USUAL


@rule(m.Extreme, m.Condition)
def _most_such(extreme: m.Extreme, condition: m.Condition, context: Context) -> Found:
    if extreme.counts and equal_values(condition.predicate):
        yield m.Superlative(COUNT_ROWS, extreme.descending, condition.predicate), USUAL


@rule(m.Number, m.Column)
def _so_many_labels(value: m.Number, column: m.Column, context: Context) -> Found:
    if isinstance(value.value, int) and 1 < value.value < MOST_KEPT and context.type_of(column.name) is ColumnType.TEXT:
        yield m.SomeOf(value.value, None if context.names_rows(column.name) else column.name), SURE


@rule(m.Number, m.RowNoun)
def _so_many_rows(value: m.Number, noun: m.RowNoun, context: Context) -> Found:
    if isinstance(value.value, int) and 1 < value.value < MOST_KEPT and not noun.assumed:
        yield m.SomeOf(value.value, None), SURE


@rule(m.SomeOf, m.Superlative)
def _some_with_most(some: m.SomeOf, superlative: m.Superlative, context: Context) -> Found:
    if superlative.where is None and (some.of is not None or isinstance(superlative.by, m.Column)):
        best = m.Best(some.count, superlative.descending, some.of, rows=some.of is None)
        yield m.BestBy(best, m.Ordered(superlative.by, superlative.descending)), SURE


@rule(m.WhereWord, m.Superlative)
def _with_superlative(word: m.WhereWord, superlative: m.Superlative, context: Context) -> Found:
    yield superlative, SURE


@rule(m.RowNoun, m.Superlative)
def _row_with_most(noun: m.RowNoun, superlative: m.Superlative, context: Context) -> Found:
    if not noun.assumed and isinstance(superlative.by, m.Column):
        yield m.TopRow(superlative.by.name, superlative.descending), -FREE


@rule(m.MostCommon, m.Column)
def _commonest(word: m.MostCommon, column: m.Column, context: Context) -> Found:
    if not (word.of_labels and context.is_measure(column.name)):
        yield m.Commonest(column.name, word.descending), SURE


@rule(m.GroupWord, m.Measured)
def _by_measure(word: m.GroupWord, measured: m.Measured, context: Context) -> Found:
    if not word.each:
        yield m.Ordered(measured, None, hinted=True), USUAL


@rule(m.GroupWord, m.RowNoun)
def _by_rows(word: m.GroupWord, noun: m.RowNoun, context: Context) -> Found:
    if not word.each and not noun.assumed:
        counted = next((one for one, _ in counted_rows(noun, context) if isinstance(one, m.Measured)), COUNT_ROWS)
        yield m.Ordered(counted, None, hinted=True), FREE


@rule(m.GroupWord, m.Superlative)
def _by_superlative(word: m.GroupWord, superlative: m.Superlative, context: Context) -> Found:
    if not word.each and superlative.where is None:
        yield m.Ordered(superlative.by, superlative.descending, hinted=True), USUAL


@rule(m.GroupWord, m.Column)
def _by_number(word: m.GroupWord, column: m.Column, context: Context) -> Found:
    if context.is_number(column.name) and not word.each:
        yield m.Ordered(column, None, hinted=True), FREE


@rule(m.SortWord, m.Measured)
def _sorted_by_measure(word: m.SortWord, measured: m.Measured, context: Context) -> Found:
    yield m.Ordered(measured, None), SURE


@rule(m.SortWord, m.Column)
def _sorted_by_column(word: m.SortWord, column: m.Column, context: Context) -> Found:
    yield m.Ordered(column, None), SURE


@rule(m.SortWord, m.Ordered)
def _sorted_by(word: m.SortWord, ordered: m.Ordered, context: Context) -> Found:
    yield m.Ordered(ordered.by, ordered.descending), SURE


@rule(m.SortWord, m.Direction)
def _sorted_down(word: m.SortWord, direction: m.Direction, context: Context) -> Found:
    yield direction, SURE


@rule(m.SortWord, m.Superlative)
def _sorted_by_most(word: m.SortWord, superlative: m.Superlative, context: Context) -> Found:
    if superlative.where is None:
        yield m.Ordered(superlative.by, superlative.descending), SURE


@rule(m.Ordered, m.Direction)
def _ordered_down(ordered: m.Ordered, direction: m.Direction, context: Context) -> Found:
    if ordered.descending is None:
        yield replace(ordered, descending=direction.descending), SURE


@rule(m.Ordered, m.Column, m.Then)
@rule(m.Ordered, m.Column, m.And)
def _then_by(ordered: m.Ordered, column: m.Column, context: Context) -> Found:
    if isinstance(ordered.by, m.Column) and not ordered.hinted and column != ordered.by:
        yield replace(ordered, then=(*ordered.then, column.name)), -FREE
