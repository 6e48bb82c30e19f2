"""Writes the statistical steps of a plan as SQL from first principles: counts, ranks and sums of squares.

The tails of distributions are functions that the engine adds to DuckDB (`data.distributions`); nothing comes from the
libraries that the pandas code uses.
"""

from __future__ import annotations

from itertools import combinations
from typing import assert_never

from jupyter_mcpgen.plan.emit.duckdb_expressions import Scope, text_literal, value_text
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.statistics import (
    ALL_EQUAL,
    CONSTANT_COLUMN,
    EMPTY_SAMPLE,
    EQUAL_IN_GROUPS,
    EQUAL_IN_SAMPLES,
    FEW_CATEGORIES,
    FEW_GROUPS,
    FEW_IN_SAMPLE,
    FEW_PAIRS,
    FEW_VALUES,
    LEAST_EXPECTED,
    LEAST_FOR_NORMALITY,
    LEAST_PAIRS,
    MAY_BE_NORMAL,
    MOST_COMPARED,
    NO_INTERCEPT,
    NOT_COMPARED,
    NOT_NORMAL,
    NOT_SIGNIFICANT,
    ROUGH,
    SIGNIFICANCE,
    SIGNIFICANT,
    SYMMETRIC,
    Anova,
    ChiSquare,
    CorrelationMatrix,
    CorrelationMethod,
    Correlations,
    Duplicates,
    Histogram,
    LinearRegression,
    MissingValues,
    Normality,
    OutlierMethod,
    Outliers,
    Statistic,
    TwoColumns,
    TwoGroups,
    TwoSampleTest,
)

_RANK = "rank() OVER (ORDER BY {0}) + (count(*) OVER (PARTITION BY {0}) - 1) / 2.0"
"""The rank of a value, the mean of the ranks where several are equal."""


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
            return _correlations(step, source, scope)
        case CorrelationMatrix():
            return _matrix(step, source, scope)
        case LinearRegression():
            return _regression(step, source, scope)
        case TwoGroups():
            return _two_groups(step, source, scope)
        case TwoColumns():
            return _two_columns(step, source, scope)
        case Anova():
            return _anova(step, source, scope)
        case ChiSquare():
            return _chi_square(step, source, scope)
        case Normality():
            return _normality(step, source, scope)
        case Histogram():
            return _histogram(step, source, scope)
        case _:
            assert_never(step)


def _number(name: str, scope: Scope) -> str:
    return f"CAST({scope.column(name)} AS DOUBLE)"


def _values(column: Col, source: str, scope: Scope) -> str:
    """Return a query for the finite values `x` of a column."""
    number = _number(column.name, scope)
    return f"SELECT {number} AS x FROM {source} WHERE isfinite({number})"


def _cells(scope: Scope, **values: str) -> str:
    return ", ".join(f"{value} AS {scope.column(name)}" for name, value in values.items())


def _significance(p_value: str) -> str:
    return f"CASE WHEN {p_value} < {SIGNIFICANCE} THEN '{SIGNIFICANT}' ELSE '{NOT_SIGNIFICANT}' END"


def _duplicates(step: Duplicates, source: str, scope: Scope) -> str:
    keys = scope.columns(step.columns.names)
    again = f"row_number() OVER (PARTITION BY {keys} ORDER BY {scope.order}) > 1"
    often = f"count(*) OVER (PARTITION BY {keys}) > 1"
    chosen = again if step.repeats_only else often
    return f"SELECT {scope.columns(scope.schema.names)}, {scope.order} FROM {source} QUALIFY {chosen}"


def _outliers(step: Outliers, source: str, scope: Scope) -> str:
    number = _number(step.column.name, scope)
    reach = value_text(step.reach, scope)
    values = _values(step.column, source, scope)
    if step.method is OutlierMethod.IQR:
        low, high = (_quantile(share, values) for share in (0.25, 0.75))
        bounds = f"SELECT l AS low, h AS high, {reach} * (h - l) AS reach FROM (SELECT ({low}) AS l, ({high}) AS h)"
        outside = f"({number} < b.low - b.reach OR {number} > b.high + b.reach)"
    else:
        centred = f"SELECT x, favg(x) OVER () AS m FROM ({values})"
        bounds = (
            f"SELECT any_value(m) AS m, sqrt(sum((x - m) * (x - m)) / nullif(count(*) - 1, 0)) AS s FROM ({centred})"
        )
        outside = f"abs({number} - b.m) > {reach} * b.s"
    columns = scope.columns(scope.schema.names)
    return f"SELECT {columns}, {scope.order} FROM {source}, ({bounds}) AS b WHERE {outside}"


