"""Writes statistical tests with pandas and scipy."""

from __future__ import annotations

from typing import assert_never

from jupyter_mcpgen.plan import findings
from jupyter_mcpgen.plan.emit.pandas_expressions import literal_text
from jupyter_mcpgen.plan.emit.pandas_figures import (
    FINITE,
    NOTHING,
    rows_of,
    significance,
    undefined,
    write_figures,
    write_one_row,
)
from jupyter_mcpgen.plan.emit.pandas_writer import Writer
from jupyter_mcpgen.plan.schema import ColumnType, Schema
from jupyter_mcpgen.plan.statistics import (
    Anova,
    ChiSquare,
    KruskalWallis,
    Normality,
    TwoColumns,
    TwoGroups,
    TwoSampleTest,
)


def write_two_groups(step: TwoGroups, schema: Schema, writer: Writer) -> None:
    """Append a test between two groups of a column."""
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


def write_two_columns(step: TwoColumns, writer: Writer) -> None:
    """Append a test between two columns."""
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
                *undefined(
                    ("min(len(first), len(second)) < 2", findings.FEW_IN_SAMPLE),
                    ("first.nunique() < 2 and second.nunique() < 2", findings.EQUAL_IN_SAMPLES),
                ),
                "    test = stats.ttest_ind(first, second, equal_var=False)",
                "    t_statistic, df_welch, p_value = test.statistic, test.df, test.pvalue",
                "    effect_size = (first.mean() - second.mean()) / ((first.var() + second.var()) / 2) ** 0.5",
                f"    finding = {significance('p_value')}",
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
                *undefined(
                    ("first.empty or second.empty", findings.EMPTY_SAMPLE),
                    ("pd.concat([first, second]).nunique() < 2", findings.ALL_EQUAL),
                ),
                '    test = stats.mannwhitneyu(first, second, method="asymptotic")',
                "    u_statistic, p_value = test.statistic, test.pvalue",
                "    effect_size = 2 * u_statistic / (len(first) * len(second)) - 1  # rank-biserial correlation",
                f"    finding = {significance('p_value')}",
            ]
            centre = "median"
            figures = {"u_statistic": "u_statistic"}
        case TwoSampleTest.PAIRED | TwoSampleTest.WILCOXON:
            raise AssertionError("The values of a paired test are no independent samples.")
        case _:
            assert_never(test)
    samples = {
        name: value
        for side, label in (("first", first), ("second", second))
        for name, value in ((side, label), (f"n_{side}", f"len({side})"), (f"{centre}_{side}", f"{side}.{centre}()"))
    }
    write_one_row(writer, **samples, **figures, p_value="p_value", effect_size="effect_size", finding="finding")


def write_anova(step: Anova, writer: Writer) -> None:
    """Append a one-way analysis of variance."""
    table = writer.name_it("table")
    value, group = table.column(step.value), table.column(step.group)
    usable = f"({value}{FINITE}) & {group}.notna()"
    writer.statements += [
        f"usable = {table.frame}[{usable}]",
        f'values = usable[{table.name(step.value)}].astype("float64")',
        f"groups = values.groupby(usable[{table.name(step.group)}], observed=True)",
        f"f_statistic = p_value = eta_squared = {NOTHING}",
        *undefined(
            ("groups.ngroups < 2", findings.FEW_GROUPS),
            ("(groups.nunique() < 2).all()", findings.EQUAL_IN_GROUPS),
        ),
        "    test = stats.f_oneway(*(sample for _, sample in groups))",
        "    # rounding can put the statistic of equal means below 0, where it has no p-value",
        "    f_statistic, p_value = (0.0, 1.0) if test.statistic < 0 else (test.statistic, test.pvalue)",
        '    between = ((groups.transform("mean") - values.mean()) ** 2).sum()',
        "    eta_squared = between / ((values - values.mean()) ** 2).sum()",
        f"    finding = {significance('p_value')}",
    ]
    if step.post_hoc:
        _write_tukey(writer)
        return
    write_one_row(
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
        f"if f_statistic == f_statistic and groups.ngroups > {findings.MOST_COMPARED}:",
        f'    finding += "{findings.NOT_COMPARED}"',
        f'rows = [("ANOVA", None, None, {NOTHING}, f_statistic, p_value, eta_squared, finding)]',
        f"if f_statistic == f_statistic and groups.ngroups <= {findings.MOST_COMPARED}:",
        "    df_within = len(values) - groups.ngroups",
        '    mean_square = ((values - groups.transform("mean")) ** 2).sum() / df_within',
        "    figures = zip(groups.mean().index, groups.mean(), groups.size(), strict=True)",
        "    for (first, mean, size), (second, other_mean, other_size) in combinations(figures, 2):",
        "        difference = mean - other_mean",
        "        q = abs(difference) / (mean_square / 2 * (1 / size + 1 / other_size)) ** 0.5",
        "        adjusted = round(float(stats.studentized_range.sf(q, groups.ngroups, df_within)), 6)",
        f"        finding = {significance('adjusted')}",
        '        row = ("Tukey HSD", first, second, difference, q, adjusted, difference / mean_square**0.5, finding)',
        "        rows.append(row)",
    ]
    names = '["test", "first", "second", "difference", "statistic", "p_value", "effect_size", "finding"]'
    writer.replace("comparisons", f"pd.DataFrame(rows, columns={names})")


