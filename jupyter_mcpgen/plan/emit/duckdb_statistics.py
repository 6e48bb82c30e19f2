"""Writes the statistical steps of a plan as SQL from first principles.

The tails of distributions are functions that the engine adds to DuckDB (`data.distributions`); nothing comes from the
libraries that the pandas code uses.
"""

from __future__ import annotations

from typing import assert_never

from jupyter_mcpgen.plan.emit.duckdb_correlations import select_correlations, select_matrix, select_regression
from jupyter_mcpgen.plan.emit.duckdb_expressions import Scope, text_literal, value_text
from jupyter_mcpgen.plan.emit.duckdb_figures import double_of, finite_values, named_cells
from jupyter_mcpgen.plan.emit.duckdb_intervals import select_mean_interval
from jupyter_mcpgen.plan.emit.duckdb_paired import select_paired_columns
from jupyter_mcpgen.plan.emit.duckdb_tests import (
    select_anova,
    select_chi_square,
    select_kruskal_wallis,
    select_normality,
    select_two_columns,
    select_two_groups,
)
from jupyter_mcpgen.plan.statistics import (
    Anova,
    ChiSquare,
    CorrelationMatrix,
    Correlations,
    Duplicates,
    Histogram,
    KruskalWallis,
    LinearRegression,
    MeanInterval,
    MissingValues,
    Normality,
    OutlierMethod,
    Outliers,
    OutlierSide,
    Statistic,
    TwoColumns,
    TwoGroups,
)


def select_statistic(step: Statistic, source: str, scope: Scope) -> str:
    """Return the query of one step over a table."""
    match step:
        case Duplicates():
            return _duplicates(step, source, scope)
        case Outliers():
            return _outliers(step, source, scope)
        case MissingValues():
            return _missing(step, source, scope)
        case Correlations():
            return select_correlations(step, source, scope)
        case CorrelationMatrix():
            return select_matrix(step, source, scope)
        case LinearRegression():
            return select_regression(step, source, scope)
        case TwoGroups():
            return select_two_groups(step, source, scope)
        case TwoColumns() if step.test.is_paired:
            return select_paired_columns(step, source, scope)
        case TwoColumns():
            return select_two_columns(step, source, scope)
        case Anova():
            return select_anova(step, source, scope)
        case KruskalWallis():
            return select_kruskal_wallis(step, source, scope)
        case ChiSquare():
            return select_chi_square(step, source, scope)
        case Normality():
            return select_normality(step, source, scope)
        case MeanInterval():
            return select_mean_interval(step, source, scope)
        case Histogram():
            return _histogram(step, source, scope)
        case _:
            assert_never(step)


def _duplicates(step: Duplicates, source: str, scope: Scope) -> str:
    keys = scope.columns(step.columns.names)
    again = f"row_number() OVER (PARTITION BY {keys} ORDER BY {scope.order}) > 1"
    often = f"count(*) OVER (PARTITION BY {keys}) > 1"
    chosen = again if step.repeats_only else often
    return f"SELECT {scope.columns(scope.schema.names)}, {scope.order} FROM {source} QUALIFY {chosen}"


def _outliers(step: Outliers, source: str, scope: Scope) -> str:
    number = double_of(step.column.name, scope)
    reach = value_text(step.reach, scope)
    group = f"({scope.columns(step.by.names)})" if step.by.names else "0"
    present = "".join(f" AND {scope.column(name)} IS NOT NULL" for name in step.by.names)
    values = f"SELECT {number} AS x, {group} AS g FROM {source} WHERE isfinite({number}){present}"
    if step.method is OutlierMethod.IQR:
        ends = f"({_quantile(0.25, values)}) AS l JOIN ({_quantile(0.75, values)}) AS h ON l.g = h.g"
        bounds = f"SELECT l.g AS g, l.q AS low, h.q AS high, {reach} * (h.q - l.q) AS reach FROM {ends}"
        low, high = f"{number} < b.low - b.reach", f"{number} > b.high + b.reach"
        both = f"({low} OR {high})"
    else:
        centred = f"SELECT x, g, favg(x) OVER (PARTITION BY g) AS m FROM ({values})"
        spread = "sqrt(sum((x - m) * (x - m)) / nullif(count(*) - 1, 0))"
        bounds = f"SELECT g, any_value(m) AS m, {spread} AS s FROM ({centred}) GROUP BY g"
        low, high = f"b.m - {number} > {reach} * b.s", f"{number} - b.m > {reach} * b.s"
        both = f"abs({number} - b.m) > {reach} * b.s"
    outside = {OutlierSide.LOW: low, OutlierSide.HIGH: high, OutlierSide.BOTH: both}[step.side]
    columns = scope.columns(scope.schema.names)
    return f"SELECT {columns}, {scope.order} FROM {source}, ({bounds}) AS b WHERE {group} = b.g{present} AND {outside}"


def _quantile(share: float, values: str) -> str:
    """Return a query for a quantile of each group, between neighbours as their distance says (Hyndman and Fan's 7)."""
    places = (
        "SELECT x, g, row_number() OVER (PARTITION BY g ORDER BY x) - 1 AS i, "
        f"(count(*) OVER (PARTITION BY g) - 1) * {share} AS place FROM ({values})"
    )
    ends = (
        "SELECT g, max(x) FILTER (WHERE i = floor(place)) AS a, max(x) FILTER (WHERE i = ceil(place)) AS b, "
        f"any_value(place - floor(place)) AS t FROM ({places}) GROUP BY g"
    )
    return f"SELECT g, CASE WHEN t < 0.5 THEN a + (b - a) * t ELSE b - (b - a) * (1 - t) END AS q FROM ({ends})"


def _missing(step: MissingValues, source: str, scope: Scope) -> str:
    selects = []
    for position, name in enumerate(step.columns.names):
        missing = f"count(*) - count({scope.column(name)})"
        cells = named_cells(
            scope,
            column=text_literal(name),
            missing=missing,
            present=f"count({scope.column(name)})",
            share_missing=f"({missing}) / nullif(count(*), 0)",
        )
        selects.append(f"SELECT {cells}, {position} AS {scope.order} FROM {source}")
    return " UNION ALL ".join(selects)


def _histogram(step: Histogram, source: str, scope: Scope) -> str:
    bins = step.bins.value
    ends = (
        "SELECT CASE WHEN low = high THEN low - 0.5 ELSE low END AS low, "
        "CASE WHEN low = high THEN high + 0.5 ELSE high END AS high "
        f"FROM (SELECT min(x) AS low, max(x) AS high FROM ({finite_values(step.column, source, scope)}))"
    )
    edges = (
        f"SELECT i, low + i * ((high - low) / {bins}) AS edge, "
        f"CASE WHEN i + 1 = {bins} THEN high ELSE low + (i + 1) * ((high - low) / {bins}) END AS next_edge "
        f"FROM (SELECT * FROM ({ends}) WHERE low IS NOT NULL), range({bins}) AS numbers(i)"
    )
    counted = (
        "SELECT i, count(x) AS c FROM edges LEFT JOIN "
        f"({finite_values(step.column, source, scope)}) ON x >= edge AND (x < next_edge OR i + 1 = {bins}) GROUP BY i"
    )
    cells = named_cells(scope, bin_start="edge", bin_end="next_edge", count="c")
    return (
        f"WITH edges AS ({edges}), counted AS ({counted}) "
        f"SELECT {cells}, i AS {scope.order} FROM edges JOIN counted USING (i)"
    )
