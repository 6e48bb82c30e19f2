"""Phrases that set a row's values against each other: "revenue below cost", "shipped after the due date"."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.parsing.grammar import FREE, SURE, USUAL, Found, rule
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp
from jupyter_mcpgen.plan.schema import ColumnType

_EQUALITIES = (CompareOp.EQ, CompareOp.NE)


@rule(m.Comparison, m.Column)
def _than_a_column(comparison: m.Comparison, column: m.Column, context: Context) -> Found:
    if comparison.of is None and not comparison.with_constants:
        yield m.HalfOfTwo(comparison.op, column.name), SURE


@rule(m.TimeSide, m.Column)
def _side_of_a_date(side: m.TimeSide, column: m.Column, context: Context) -> Found:
    if context.type_of(column.name) is ColumnType.DATE:
        yield m.HalfOfTwo(side.op, column.name), SURE


@rule(m.Comparison, m.HalfOfTwo)
def _is_above(comparison: m.Comparison, half: m.HalfOfTwo, context: Context) -> Found:
    if comparison.op is CompareOp.EQ and comparison.of is None:
        yield half, SURE  # "is above", "was after"


@rule(m.Column, m.HalfOfTwo)
def _column_above_column(column: m.Column, half: m.HalfOfTwo, context: Context) -> Found:
    if column.name == half.than or not _can_be_compared(column.name, half, context):
        return
    predicate = Compare(op=half.op, left=Col(name=column.name), right=Col(name=half.than))
    yield m.Condition(predicate), FREE if half.op in _EQUALITIES else -USUAL


def _can_be_compared(name: str, half: m.HalfOfTwo, context: Context) -> bool:
    """Tell whether two columns hold values of one kind, and numbers that are more than labels of rows."""
    first, second = context.type_of(name), context.type_of(half.than)
    if first.is_number and second.is_number:
        twofold = [context.column(one).distinct == len((0, 1)) for one in (name, half.than)]
        alike = half.op not in _EQUALITIES or twofold[0] == twofold[1]  # an amount is no flag of 0 and 1
        return alike and context.is_measure(name) and context.is_measure(half.than)
    if first is ColumnType.TEXT:
        return second is first and half.op in _EQUALITIES and _share_a_value(name, half.than, context)
    return first is second is ColumnType.DATE


def _share_a_value(name: str, other: str, context: Context) -> bool:
    """Tell whether two text columns can be equal: "the member is insured" compares none of their values."""
    one, two = context.column(name), context.column(other)
    return not {*one.values, *one.more}.isdisjoint((*two.values, *two.more))
