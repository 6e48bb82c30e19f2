"""Rows of a table."""

from collections.abc import Sequence
from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import Report, load_csv_data_with_types, validate_file_and_columns, vega_lite_chart
from pydantic import Field

mcp = FastMCP("select_columns")


def analyze(df: pd.DataFrame, *, columns: list[str]) -> pd.DataFrame:
    """Return the rows of a table."""
    return df[columns].reset_index(drop=True)


@mcp.tool()
def select_columns(
    file_path: Annotated[str, Field(description="Path of the table: CSV, Parquet, Arrow, JSON or a workbook.")],
    columns: Annotated[Sequence[str], Field(description="Columns to show, in order.")] = ("severity", "rate"),
) -> str:
    """Rows of a table.

    WHEN TO USE THIS TOOL:
    To get the rows of a table, for these or for other columns and values.

    WHAT THIS TOOL DOES:
    1. Reads the table and checks that the columns exist.
    2. Keeps the columns asked for.

    RETURNS:
    A Markdown table with the result, how many rows came in and were used, and a JSON footer with the same.
    Columns for the default parameters: `severity`, `rate`.

    PREREQUISITES:
    The file exists, can be read as a table, and has the columns given in `columns`.
    """
    try:
        if isinstance(columns, str) or len(columns) < 2:
            raise ValueError("`columns` must be a list of at least 2 columns.")
        needed = [*columns]
        validate_file_and_columns(file_path, needed)
        df = load_csv_data_with_types(file_path, columns=needed)
        table = analyze(df, columns=list(columns))
        chart = vega_lite_chart(table, "scatter", columns[0], columns[1])
    except (OSError, KeyError, TypeError, ValueError, NotImplementedError) as error:
        return Report.failure(error, file_path)
    return Report.of(
        table,
        title="Rows of a table",
        source=file_path,
        rows_in=len(df),
        rows_used=len(df),
        notes=[f"columns: {', '.join(map(str, columns))}"],
        chart=chart,
    )


if __name__ == "__main__":
    mcp.run()
