"""Number of rows by groups, largest first, only the first ones."""

from collections.abc import Sequence
from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import Report, load_csv_data_with_types, validate_file_and_columns, vega_lite_chart
from pydantic import Field

mcp = FastMCP("top_count_by_group")


def analyze(df: pd.DataFrame, *, group_by_columns: list[str], top: int) -> pd.DataFrame:
    """Return the number of rows by groups, largest first, only the first ones."""
    return (
        df.groupby(group_by_columns, observed=True)
        .size()
        .reset_index(name="count")
        .sort_values("count", ascending=False, kind="stable", ignore_index=True)
        .head(top)
    )


def rows_used(df: pd.DataFrame, *, group_by_columns: list[str]) -> pd.DataFrame:
    """Return the rows of the table that the result is made of."""
    return df.dropna(subset=group_by_columns)


@mcp.tool()
def top_count_by_group(
    file_path: Annotated[str, Field(description="Path of the table: CSV, Parquet, Arrow, JSON or a workbook.")],
    group_by_columns: Annotated[
        Sequence[str], Field(description="Columns to group by; one result row per combination.")
    ] = ("state",),
    top: Annotated[int, Field(description="How many rows to keep, at least 1.")] = 10,
) -> str:
    """Number of rows by groups, largest first, only the first ones.

    WHEN TO USE THIS TOOL:
    To get the number of rows by groups, largest first, only the first ones, for these or for other columns and
    values.

    WHAT THIS TOOL DOES:
    1. Reads the table and checks that the columns exist.
    2. Computes count per group; rows without a group value are left out.
    3. Orders the rows; equal rows keep their order, missing values come last.
    4. Keeps the first rows.

    RETURNS:
    A Markdown table with the result, how many rows came in and were used, and a JSON footer with the same.
    Columns for the default parameters: `state`, `count`.

    PREREQUISITES:
    The file exists, can be read as a table, and has the columns given in `group_by_columns`.
    """
    try:
        if isinstance(group_by_columns, str) or len(group_by_columns) < 1:
            raise ValueError("`group_by_columns` must be a list of at least 1 column.")
        if top < 1:
            raise ValueError("`top` must be at least 1.")
        needed = [*group_by_columns]
        validate_file_and_columns(file_path, needed)
        df = load_csv_data_with_types(file_path, columns=needed)
        table = analyze(df, group_by_columns=list(group_by_columns), top=top)
        used = rows_used(df, group_by_columns=list(group_by_columns))
        chart = vega_lite_chart(table, "bar", group_by_columns[0], "count")
    except (OSError, KeyError, TypeError, ValueError, NotImplementedError) as error:
        return Report.failure(error, file_path)
    return Report.of(
        table,
        title="Number of rows by groups, largest first, only the first ones",
        source=file_path,
        rows_in=len(df),
        rows_used=len(used),
        notes=[f"group_by_columns: {', '.join(map(str, group_by_columns))}", f"top: {top}"],
        chart=chart,
    )


if __name__ == "__main__":
    mcp.run()