def write_kruskal_wallis(step: KruskalWallis, writer: Writer) -> None:
    """Append Kruskal and Wallis's test as the analysis of variance of the ranks that it is.

    H is n - 1 times the share of the ranks' sum of squares that lies between the groups; with ties at their mean rank
    that is the statistic corrected for ties (Conover, Practical Nonparametric Statistics, 5.2). `scipy.stats.kruskal`
    subtracts two large numbers instead, which leaves too few digits of a small H.
    """
    table = writer.name_it("table")
    value, group = table.column(step.value), table.column(step.group)
    writer.statements += [
        f"usable = {table.frame}[({value}{FINITE}) & {group}.notna()]",
        f'ranks = usable[{table.name(step.value)}].astype("float64").rank()  # ties share their mean rank',
        f"groups = ranks.groupby(usable[{table.name(step.group)}], observed=True)",
        f"h_statistic = p_value = epsilon_squared = {NOTHING}",
        *undefined(("groups.ngroups < 2", findings.FEW_GROUPS), ("ranks.nunique() < 2", findings.ALL_EQUAL)),
        '    between = ((groups.transform("mean") - ranks.mean()) ** 2).sum()',
        "    epsilon_squared = between / ((ranks - ranks.mean()) ** 2).sum()",
        "    h_statistic = (len(ranks) - 1) * epsilon_squared",
        "    p_value = stats.chi2.sf(h_statistic, groups.ngroups - 1)",
        f"    finding = {significance('p_value')}",
    ]
    write_one_row(
        writer,
        groups="groups.ngroups",
        n="len(ranks)",
        h_statistic="h_statistic",
        df="max(groups.ngroups - 1, 0)",
        p_value="p_value",
        epsilon_squared="epsilon_squared",
        finding="finding",
    )


def write_chi_square(step: ChiSquare, writer: Writer) -> None:
    """Append a test of independence, with Yates' correction for two by two categories."""
    table = writer.name_it("table")
    writer.statements += [
        f"counts = pd.crosstab({table.column(step.first)}, {table.column(step.second)})",
        f"chi2 = p_value = cramers_v = {NOTHING}",
        *undefined(("min(counts.shape) < 2", findings.FEW_CATEGORIES)),
        "    test = stats.chi2_contingency(counts)",
        "    chi2, p_value = test.statistic, test.pvalue",
        "    plain = stats.chi2_contingency(counts, correction=False).statistic",
        "    cramers_v = (plain / counts.to_numpy().sum() / (min(counts.shape) - 1)) ** 0.5",
        f"    finding = {significance('p_value')}",
        f"    if test.expected_freq.min() < {findings.LEAST_EXPECTED}:",
        f'        finding += "{findings.ROUGH}"',
    ]
    write_one_row(
        writer,
        n="int(counts.to_numpy().sum())",
        chi_square="chi2",
        df="max(counts.shape[0] - 1, 0) * max(counts.shape[1] - 1, 0)",
        p_value="p_value",
        cramers_v="cramers_v",
        finding="finding",
    )


def write_normality(step: Normality, writer: Writer) -> None:
    """Append D'Agostino and Pearson's test, of all rows or of each group."""
    table = writer.name_it("table")
    body = [
        f'values = {rows_of(step.by, table)}[{table.name(step.column)}].astype("float64")',
        f"values = values[values{FINITE}]",
        f"skewness = kurtosis = statistic = p_value = {NOTHING}",
        *undefined(
            (f"len(values) < {findings.LEAST_FOR_NORMALITY}", findings.FEW_VALUES),
            ("values.nunique() < 2", findings.ALL_EQUAL),
        ),
        "    skewness, kurtosis = stats.skew(values), stats.kurtosis(values)",
        "    # scipy's test of skewness is wrong for values that lie symmetrically: theirs is 0",
        f"    z_skewness = stats.skewtest(values).statistic if abs(skewness) > {findings.SYMMETRIC} else 0.0",
        "    statistic = z_skewness**2 + stats.kurtosistest(values).statistic ** 2",
        "    p_value = stats.chi2.sf(statistic, 2)",
        f'    finding = "{findings.NOT_NORMAL}" if p_value < {findings.SIGNIFICANCE} else "{findings.MAY_BE_NORMAL}"',
    ]
    write_figures(
        step.by,
        table,
        body,
        writer,
        n="len(values)",
        skewness="skewness",
        excess_kurtosis="kurtosis",
        statistic="statistic",
        p_value="p_value",
        finding="finding",
    )
