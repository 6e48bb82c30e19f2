"""Phrases of requests for charts: "on the x axis the region", "price over time", "the number of each"."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.parsing.grammar import (
    COUNT_ROWS,
    LOOSE,
    SLIGHT,
    SURE,
    USUAL,
    Found,
    promotion,
    rule,
)
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.ops import ChartKind


@rule(m.Axis, m.Column)
def _axis_of_column(axis: m.Axis, column: m.Column, context: Context) -> Found:
    yield m.OnAxis(axis.side, column), SURE


@rule(m.Axis, m.Measured)
def _axis_of_figure(axis: m.Axis, measured: m.Measured, context: Context) -> Found:
    yield m.OnAxis(axis.side, measured), SURE


@rule(m.Axis, m.GroupKey)
def _axis_of_period(axis: m.Axis, key: m.GroupKey, context: Context) -> Found:
    yield m.OnAxis(axis.side, key), SURE


@rule(m.Column, m.Axis)
def _column_on_axis(column: m.Column, axis: m.Axis, context: Context) -> Found:
    yield m.OnAxis(axis.side, column), SLIGHT


@rule(m.Measured, m.Axis)
def _figure_on_axis(measured: m.Measured, axis: m.Axis, context: Context) -> Found:
    yield m.OnAxis(axis.side, measured), SLIGHT


@rule(m.WhereWord, m.Axis)
def _on_the_axis(word: m.WhereWord, axis: m.Axis, context: Context) -> Found:
    yield axis, SURE


@rule(m.Over, m.Column)
def _over_column(word: m.Over, column: m.Column, context: Context) -> Found:
    yield m.OnAxis("x", column), SURE


@rule(m.Over, m.GroupKey)
def _over_period(word: m.Over, key: m.GroupKey, context: Context) -> Found:
    yield m.OnAxis("x", key), SURE


@rule(m.ChartWord, m.WhereWord)
def _chart_for(chart: m.ChartWord, word: m.WhereWord, context: Context) -> Found:
    yield chart, SLIGHT


@rule(m.ChartWord, m.RowNoun)
def _distribution_of_rows(chart: m.ChartWord, noun: m.RowNoun, context: Context) -> Found:
    if chart.kind is ChartKind.HISTOGRAM and not noun.assumed:
        yield m.Varies(), SLIGHT  # "distribution of orders by region"


@rule(m.GroupWord, m.ChartWord)
def _by_a_chart(word: m.GroupWord, chart: m.ChartWord, context: Context) -> Found:
    if not word.each:
        yield chart, SURE


@rule(m.GroupWord, m.Grouped)
def _by_grouped_by(word: m.GroupWord, grouped: m.Grouped, context: Context) -> Found:
    if not word.each:
        yield grouped, SLIGHT


@rule(m.GroupWord, m.Measured)
def _by_a_figure(word: m.GroupWord, measured: m.Measured, context: Context) -> Found:
    if not word.each:
        yield m.OnAxis("y", measured), USUAL  # "plot suppliers by the number of orders"


@promotion(m.EachOne)
def _of_each(word: m.EachOne, context: Context) -> Found:
    yield m.OfEach(), USUAL


@rule(m.EachOne, m.RowNoun)
def _each_row(word: m.EachOne, noun: m.RowNoun, context: Context) -> Found:
    if not noun.assumed:
        named = any(context.columns_with(context.plain(word)) for word in split_name(noun.noun))
        yield replace(noun, each=True), LOOSE if named else USUAL


@rule(m.WhereWord, m.Grouped)
def _having_each(word: m.WhereWord, grouped: m.Grouped, context: Context) -> Found:
    if grouped.each:
        yield grouped, SLIGHT


@rule(m.WhereWord, m.Measured)
def _with_count(word: m.WhereWord, measured: m.Measured, context: Context) -> Found:
    if measured == COUNT_ROWS or (measured.function is F.COUNT_DISTINCT and context.is_key(measured.column or "")):
        yield measured, USUAL  # "each region with the number of orders"


@rule(m.Versus, m.Measured)
def _versus_figure(word: m.Versus, measured: m.Measured, context: Context) -> Found:
    yield m.OnAxis("y", measured), SLIGHT


@rule(m.RowNoun, m.RowTail)
def _rows_called(noun: m.RowNoun, tail: m.RowTail, context: Context) -> Found:
    if not noun.assumed:
        yield noun, SURE


@rule(m.GroupVerb, m.RowNoun)
def _group_rows(verb: m.GroupVerb, noun: m.RowNoun, context: Context) -> Found:
    if not noun.assumed:
        yield noun, SURE


@rule(m.GroupVerb, m.Column)
def _group_by(verb: m.GroupVerb, column: m.Column, context: Context) -> Found:
    if not context.is_measure(column.name):
        yield m.Grouped((m.GroupKey(column.name),)), SURE


@rule(m.GroupVerb, m.Listed)
def _group_by_values(verb: m.GroupVerb, listed: m.Listed, context: Context) -> Found:
    yield m.Grouped((m.GroupKey(listed.column),)), SURE


@rule(m.GroupVerb, m.Grouped)
def _group_by_groups(verb: m.GroupVerb, grouped: m.Grouped, context: Context) -> Found:
    yield grouped, SURE
