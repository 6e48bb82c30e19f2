"""Writes tests of the differences within each row as SQL from first principles."""

from __future__ import annotations

from jupyter_mcpgen.plan import findings
from jupyter_mcpgen.plan.emit.duckdb_expressions import Scope, text_literal
from jupyter_mcpgen.plan.emit.duckdb_figures import RANK, double_of, named_cells, significance
from jupyter_mcpgen.plan.statistics import TwoColumns, TwoSampleTest


def select_paired_columns(step: TwoColumns, source: str, scope: Scope) -> str:
    """Return the query of a paired t-test, or of Wilcoxon's test of signed ranks."""
    x, y = double_of(step.first.name, scope), double_of(step.second.name, scope)
    pairs = f"SELECT {x} AS x, {y} AS y, {x} - {y} AS d FROM {source} WHERE isfinite({x}) AND isfinite({y})"
    names = text_literal(step.first.name), text_literal(step.second.name)
    return (_t_test if step.test is TwoSampleTest.PAIRED else _signed_ranks)(pairs, names, scope)


def _t_test(pairs: str, names: tuple[str, str], scope: Scope) -> str:
    centred = f"SELECT *, favg(d) OVER () AS m FROM ({pairs})"
    summed = (
        "SELECT count(*) AS n, favg(x) AS m1, favg(y) AS m2, any_value(m) AS m, sum((d - m) * (d - m)) AS ss, "
        f"max(d) - min(d) <= {findings.NO_SPREAD} * max(abs(d)) AS flat FROM ({centred})"
    )
    tested = (
        "SELECT *, CASE WHEN n >= 2 AND NOT flat THEN m / sqrt(ss / (n - 1) / n) END AS t, "
        f"CASE WHEN n >= 2 AND NOT flat THEN m / sqrt(ss / (n - 1)) END AS d FROM ({summed})"
    )
    finding = (
        f"CASE WHEN n < 2 THEN '{findings.FEW_DIFFERENCES}' WHEN flat THEN '{findings.EQUAL_DIFFERENCES}' "
        f"ELSE {significance('p')} END"
    )
    cells = named_cells(
        scope,
        first=names[0],
        n_first="n",
        mean_first="m1",
        second=names[1],
        n_second="n",
        mean_second="m2",
        difference="m",
        t_statistic="t",
        df="greatest(n - 1, 0)",
        p_value="p",
        effect_size="d",
        finding=finding,
    )
    return (
        f"SELECT {cells}, 1 AS {scope.order} FROM (SELECT *, student_p(t, CAST(n - 1 AS DOUBLE)) AS p FROM ({tested}))"
    )


def _signed_ranks(pairs: str, names: tuple[str, str], scope: Scope) -> str:
    ranked = (
        f"SELECT d, {RANK.format('abs(d)')} AS r, count(*) OVER (PARTITION BY abs(d)) AS ties "
        f"FROM ({pairs}) WHERE d <> 0"
    )
    ranks = (
        "SELECT CAST(count(*) AS DOUBLE) AS k, sum(r) AS total, coalesce(sum(r) FILTER (WHERE d > 0), 0) AS plus, "
        f"CAST(sum(ties * ties - 1) AS DOUBLE) AS tied FROM ({ranked})"
    )
    whole = f"SELECT count(*) AS n, quantile_cont(x, 0.5) AS c1, quantile_cont(y, 0.5) AS c2 FROM ({pairs})"
    scaled = (
        "SELECT *, CASE WHEN k > 0 THEN abs(plus - k * (k + 1) / 4) "
        "/ sqrt((k * (k + 1) * (2 * k + 1) - tied / 2) / 24) END AS z "
        f"FROM ({whole}) CROSS JOIN ({ranks})"
    )
    tested = f"SELECT *, CASE WHEN k > 0 THEN least(1.0, 2 * normal_tail(z)) END AS p FROM ({scaled})"
    finding = f"CASE WHEN k = 0 THEN '{findings.NO_DIFFERENCES}' ELSE {significance('p')} END"
    cells = named_cells(
        scope,
        first=names[0],
        n_first="n",
        median_first="c1",
        second=names[1],
        n_second="n",
        median_second="c2",
        w_statistic="CASE WHEN k > 0 THEN least(plus, total - plus) END",
        p_value="p",
        effect_size="CASE WHEN k > 0 THEN (2 * plus - total) / total END",
        finding=finding,
    )
    return f"SELECT {cells}, 1 AS {scope.order} FROM ({tested})"
