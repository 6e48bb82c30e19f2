"""Writes the statistical steps of a plan with pandas, scipy and numpy.

Each statement leaves missing and infinite values out first: nothing compares as smaller than infinity but a number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from jupyter_mcpgen.plan.emit.pandas_expressions import literal_text, names_of_list
from jupyter_mcpgen.plan.emit.pandas_writer import Writer
from jupyter_mcpgen.plan.expressions import Col, Columns, Lit
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType, Schema
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
    FigureStatistic,
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
    schema_after_statistic,
)

NOTHING = 'float("nan")'
FINITE = '.abs() < float("inf")'
_PAIR_TESTS = {CorrelationMethod.PEARSON: "pearsonr", CorrelationMethod.SPEARMAN: "spearmanr"}


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
            case LinearRegression() | TwoGroups() | TwoColumns() | ChiSquare() | Normality():
                lines.add("from scipy import stats")
    return tuple(sorted(lines))


def argument_checks(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield when the arguments of a tool make no sense together, and what to say then."""
    for step in plan.steps:
        match step:
            case LinearRegression(y=Col(parameter=str(first)), x=Col(parameter=str(second))):
                yield f"{first} == {second}", f"`{first}` and `{second}` must be two columns."
            case TwoColumns() | ChiSquare() if step.first.parameter and step.second.parameter:
                first, second = step.first.parameter, step.second.parameter
                yield f"{first} == {second}", f"`{first}` and `{second}` must be two columns."
            case Anova() | TwoGroups() if step.value.parameter and step.group.parameter:
                first, second = step.value.parameter, step.group.parameter
                yield f"{first} == {second}", f"`{first}` and `{second}` must be two columns."
            case Correlations(against=Col(parameter=str(one)), columns=Columns(parameter=str(others))):
                yield f"{one} in {others}", f"`{others}` must not hold `{one}` itself."
        if isinstance(step, Outliers) and step.reach.parameter:
            yield f"{step.reach.parameter} <= 0", f"`{step.reach.parameter}` must be larger than 0."
        if isinstance(step, TwoGroups) and step.first.parameter and step.second.parameter:
            first, second = step.first.parameter, step.second.parameter
            yield f"{first} == {second}", f"`{first}` and `{second}` must be two groups."
        columns = getattr(step, "columns", None)
        if isinstance(step, Statistic) and isinstance(columns, Columns) and columns.parameter:
            again = f"len(set({columns.parameter})) < len({columns.parameter})"
            yield again, f"`{columns.parameter}` must name each column once."


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
            _write_correlations(step, writer)
        case CorrelationMatrix():
            names |= names_of_list(step.columns, writer.names)
            _write_matrix(step, writer)
        case LinearRegression():
            _write_regression(step, writer)
        case TwoGroups():
            _write_two_groups(step, schema, writer)
        case TwoColumns():
            _write_two_columns(step, writer)
        case Anova():
            _write_anova(step, writer)
        case ChiSquare():
            _write_chi_square(step, writer)
        case Normality():
            _write_normality(step, writer)
        case Histogram():
            _write_histogram(step, writer)
        case _:
            assert_never(step)
    writer.names = names


def _write_outliers(step: Outliers, writer: Writer) -> None:
    table = writer.name_it("table")
    writer.statements += [
        f'values = {table.column(step.column)}.astype("float64")',
        f"finite = values[values{FINITE}]",
    ]
    reach = literal_text(step.reach)
    if step.method is OutlierMethod.IQR:
        writer.statements += [
            "low, high = finite.quantile([0.25, 0.75])",
            f"reach_out = {reach} * (high - low)",
        ]
        outside = "(values < low - reach_out) | (values > high + reach_out)"
    else:
        outside = f"(values - finite.mean()).abs() > {reach} * finite.std()"
    writer.replace("kept", f"{table.frame}[{outside}]")


def _write_missing(step: MissingValues, writer: Writer) -> None:
    table = writer.name_it("table")
    writer.statements.append(f"missing = {table.frame}[{table.list(step.columns)}].isna()")
    cells = '"missing": missing.sum(), "present": (~missing).sum(), "share_missing": missing.mean()'
    writer.frame, writer.chain = f"pd.DataFrame({{{cells}}})", ['.rename_axis("column")', ".reset_index()"]


