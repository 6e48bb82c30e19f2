"""Phrases for which groups count: "an average above 90", "more than 5 orders", "at least 3 different teams"."""

from __future__ import annotations

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
    rule,
)
from jupyter_mcpgen.nl.parsing.rules.numbers import takes
from jupyter_mcpgen.plan.expressions import CompareOp
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.schema import ColumnType

_UPWARDS = (CompareOp.GT, CompareOp.GE)


@rule(m.Measured, m.HalfComparison)
def _groups_having(measured: m.Measured, half: m.HalfComparison, context: Context) -> Found:
    if not isinstance(half.value, str) and half.of is None:
        yield m.Having(measured, half.op, half.value), LOOSE if measured.implied else SURE


@rule(m.HalfComparison, m.RowNoun)
def _having_rows(half: m.HalfComparison, noun: m.RowNoun, context: Context) -> Found:
    if not noun.assumed and not isinstance(half.value, str) and half.of is None:
        yield m.Having(COUNT_ROWS, half.op, half.value), SURE


@rule(m.HalfComparison, m.Column)
def _having_so_many(half: m.HalfComparison, column: m.Column, context: Context) -> Found:
    """Count what a number stands before: no label is more than 5, so "more than 5 teams" is about how many."""
    if isinstance(half.value, str) or half.of is not None:
        return
    if names_things(column.name, context):
        counted = _counted(column.name, context)
        yield m.Having(counted, half.op, half.value), SURE
        if counted != COUNT_ROWS and context.is_called_as_rows(column.name):
            yield m.Having(COUNT_ROWS, half.op, half.value), SURE
    elif context.is_measure(column.name) and (context.adds_up(column.name) or context.counts_things(column.name)):
        cost = SLIGHT if is_beyond(column.name, half, context) else FREE
        yield m.Having(m.Measured(F.SUM, column.name), half.op, half.value), cost


@rule(m.Column, m.HalfComparison)
def _having_in_all(column: m.Column, half: m.HalfComparison, context: Context) -> Found:
    """Take "players with goals above 20" for their totals, where no row has so many."""
    adds_up = context.is_measure(column.name) and (context.adds_up(column.name) or context.counts_things(column.name))
    if adds_up and not isinstance(half.value, str) and half.of is None and is_beyond(column.name, half, context):
        yield m.Having(m.Measured(F.SUM, column.name), half.op, half.value), SLIGHT


@rule(m.HalfComparison, m.Listed)
def _having_different(half: m.HalfComparison, listed: m.Listed, context: Context) -> Found:
    if not isinstance(half.value, str) and half.of is None:
        yield m.Having(m.Measured(F.COUNT_DISTINCT, listed.column), half.op, half.value), SURE


@rule(m.HalfComparison, m.Condition)
def _having_such(half: m.HalfComparison, condition: m.Condition, context: Context) -> Found:
    """Count the rows of a value: "at least 3 Pretzel orders"; groups without any are no longer there to be counted."""
    if not isinstance(half.value, str) and half.of is None and half.op in _UPWARDS:
        yield m.HavingSuch(m.Having(COUNT_ROWS, half.op, half.value), condition.predicate), USUAL


@rule(m.HalfComparison, m.ColumnWhere)
def _having_some_things(half: m.HalfComparison, some: m.ColumnWhere, context: Context) -> Found:
    if not isinstance(half.value, str) and half.of is None and half.op in _UPWARDS:
        yield m.HavingSuch(m.Having(_counted(some.name, context), half.op, half.value), some.predicate), SURE


@rule(m.HavingSuch, m.Column)
def _having_such_things(such: m.HavingSuch, column: m.Column, context: Context) -> Found:
    if names_things(column.name, context):
        counted = _counted(column.name, context)
        yield m.HavingSuch(m.Having(counted, such.having.op, such.having.value), such.predicate), -USUAL


@rule(m.Having, m.Column)
def _having_in_its_unit(having: m.Having, column: m.Column, context: Context) -> Found:
    if having.measured.column == column.name:
        yield having, -LOOSE  # the "kg" of "an average weight over 20 kg"


@rule(m.Function, m.Having)
def _having_a_total_of(function: m.Function, having: m.Having, context: Context) -> Found:
    name = having.measured.column
    if having.measured.function is F.SUM and name is not None and takes(function.function, name, context):
        yield m.Having(m.Measured(function.function, name), having.op, having.value), -USUAL


@rule(m.Lacking, m.Describing)
def _never_did(word: m.Lacking, done: m.Describing, context: Context) -> Found:
    yield word, SLIGHT


@rule(m.Lacking, m.Condition)
def _lacking_such(word: m.Lacking, condition: m.Condition, context: Context) -> Found:
    yield m.Lacks(condition.predicate), -FREE


@rule(m.WhereWord, m.Having)
def _where_having(word: m.WhereWord, having: m.Having, context: Context) -> Found:
    yield having, -SLIGHT


@rule(m.WhereWord, m.HavingSuch)
def _where_having_such(word: m.WhereWord, such: m.HavingSuch, context: Context) -> Found:
    yield such, -SLIGHT


def _counted(name: str, context: Context) -> m.Measured:
    return COUNT_ROWS if context.is_key(name) else m.Measured(F.COUNT_DISTINCT, name, implied=True)


def names_things(name: str, context: Context) -> bool:
    """Tell whether a column's values name things that can be counted, and are no numbers to compare."""
    return context.type_of(name) is ColumnType.TEXT or context.is_code(name)


def is_beyond(name: str, half: m.HalfComparison, context: Context) -> bool:
    """Tell whether all values of a number column are known to lie on one side of a number."""
    low, high = context.column(name).minimum, context.column(name).maximum
    if isinstance(half.value, str) or low is None or high is None:
        return False
    return not low <= half.value <= high
