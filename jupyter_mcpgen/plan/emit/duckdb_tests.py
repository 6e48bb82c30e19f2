"""Writes statistical tests as SQL from first principles: counts, ranks and sums of squares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from jupyter_mcpgen.plan import findings
from jupyter_mcpgen.plan.emit.duckdb_expressions import Scope, text_literal, value_text
from jupyter_mcpgen.plan.emit.duckdb_figures import (
    RANK,
    are_present,
    double_of,
    each_group,
    finite_values,
    group_of,
    named_cells,
    order_of_groups,
    shown_groups,
    significance,
)
from jupyter_mcpgen.plan.statistics import (
    Anova,
    ChiSquare,
    KruskalWallis,
    Normality,
    TwoColumns,
    TwoGroups,
    TwoSampleTest,
)


def select_two_groups(step: TwoGroups, source: str, scope: Scope) -> str:
    """Return the query of a test between two groups of a column."""
    number, group = double_of(step.value.name, scope), scope.column(step.group.name)
    first, second = value_text(step.first, scope), value_text(step.second, scope)
    sides = (
        f"SELECT {number} AS x, {group} = {first} AS is_first FROM {source} "
        f"WHERE isfinite({number}) AND ({group} = {first} OR {group} = {second})"
    )
    return _two_samples(step.test, sides, (first, second), scope)


def select_two_columns(step: TwoColumns, source: str, scope: Scope) -> str:
    """Return the query of a test between two columns."""
    first = f"SELECT x, TRUE AS is_first FROM ({finite_values(step.first, source, scope)})"
    second = f"SELECT x, FALSE AS is_first FROM ({finite_values(step.second, source, scope)})"
    names = text_literal(step.first.name), text_literal(step.second.name)
    return _two_samples(step.test, f"{first} UNION ALL {second}", names, scope)


def _two_samples(test: TwoSampleTest, sides: str, names: tuple[str, str], scope: Scope) -> str:
    match test:
        case TwoSampleTest.WELCH:
            return _welch(sides, names, scope)
        case TwoSampleTest.MANN_WHITNEY:
            return _mann_whitney(sides, names, scope)
        case TwoSampleTest.PAIRED | TwoSampleTest.WILCOXON:
            raise AssertionError("The values of a paired test are no independent samples.")
        case _:
            assert_never(test)


_SIDES = {"1": "FILTER (WHERE is_first)", "2": "FILTER (WHERE NOT is_first)"}


def _of_both(figures: Mapping[str, str]) -> str:
    """Return each figure of the first sample and of the second, as its name with 1 and 2 behind it."""
    return ", ".join(f"{value} {side} AS {name}{n}" for name, value in figures.items() for n, side in _SIDES.items())


def _welch(sides: str, names: tuple[str, str], scope: Scope) -> str:
    centred = f"SELECT *, favg(x) OVER (PARTITION BY is_first) AS m FROM ({sides})"
    sums = _of_both({"n": "count(*)", "m": "any_value(m)", "ss": "sum((x - m) * (x - m))"})
    flat = " AND ".join(f"coalesce(max(x) {side} = min(x) {side}, TRUE)" for side in _SIDES.values())
    summed = f"SELECT {sums}, {flat} AS flat FROM ({centred})"
    spread = f"SELECT *, ss1 / nullif(n1 - 1, 0) AS v1, ss2 / nullif(n2 - 1, 0) AS v2 FROM ({summed})"
    errors = f"SELECT *, v1 / n1 AS e1, v2 / n2 AS e2, least(n1, n2) >= 2 AND NOT flat AS ok FROM ({spread})"
    tested = (
        "SELECT *, CASE WHEN ok THEN (m1 - m2) / sqrt(e1 + e2) END AS t, "
        "CASE WHEN ok THEN (e1 + e2) * (e1 + e2) / (e1 * e1 / (n1 - 1) + e2 * e2 / (n2 - 1)) END AS f, "
        f"CASE WHEN ok THEN (m1 - m2) / sqrt((v1 + v2) / 2) END AS d FROM ({errors})"
    )
    finding = (
        f"CASE WHEN least(n1, n2) < 2 THEN '{findings.FEW_IN_SAMPLE}' WHEN flat THEN '{findings.EQUAL_IN_SAMPLES}' "
        f"ELSE {significance('p')} END"
    )
    cells = named_cells(
        scope,
        first=names[0],
        n_first="n1",
        mean_first="m1",
        second=names[1],
        n_second="n2",
        mean_second="m2",
        difference="m1 - m2",
        t_statistic="t",
        df="f",
        p_value="p",
        effect_size="d",
        finding=finding,
    )
    return f"SELECT {cells}, 1 AS {scope.order} FROM (SELECT *, student_p(t, f) AS p FROM ({tested}))"


def _mann_whitney(sides: str, names: tuple[str, str], scope: Scope) -> str:
    ranked = f"SELECT *, {RANK.format('x')} AS r, count(*) OVER (PARTITION BY x) AS ties FROM ({sides})"
    sums = _of_both({"n": "count(*)", "c": "quantile_cont(x, 0.5)"})
    counted = (
        f"SELECT {sums}, sum(r) FILTER (WHERE is_first) AS ranks, min(x) = max(x) AS flat, count(*) AS n, "
        f"CAST(sum(ties * ties - 1) AS DOUBLE) AS tied FROM ({ranked})"
    )
    centred = (
        "SELECT *, CAST(n1 AS DOUBLE) * n2 AS pairs, ranks - n1 * (n1 + 1) / 2.0 AS u, n1 * n2 > 0 AND NOT flat AS ok "
        f"FROM ({counted})"
    )
    scaled = (
        "SELECT *, (abs(u - pairs / 2) - 0.5) / sqrt(pairs / 12 * (n + 1 - tied / (CAST(n AS DOUBLE) * (n - 1)))) AS z "
        f"FROM (SELECT * FROM ({centred}) WHERE ok)"
    )
    tested = f"SELECT *, least(1.0, 2 * normal_tail(z)) AS p FROM ({scaled})"
    both = f"{tested} UNION ALL SELECT *, NULL AS z, NULL AS p FROM ({centred}) WHERE ok IS NOT TRUE"
    finding = (
        f"CASE WHEN n1 * n2 = 0 THEN '{findings.EMPTY_SAMPLE}' WHEN flat THEN '{findings.ALL_EQUAL}' "
        f"ELSE {significance('p')} END"
    )
    cells = named_cells(
        scope,
        first=names[0],
        n_first="n1",
        median_first="c1",
        second=names[1],
        n_second="n2",
        median_second="c2",
        u_statistic="CASE WHEN ok THEN u END",
        p_value="p",
        effect_size="CASE WHEN ok THEN 2 * u / pairs - 1 END",
        finding=finding,
    )
    return f"SELECT {cells}, 1 AS {scope.order} FROM ({both})"


def select_anova(step: Anova, source: str, scope: Scope) -> str:
    """Return the query of a one-way analysis of variance."""
    number, group = double_of(step.value.name, scope), scope.column(step.group.name)
    usable = f"SELECT {number} AS x, {group} AS g FROM {source} WHERE isfinite({number}) AND {group} IS NOT NULL"
    centred = f"SELECT x, g, favg(x) OVER () AS grand, favg(x) OVER (PARTITION BY g) AS m FROM ({usable})"
    groups = (
        "SELECT g, count(*) AS n, any_value(m) AS m, sum((x - m) * (x - m)) AS within, "
        f"sum((m - grand) * (m - grand)) AS between, min(x) = max(x) AS flat FROM ({centred}) GROUP BY g"
    )
    sums = (
        "SELECT count(*) AS k, coalesce(sum(n), 0) AS n, sum(within) AS within, sum(between) AS between, "
        "coalesce(bool_and(flat), TRUE) AS flat FROM groups"
    )
    tested = (
        "SELECT *, CASE WHEN k >= 2 AND NOT flat THEN (between / (k - 1)) / (within / (n - k)) END AS f, "
        f"CASE WHEN k >= 2 AND NOT flat THEN within / (n - k) END AS mean_square FROM ({sums})"
    )
    test = (
        "SELECT *, f_tail(f, k - 1, n - k) AS p, "
        f"CASE WHEN f IS NOT NULL THEN between / (between + within) END AS eta FROM ({tested})"
    )
    finding = (
        f"CASE WHEN k < 2 THEN '{findings.FEW_GROUPS}' WHEN flat THEN '{findings.EQUAL_IN_GROUPS}' "
        f"ELSE {significance('p')} END"
    )
    ctes = f"WITH groups AS ({groups}), test AS ({test})"
    if step.post_hoc:
        return f"{ctes}{_tukey(finding, scope)}"
    cells = named_cells(
        scope,
        groups="k",
        n="CAST(n AS BIGINT)",
        f_statistic="f",
        df_between="greatest(k - 1, 0)",
        df_within="CAST(n - k AS BIGINT)",
        p_value="p",
        eta_squared="eta",
        finding=finding,
    )
    return f"{ctes} SELECT {cells}, 1 AS {scope.order} FROM test"


def _tukey(finding: str, scope: Scope) -> str:
    """Return the rows of Tukey and Kramer's comparisons, after the row of the analysis of variance."""
    numbered = "numbered AS (SELECT *, row_number() OVER (ORDER BY g) AS place FROM groups)"
    pairs = (
        "pairs AS (SELECT a.g AS g1, b.g AS g2, a.place AS i, b.place AS j, a.m - b.m AS gap, "
        "abs(a.m - b.m) / sqrt(mean_square / 2 * (1.0 / a.n + 1.0 / b.n)) AS q, mean_square, k, t.n - k AS df "
        "FROM test AS t JOIN numbered AS a ON TRUE JOIN numbered AS b ON a.place < b.place "
        f"WHERE f IS NOT NULL AND k <= {findings.MOST_COMPARED})"
    )
    judged = "judged AS (SELECT *, round(tukey_tail(q, k, df), 6) AS p FROM pairs)"
    many = f"CASE WHEN f IS NOT NULL AND k > {findings.MOST_COMPARED} THEN '{findings.NOT_COMPARED}' ELSE '' END"
    whole = named_cells(
        scope,
        test="'ANOVA'",
        first="(SELECT any_value(g) FROM groups WHERE FALSE)",
        second="(SELECT any_value(g) FROM groups WHERE FALSE)",
        difference="CAST(NULL AS DOUBLE)",
        statistic="f",
        p_value="p",
        effect_size="eta",
        finding=f"({finding}) || {many}",
    )
    each = named_cells(
        scope,
        test="'Tukey HSD'",
        first="g1",
        second="g2",
        difference="gap",
        statistic="q",
        p_value="p",
        effect_size="gap / sqrt(mean_square)",
        finding=significance("p"),
    )
    ordered = f"row_number() OVER (ORDER BY i, j) + 1 AS {scope.order}"
    return (
        f", {numbered}, {pairs}, {judged} "
        f"SELECT {whole}, 1 AS {scope.order} FROM test UNION ALL SELECT {each}, {ordered} FROM judged"
    )


