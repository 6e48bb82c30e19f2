"""Writes the statistical steps of a plan with pandas, scipy and numpy.

Each statement leaves missing and infinite values out first: nothing compares as smaller than infinity but a number.
"""

from __future__ import annotations

from typing import assert_never

from jupyter_mcpgen.plan.check_statistics import schema_after_statistic
from jupyter_mcpgen.plan.emit.pandas_correlations import write_correlations, write_matrix, write_regression
from jupyter_mcpgen.plan.emit.pandas_expressions import literal_text, names_of_list
from jupyter_mcpgen.plan.emit.pandas_figures import FINITE, write_finite_values
from jupyter_mcpgen.plan.emit.pandas_intervals import write_mean_interval
from jupyter_mcpgen.plan.emit.pandas_paired import write_paired_columns
from jupyter_mcpgen.plan.emit.pandas_tests import (
    write_anova,
    write_chi_square,
    write_kruskal_wallis,
    write_normality,
    write_two_columns,
    write_two_groups,
)
from jupyter_mcpgen.plan.emit.pandas_writer import Writer
from jupyter_mcpgen.plan.expressions import Lit
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Schema
from jupyter_mcpgen.plan.statistics import (
    Anova,
    ChiSquare,
    CorrelationMatrix,
    Correlations,
    Duplicates,
    FigureStatistic,
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


def emit_imports(plan: Plan) -> tuple[str, ...]:
    """Return the import statements that the code of a plan's statistics needs besides pandas."""
    lines: set[str] = set()
    for step in plan.steps:
        match step:
            case Histogram():
                lines.add("import numpy as np")
            case Correlations():
                lines.update(
                    ["from scipy import stats", *(["from itertools import combinations"] * (not step.against))]
                )
            case Anova():
                lines.update(["from scipy import stats", *(["from itertools import combinations"] * step.post_hoc)])
            case LinearRegression() | TwoGroups() | TwoColumns() | KruskalWallis() | ChiSquare() | Normality():
                lines.add("from scipy import stats")
            case MeanInterval():
                lines.add("from scipy import stats")
    return tuple(sorted(lines))


def write_statistic(step: Statistic, schema: Schema, writer: Writer) -> None:
    """Append one step to the code written so far."""
    match step:
        case Duplicates():
            table = writer.name_it("table")
            keep = "" if step.repeats_only else ", keep=False"
            writer.replace("kept", f"{table.frame}[{table.frame}.duplicated({table.list(step.columns)}{keep})]")
        case Outliers():
            _write_outliers(step, writer)
        case _:
            _write_figures(step, schema, writer)


def _write_figures(step: FigureStatistic, schema: Schema, writer: Writer) -> None:
    names = {name: repr(name) for name in schema_after_statistic(step, schema).names}
    match step:
        case MissingValues():
            _write_missing(step, writer)
        case Correlations():
            names |= names_of_list(step.by, writer.names)
            write_correlations(step, writer)
        case CorrelationMatrix():
            names |= names_of_list(step.columns, writer.names)
            write_matrix(step, writer)
        case LinearRegression():
            names |= names_of_list(step.by, writer.names)
            write_regression(step, writer)
        case TwoGroups():
            write_two_groups(step, schema, writer)
        case TwoColumns() if step.test.is_paired:
            write_paired_columns(step, writer)
        case TwoColumns():
            write_two_columns(step, writer)
        case Anova():
            write_anova(step, writer)
        case KruskalWallis():
            write_kruskal_wallis(step, writer)
        case ChiSquare():
            write_chi_square(step, writer)
        case Normality():
            names |= names_of_list(step.by, writer.names)
            write_normality(step, writer)
        case MeanInterval():
            names |= names_of_list(step.by, writer.names)
            write_mean_interval(step, writer)
        case Histogram():
            _write_histogram(step, writer)
        case _:
            assert_never(step)
    writer.names = names


def _write_outliers(step: Outliers, writer: Writer) -> None:
    table = writer.name_it("table")
    writer.statements.append(f'values = {table.column(step.column)}.astype("float64")')
    if step.by.names:
        keys = f"[{table.frame}[key] for key in {table.list(step.by)}]"
        writer.statements.append(f"groups = values.where(values{FINITE}).groupby({keys}, observed=True)")
        low, high = 'groups.transform("quantile", 0.25)', 'groups.transform("quantile", 0.75)'
        ends, mean, std = f"{low}, {high}", 'groups.transform("mean")', 'groups.transform("std")'
    else:
        writer.statements.append(f"finite = values[values{FINITE}]")
        ends, mean, std = "finite.quantile([0.25, 0.75])", "finite.mean()", "finite.std()"
    reach = literal_text(step.reach)
    if step.method is OutlierMethod.IQR:
        writer.statements += [f"low, high = {ends}", f"reach_out = {reach} * (high - low)"]
        below, above = "values < low - reach_out", "values > high + reach_out"
        both = f"({below}) | ({above})"
    else:
        below, above = f"{mean} - values > {reach} * {std}", f"values - {mean} > {reach} * {std}"
        both = f"(values - {mean}).abs() > {reach} * {std}"
    outside = {OutlierSide.LOW: below, OutlierSide.HIGH: above, OutlierSide.BOTH: both}[step.side]
    writer.replace("kept", f"{table.frame}[{outside}]")


def _write_missing(step: MissingValues, writer: Writer) -> None:
    table = writer.name_it("table")
    writer.statements.append(f"missing = {table.frame}[{table.list(step.columns)}].isna()")
    cells = '"missing": missing.sum(), "present": (~missing).sum(), "share_missing": missing.mean()'
    writer.frame, writer.chain = f"pd.DataFrame({{{cells}}})", ['.rename_axis("column")', ".reset_index()"]


def _write_histogram(step: Histogram, writer: Writer) -> None:
    write_finite_values(step.column, writer)
    writer.statements.append(f"counts, edges = np.histogram(values, bins={_whole(step.bins)})")
    writer.frame = 'pd.DataFrame({"bin_start": edges[:-1], "bin_end": edges[1:], "count": counts})'
    writer.chain = [".head(len(counts) if len(values) else 0)"]


def _whole(literal: Lit) -> str:
    return literal.parameter or repr(literal.value)
