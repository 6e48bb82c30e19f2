"""Writes correlations and regression lines as SQL, from sums of squares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, combinations_with_replacement

from jupyter_mcpgen.plan import findings
from jupyter_mcpgen.plan.emit.duckdb_expressions import Scope, text_literal
from jupyter_mcpgen.plan.emit.duckdb_figures import (
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

Pair = tuple[str, str]
"""The names of two columns."""

_SUMS = (
    "count(*) AS n, min(x) = max(x) OR min(y) = max(y) AS flat, any_value(mx) AS mx, any_value(my) AS my, "
    "sum((x - mx) * (x - mx)) AS sxx, sum((y - my) * (y - my)) AS syy, sum((x - mx) * (y - my)) AS sxy"
)
_RANK_IN_PAIR = (
    "rank() OVER (PARTITION BY place, g ORDER BY {0}) + (count(*) OVER (PARTITION BY place, g, {0}) - 1) / 2.0"
)
"""The rank of a value among those of its pair and group, the mean of the ranks where several are equal."""


def _moments(first: str, second: str, source: str, scope: Scope, group: str) -> str:
    """Return a query for the sums of squares of two columns over the rows of each group `g` that have both."""
    x, y = double_of(first, scope), double_of(second, scope)
    pairs = f"SELECT {x} AS x, {y} AS y, {group} AS g FROM {source} WHERE isfinite({x}) AND isfinite({y})"
    centred = "SELECT x, y, g, favg(x) OVER (PARTITION BY g) AS mx, favg(y) OVER (PARTITION BY g) AS my"
    summed = f"SELECT {_SUMS}{'' if group == '0' else ', g'} FROM ({centred} FROM ({pairs}))"
    return summed if group == "0" else f"{summed} GROUP BY g"


def _moments_of_pairs(pairs: Sequence[Pair], method: CorrelationMethod, source: str, scope: Scope, group: str) -> str:
    """Return a query for the sums of squares of each pair `place` over the rows of each group `g` that have both.

    One pass over the rows serves all pairs with the same first column; one per pair would take seconds for 20 columns.
    """
    together: dict[str, dict[int, str]] = {}
    for place, (first, second) in enumerate(pairs):
        together.setdefault(first, {})[place] = second
    return " UNION ALL ".join(
        _moments_with(first, seconds, method, source, scope, group) for first, seconds in together.items()
    )


def _moments_with(
    first: str, seconds: Mapping[int, str], method: CorrelationMethod, source: str, scope: Scope, group: str
) -> str:
    """Return the sums of squares of a column with each of others, which stand under the places of their pairs."""
    x, ys = double_of(first, scope), ", ".join(double_of(name, scope) for name in seconds.values())
    listed = f"unnest([{ys}]) AS y, unnest([{', '.join(map(str, seconds))}]) AS place"
    pairs = (
        f"SELECT * FROM (SELECT {x} AS x, {listed}, {group} AS g FROM {source} WHERE isfinite({x})) WHERE isfinite(y)"
    )
    kept = "NOT MATERIALIZED"
    if method is CorrelationMethod.SPEARMAN:
        ranks = ", ".join(f"{_RANK_IN_PAIR.format(name)} AS {name}" for name in ("x", "y"))
        pairs, kept = f"SELECT {ranks}, place, g FROM ({pairs})", "MATERIALIZED"
    means = "SELECT favg(x) AS mx, favg(y) AS my, place, g FROM pairs GROUP BY place, g"
    return (
        f"(WITH pairs AS {kept} ({pairs}) "
        f"SELECT {_SUMS}, place, g FROM pairs JOIN ({means}) USING (place, g) GROUP BY place, g)"
    )


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
    keys = scope.columns(step.by.names)
    groups = f"{keys}, " if keys else ""
    firsts, seconds = (", ".join(map(text_literal, column)) for column in zip(*pairs, strict=True))
    figures = (
        f"SELECT {groups}([{firsts}])[place + 1] AS a, ([{seconds}])[place + 1] AS b, place, coalesce(n, 0) AS n, "
        f"flat, {_correlation(findings.LEAST_PAIRS)} AS r FROM ({_of_each(step, pairs, source, scope)})"
    )
    tested = f"SELECT *, correlation_p(r, n) AS p FROM ({figures})"
    cells = named_cells(scope, first="a", second="b", n="n", correlation="r", p_value="p", finding=_line_finding())
    order = f"row_number() OVER (ORDER BY {groups}round(abs(r), 12) DESC NULLS LAST, place)"
    return f"SELECT {groups}{cells}, {order} AS {scope.order} FROM ({tested})"


def _of_each(step: Correlations, pairs: Sequence[Pair], source: str, scope: Scope) -> str:
    """Return the sums of squares of each pair in each group, also of those where no row has both values."""
    keys, group, present = scope.columns(step.by.names), "0", "TRUE"
    if step.by.names:
        group, present = f"row({keys})", are_present(step.by, scope)
    groups = f"SELECT DISTINCT {keys}, {group} AS g FROM {source} WHERE {present}" if keys else "SELECT 0 AS g"
    moments = _moments_of_pairs(pairs, step.method, f"(SELECT * FROM {source} WHERE {present})", scope, group)
    return f"SELECT * FROM ({groups}) CROSS JOIN ({_counted(pairs)}) LEFT JOIN ({moments}) USING (place, g)"


def _counted(listed: Sequence[object]) -> str:
    """Return a query for the places in a list, from 0."""
    return f"SELECT unnest(range({len(listed)})) AS place"


def select_matrix(step: CorrelationMatrix, source: str, scope: Scope) -> str:
    """Return the query for one row and one column per number column."""
    names = step.columns.names
    pairs = list(combinations_with_replacement(range(len(names)), 2))
    firsts, seconds = (f"([{', '.join(map(str, column))}])[place + 1]" for column in zip(*pairs, strict=True))
    moments = _moments_of_pairs([(names[one], names[two]) for one, two in pairs], step.method, source, scope, "0")
    half = f"SELECT {firsts} AS a, {seconds} AS b, {_correlation(2)} AS r FROM ({moments})"
    cells = ", ".join(f"max(r) FILTER (b = {position}) AS {scope.column(name)}" for position, name in enumerate(names))
    label = f"([{', '.join(map(text_literal, names))}])[place + 1] AS {scope.column('column')}"
    whole = "SELECT a, b, r FROM half UNION ALL SELECT b, a, r FROM half WHERE a <> b"
    return (
        f"WITH half AS MATERIALIZED ({half}) SELECT {label}, {cells}, place AS {scope.order} "
        f"FROM ({_counted(names)}) LEFT JOIN ({whole}) ON a = place GROUP BY place"
    )


def select_regression(step: LinearRegression, source: str, scope: Scope) -> str:
    """Return the query for the least-squares line and how well it fits, of all rows or of each group."""
    group = group_of(step.by, scope) if step.by.names else "0"
    rows = f"(SELECT * FROM {source} WHERE {are_present(step.by, scope)})" if step.by.names else source
    sums = _moments(step.x.name, step.y.name, rows, scope, group)
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