def select_kruskal_wallis(step: KruskalWallis, source: str, scope: Scope) -> str:
    """Return the query of Kruskal and Wallis's test.

    H is 12 / (n (n + 1)) times the sum over the groups of their size times the squared distance of their mean rank
    from (n + 1) / 2, divided by 1 - (sum of t³ - t over the ties) / (n³ - n) (Kruskal and Wallis, 1952, 1.1 and 1.3).
    """
    number, group = double_of(step.value.name, scope), scope.column(step.group.name)
    usable = f"SELECT {number} AS x, {group} AS g FROM {source} WHERE isfinite({number}) AND {group} IS NOT NULL"
    ranked = f"SELECT x, g, {RANK.format('x')} AS r, count(*) OVER (PARTITION BY x) AS ties FROM ({usable})"
    groups = "SELECT count(*) AS size, sum(r) / count(*) AS m FROM ranked GROUP BY g"
    whole = (
        "SELECT CAST(count(*) AS DOUBLE) AS n, count(DISTINCT g) AS k, coalesce(min(x) = max(x), TRUE) AS flat, "
        "CAST(sum(ties * ties - 1) AS DOUBLE) AS tied FROM ranked"
    )
    spread = f"SELECT sum(size * (m - (n + 1) / 2) * (m - (n + 1) / 2)) FROM ({groups})"
    tested = (
        f"SELECT *, CASE WHEN k >= 2 AND NOT flat THEN 12 / (n * (n + 1)) * ({spread}) "
        f"/ (1 - tied / (n * (n * n - 1))) END AS h FROM ({whole})"
    )
    finding = (
        f"CASE WHEN k < 2 THEN '{findings.FEW_GROUPS}' WHEN flat THEN '{findings.ALL_EQUAL}' "
        f"ELSE {significance('p')} END"
    )
    cells = named_cells(
        scope,
        groups="k",
        n="CAST(n AS BIGINT)",
        h_statistic="h",
        df="greatest(k - 1, 0)",
        p_value="p",
        epsilon_squared="h / (n - 1)",
        finding=finding,
    )
    return (
        f"WITH ranked AS ({ranked}) SELECT {cells}, 1 AS {scope.order} "
        f"FROM (SELECT *, chi_square_tail(h, k - 1) AS p FROM ({tested}))"
    )


