"""Mean of a column by month, over the rows that meet a condition."""

from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import Report, load_csv_data_with_types, validate_file_and_columns, validate_numbers, vega_lite_chart
from pydantic import Field

mcp = FastMCP("mean_by_month_where")


def analyze(
    df: pd.DataFrame, *, filter_column: str, filter_value: str, date_column: str, value_column: str
) -> pd.DataFrame:
    """Return the mean of a column by month, over the rows that meet a condition."""
    kept = df[df[filter_column] >= pd.Timestamp(filter_value)]
    derived = kept.assign(month=kept[date_column].dt.to_period("M").dt.start_time)
    return derived.groupby(["month"], observed=True)[value_column].mean().reset_index(name=f"mean_{value_column}")


def rows_used(df: pd.DataFrame, *, filter_column: str, filter_value: str, date_column: str) -> pd.DataFrame:
    """Return the rows of the table that the result is made of."""
    kept = df[df[filter_column] >= pd.Timestamp(filter_value)]
    derived = kept.assign(month=kept[date_column].dt.to_period("M").dt.start_time)
    return derived.dropna(subset=["month"])


@mcp.tool()
def mean_by_month_where(
    file_path: Annotated[str, Field(description="Path of the table: CSV, Parquet, Arrow, JSON or a workbook.")],
    filter_column: Annotated[str, Field(description="Column that the condition looks at.")] = "date",
    filter_value: Annotated[str, Field(description="Value that `date` is compared with (>=).")] = "2024-01-01",
    date_column: Annotated[str, Field(description="Date column that the period is taken from.")] = "date",
    value_column: Annotated[str, Field(description="Column to take the mean of.")] = "severity",
) -> str:
    """Mean of a column by month, over the rows that meet a condition.

    WHEN TO USE THIS TOOL:
    To get the mean of a column by month, over the rows that meet a condition, for these or for other columns and
    values.

    WHAT THIS TOOL DOES:
    1. Reads the table and checks that the columns exist.
    2. Keeps the rows that meet the condition; a missing value never meets one.
    3. Computes `month` for every row.
    4. Computes mean per group; rows without a group value are left out.

    RETURNS:
    A Markdown table with the result, how many rows came in and were used, and a JSON footer with the same.
    Columns for the default parameters: `month`, `mean_severity`.

    PREREQUISITES:
    The file exists, can be read as a table, and has the columns given in `filter_column`, `date_column`,
    `value_column`.
    """
    try:
        needed = [filter_column, date_column, value_column]
        validate_file_and_columns(file_path, needed)
        df = load_csv_data_with_types(file_path, columns=needed)
        validate_numbers(df, [value_column], file_path)
        table = analyze(
            df,
            filter_column=filter_column,
            filter_value=filter_value,
            date_column=date_column,
            value_column=value_column,
        )
        used = rows_used(df, filter_column=filter_column, filter_value=filter_value, date_column=date_column)
        chart = vega_lite_chart(table, "line", "month", f"mean_{value_column}")
    except (OSError, KeyError, TypeError, ValueError, NotImplementedError) as error:
        return Report.failure(error, file_path)
    return Report.of(
        table,
        title="Mean of a column by month, over the rows that meet a condition",
        source=file_path,
        rows_in=len(df),
        rows_used=len(used),
        without_value=used[[value_column]].isna().sum().to_dict(),
        notes=[
            f"filter_column: {filter_column}",
            f"filter_value: {filter_value}",
            f"date_column: {date_column}",
            f"value_column: {value_column}",
        ],
        chart=chart,
    )


if __name__ == "__main__":
    mcp.run()
