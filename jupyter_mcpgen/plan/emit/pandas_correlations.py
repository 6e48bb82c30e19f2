"""Writes correlations and regression lines with pandas and scipy."""

from __future__ import annotations

from jupyter_mcpgen.plan import findings
from jupyter_mcpgen.plan.emit.pandas_figures import (
    FINITE,
    NOTHING,
    finite_pair,
    rows_of,
    significance,
    undefined,
    write_figures,
)
from jupyter_mcpgen.plan.emit.pandas_writer import Writer
from jupyter_mcpgen.plan.statistics import CorrelationMatrix, CorrelationMethod, Correlations, LinearRegression

_PAIR_TESTS = {CorrelationMethod.PEARSON: "pearsonr", CorrelationMethod.SPEARMAN: "spearmanr"}


def write_correlations(step: Correlations, writer: Writer) -> None:
    """Append one row per pair of columns, or per group and pair."""
    table = writer.name_it("table")
    columns, by = table.list(step.columns), table.list(step.by)
    pairs = f"combinations({columns}, 2)"
    if step.against is not None:
        pairs = f"[({table.name(step.against)}, column) for column in {columns}]"
    key = "*key, " if step.by.names else ""
    used = columns
    if step.against is not None:
        listed = f"*{columns}" if step.columns.parameter else columns[1:-1]
        used = f"[{listed}, {table.name(step.against)}]"
    body = [
        f'numbers = {rows_of(step.by, table)}[{used}].astype("float64")',
        f"numbers = numbers.where(numbers{FINITE})",
        f"for first, second in {pairs}:",
        *(f"    {line}" for line in _one_pair(step, key)),
    ]
    loop = [f"for key, rows_of_group in {table.frame}.groupby({by}, observed=True):", *(f"    {line}" for line in body)]
    writer.statements += ["rows = []", *(loop if step.by.names else body)]
    keys = "" if not step.by.names else f"*{by}, " if step.by.parameter else f"{by[1:-1]}, "
    names = f'[{keys}"first", "second", "n", "correlation", "p_value", "finding"]'
    writer.replace("pairs", f"pd.DataFrame(rows, columns={names})")
    strength = "lambda column: column.abs().round(12)"
    writer.chain.append(
        f'.sort_values("correlation", key={strength}, ascending=False, kind="stable", ignore_index=True)'
    )
    if step.by.names:
        writer.chain.append(f'.sort_values({by}, kind="stable", ignore_index=True)')


def _one_pair(step: Correlations, key: str) -> list[str]:
    return [
        "pair = numbers[[first, second]].dropna()  # rows with both values",
        f"correlation = p_value = {NOTHING}",
        *undefined(
            (f"len(pair) < {findings.LEAST_PAIRS}", findings.FEW_PAIRS),
            ("(pair.nunique() < 2).any()", findings.CONSTANT_COLUMN),
        ),
        f"    test = stats.{_PAIR_TESTS[step.method]}(pair[first], pair[second])",
        "    correlation, p_value = test.statistic, test.pvalue",
        f"    finding = {significance('p_value')}",
        f"rows.append(({key}first, second, len(pair), correlation, p_value, finding))",
    ]


def write_matrix(step: CorrelationMatrix, writer: Writer) -> None:
    """Append one row and one column per number column."""
    table = writer.name_it("table")
    writer.statements.append(f'numbers = {table.frame}[{table.list(step.columns)}].astype("float64")')
    method = "" if step.method is CorrelationMethod.PEARSON else f'method="{step.method.value}"'
    writer.frame = f"numbers.where(numbers{FINITE})"
    writer.chain = [f".corr({method})", '.rename_axis("column")', ".reset_index()"]


def write_regression(step: LinearRegression, writer: Writer) -> None:
    """Append the least-squares line and how well it fits, of all rows or of each group."""
    table = writer.name_it("table")
    body = [
        *finite_pair("usable", rows_of(step.by, table), table.name(step.x), table.name(step.y)),
        f"x, y = usable[{table.name(step.x)}], usable[{table.name(step.y)}]",
        f"slope = intercept = r_squared = p_value = {NOTHING}",
        *undefined(
            (f"len(usable) < {findings.LEAST_PAIRS}", findings.FEW_PAIRS),
            ("x.nunique() < 2 or y.nunique() < 2", findings.CONSTANT_COLUMN),
        ),
        "    line = stats.linregress(x, y)",
        "    slope, r_squared, p_value = line.slope, line.rvalue**2, line.pvalue",
        "    # what is far smaller than the mean is rounding error",
        f"    intercept = line.intercept if abs(line.intercept) > {findings.NO_INTERCEPT} * abs(y.mean()) else 0.0",
        f"    finding = {significance('p_value')}",
    ]
    write_figures(
        step.by,
        table,
        body,
        writer,
        n="len(usable)",
        slope="slope",
        intercept="intercept",
        r_squared="r_squared",
        p_value="p_value",
        finding="finding",
    )
