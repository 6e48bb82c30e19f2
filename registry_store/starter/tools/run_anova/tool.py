"""One-way ANOVA of a column by groups, with Tukey's HSD."""

from itertools import combinations
from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import Report, load_csv_data_with_types, validate_file_and_columns
from pydantic import Field
from scipy import stats

mcp = FastMCP("run_anova")


def analyze(df: pd.DataFrame, *, value_column: str, group_column: str) -> pd.DataFrame:
    """Return the one-way ANOVA of a column by groups, with Tukey's HSD."""
    usable = df[(df[value_column].abs() < float("inf")) & df[group_column].notna()]
    values = usable[value_column].astype("float64")
    groups = values.groupby(usable[group_column], observed=True)
    f_statistic = p_value = eta_squared = float("nan")
    if groups.ngroups < 2:
        finding = "not defined: there are fewer than 2 groups"
    elif (groups.nunique() < 2).all():
        finding = "not defined: within each group all values are equal"
    else:
        test = stats.f_oneway(*(sample for _, sample in groups))
        # rounding can put the statistic of equal means below 0, where it has no p-value
        f_statistic, p_value = (0.0, 1.0) if test.statistic < 0 else (test.statistic, test.pvalue)
        between = ((groups.transform("mean") - values.mean()) ** 2).sum()
        eta_squared = between / ((values - values.mean()) ** 2).sum()
        finding = "significant at the 5 % level" if p_value < 0.05 else "not significant at the 5 % level"
    if f_statistic == f_statistic and groups.ngroups > 20:
        finding += "; no pairs are compared among more than 20 groups"
    rows = [("ANOVA", None, None, float("nan"), f_statistic, p_value, eta_squared, finding)]
    if f_statistic == f_statistic and groups.ngroups <= 20:
        df_within = len(values) - groups.ngroups
        mean_square = ((values - groups.transform("mean")) ** 2).sum() / df_within
        figures = zip(groups.mean().index, groups.mean(), groups.size(), strict=True)
        for (first, mean, size), (second, other_mean, other_size) in combinations(figures, 2):
            difference = mean - other_mean
            q = abs(difference) / (mean_square / 2 * (1 / size + 1 / other_size)) ** 0.5
            adjusted = round(float(stats.studentized_range.sf(q, groups.ngroups, df_within)), 6)
            finding = "significant at the 5 % level" if adjusted < 0.05 else "not significant at the 5 % level"
            row = ("Tukey HSD", first, second, difference, q, adjusted, difference / mean_square**0.5, finding)
            rows.append(row)
    comparisons = pd.DataFrame(
        rows, columns=["test", "first", "second", "difference", "statistic", "p_value", "effect_size", "finding"]
    )
    return comparisons


def rows_used(df: pd.DataFrame, *, value_column: str, group_column: str) -> pd.DataFrame:
    """Return the rows of the table that the result is made of."""
    present = df.dropna(subset=[group_column])
    return present[(present[[value_column]].astype("float64").abs() < float("inf")).all(axis=1)]


@mcp.tool()
def run_anova(
    file_path: Annotated[str, Field(description="Path of the table: CSV, Parquet, Arrow, JSON or a workbook.")],
    value_column: Annotated[str, Field(description="Number column to compare.")] = "units",
    group_column: Annotated[str, Field(description="Column that says which group a row is in.")] = "region",
) -> str:
    """One-way ANOVA of a column by groups, with Tukey's HSD.

    WHEN TO USE THIS TOOL:
    To get the one-way ANOVA of a column by groups, with Tukey's HSD, for these or for other columns and values.

    WHAT THIS TOOL DOES:
    1. Reads the table and checks that the columns exist.
    2. Compares the means of all groups by a one-way analysis of variance, then each pair of groups by Tukey's
    honestly significant difference.

    RETURNS:
    A Markdown table with the result, how many rows came in and were used, and a JSON footer with the same.
    Columns for the default parameters: `test`, `first`, `second`, `difference`, `statistic`, `p_value`,
    `effect_size`, `finding`.

    PREREQUISITES:
    The file exists, can be read as a table, and has the columns given in `value_column`, `group_column`.
    """
    try:
        if value_column == group_column:
            raise ValueError("`value_column` and `group_column` must be two columns.")
        needed = [value_column, group_column]
        validate_file_and_columns(file_path, needed)
        df = load_csv_data_with_types(file_path, columns=needed)
        table = analyze(df, value_column=value_column, group_column=group_column)
        used = rows_used(df, value_column=value_column, group_column=group_column)
    except (OSError, KeyError, TypeError, ValueError, NotImplementedError) as error:
        return Report.failure(error, file_path)
    return Report.of(
        table,
        title="One-way ANOVA of a column by groups, with Tukey's HSD",
        source=file_path,
        rows_in=len(df),
        rows_used=len(used),
        notes=[f"value_column: {value_column}", f"group_column: {group_column}"],
    )


if __name__ == "__main__":
    mcp.run()
