"""Phrases for what to group by: "by state", "per month and region", "month of order date"."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.parsing.grammar import (
    FEW_VALUES,
    FREE,
    LOOSE,
    MANY_GROUPS,
    SLIGHT,
    SURE,
    USUAL,
    Found,
    rule,
)
from jupyter_mcpgen.plan.schema import ColumnType


@rule(m.GroupWord, m.Column)
def _by_column(word: m.GroupWord, column: m.Column, context: Context) -> Found:
    many = context.column(column.name).distinct > FEW_VALUES
    amounts = context.adds_up(column.name) or context.counts_things(column.name)
    if word.each and context.is_measure(column.name) and (many or amounts):
        return  # "emissions per output" asks for a ratio
    yield m.Grouped((m.GroupKey(column.name),), word.each), _as_key(column.name, context)


@rule(m.GroupWord, m.RowNoun)
def _by_rows(word: m.GroupWord, noun: m.RowNoun, context: Context) -> Found:
    keys = [name for name in context.columns_with(context.plain(noun.noun)) if context.is_key(name)]
    if len(keys) == 1 and not word.each and not noun.assumed and not context.is_measure(keys[0]):
        yield m.Grouped((m.GroupKey(keys[0]),)), LOOSE  # "cost by order" has a row for each `order_id`


@rule(m.Between, m.Column)
def _between_groups(word: m.Between, column: m.Column, context: Context) -> Found:
    if not context.is_measure(column.name) and context.type_of(column.name) is not ColumnType.DATE:
        yield m.Grouped((m.GroupKey(column.name),)), USUAL  # "compare prices between regions"


@rule(m.GroupWord, m.BarePeriod)
def _by_bare_period(word: m.GroupWord, period: m.BarePeriod, context: Context) -> Found:
    yield m.Grouped((m.GroupKey(period.column, period.unit),), word.each), SURE


@rule(m.Grouped, m.BarePeriod, m.And)
def _and_by_bare_period(grouped: m.Grouped, period: m.BarePeriod, context: Context) -> Found:
    yield from _and_by_period(grouped, m.GroupKey(period.column, period.unit), context)


@rule(m.GroupWord, m.GroupKey)
def _by_period(word: m.GroupWord, key: m.GroupKey, context: Context) -> Found:
    yield m.Grouped((key,), word.each), SURE


@rule(m.GroupWord, m.Listed)
def _by_different(word: m.GroupWord, listed: m.Listed, context: Context) -> Found:
    yield m.Grouped((m.GroupKey(listed.column),), word.each), SURE


@rule(m.Unit, m.Column)
def _period_of(unit: m.Unit, column: m.Column, context: Context) -> Found:
    if context.type_of(column.name) is ColumnType.DATE:
        yield m.GroupKey(column.name, unit.unit), SURE


@rule(m.Column, m.Unit)
def _named_period(column: m.Column, unit: m.Unit, context: Context) -> Found:
    yield from _period_of(unit, column, context)


@rule(m.Grouped, m.Column, m.And)
def _and_by_column(grouped: m.Grouped, column: m.Column, context: Context) -> Found:
    key = m.GroupKey(column.name)
    if key not in grouped.keys:
        yield m.Grouped((*grouped.keys, key), grouped.each), min(_as_key(column.name, context), USUAL)


@rule(m.Grouped, m.GroupKey, m.And)
def _and_by_period(grouped: m.Grouped, key: m.GroupKey, context: Context) -> Found:
    if key not in grouped.keys:
        yield m.Grouped((*grouped.keys, key), grouped.each), SURE


@rule(m.Grouped, m.Grouped)
@rule(m.Grouped, m.Grouped, m.And)
def _groups(left: m.Grouped, right: m.Grouped, context: Context) -> Found:
    if not set(left.keys) & set(right.keys):
        yield m.Grouped((*left.keys, *right.keys), left.each or right.each), SURE


@rule(m.Column, m.Grouped)
def _dated_groups(column: m.Column, grouped: m.Grouped, context: Context) -> Found:
    if any(key.unit is not None and key.column == column.name for key in grouped.keys):
        yield grouped, -FREE  # "hired per year" says which date the year is of


@rule(m.DistinctWord, m.RowNoun)
def _different_rows(word: m.DistinctWord, noun: m.RowNoun, context: Context) -> Found:
    if not noun.assumed:
        yield word, SLIGHT  # "the different ship flags" are the flags of the ships


@rule(m.DistinctWord, m.Column)
def _different_values(word: m.DistinctWord, column: m.Column, context: Context) -> Found:
    if not context.is_measure(column.name):
        yield m.Listed(column.name), SURE


def _as_key(name: str, context: Context) -> float:
    """Return what grouping by a column costs: little for labels, more for numbers with many values."""
    if not context.is_measure(name):
        return SURE
    return USUAL if context.column(name).distinct <= FEW_VALUES else MANY_GROUPS
