"""Sum of a column by month."""

from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import Report, load_csv_data_with_types, validate_file_and_columns, validate_sums, vega_lite_chart
from pydantic import Field

mcp = FastMCP("analyze_temporal_patterns")


def analyze(df: pd.DataFrame, *, date_column: str, value_column: str) -> pd.DataFrame:
    """Return the sum of a column by month."""
    derived = df.assign(month=df[date_column].dt.to_period("M").dt.start_time)
    return (
        derived.groupby(["month"], observed=True)[value_column].sum(min_count=1).reset_index(name=f"sum_{value_column}")
    )


def rows_used(df: pd.DataFrame, *, date_column: str) -> pd.DataFrame:
    """Return the rows of the table that the result is made of."""
    derived = df.assign(month=df[date_column].dt.to_period("M").dt.start_time)
    return derived.dropna(subset=["month"])


@mcp.tool()
def analyze_temporal_patterns(
    file_path: Annotated[str, Field(description="Path of the table: CSV, Parquet, Arrow, JSON or a workbook.")],
    date_column: Annotated[str, Field(description="Date column that the period is taken from.")] = "order_date",
    value_column: Annotated[str, Field(description="Column to take the sum of.")] = "units",
) -> str:
    """Sum of a column by month.

    WHEN TO USE THIS TOOL:
    To get the sum of a column by month, for these or for other columns and values.

    WHAT THIS TOOL DOES:
    1. Reads the table and checks that the columns exist.
    2. Computes `month` for every row.
    3. Computes sum per group; rows without a group value are left out.

    RETURNS:
    A Markdown table with the result, how many rows came in and were used, and a JSON footer with the same.
    Columns for the default parameters: `month`, `sum_units`.

    PREREQUISITES:
    The file exists, can be read as a table, and has the columns given in `date_column`, `value_column`.
    """
    try:
        needed = [date_column, value_column]
        validate_file_and_columns(file_path, needed)
        df = load_csv_data_with_types(file_path, columns=needed)
        validate_sums(df, [value_column], file_path)
        table = analyze(df, date_column=date_column, value_column=value_column)
        used = rows_used(df, date_column=date_column)
        chart = vega_lite_chart(table, "line", "month", f"sum_{value_column}")
    except (OSError, KeyError, TypeError, ValueError, NotImplementedError) as error:
        return Report.failure(error, file_path)
    return Report.of(
        table,
        title="Sum of a column by month",
        source=file_path,
        rows_in=len(df),
        rows_used=len(used),
        without_value=used[[value_column]].isna().sum().to_dict(),
        notes=[f"date_column: {date_column}", f"value_column: {value_column}"],
        chart=chart,
    )


if __name__ == "__main__":
    mcp.run()
