"""Sum of a column by groups, largest first."""

from collections.abc import Sequence
from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import Report, load_csv_data_with_types, validate_file_and_columns, validate_sums, vega_lite_chart
from pydantic import Field

mcp = FastMCP("sum_by_group")


def analyze(df: pd.DataFrame, *, value_column: str, group_by_columns: list[str]) -> pd.DataFrame:
    """Return the sum of a column by groups, largest first."""
    return (
        df.groupby(group_by_columns, observed=True)[value_column]
        .sum(min_count=1)
        .reset_index(name=f"sum_{value_column}")
        .sort_values(f"sum_{value_column}", ascending=False, kind="stable", ignore_index=True)
    )


def rows_used(df: pd.DataFrame, *, group_by_columns: list[str]) -> pd.DataFrame:
    """Return the rows of the table that the result is made of."""
    return df.dropna(subset=group_by_columns)


@mcp.tool()
def sum_by_group(
    file_path: Annotated[str, Field(description="Path of the table: CSV, Parquet, Arrow, JSON or a workbook.")],
    value_column: Annotated[str, Field(description="Column to take the sum of.")] = "deaths",
    group_by_columns: Annotated[
        Sequence[str], Field(description="Columns to group by; one result row per combination.")
    ] = ("weather",),
) -> str:
    """Sum of a column by groups, largest first.

    WHEN TO USE THIS TOOL:
    To get the sum of a column by groups, largest first, for these or for other columns and values.

    WHAT THIS TOOL DOES:
    1. Reads the table and checks that the columns exist.
    2. Computes sum per group; rows without a group value are left out.
    3. Orders the rows; equal rows keep their order, missing values come last.

    RETURNS:
    A Markdown table with the result, how many rows came in and were used, and a JSON footer with the same.
    Columns for the default parameters: `weather`, `sum_deaths`.

    PREREQUISITES:
    The file exists, can be read as a table, and has the columns given in `value_column`, `group_by_columns`.
    """
    try:
        if isinstance(group_by_columns, str) or len(group_by_columns) < 1:
            raise ValueError("`group_by_columns` must be a list of at least 1 column.")
        needed = [value_column, *group_by_columns]
        validate_file_and_columns(file_path, needed)
        df = load_csv_data_with_types(file_path, columns=needed)
        validate_sums(df, [value_column], file_path)
        table = analyze(df, value_column=value_column, group_by_columns=list(group_by_columns))
        used = rows_used(df, group_by_columns=list(group_by_columns))
        chart = vega_lite_chart(table, "bar", group_by_columns[0], f"sum_{value_column}")
    except (OSError, KeyError, TypeError, ValueError, NotImplementedError) as error:
        return Report.failure(error, file_path)
    return Report.of(
        table,
        title="Sum of a column by groups, largest first",
        source=file_path,
        rows_in=len(df),
        rows_used=len(used),
        without_value=used[[value_column]].isna().sum().to_dict(),
        notes=[f"value_column: {value_column}", f"group_by_columns: {', '.join(map(str, group_by_columns))}"],
        chart=chart,
    )


if __name__ == "__main__":
    mcp.run()
