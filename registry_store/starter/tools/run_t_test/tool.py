"""Comparison of a column between two groups (Welch's t-test)."""

from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import Report, load_csv_data_with_types, validate_file_and_columns
from pydantic import Field
from scipy import stats

mcp = FastMCP("run_t_test")


def analyze(
    df: pd.DataFrame, *, value_column: str, group_column: str, first_group: str, second_group: str
) -> pd.DataFrame:
    """Return the comparison of a column between two groups (Welch's t-test)."""
    first = df.loc[df[group_column] == first_group, value_column].astype("float64")
    first = first[first.abs() < float("inf")]
    second = df.loc[df[group_column] == second_group, value_column].astype("float64")
    second = second[second.abs() < float("inf")]
    t_statistic = df_welch = p_value = effect_size = float("nan")
    if min(len(first), len(second)) < 2:
        finding = "not defined: a group has fewer than 2 values"
    elif first.nunique() < 2 and second.nunique() < 2:
        finding = "not defined: within each of the two all values are equal"
    else:
        test = stats.ttest_ind(first, second, equal_var=False)
        t_statistic, df_welch, p_value = test.statistic, test.df, test.pvalue
        effect_size = (first.mean() - second.mean()) / ((first.var() + second.var()) / 2) ** 0.5
        finding = "significant at the 5 % level" if p_value < 0.05 else "not significant at the 5 % level"
    return pd.DataFrame(
        {
            "first": [first_group],
            "n_first": [len(first)],
            "mean_first": [first.mean()],
            "second": [second_group],
            "n_second": [len(second)],
            "mean_second": [second.mean()],
            "difference": [first.mean() - second.mean()],
            "t_statistic": [t_statistic],
            "df": [df_welch],
            "p_value": [p_value],
            "effect_size": [effect_size],
            "finding": [finding],
        }
    )


def rows_used(
    df: pd.DataFrame, *, value_column: str, group_column: str, first_group: str, second_group: str
) -> pd.DataFrame:
    """Return the rows of the table that the result is made of."""
    present = df.dropna(subset=[group_column])
    usable = present[(present[[value_column]].astype("float64").abs() < float("inf")).all(axis=1)]
    return usable[usable[group_column].isin([first_group, second_group])]


@mcp.tool()
def run_t_test(
    file_path: Annotated[str, Field(description="Path of the table: CSV, Parquet, Arrow, JSON or a workbook.")],
    value_column: Annotated[str, Field(description="Number column to compare.")] = "rating",
    group_column: Annotated[str, Field(description="Column that says which group a row is in.")] = "channel",
    first_group: Annotated[str, Field(description="The first group.")] = "shop",
    second_group: Annotated[str, Field(description="The second group.")] = "web",
) -> str:
    """Comparison of a column between two groups (Welch's t-test).

    WHEN TO USE THIS TOOL:
    To get the comparison of a column between two groups (Welch's t-test), for these or for other columns and
    values.

    WHAT THIS TOOL DOES:
    1. Reads the table and checks that the columns exist.
    2. Compares the means, without assuming equal variances, of two independent samples (Welch's t-test).

    RETURNS:
    A Markdown table with the result, how many rows came in and were used, and a JSON footer with the same.
    Columns for the default parameters: `first`, `n_first`, `mean_first`, `second`, `n_second`, `mean_second`,
    `difference`, `t_statistic`, `df`, `p_value`, `effect_size`, `finding`.

    PREREQUISITES:
    The file exists, can be read as a table, and has the columns given in `value_column`, `group_column`.
    """
    try:
        if value_column == group_column:
            raise ValueError("`value_column` and `group_column` must be two columns.")
        if first_group == second_group:
            raise ValueError("`first_group` and `second_group` must be two groups.")
        needed = [value_column, group_column]
        validate_file_and_columns(file_path, needed)
        df = load_csv_data_with_types(file_path, columns=needed)
        table = analyze(
            df, value_column=value_column, group_column=group_column, first_group=first_group, second_group=second_group
        )
        used = rows_used(
            df, value_column=value_column, group_column=group_column, first_group=first_group, second_group=second_group
        )
    except (OSError, KeyError, TypeError, ValueError, NotImplementedError) as error:
        return Report.failure(error, file_path)
    return Report.of(
        table,
        title="Comparison of a column between two groups (Welch's t-test)",
        source=file_path,
        rows_in=len(df),
        rows_used=len(used),
        notes=[
            f"value_column: {value_column}",
            f"group_column: {group_column}",
            f"first_group: {first_group}",
            f"second_group: {second_group}",
        ],
    )


if __name__ == "__main__":
    mcp.run()
