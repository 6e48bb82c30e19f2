"""Rows that are outliers in a column."""

from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import Report, load_csv_data_with_types, validate_file_and_columns
from pydantic import Field

mcp = FastMCP("find_outliers")


def analyze(df: pd.DataFrame, *, value_column: str, reach: float) -> pd.DataFrame:
    """Return the rows that are outliers in a column."""
    values = df[value_column].astype("float64")
    finite = values[values.abs() < float("inf")]
    low, high = finite.quantile([0.25, 0.75])
    reach_out = reach * (high - low)
    kept = df[(values < low - reach_out) | (values > high + reach_out)]
    return kept.reset_index(drop=True)


def rows_used(df: pd.DataFrame, *, value_column: str, reach: float) -> pd.DataFrame:
    """Return the rows of the table that the result is made of."""
    values = df[value_column].astype("float64")
    finite = values[values.abs() < float("inf")]
    low, high = finite.quantile([0.25, 0.75])
    reach_out = reach * (high - low)
    return df[(values < low - reach_out) | (values > high + reach_out)]


@mcp.tool()
def find_outliers(
    file_path: Annotated[str, Field(description="Path of the table: CSV, Parquet, Arrow, JSON or a workbook.")],
    value_column: Annotated[str, Field(description="Number column to look for outliers in.")] = "price",
    reach: Annotated[
        float, Field(description="How far an outlier lies outside, in interquartile ranges or standard deviations.")
    ] = 1.5,
) -> str:
    """Rows that are outliers in a column.

    WHEN TO USE THIS TOOL:
    To get the rows that are outliers in a column, for these or for other columns and values.

    WHAT THIS TOOL DOES:
    1. Reads the table and checks that the columns exist.
    2. Keeps the rows whose value lies more than the given number of interquartile ranges outside the quartiles.

    RETURNS:
    A Markdown table with the result, how many rows came in and were used, and a JSON footer with the same.
    Columns for the default parameters: `order_id`, `order_date`, `region`, `channel`, `units`, `price`,
    `delivery_days`, `rating`, `status`.

    PREREQUISITES:
    The file exists, can be read as a table, and has the columns given in `value_column`.
    """
    try:
        if reach <= 0:
            raise ValueError("`reach` must be larger than 0.")
        validate_file_and_columns(file_path, [value_column])
        df = load_csv_data_with_types(file_path)
        table = analyze(df, value_column=value_column, reach=reach)
        used = rows_used(df, value_column=value_column, reach=reach)
    except (OSError, KeyError, TypeError, ValueError, NotImplementedError) as error:
        return Report.failure(error, file_path)
    return Report.of(
        table,
        title="Rows that are outliers in a column",
        source=file_path,
        rows_in=len(df),
        rows_used=len(used),
        notes=[f"value_column: {value_column}", f"reach: {reach}"],
    )


if __name__ == "__main__":
    mcp.run()
