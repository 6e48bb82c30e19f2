"""Phrases for the manner of an answer: charts, whole tables, columns by name."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.parsing.grammar import (
    LOOSE,
    SLIGHT,
    SURE,
    Found,
    rule,
)


@rule(m.Column, m.Column, m.Versus)
def _against(up: m.Column, across: m.Column, context: Context) -> Found:
    if context.is_number(up.name) and context.is_number(across.name) and up != across:
        yield m.Pair(up.name, across.name), SURE


@rule(m.Column, m.Column, m.And)
def _two_columns(first: m.Column, second: m.Column, context: Context) -> Found:
    if first != second:
        yield m.ColumnList((first.name, second.name)), SURE


@rule(m.Column, m.RowNoun, m.Of)
def _column_of_rows(column: m.Column, noun: m.RowNoun, context: Context) -> Found:
    if not noun.assumed and not context.is_measure(column.name):
        yield m.ColumnList((column.name,)), SURE


@rule(m.ColumnList, m.Column, m.And)
def _more_listed(listed: m.ColumnList, column: m.Column, context: Context) -> Found:
    if column.name not in listed.names:
        yield m.ColumnList((*listed.names, column.name)), SURE


@rule(m.WhereWord, m.ChartWord)
def _in_a_chart(word: m.WhereWord, chart: m.ChartWord, context: Context) -> Found:
    yield chart, SURE


@rule(m.WhereWord, m.RowNoun)
def _in_rows(word: m.WhereWord, noun: m.RowNoun, context: Context) -> Found:
    if not noun.assumed:
        yield noun, SLIGHT


@rule(m.WhereWord, m.TableNoun)
def _in_table(word: m.WhereWord, noun: m.TableNoun, context: Context) -> Found:
    yield noun, SLIGHT


@rule(m.RowNoun, m.TableNoun)
def _table_of_rows(noun: m.RowNoun, table: m.TableNoun, context: Context) -> Found:
    if noun.assumed:
        yield m.NamedTable(noun.noun), -LOOSE  # "traffic accident dataset": what precedes the noun describes it
    else:
        yield noun, SURE
        yield m.NamedTable(noun.noun), SLIGHT


@rule(m.RowNoun, m.NamedTable)
def _table_of(noun: m.RowNoun, table: m.NamedTable, context: Context) -> Found:
    yield m.NamedTable(f"{noun.noun} {table.words}"), -LOOSE if noun.assumed else SURE


@rule(m.WhereWord, m.NamedTable)
def _in_named_table(word: m.WhereWord, table: m.NamedTable, context: Context) -> Found:
    yield table, SURE


@rule(m.Column, m.ColumnNoun)
def _column_named(column: m.Column, noun: m.ColumnNoun, context: Context) -> Found:
    yield column, SURE


@rule(m.ColumnNoun, m.Column)
def _named_column(noun: m.ColumnNoun, column: m.Column, context: Context) -> Found:
    yield column, SURE
