"""Matrix of correlations of number columns (Pearson)."""

from collections.abc import Sequence
from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import Report, load_csv_data_with_types, validate_file_and_columns
from pydantic import Field

mcp = FastMCP("plot_correlations")


def analyze(df: pd.DataFrame, *, columns: list[str]) -> pd.DataFrame:
    """Return the matrix of correlations of number columns (Pearson)."""
    numbers = df[columns].astype("float64")
    return numbers.where(numbers.abs() < float("inf")).corr().rename_axis("column").reset_index()


@mcp.tool()
def plot_correlations(
    file_path: Annotated[str, Field(description="Path of the table: CSV, TSV, Parquet, Feather or JSON.")],
    columns: Annotated[Sequence[str], Field(description="Number columns to correlate.")] = (
        "units",
        "price",
        "delivery_days",
        "rating",
    ),
) -> str:
    """Matrix of correlations of number columns (Pearson).

    WHEN TO USE THIS TOOL:
    To get the matrix of correlations of number columns (Pearson), for these or for other columns and values.

    WHAT THIS TOOL DOES:
    1. Reads the table and checks that the columns exist.
    2. Computes Pearson correlations from the rows that have both values.

    RETURNS:
    A Markdown table with the result, how many rows came in, and a JSON footer with the same.
    Columns for the default parameters: `column`, `units`, `price`, `delivery_days`, `rating`.

    PREREQUISITES:
    The file exists, can be read as a table, and has the columns given in `columns`.
    """
    try:
        if isinstance(columns, str) or len(columns) < 2:
            raise ValueError("`columns` must be a list of at least 2 columns.")
        if len(set(columns)) < len(columns):
            raise ValueError("`columns` must name each column once.")
        validate_file_and_columns(file_path, [*columns])
        df = load_csv_data_with_types(file_path)
        table = analyze(df, columns=list(columns))
    except (OSError, KeyError, TypeError, ValueError, NotImplementedError) as error:
        return Report.failure(error, file_path)
    return Report.of(
        table,
        title="Matrix of correlations of number columns (Pearson)",
        source=file_path,
        rows_in=len(df),
        notes=[f"columns: {', '.join(map(str, columns))}"],
    )


if __name__ == "__main__":
    mcp.run()
