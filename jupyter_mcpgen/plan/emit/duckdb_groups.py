"""Writes the steps that make figures of rows: aggregates, periods without gaps, a column per value."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.plan.check import period_of, schema_after
from jupyter_mcpgen.plan.emit.duckdb_expressions import Scope, literal_text, predicate_text, value_text, with_column
from jupyter_mcpgen.plan.expressions import Col, Columns, DateUnit, IsIn
from jupyter_mcpgen.plan.ops import (
    ZERO_WHEN_EMPTY,
    Aggregate,
    AggregateFunction,
    Measure,
    Pivot,
    Resample,
)
from jupyter_mcpgen.plan.schema import ColumnType

_FUNCTIONS = {
    AggregateFunction.MEAN: "avg",
    AggregateFunction.MEDIAN: "median",
    AggregateFunction.STD: "stddev_samp",
    AggregateFunction.VAR: "var_samp",
}
_SHAPES = {
    AggregateFunction.SKEW: ("skewness", 3),
    AggregateFunction.KURT: ("kurtosis", 4),
}
"""Functions of cubes and more, with the least number of values that they need."""
_INTERVALS = {
    DateUnit.START_OF_YEAR: "1 year",
    DateUnit.START_OF_QUARTER: "3 months",
    DateUnit.START_OF_MONTH: "1 month",
    DateUnit.START_OF_WEEK: "7 days",
    DateUnit.START_OF_DAY: "1 day",
}


def aggregate_query(step: Aggregate, source: str, scope: Scope) -> str:
    """Return one row per group, or one row of totals."""
    source = _with_centred(step.measures, step.by.names, source, scope)
    measures = ", ".join(f"{_measure(m, scope)} AS {scope.column(m.name)}" for m in step.measures)
    if not step.by.names:
        return f"SELECT {measures}, 1 AS {scope.order} FROM {source}"
    keys = scope.columns(step.by.names)
    ordering = f"row_number() OVER (ORDER BY {keys}) AS {scope.order}"
    return f"SELECT {keys}, {measures}, {ordering} FROM {source} WHERE {_present(step.by, scope)} GROUP BY {keys}"


def _with_centred(measures: tuple[Measure, ...], groups: tuple[str, ...], source: str, scope: Scope) -> str:
    """Return rows that also have how far a value lies from the mean of its group, where a shape is measured.

    The cubes of values far from zero would lose the digits in which they differ.
    """
    shaped = dict.fromkeys(m.column.name for m in measures if m.function in _SHAPES and m.column is not None)
    if not shaped:
        return source
    partition = f"PARTITION BY {scope.columns(groups)}" if groups else ""
    values = {name: f"CAST({scope.column(name)} AS DOUBLE)" for name in shaped}
    centred = [
        f"{value} - favg({value}) OVER ({partition}) AS {_centred(name, scope)}" for name, value in values.items()
    ]
    return f"(SELECT *, {', '.join(centred)} FROM {source})"


def _centred(name: str, scope: Scope) -> str:
    return scope.spare(f"centred_{name}")


def _shape(measure: Measure, column: Col, scope: Scope, only: str) -> str:
    """Return a shape, missing for values that are too few, all equal, or not all finite."""
    function, least = _SHAPES[measure.function]
    value, centred = scope.column(column.name), _centred(column.name, scope)
    finite = f"isfinite({centred})"
    defined = (
        f"count({value}){only} >= {least} AND min({value}){only} < max({value}){only} AND bool_and({finite}){only}"
    )
    some = f"{only.removesuffix(')')} AND {finite})" if only else f" FILTER (WHERE {finite})"
    return f"CASE WHEN {defined} THEN {function}({centred}){some} END"


def _present(columns: Columns, scope: Scope) -> str:
    return " AND ".join(f"{scope.column(name)} IS NOT NULL" for name in columns.names)


def _measure(measure: Measure, scope: Scope, only: str = "") -> str:
    """Return a figure over the rows of a group, or over `only` some of them."""
    if measure.where is not None:
        return _of_condition(measure, scope, only)
    if measure.column is None:
        return f"count(*){only}"
    column = scope.column(measure.column.name)
    type_ = scope.schema.type_of(measure.column.name)
    number = f"CAST({_number(column, type_)} AS DOUBLE)"
    match measure.function:
        case AggregateFunction.COUNT:
            return f"count({column}){only}"
        case AggregateFunction.COUNT_DISTINCT:
            return f"count(DISTINCT {column}){only}"
        case AggregateFunction.SUM:
            kind = "BIGINT" if type_ in (ColumnType.INTEGER, ColumnType.BOOLEAN) else "DOUBLE"
            return f"CAST(sum(CAST({column} AS {kind})){only} AS {kind})"
        case AggregateFunction.MIN | AggregateFunction.MAX:
            return f"{measure.function.value}({column}){only}"
        case AggregateFunction.QUANTILE:
            return f"quantile_cont({number}, {measure.fraction!r}){only}"
        case AggregateFunction.MODE:
            return f"mode({column} ORDER BY {column}){only}"
        case AggregateFunction.FIRST | AggregateFunction.LAST:
            end = "arg_min" if measure.function is AggregateFunction.FIRST else "arg_max"
            return f"{end}({column}, {scope.order}){only}"
        case AggregateFunction.SKEW | AggregateFunction.KURT:
            return _shape(measure, measure.column, scope, only)
        case _:
            return f"{_FUNCTIONS[measure.function]}({number}){only}"


def _of_condition(measure: Measure, scope: Scope, only: str) -> str:
    if measure.where is None:
        return f"count(*){only}"
    met = f"CASE WHEN {predicate_text(measure.where, scope)} THEN 1 ELSE 0 END"
    match measure.function:
        case AggregateFunction.RATE:
            return f"avg({met}){only}"
        case AggregateFunction.PERCENT:
            return f"avg(100 * ({met})){only}"
        case _:
            return f"CAST(coalesce(sum({met}){only}, 0) AS BIGINT)"


def _number(column: str, type_: ColumnType) -> str:
    return f"CAST({column} AS BIGINT)" if type_ is ColumnType.BOOLEAN else column


def resample_query(step: Resample, source: str, scope: Scope) -> str:
    """Return one row per period from the first to the last, for each group of the other columns."""
    period = period_of(step)
    grouped = Aggregate(by=Columns(names=(step.name, *step.by.names)), measures=step.measures)
    dated, groups, periods, others = (scope.spare(name) for name in ("dated", "groups", "periods", "others"))
    inner = replace(scope, schema=schema_after(period, scope.schema))
    name = scope.column(step.name)
    ends = f"(SELECT min({name}) FROM {groups}), (SELECT max({name}) FROM {groups})"
    series = f"generate_series({ends}, INTERVAL '{_INTERVALS[step.unit]}')"
    keys = [f"{periods}.{name}", *(f"{others}.{scope.column(n)}" for n in step.by.names)]
    figures = [
        or_zero(m, f"{groups}.{scope.column(m.name)}", f"{groups}.{name} IS NULL") + f" AS {scope.column(m.name)}"
        for m in step.measures
    ]
    same = " AND ".join(f"{key} = {groups}.{key.partition('.')[2]}" for key in keys)
    tables = [
        f"{dated} AS ({with_column(step.name, value_text(period.expression, scope), source, scope)})",
        f"{groups} AS ({aggregate_query(grouped, dated, inner)})",
        f"{periods} AS (SELECT CAST(unnest({series}) AS TIMESTAMP) AS {name})",
    ]
    crossed = periods
    if step.by.names:
        tables.append(f"{others} AS (SELECT DISTINCT {scope.columns(step.by.names)} FROM {groups})")
        crossed = f"{periods} CROSS JOIN {others}"
    order = f"row_number() OVER (ORDER BY {', '.join(keys)}) AS {scope.order}"
    select = f"SELECT {', '.join([*keys, *figures])}, {order} FROM {crossed} LEFT JOIN {groups} ON {same}"
    return f"WITH {', '.join(tables)} {select}"


def or_zero(measure: Measure, value: str, no_rows: str) -> str:
    """Return a figure that is 0 where there are no rows, if it counts or adds up; of no values it stays missing."""
    return f"CASE WHEN {no_rows} THEN 0 ELSE {value} END" if measure.function in ZERO_WHEN_EMPTY else value


def pivot_query(step: Pivot, source: str, scope: Scope) -> str:
    """Return one row per group with a column per value."""
    column = scope.column(step.column.name)
    figures = ", ".join(
        f"{_cell(step.measure, scope, f' FILTER (WHERE {column} = {literal_text(value)})')} AS {scope.column(name)}"
        for value, name in zip(step.values, step.names, strict=True)
    )
    keys = scope.columns(step.by.names)
    listed = predicate_text(IsIn(operand=Col(name=step.column.name), values=step.values), scope)
    order = f"row_number() OVER (ORDER BY {keys}) AS {scope.order}"
    where = f"{_present(step.by, scope)} AND {listed}"
    source = _with_centred((step.measure,), (*step.by.names, step.column.name), source, scope)
    return f"SELECT {keys}, {figures}, {order} FROM {source} WHERE {where} GROUP BY {keys}"


def _cell(measure: Measure, scope: Scope, only: str) -> str:
    return or_zero(measure, _measure(measure, scope, only), f"count(*){only} = 0")