def _finite_pair(pair: str, frame: str, first: str, second: str) -> Iterator[str]:
    yield f'{pair} = {frame}[[{first}, {second}]].astype("float64")'
    yield f"{pair} = {pair}[({pair}{FINITE}).all(axis=1)]  # rows with both values"


def _significance(value: str) -> str:
    return f'"{SIGNIFICANT}" if {value} < {SIGNIFICANCE} else "{NOT_SIGNIFICANT}"'


def _undefined(*cases: tuple[str, str]) -> Iterator[str]:
    """Write why a figure may not be defined; what follows is the branch in which it is."""
    for number, (condition, finding) in enumerate(cases):
        yield f"{'elif' if number else 'if'} {condition}:"
        yield f'    finding = "{finding}"'
    yield "else:"


def _write_correlations(step: Correlations, writer: Writer) -> None:
    table = writer.name_it("table")
    columns = table.list(step.columns)
    pairs = f"combinations({columns}, 2)"
    if step.against is not None:
        pairs = f"[({table.name(step.against)}, column) for column in {columns}]"
    body = [
        *_finite_pair("pair", table.frame, "first", "second"),
        f"correlation = p_value = {NOTHING}",
        *_undefined((f"len(pair) < {LEAST_PAIRS}", FEW_PAIRS), ("(pair.nunique() < 2).any()", CONSTANT_COLUMN)),
        f"    test = stats.{_PAIR_TESTS[step.method]}(pair[first], pair[second])",
        "    correlation, p_value = test.statistic, test.pvalue",
        f"    finding = {_significance('p_value')}",
        "rows.append((first, second, len(pair), correlation, p_value, finding))",
    ]
    writer.statements += ["rows = []", f"for first, second in {pairs}:", *(f"    {line}" for line in body)]
    names = '["first", "second", "n", "correlation", "p_value", "finding"]'
    writer.replace("pairs", f"pd.DataFrame(rows, columns={names})")
    strength = "lambda column: column.abs().round(12)"
    writer.chain.append(
        f'.sort_values("correlation", key={strength}, ascending=False, kind="stable", ignore_index=True)'
    )


def _write_matrix(step: CorrelationMatrix, writer: Writer) -> None:
    table = writer.name_it("table")
    writer.statements.append(f'numbers = {table.frame}[{table.list(step.columns)}].astype("float64")')
    method = "" if step.method is CorrelationMethod.PEARSON else f'method="{step.method.value}"'
    writer.frame = f"numbers.where(numbers{FINITE})"
    writer.chain = [f".corr({method})", '.rename_axis("column")', ".reset_index()"]


def _write_regression(step: LinearRegression, writer: Writer) -> None:
    table = writer.name_it("table")
    writer.statements += [
        *_finite_pair("usable", table.frame, table.name(step.x), table.name(step.y)),
        f"x, y = usable[{table.name(step.x)}], usable[{table.name(step.y)}]",
        f"slope = intercept = r_squared = p_value = {NOTHING}",
        *_undefined(
            (f"len(usable) < {LEAST_PAIRS}", FEW_PAIRS), ("x.nunique() < 2 or y.nunique() < 2", CONSTANT_COLUMN)
        ),
        "    line = stats.linregress(x, y)",
        "    slope, r_squared, p_value = line.slope, line.rvalue**2, line.pvalue",
        "    # what is far smaller than the mean is rounding error",
        f"    intercept = line.intercept if abs(line.intercept) > {NO_INTERCEPT} * abs(y.mean()) else 0.0",
        f"    finding = {_significance('p_value')}",
    ]
    _one_row(
        writer,
        n="len(usable)",
        slope="slope",
        intercept="intercept",
        r_squared="r_squared",
        p_value="p_value",
        finding="finding",
    )


def _one_row(writer: Writer, **cells: str) -> None:
    written = ", ".join(f'"{name}": [{value}]' for name, value in cells.items())
    writer.frame, writer.chain = f"pd.DataFrame({{{written}}})", []


def _write_two_groups(step: TwoGroups, schema: Schema, writer: Writer) -> None:
    table = writer.name_it("table")
    value, group = table.name(step.value), table.column(step.group)
    boolean = schema.type_of(step.group.name) is ColumnType.BOOLEAN
    names = {}
    for side, literal in (("first", step.first), ("second", step.second)):
        names[side] = literal_text(literal)
        chosen = f"{group}.eq({names[side]})" if boolean else f"{group} == {names[side]}"
        writer.statements += [
            f'{side} = {table.frame}.loc[{chosen}, {value}].astype("float64")',
            f"{side} = {side}[{side}{FINITE}]",
        ]
    _write_two_samples(step.test, names["first"], names["second"], writer)


