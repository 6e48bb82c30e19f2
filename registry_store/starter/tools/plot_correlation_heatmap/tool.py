"""Pearson correlation of each pair of number columns, over the rows that have both values."""

import math
from collections.abc import Sequence
from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import Report, load_csv_data_with_types, validate_file_and_columns
from pydantic import Field

mcp = FastMCP("plot_correlation_heatmap")


def analyze(df: pd.DataFrame, columns: Sequence[str] = ("units", "price", "delivery_days", "rating")) -> pd.DataFrame:
    """Correlate each pair of the number columns (Pearson), over the rows that have both values."""
    numbers = df[list(columns)].astype("float64")
    numbers = numbers.where(numbers.abs() < math.inf)
    rows = []
    for first in columns:
        for second in columns:
            both = pd.DataFrame({"x": numbers[first], "y": numbers[second]}).dropna()
            varies = len(both) > 1 and both["x"].nunique() > 1 and both["y"].nunique() > 1
            rows.append((first, second, len(both), both["x"].corr(both["y"]) if varies else None))
    found = pd.DataFrame(rows, columns=["first", "second", "rows_used", "correlation"])
    return found.astype({"correlation": "float64"})


@mcp.tool()
def plot_correlation_heatmap(
    file_path: Annotated[str, Field(description="Path of the table: CSV, Parquet, Arrow, JSON or a workbook.")],
    columns: Annotated[Sequence[str], Field(description="Columns.")] = ("units", "price", "delivery_days", "rating"),
) -> str:
    """Pearson correlation of each pair of number columns, over the rows that have both values.

    WHEN TO USE THIS TOOL:
    To get this: Pearson correlation of each pair of number columns, over the rows that have both values.

    WHAT THIS TOOL DOES:
    Correlate each pair of the number columns (Pearson), over the rows that have both values.

    RETURNS:
    A Markdown table with the result, how many rows came in, and a JSON footer with the same.

    PREREQUISITES:
    The file exists and can be read as a table.
    """
    try:
        validate_file_and_columns(file_path, [])
        df = load_csv_data_with_types(file_path)
        table = analyze(df, columns=list(columns))
    except (ArithmeticError, AttributeError, IndexError, OSError, KeyError, TypeError, ValueError) as error:
        return Report.failure(error, file_path)
    return Report.of(
        table,
        title="Pearson correlation of each pair of number columns, over the rows that have both values",
        source=file_path,
        rows_in=len(df),
    )


if __name__ == "__main__":
    mcp.run()