def _quantile(share: float, values: str) -> str:
    """Return a query for a quantile, half way between neighbours as their distance says (Hyndman and Fan's type 7)."""
    ranked = (
        f"SELECT x, row_number() OVER (ORDER BY x) - 1 AS i, (count(*) OVER () - 1) * {share} AS place FROM ({values})"
    )
    ends = (
        "SELECT max(x) FILTER (WHERE i = floor(place)) AS a, max(x) FILTER (WHERE i = ceil(place)) AS b, "
        f"any_value(place - floor(place)) AS t FROM ({ranked})"
    )
    return f"SELECT CASE WHEN t < 0.5 THEN a + (b - a) * t ELSE b - (b - a) * (1 - t) END FROM ({ends})"


def _missing(step: MissingValues, source: str, scope: Scope) -> str:
    selects = []
    for position, name in enumerate(step.columns.names):
        missing = f"count(*) - count({scope.column(name)})"
        cells = _cells(
            scope,
            column=text_literal(name),
            missing=missing,
            present=f"count({scope.column(name)})",
            share_missing=f"({missing}) / nullif(count(*), 0)",
        )
        selects.append(f"SELECT {cells}, {position} AS {scope.order} FROM {source}")
    return " UNION ALL ".join(selects)


def _moments(first: str, second: str, method: CorrelationMethod, source: str, scope: Scope) -> str:
    """Return a query for the sums of squares of two columns over the rows that have both."""
    x, y = _number(first, scope), _number(second, scope)
    pairs = f"SELECT {x} AS x, {y} AS y FROM {source} WHERE isfinite({x}) AND isfinite({y})"
    if method is CorrelationMethod.SPEARMAN:
        pairs = f"SELECT {_RANK.format('x')} AS x, {_RANK.format('y')} AS y FROM ({pairs})"
    centred = f"SELECT x, y, favg(x) OVER () AS mx, favg(y) OVER () AS my FROM ({pairs})"
    return (
        "SELECT count(*) AS n, min(x) = max(x) OR min(y) = max(y) AS flat, any_value(mx) AS mx, any_value(my) AS my, "
        "sum((x - mx) * (x - mx)) AS sxx, sum((y - my) * (y - my)) AS syy, sum((x - mx) * (y - my)) AS sxy "
        f"FROM ({centred})"
    )


def _correlation(least: int) -> str:
    return f"CASE WHEN n >= {least} AND NOT flat THEN greatest(-1.0, least(1.0, sxy / (sqrt(sxx) * sqrt(syy)))) END"


def _line_finding() -> str:
    return (
        f"CASE WHEN n < {LEAST_PAIRS} THEN '{FEW_PAIRS}' WHEN flat THEN '{CONSTANT_COLUMN}' "
        f"ELSE {_significance('p')} END"
    )


def _correlations(step: Correlations, source: str, scope: Scope) -> str:
    names = step.columns.names
    pairs = list(combinations(names, 2)) if step.against is None else [(step.against.name, name) for name in names]
    figures = " UNION ALL ".join(
        f"SELECT {text_literal(first)} AS a, {text_literal(second)} AS b, {position} AS place, n, flat, "
        f"{_correlation(LEAST_PAIRS)} AS r FROM ({_moments(first, second, step.method, source, scope)})"
        for position, (first, second) in enumerate(pairs)
    )
    tested = f"SELECT *, correlation_p(r, n) AS p FROM ({figures})"
    cells = _cells(scope, first="a", second="b", n="n", correlation="r", p_value="p", finding=_line_finding())
    order = "row_number() OVER (ORDER BY round(abs(r), 12) DESC NULLS LAST, place)"
    return f"SELECT {cells}, {order} AS {scope.order} FROM ({tested})"


def _matrix(step: CorrelationMatrix, source: str, scope: Scope) -> str:
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


def _regression(step: LinearRegression, source: str, scope: Scope) -> str:
    moments = _moments(step.x.name, step.y.name, CorrelationMethod.PEARSON, source, scope)
    line = f"SELECT *, {_correlation(LEAST_PAIRS)} AS r, sxy / sxx AS b, my - sxy / sxx * mx AS a FROM ({moments})"
    tested = f"SELECT *, correlation_p(r, n) AS p FROM ({line})"
    cells = _cells(
        scope,
        n="n",
        slope="CASE WHEN r IS NOT NULL THEN b END",
        intercept=f"CASE WHEN r IS NULL THEN NULL WHEN abs(a) > {NO_INTERCEPT} * abs(my) THEN a ELSE 0.0 END",
        r_squared="r * r",
        p_value="p",
        finding=_line_finding(),
    )
    return f"SELECT {cells}, 1 AS {scope.order} FROM ({tested})"