def _write_two_columns(step: TwoColumns, writer: Writer) -> None:
    table = writer.name_it("table")
    for side, column in (("first", step.first), ("second", step.second)):
        writer.statements += [
            f'{side} = {table.column(column)}.astype("float64")',
            f"{side} = {side}[{side}{FINITE}]",
        ]
    _write_two_samples(step.test, table.name(step.first), table.name(step.second), writer)


def _write_two_samples(test: TwoSampleTest, first: str, second: str, writer: Writer) -> None:
    match test:
        case TwoSampleTest.WELCH:
            writer.statements += [
                f"t_statistic = df_welch = p_value = effect_size = {NOTHING}",
                *_undefined(
                    ("min(len(first), len(second)) < 2", FEW_IN_SAMPLE),
                    ("first.nunique() < 2 and second.nunique() < 2", EQUAL_IN_SAMPLES),
                ),
                "    test = stats.ttest_ind(first, second, equal_var=False)",
                "    t_statistic, df_welch, p_value = test.statistic, test.df, test.pvalue",
                "    effect_size = (first.mean() - second.mean()) / ((first.var() + second.var()) / 2) ** 0.5",
                f"    finding = {_significance('p_value')}",
            ]
            centre = "mean"
            figures = {
                "difference": "first.mean() - second.mean()",
                "t_statistic": "t_statistic",
                "df": "df_welch",
            }
        case TwoSampleTest.MANN_WHITNEY:
            writer.statements += [
                f"u_statistic = p_value = effect_size = {NOTHING}",
                *_undefined(
                    ("first.empty or second.empty", EMPTY_SAMPLE),
                    ("pd.concat([first, second]).nunique() < 2", ALL_EQUAL),
                ),
                '    test = stats.mannwhitneyu(first, second, method="asymptotic")',
                "    u_statistic, p_value = test.statistic, test.pvalue",
                "    effect_size = 2 * u_statistic / (len(first) * len(second)) - 1  # rank-biserial correlation",
                f"    finding = {_significance('p_value')}",
            ]
            centre = "median"
            figures = {"u_statistic": "u_statistic"}
        case _:
            assert_never(test)
    samples = {
        name: value
        for side, label in (("first", first), ("second", second))
        for name, value in ((side, label), (f"n_{side}", f"len({side})"), (f"{centre}_{side}", f"{side}.{centre}()"))
    }
    _one_row(writer, **samples, **figures, p_value="p_value", effect_size="effect_size", finding="finding")


def _write_anova(step: Anova, writer: Writer) -> None:
    table = writer.name_it("table")
    value, group = table.column(step.value), table.column(step.group)
    usable = f"({value}{FINITE}) & {group}.notna()"
    writer.statements += [
        f"usable = {table.frame}[{usable}]",
        f'values = usable[{table.name(step.value)}].astype("float64")',
        f"groups = values.groupby(usable[{table.name(step.group)}], observed=True)",
        f"f_statistic = p_value = eta_squared = {NOTHING}",
        *_undefined(
            ("groups.ngroups < 2", FEW_GROUPS),
            ("(groups.nunique() < 2).all()", EQUAL_IN_GROUPS),
        ),
        "    test = stats.f_oneway(*(sample for _, sample in groups))",
        "    f_statistic, p_value = test.statistic, test.pvalue",
        '    between = ((groups.transform("mean") - values.mean()) ** 2).sum()',
        "    eta_squared = between / ((values - values.mean()) ** 2).sum()",
        f"    finding = {_significance('p_value')}",
    ]
    if step.post_hoc:
        _write_tukey(writer)
        return
    _one_row(
        writer,
        groups="groups.ngroups",
        n="len(values)",
        f_statistic="f_statistic",
        df_between="max(groups.ngroups - 1, 0)",
        df_within="len(values) - groups.ngroups",
        p_value="p_value",
        eta_squared="eta_squared",
        finding="finding",
    )


