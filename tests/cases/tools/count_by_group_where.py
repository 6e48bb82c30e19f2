"""Number of rows by groups, over the rows that meet a condition."""

from collections.abc import Sequence
from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import Report, load_csv_data_with_types, validate_file_and_columns, vega_lite_chart
from pydantic import Field

mcp = FastMCP("count_by_group_where")


def analyze(
    df: pd.DataFrame,
    *,
    filter_column: str,
    filter_value: float,
    filter_column_2: str,
    filter_values: list[str],
    group_by_columns: list[str],
) -> pd.DataFrame:
    """Return the number of rows by groups, over the rows that meet a condition."""
    kept = df[(df[filter_column] > filter_value) & (df[filter_column_2].isin(filter_values))]
    return kept.groupby(group_by_columns, observed=True).size().reset_index(name="count")


def rows_used(
    df: pd.DataFrame,
    *,
    filter_column: str,
    filter_value: float,
    filter_column_2: str,
    filter_values: list[str],
    group_by_columns: list[str],
) -> pd.DataFrame:
    """Return the rows of the table that the result is made of."""
    kept = df[(df[filter_column] > filter_value) & (df[filter_column_2].isin(filter_values))]
    return kept.dropna(subset=group_by_columns)


@mcp.tool()
def count_by_group_where(
    file_path: Annotated[str, Field(description="Path of the table: CSV, Parquet, Arrow, JSON or a workbook.")],
    filter_column: Annotated[str, Field(description="Column that the condition looks at.")] = "severity",
    filter_value: Annotated[float, Field(description="Value that `severity` is compared with (>).")] = 3,
    filter_column_2: Annotated[str, Field(description="Column that the condition looks at.")] = "weather",
    filter_values: Annotated[Sequence[str], Field(description="Values of `weather`.")] = ("Rain", "Snow"),
    group_by_columns: Annotated[
        Sequence[str], Field(description="Columns to group by; one result row per combination.")
    ] = ("state", "weather"),
) -> str:
    """Number of rows by groups, over the rows that meet a condition.

    WHEN TO USE THIS TOOL:
    To get the number of rows by groups, over the rows that meet a condition, for these or for other columns and
    values.

    WHAT THIS TOOL DOES:
    1. Reads the table and checks that the columns exist.
    2. Keeps the rows that meet the condition; a missing value never meets one.
    3. Computes count per group; rows without a group value are left out.

    RETURNS:
    A Markdown table with the result, how many rows came in and were used, and a JSON footer with the same.
    Columns for the default parameters: `state`, `weather`, `count`.

    PREREQUISITES:
    The file exists, can be read as a table, and has the columns given in `filter_column`, `filter_column_2`,
    `group_by_columns`.
    """
    try:
        if isinstance(filter_values, str) or len(filter_values) < 1:
            raise ValueError("`filter_values` must be a list of at least 1 value.")
        if isinstance(group_by_columns, str) or len(group_by_columns) < 2:
            raise ValueError("`group_by_columns` must be a list of at least 2 columns.")
        needed = [filter_column, filter_column_2, *group_by_columns]
        validate_file_and_columns(file_path, needed)
        df = load_csv_data_with_types(file_path, columns=needed)
        table = analyze(
            df,
            filter_column=filter_column,
            filter_value=filter_value,
            filter_column_2=filter_column_2,
            filter_values=list(filter_values),
            group_by_columns=list(group_by_columns),
        )
        used = rows_used(
            df,
            filter_column=filter_column,
            filter_value=filter_value,
            filter_column_2=filter_column_2,
            filter_values=list(filter_values),
            group_by_columns=list(group_by_columns),
        )
        chart = vega_lite_chart(table, "bar", group_by_columns[0], "count", color=group_by_columns[1])
    except (OSError, KeyError, TypeError, ValueError, NotImplementedError) as error:
        return Report.failure(error, file_path)
    return Report.of(
        table,
        title="Number of rows by groups, over the rows that meet a condition",
        source=file_path,
        rows_in=len(df),
        rows_used=len(used),
        notes=[
            f"filter_column: {filter_column}",
            f"filter_value: {filter_value}",
            f"filter_column_2: {filter_column_2}",
            f"filter_values: {', '.join(map(str, filter_values))}",
            f"group_by_columns: {', '.join(map(str, group_by_columns))}",
        ],
        chart=chart,
    )


if __name__ == "__main__":
    mcp.run()