def _two_groups(step: TwoGroups, source: str, scope: Scope) -> str:
    number, group = _number(step.value.name, scope), scope.column(step.group.name)
    first, second = value_text(step.first, scope), value_text(step.second, scope)
    sides = (
        f"SELECT {number} AS x, {group} = {first} AS is_first FROM {source} "
        f"WHERE isfinite({number}) AND ({group} = {first} OR {group} = {second})"
    )
    return _two_samples(step.test, sides, (first, second), scope)


def _two_columns(step: TwoColumns, source: str, scope: Scope) -> str:
    first = f"SELECT x, TRUE AS is_first FROM ({_values(step.first, source, scope)})"
    second = f"SELECT x, FALSE AS is_first FROM ({_values(step.second, source, scope)})"
    names = text_literal(step.first.name), text_literal(step.second.name)
    return _two_samples(step.test, f"{first} UNION ALL {second}", names, scope)


def _two_samples(test: TwoSampleTest, sides: str, names: tuple[str, str], scope: Scope) -> str:
    match test:
        case TwoSampleTest.WELCH:
            return _welch(sides, names, scope)
        case TwoSampleTest.MANN_WHITNEY:
            return _mann_whitney(sides, names, scope)
        case _:
            assert_never(test)


def _by_side(value: str) -> str:
    return f"{value} FILTER (WHERE is_first) AS {{0}}1, {value} FILTER (WHERE NOT is_first) AS {{0}}2"


