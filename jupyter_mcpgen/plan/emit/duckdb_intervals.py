"""Writes intervals that hold a figure of all that could have been seen as SQL, from sums of squares."""

from __future__ import annotations

from jupyter_mcpgen.plan import findings
from jupyter_mcpgen.plan.emit.duckdb_expressions import Scope, value_text
from jupyter_mcpgen.plan.emit.duckdb_figures import (
    are_present,
    double_of,
    each_group,
    group_of,
    named_cells,
    order_of_groups,
    shown_groups,
)
from jupyter_mcpgen.plan.statistics import MeanInterval


def select_mean_interval(step: MeanInterval, source: str, scope: Scope) -> str:
    """Return the query for a mean with its confidence interval, of all rows or of each group."""
    number, grouped = double_of(step.column.name, scope), bool(step.by.names)
    group = group_of(step.by, scope) if grouped else "0"
    present = f" AND {are_present(step.by, scope)}" if grouped else ""
    values = f"SELECT {number} AS x, {group} AS g FROM {source} WHERE isfinite({number}){present}"
    centred = f"SELECT x, g, favg(x) OVER (PARTITION BY g) AS m FROM ({values})"
    figures = (
        f"SELECT {'g, ' if grouped else ''}count(*) AS n, any_value(m) AS m, min(x) = max(x) AS flat, "
        f"sum((x - m) * (x - m)) AS squares FROM ({centred}){' GROUP BY g' if grouped else ''}"
    )
    sums = each_group(step.by, figures, source, scope)
    error = "sqrt(squares / (n - 1) / n)"
    margin = f"student_reach(CAST({value_text(step.level, scope)} AS DOUBLE), n - 1) * {error}"
    reach = f"CASE WHEN n < 2 THEN NULL WHEN flat THEN 0.0 ELSE {margin} END"
    finding = (
        f"CASE WHEN n < 2 THEN '{findings.LONE_VALUE}' WHEN flat THEN '{findings.NO_WIDTH}' "
        f"WHEN n < {findings.LEAST_FOR_MEAN} THEN '{findings.SMALL_SAMPLE}' ELSE '{findings.LARGE_SAMPLE}' END"
    )
    cells = named_cells(scope, n="n", mean="m", margin="e", low="m - e", high="m + e", finding=finding)
    keys, order = shown_groups(step.by, scope), order_of_groups(step.by)
    return f"SELECT {keys}{cells}, {order} AS {scope.order} FROM (SELECT *, {reach} AS e FROM ({sums}))"