def select_chi_square(step: ChiSquare, source: str, scope: Scope) -> str:
    """Return the query of a test of independence, with Yates' correction for two by two categories."""
    a, b = (scope.column(name) for name in step.labels)
    present = f"{a} IS NOT NULL AND {b} IS NOT NULL"
    cells = f"SELECT {a} AS a, {b} AS b, count(*) AS o FROM {source} WHERE {present} GROUP BY 1, 2"
    sides = (
        "rows_ AS (SELECT a, sum(o) AS total FROM cells GROUP BY a), "
        "columns_ AS (SELECT b, sum(o) AS total FROM cells GROUP BY b), "
        "whole AS (SELECT coalesce(sum(o), 0) AS n, count(DISTINCT a) AS r, count(DISTINCT b) AS c FROM cells)"
    )
    expected = (
        "expected AS (SELECT coalesce(o, 0) AS o, CAST(rows_.total * columns_.total AS DOUBLE) / n AS e, n, r, c "
        "FROM rows_ JOIN columns_ ON TRUE JOIN whole ON TRUE "
        "LEFT JOIN cells ON cells.a = rows_.a AND cells.b = columns_.b)"
    )
    gap = "abs(o - e) - CASE WHEN (r - 1) * (c - 1) = 1 THEN least(0.5, abs(o - e)) ELSE 0 END"
    sums = (
        f"sums AS (SELECT sum(({gap}) * ({gap}) / e) AS chi, sum((o - e) * (o - e) / e) AS plain, min(e) AS least_e "
        "FROM expected)"
    )
    tested = (
        "SELECT n, r, c, least(r, c) >= 2 AS ok, (r - 1) * (c - 1) AS f, chi, plain, least_e "
        "FROM whole JOIN sums ON TRUE"
    )
    rough = f"CASE WHEN least_e < {findings.LEAST_EXPECTED} THEN '{findings.ROUGH}' ELSE '' END"
    finding = f"CASE WHEN ok THEN ({significance('p')}) || {rough} ELSE '{findings.FEW_CATEGORIES}' END"
    shown = named_cells(
        scope,
        n="CAST(n AS BIGINT)",
        chi_square="CASE WHEN ok THEN chi END",
        df="greatest(r - 1, 0) * greatest(c - 1, 0)",
        p_value="p",
        cramers_v="CASE WHEN ok THEN sqrt(plain / n / (least(r, c) - 1)) END",
        finding=finding,
    )
    p_value = "chi_square_tail(CASE WHEN ok THEN chi END, f)"
    return (
        f"WITH cells AS ({cells}), {sides}, {expected}, {sums} "
        f"SELECT {shown}, 1 AS {scope.order} FROM (SELECT *, {p_value} AS p FROM ({tested}))"
    )