def _welch(sides: str, names: tuple[str, str], scope: Scope) -> str:
    centred = f"SELECT *, favg(x) OVER (PARTITION BY is_first) AS m FROM ({sides})"
    sums = ", ".join(
        _by_side(value).format(name)
        for name, value in {
            "n": "count(*)",
            "m": "any_value(m)",
            "ss": "sum((x - m) * (x - m))",
            "flat": "coalesce(min(x) = max(x), TRUE)",
        }.items()
        if name != "flat"
    )
    flat = "coalesce(max(x) FILTER (WHERE is_first) = min(x) FILTER (WHERE is_first), TRUE) AND " + (
        "coalesce(max(x) FILTER (WHERE NOT is_first) = min(x) FILTER (WHERE NOT is_first), TRUE) AS flat"
    )
    summed = f"SELECT {sums}, {flat} FROM ({centred})"
    spread = f"SELECT *, ss1 / nullif(n1 - 1, 0) AS v1, ss2 / nullif(n2 - 1, 0) AS v2 FROM ({summed})"
    errors = f"SELECT *, v1 / n1 AS e1, v2 / n2 AS e2, least(n1, n2) >= 2 AND NOT flat AS ok FROM ({spread})"
    tested = (
        "SELECT *, CASE WHEN ok THEN (m1 - m2) / sqrt(e1 + e2) END AS t, "
        "CASE WHEN ok THEN (e1 + e2) * (e1 + e2) / (e1 * e1 / (n1 - 1) + e2 * e2 / (n2 - 1)) END AS f, "
        f"CASE WHEN ok THEN (m1 - m2) / sqrt((v1 + v2) / 2) END AS d FROM ({errors})"
    )
    finding = (
        f"CASE WHEN least(n1, n2) < 2 THEN '{FEW_IN_SAMPLE}' WHEN flat THEN '{EQUAL_IN_SAMPLES}' "
        f"ELSE {_significance('p')} END"
    )
    cells = _cells(
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
    ranked = f"SELECT *, {_RANK.format('x')} AS r, count(*) OVER (PARTITION BY x) AS ties FROM ({sides})"
    sums = ", ".join(
        _by_side(value).format(name) for name, value in {"n": "count(*)", "c": "quantile_cont(x, 0.5)"}.items()
    )
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
    finding = f"CASE WHEN n1 * n2 = 0 THEN '{EMPTY_SAMPLE}' WHEN flat THEN '{ALL_EQUAL}' ELSE {_significance('p')} END"
    cells = _cells(
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


def _anova(step: Anova, source: str, scope: Scope) -> str:
    number, group = _number(step.value.name, scope), scope.column(step.group.name)
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
    finding = f"CASE WHEN k < 2 THEN '{FEW_GROUPS}' WHEN flat THEN '{EQUAL_IN_GROUPS}' ELSE {_significance('p')} END"
    ctes = f"WITH groups AS ({groups}), test AS ({test})"
    if step.post_hoc:
        return f"{ctes}{_tukey(finding, scope)}"
    cells = _cells(
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
        f"WHERE f IS NOT NULL AND k <= {MOST_COMPARED})"
    )
    judged = "judged AS (SELECT *, round(tukey_tail(q, k, df), 6) AS p FROM pairs)"
    many = f"CASE WHEN f IS NOT NULL AND k > {MOST_COMPARED} THEN '{NOT_COMPARED}' ELSE '' END"
    whole = _cells(
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
    each = _cells(
        scope,
        test="'Tukey HSD'",
        first="g1",
        second="g2",
        difference="gap",
        statistic="q",
        p_value="p",
        effect_size="gap / sqrt(mean_square)",
        finding=_significance("p"),
    )
    ordered = f"row_number() OVER (ORDER BY i, j) + 1 AS {scope.order}"
    return (
        f", {numbered}, {pairs}, {judged} "
        f"SELECT {whole}, 1 AS {scope.order} FROM test UNION ALL SELECT {each}, {ordered} FROM judged"
    )


def _chi_square(step: ChiSquare, source: str, scope: Scope) -> str:
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
    rough = f"CASE WHEN least_e < {LEAST_EXPECTED} THEN '{ROUGH}' ELSE '' END"
    finding = f"CASE WHEN ok THEN ({_significance('p')}) || {rough} ELSE '{FEW_CATEGORIES}' END"
    shown = _cells(
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


def _normality(step: Normality, source: str, scope: Scope) -> str:
    centred = f"SELECT x, x - favg(x) OVER () AS d FROM ({_values(step.column, source, scope)})"
    sums = (
        "SELECT count(*) AS n, min(x) = max(x) AS flat, "
        "avg(d * d) AS m2, avg(d * d * d) AS m3, avg(d * d * d * d) AS m4 "
        f"FROM ({centred})"
    )
    ok = f"n >= {LEAST_FOR_NORMALITY} AND NOT flat"
    shape = (
        f"SELECT n, flat, CASE WHEN {ok} THEN m3 / (m2 * sqrt(m2)) END AS g, "
        f"CASE WHEN {ok} THEN m4 / (m2 * m2) END AS b FROM ({sums})"
    )
    symmetric = f"CASE WHEN abs(g) > {SYMMETRIC} THEN g ELSE 0.0 * g END"
    finding = (
        f"CASE WHEN n < {LEAST_FOR_NORMALITY} THEN '{FEW_VALUES}' WHEN flat THEN '{ALL_EQUAL}' "
        f"WHEN p < {SIGNIFICANCE} THEN '{NOT_NORMAL}' ELSE '{MAY_BE_NORMAL}' END"
    )
    cells = _cells(
        scope,
        n="n",
        skewness="g",
        excess_kurtosis="b - 3",
        statistic=f"normality_statistic({symmetric}, b, n)",
        p_value="p",
        finding=finding,
    )
    tested = f"SELECT *, normality_p({symmetric}, b, n) AS p FROM ({shape})"
    return f"SELECT {cells}, 1 AS {scope.order} FROM ({tested})"


def _histogram(step: Histogram, source: str, scope: Scope) -> str:
    bins = step.bins.value
    ends = (
        "SELECT CASE WHEN low = high THEN low - 0.5 ELSE low END AS low, "
        "CASE WHEN low = high THEN high + 0.5 ELSE high END AS high "
        f"FROM (SELECT min(x) AS low, max(x) AS high FROM ({_values(step.column, source, scope)}))"
    )
    edges = (
        f"SELECT i, low + i * ((high - low) / {bins}) AS edge, "
        f"CASE WHEN i + 1 = {bins} THEN high ELSE low + (i + 1) * ((high - low) / {bins}) END AS next_edge "
        f"FROM (SELECT * FROM ({ends}) WHERE low IS NOT NULL), range({bins}) AS numbers(i)"
    )
    counted = (
        "SELECT i, count(x) AS c FROM edges LEFT JOIN "
        f"({_values(step.column, source, scope)}) ON x >= edge AND (x < next_edge OR i + 1 = {bins}) GROUP BY i"
    )
    cells = _cells(scope, bin_start="edge", bin_end="next_edge", count="c")
    return (
        f"WITH edges AS ({edges}), counted AS ({counted}) "
        f"SELECT {cells}, i AS {scope.order} FROM edges JOIN counted USING (i)"
    )
