"""Writes correlations and regression lines as SQL, from sums of squares."""

from __future__ import annotations

from itertools import combinations

from jupyter_mcpgen.plan import findings
from jupyter_mcpgen.plan.emit.duckdb_expressions import Scope, text_literal
from jupyter_mcpgen.plan.emit.duckdb_figures import (
    RANK_WITHIN,
    are_present,
    double_of,
    each_group,
    group_of,
    named_cells,
    order_of_groups,
    shown_groups,
    significance,
)
from jupyter_mcpgen.plan.statistics import CorrelationMatrix, CorrelationMethod, Correlations, LinearRegression


def _moments(first: str, second: str, method: CorrelationMethod, source: str, scope: Scope, group: str = "0") -> str:
    """Return a query for the sums of squares of two columns over the rows of each group `g` that have both."""
    x, y = double_of(first, scope), double_of(second, scope)
    pairs = f"SELECT {x} AS x, {y} AS y, {group} AS g FROM {source} WHERE isfinite({x}) AND isfinite({y})"
    if method is CorrelationMethod.SPEARMAN:
        ranks = ", ".join(f"{RANK_WITHIN.format(name)} AS {name}" for name in ("x", "y"))
        pairs = f"SELECT {ranks}, g FROM ({pairs})"
    centred = "SELECT x, y, g, favg(x) OVER (PARTITION BY g) AS mx, favg(y) OVER (PARTITION BY g) AS my"
    sums = (
        "count(*) AS n, min(x) = max(x) OR min(y) = max(y) AS flat, any_value(mx) AS mx, any_value(my) AS my, "
        "sum((x - mx) * (x - mx)) AS sxx, sum((y - my) * (y - my)) AS syy, sum((x - mx) * (y - my)) AS sxy"
    )
    summed = f"SELECT {sums}{'' if group == '0' else ', g'} FROM ({centred} FROM ({pairs}))"
    return summed if group == "0" else f"{summed} GROUP BY g"


def _correlation(least: int) -> str:
    return f"CASE WHEN n >= {least} AND NOT flat THEN greatest(-1.0, least(1.0, sxy / (sqrt(sxx) * sqrt(syy)))) END"


def _line_finding() -> str:
    return (
        f"CASE WHEN n < {findings.LEAST_PAIRS} THEN '{findings.FEW_PAIRS}' WHEN flat THEN '{findings.CONSTANT_COLUMN}' "
        f"ELSE {significance('p')} END"
    )


def select_correlations(step: Correlations, source: str, scope: Scope) -> str:
    """Return the query for one row per pair of columns, or per group and pair."""
    names = step.columns.names
    pairs = list(combinations(names, 2)) if step.against is None else [(step.against.name, name) for name in names]
    figures = " UNION ALL ".join(
        f"SELECT {text_literal(first)} AS a, {text_literal(second)} AS b, {position} AS place, coalesce(n, 0) AS n, "
        f"flat, {_correlation(findings.LEAST_PAIRS)} AS r{_keys(step, scope)} "
        f"FROM ({_of_each(step, first, second, source, scope)})"
        for position, (first, second) in enumerate(pairs)
    )
    tested = f"SELECT *, correlation_p(r, n) AS p FROM ({figures})"
    cells = named_cells(scope, first="a", second="b", n="n", correlation="r", p_value="p", finding=_line_finding())
    keys = scope.columns(step.by.names)
    groups = f"{keys}, " if keys else ""
    order = f"row_number() OVER (ORDER BY {groups}round(abs(r), 12) DESC NULLS LAST, place)"
    return f"SELECT {groups}{cells}, {order} AS {scope.order} FROM ({tested})"


def _keys(step: Correlations, scope: Scope) -> str:
    return f", {scope.columns(step.by.names)}" if step.by.names else ""


def _of_each(step: Correlations, first: str, second: str, source: str, scope: Scope) -> str:
    """Return the sums of squares of a pair; with groups a row of each, also of those where no row has both values."""
    if not step.by.names:
        return _moments(first, second, step.method, source, scope)
    group = f"row({scope.columns(step.by.names)})"
    present = " AND ".join(f"{scope.column(name)} IS NOT NULL" for name in step.by.names)
    groups = f"SELECT DISTINCT {scope.columns(step.by.names)}, {group} AS g FROM {source} WHERE {present}"
    moments = _moments(first, second, step.method, f"(SELECT * FROM {source} WHERE {present})", scope, group)
    return f"SELECT * FROM ({groups}) AS every LEFT JOIN ({moments}) AS sums ON every.g = sums.g"


def select_matrix(step: CorrelationMatrix, source: str, scope: Scope) -> str:
    """Return the query for one row and one column per number column."""
    names = step.columns.names
    selects = []
    for position, first in enumerate(names):
        cells = ", ".join(
            f"(SELECT {_correlation(2)} FROM ({_moments(first, second, step.method, source, scope)})) "
            f"AS {scope.column(second)}"
            for second in names
        )
        label = f"{text_literal(first)} AS {scope.column('column')}"
        selects.append(f"SELECT {label}, {cells}, {position} AS {scope.order}")
    return " UNION ALL ".join(selects)


def select_regression(step: LinearRegression, source: str, scope: Scope) -> str:
    """Return the query for the least-squares line and how well it fits, of all rows or of each group."""
    group = group_of(step.by, scope) if step.by.names else "0"
    rows = f"(SELECT * FROM {source} WHERE {are_present(step.by, scope)})" if step.by.names else source
    sums = _moments(step.x.name, step.y.name, CorrelationMethod.PEARSON, rows, scope, group)
    moments = each_group(step.by, sums, source, scope)
    correlation = _correlation(findings.LEAST_PAIRS)
    line = f"SELECT *, {correlation} AS r, sxy / sxx AS b, my - sxy / sxx * mx AS a FROM ({moments})"
    tested = f"SELECT *, correlation_p(r, n) AS p FROM ({line})"
    cells = named_cells(
        scope,
        n="n",
        slope="CASE WHEN r IS NOT NULL THEN b END",
        intercept=f"CASE WHEN r IS NULL THEN NULL WHEN abs(a) > {findings.NO_INTERCEPT} * abs(my) THEN a ELSE 0.0 END",
        r_squared="r * r",
        p_value="p",
        finding=_line_finding(),
    )
    keys, order = shown_groups(step.by, scope), order_of_groups(step.by)
    return f"SELECT {keys}{cells}, {order} AS {scope.order} FROM ({tested})"