def _write_tukey(writer: Writer) -> None:
    writer.statements += [
        f"if f_statistic == f_statistic and groups.ngroups > {MOST_COMPARED}:",
        f'    finding += "{NOT_COMPARED}"',
        f'rows = [("ANOVA", None, None, {NOTHING}, f_statistic, p_value, eta_squared, finding)]',
        f"if f_statistic == f_statistic and groups.ngroups <= {MOST_COMPARED}:",
        "    df_within = len(values) - groups.ngroups",
        '    mean_square = ((values - groups.transform("mean")) ** 2).sum() / df_within',
        "    figures = zip(groups.mean().index, groups.mean(), groups.size(), strict=True)",
        "    for (first, mean, size), (second, other_mean, other_size) in combinations(figures, 2):",
        "        difference = mean - other_mean",
        "        q = abs(difference) / (mean_square / 2 * (1 / size + 1 / other_size)) ** 0.5",
        "        adjusted = round(float(stats.studentized_range.sf(q, groups.ngroups, df_within)), 6)",
        f"        finding = {_significance('adjusted')}",
        '        row = ("Tukey HSD", first, second, difference, q, adjusted, difference / mean_square**0.5, finding)',
        "        rows.append(row)",
    ]
    names = '["test", "first", "second", "difference", "statistic", "p_value", "effect_size", "finding"]'
    writer.replace("comparisons", f"pd.DataFrame(rows, columns={names})")


def _write_chi_square(step: ChiSquare, writer: Writer) -> None:
    table = writer.name_it("table")
    writer.statements += [
        f"counts = pd.crosstab({table.column(step.first)}, {table.column(step.second)})",
        f"chi2 = p_value = cramers_v = {NOTHING}",
        *_undefined(("min(counts.shape) < 2", FEW_CATEGORIES)),
        "    test = stats.chi2_contingency(counts)",
        "    chi2, p_value = test.statistic, test.pvalue",
        "    plain = stats.chi2_contingency(counts, correction=False).statistic",
        "    cramers_v = (plain / counts.to_numpy().sum() / (min(counts.shape) - 1)) ** 0.5",
        f"    finding = {_significance('p_value')}",
        f"    if test.expected_freq.min() < {LEAST_EXPECTED}:",
        f'        finding += "{ROUGH}"',
    ]
    _one_row(
        writer,
        n="int(counts.to_numpy().sum())",
        chi_square="chi2",
        df="max(counts.shape[0] - 1, 0) * max(counts.shape[1] - 1, 0)",
        p_value="p_value",
        cramers_v="cramers_v",
        finding="finding",
    )


def _finite_values(column: Col, writer: Writer) -> None:
    table = writer.name_it("table")
    writer.statements += [
        f'values = {table.column(column)}.astype("float64")',
        f"values = values[values{FINITE}]",
    ]


def _write_normality(step: Normality, writer: Writer) -> None:
    _finite_values(step.column, writer)
    writer.statements += [
        f"skewness = kurtosis = statistic = p_value = {NOTHING}",
        *_undefined((f"len(values) < {LEAST_FOR_NORMALITY}", FEW_VALUES), ("values.nunique() < 2", ALL_EQUAL)),
        "    skewness, kurtosis = stats.skew(values), stats.kurtosis(values)",
        "    # scipy's test of skewness is wrong for values that lie symmetrically: theirs is 0",
        f"    z_skewness = stats.skewtest(values).statistic if abs(skewness) > {SYMMETRIC} else 0.0",
        "    statistic = z_skewness**2 + stats.kurtosistest(values).statistic ** 2",
        "    p_value = stats.chi2.sf(statistic, 2)",
        f'    finding = "{NOT_NORMAL}" if p_value < {SIGNIFICANCE} else "{MAY_BE_NORMAL}"',
    ]
    _one_row(
        writer,
        n="len(values)",
        skewness="skewness",
        excess_kurtosis="kurtosis",
        statistic="statistic",
        p_value="p_value",
        finding="finding",
    )


def _write_histogram(step: Histogram, writer: Writer) -> None:
    _finite_values(step.column, writer)
    writer.statements.append(f"counts, edges = np.histogram(values, bins={_whole(step.bins)})")
    writer.frame = 'pd.DataFrame({"bin_start": edges[:-1], "bin_end": edges[1:], "count": counts})'
    writer.chain = [".head(len(counts) if len(values) else 0)"]


def _whole(literal: Lit) -> str:
    return literal.parameter or repr(literal.value)
