"""Missing values of columns."""

from collections.abc import Sequence
from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import Report, load_csv_data_with_types, validate_file_and_columns, vega_lite_chart
from pydantic import Field

mcp = FastMCP("count_missing_values")


def analyze(df: pd.DataFrame, *, columns: list[str]) -> pd.DataFrame:
    """Return the missing values of columns."""
    missing = df[columns].isna()
    return (
        pd.DataFrame({"missing": missing.sum(), "present": (~missing).sum(), "share_missing": missing.mean()})
        .rename_axis("column")
        .reset_index()
    )


@mcp.tool()
def count_missing_values(
    file_path: Annotated[str, Field(description="Path of the table: CSV, Parquet, Arrow, JSON or a workbook.")],
    columns: Annotated[Sequence[str], Field(description="Columns to count the missing values of.")] = (
        "units",
        "price",
        "rating",
    ),
) -> str:
    """Missing values of columns.

    WHEN TO USE THIS TOOL:
    To get the missing values of columns, for these or for other columns and values.

    WHAT THIS TOOL DOES:
    1. Reads the table and checks that the columns exist.
    2. Counts the missing values of each column, and their share from 0 to 1.

    RETURNS:
    A Markdown table with the result, how many rows came in and were used, and a JSON footer with the same.
    Columns for the default parameters: `column`, `missing`, `present`, `share_missing`.

    PREREQUISITES:
    The file exists, can be read as a table, and has the columns given in `columns`.
    """
    try:
        if isinstance(columns, str) or len(columns) < 1:
            raise ValueError("`columns` must be a list of at least 1 column.")
        if len(set(columns)) < len(columns):
            raise ValueError("`columns` must name each column once.")
        needed = [*columns]
        validate_file_and_columns(file_path, needed)
        df = load_csv_data_with_types(file_path, columns=needed)
        table = analyze(df, columns=list(columns))
        chart = vega_lite_chart(table, "bar", "column", "missing")
    except (OSError, KeyError, TypeError, ValueError, NotImplementedError) as error:
        return Report.failure(error, file_path)
    return Report.of(
        table,
        title="Missing values of columns",
        source=file_path,
        rows_in=len(df),
        rows_used=len(df),
        notes=[f"columns: {', '.join(map(str, columns))}"],
        chart=chart,
    )


if __name__ == "__main__":
    mcp.run()
