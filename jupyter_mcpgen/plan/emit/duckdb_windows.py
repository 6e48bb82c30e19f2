"""Writes the steps that look at a row's place in an order: the first of each group, windows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from jupyter_mcpgen.plan.emit.duckdb_expressions import Scope, text_literal
from jupyter_mcpgen.plan.ops import SortKey, TopPerGroup, Window, WindowFunction
from jupyter_mcpgen.plan.schema import ColumnType

_FIGURES = {
    WindowFunction.MEAN: "favg({x})",
    WindowFunction.MEDIAN: "median({x})",
    WindowFunction.STD: "stddev_samp({x})",
    WindowFunction.MIN: "min({x})",
    WindowFunction.MAX: "max({x})",
    WindowFunction.QUANTILE: "quantile_cont({x}, {fraction!r})",
}


def top_per_group_query(step: TopPerGroup, source: str, scope: Scope) -> str:
    """Return the first rows of each group, group by group."""
    by = scope.columns(step.by.names)
    keys = ", ".join(sort_key(key, scope) for key in step.keys)
    place = scope.spare("place")
    ranked = f"row_number() OVER (PARTITION BY {by} ORDER BY {keys}, {scope.order}) AS {place}"
    present = " AND ".join(f"{scope.column(name)} IS NOT NULL" for name in step.by.names)
    everything = scope.columns(scope.schema.names)
    inner = f"SELECT {everything}, {scope.order}, {ranked} FROM {source} WHERE {present}"
    order = f"row_number() OVER (ORDER BY {by}, {place}) AS {scope.order}"
    return f"SELECT {everything}, {order} FROM ({inner}) WHERE {place} <= {step.count}"


def window_value(step: Window, scope: Scope) -> str:
    """Return the value that compares a row with others."""
    column = scope.column(step.column.name)
    value = _value(step, column, scope.schema.type_of(step.column.name), scope)
    needed = list(step.by.names)
    if not (step.function.is_figure or step.function in (WindowFunction.LAG, WindowFunction.MOVING_AVERAGE)):
        needed.append(step.column.name)
    if not needed:
        return value
    present = " AND ".join(f"{scope.column(name)} IS NOT NULL" for name in needed)
    return f"CASE WHEN {present} THEN {value} END"


def _value(step: Window, column: str, type_: ColumnType, scope: Scope) -> str:
    keys = [] if step.order is None else [sort_key(step.order, scope)]
    ordered = _over(step.by.names, [*keys, scope.order], scope)
    among = _over(step.by.names, [], scope)
    number = f"CAST({column} AS DOUBLE)"
    match step.function:
        case WindowFunction.RANK:
            ranked = f"CAST(printf('%.12g', {column}) AS DOUBLE)" if type_ is ColumnType.REAL else column
            key = f"{ranked} {'DESC' if step.descending else 'ASC'} NULLS LAST"
            return f"rank() OVER ({_over(step.by.names, [key], scope)})"
        case WindowFunction.RUNNING_TOTAL:
            kind = "BIGINT" if type_ is ColumnType.INTEGER else "DOUBLE"
            return f"CAST(sum({column}) OVER ({ordered} ROWS UNBOUNDED PRECEDING) AS {kind})"
        case WindowFunction.MOVING_AVERAGE:
            frame = f"({ordered} ROWS {step.size - 1} PRECEDING)"
            return f"CASE WHEN count({column}) OVER {frame} = {step.size} THEN avg({number}) OVER {frame} END"
        case WindowFunction.LAG:
            return f"lag({column}, {step.size}) OVER ({ordered})"
        case WindowFunction.CHANGE:
            return f"{column} - lag({column}, {step.size}) OVER ({ordered})"
        case WindowFunction.PERCENT_CHANGE:
            return f"({number} / nullif(lag({number}, {step.size}) OVER ({ordered}), 0) - 1) * 100"
        case WindowFunction.SHARE | WindowFunction.PERCENT:
            share = f"{number} / nullif(sum({number}) OVER ({among}), 0)"
            return f"{share} * 100" if step.function is WindowFunction.PERCENT else share
        case (
            WindowFunction.MEAN | WindowFunction.MEDIAN | WindowFunction.STD | WindowFunction.MIN | WindowFunction.MAX
            | WindowFunction.QUANTILE
        ):  # fmt: skip
            figure = f"{_FIGURES[step.function].format(x=number, fraction=step.fraction)} OVER ({among})"
            return f"CASE WHEN abs({number} - {figure}) <= 1e-9 * abs({figure}) THEN {number} ELSE {figure} END"
        case _:
            assert_never(step.function)


def _over(by: Iterable[str], keys: list[str], scope: Scope) -> str:
    partition = scope.columns(by)
    parts = [*([f"PARTITION BY {partition}"] if partition else []), *([f"ORDER BY {', '.join(keys)}"] if keys else [])]
    return " ".join(parts)


def sort_key(key: SortKey, scope: Scope) -> str:
    """Return what rows are ordered by: a column, or the places of its values in their own order."""
    column = scope.column(key.column)
    places = ", ".join(text_literal(word) for word in key.order)
    value = f"list_position([{places}], {column})" if key.order else column
    return f"{value} {'DESC' if key.descending else 'ASC'} NULLS LAST"