def select_normality(step: Normality, source: str, scope: Scope) -> str:
    """Return the query of D'Agostino and Pearson's test, of all rows or of each group."""
    number, grouped = double_of(step.column.name, scope), bool(step.by.names)
    group = group_of(step.by, scope) if grouped else "0"
    present = f" AND {are_present(step.by, scope)}" if grouped else ""
    values = f"SELECT {number} AS x, {group} AS g FROM {source} WHERE isfinite({number}){present}"
    centred = f"SELECT x, g, x - favg(x) OVER (PARTITION BY g) AS d FROM ({values})"
    figures = (
        f"SELECT {'g, ' if grouped else ''}count(*) AS n, min(x) = max(x) AS flat, "
        "avg(d * d) AS m2, avg(d * d * d) AS m3, avg(d * d * d * d) AS m4 "
        f"FROM ({centred}){' GROUP BY g' if grouped else ''}"
    )
    sums = each_group(step.by, figures, source, scope)
    ok = f"n >= {findings.LEAST_FOR_NORMALITY} AND NOT flat"
    shape = (
        f"SELECT *, CASE WHEN {ok} THEN m3 / (m2 * sqrt(m2)) END AS skew, "
        f"CASE WHEN {ok} THEN m4 / (m2 * m2) END AS b FROM ({sums})"
    )
    symmetric = f"CASE WHEN abs(skew) > {findings.SYMMETRIC} THEN skew ELSE 0.0 * skew END"
    finding = (
        f"CASE WHEN n < {findings.LEAST_FOR_NORMALITY} THEN '{findings.FEW_VALUES}' "
        f"WHEN flat THEN '{findings.ALL_EQUAL}' "
        f"WHEN p < {findings.SIGNIFICANCE} THEN '{findings.NOT_NORMAL}' ELSE '{findings.MAY_BE_NORMAL}' END"
    )
    cells = named_cells(
        scope,
        n="n",
        skewness="skew",
        excess_kurtosis="b - 3",
        statistic=f"normality_statistic({symmetric}, b, n)",
        p_value="p",
        finding=finding,
    )
    tested = f"SELECT *, normality_p({symmetric}, b, n) AS p FROM ({shape})"
    keys, order = shown_groups(step.by, scope), order_of_groups(step.by)
    return f"SELECT {keys}{cells}, {order} AS {scope.order} FROM ({tested})"
