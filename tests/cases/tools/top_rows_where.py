"""Rows of a table that meet a condition, largest first, only the first ones."""

from collections.abc import Sequence
from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import Report, load_csv_data_with_types, validate_file_and_columns
from pydantic import Field

mcp = FastMCP("top_rows_where")


def analyze(
    df: pd.DataFrame,
    *,
    filter_column: str,
    filter_text: str,
    filter_column_2: str,
    filter_value: bool,
    sort_column: str,
    top: int,
    columns: list[str],
) -> pd.DataFrame:
    """Return the rows of a table that meet a condition, largest first, only the first ones."""
    kept = df[
        (df[filter_column].str.lower().str.contains(filter_text.lower(), regex=False, na=False))
        | (df[filter_column_2].eq(filter_value))
    ]
    return (
        kept.sort_values(sort_column, ascending=False, kind="stable", ignore_index=True)
        .head(top)[columns]
        .reset_index(drop=True)
    )


def rows_used(
    df: pd.DataFrame, *, filter_column: str, filter_text: str, filter_column_2: str, filter_value: bool
) -> pd.DataFrame:
    """Return the rows of the table that the result is made of."""
    return df[
        (df[filter_column].str.lower().str.contains(filter_text.lower(), regex=False, na=False))
        | (df[filter_column_2].eq(filter_value))
    ]


@mcp.tool()
def top_rows_where(
    file_path: Annotated[str, Field(description="Path of the table: CSV, Parquet, Arrow, JSON or a workbook.")],
    filter_column: Annotated[str, Field(description="Column that is searched.")] = "weather",
    filter_text: Annotated[str, Field(description="Text that contains; case does not matter.")] = "fog",
    filter_column_2: Annotated[str, Field(description="Column that the condition looks at.")] = "fatal",
    filter_value: Annotated[bool, Field(description="Value that `fatal` is compared with (==).")] = True,
    sort_column: Annotated[str, Field(description="Column to order the rows by.")] = "deaths",
    top: Annotated[int, Field(description="How many rows to keep, at least 1.")] = 5,
    columns: Annotated[Sequence[str], Field(description="Columns to show, in order.")] = ("state", "date", "deaths"),
) -> str:
    """Rows of a table that meet a condition, largest first, only the first ones.

    WHEN TO USE THIS TOOL:
    To get the rows of a table that meet a condition, largest first, only the first ones, for these or for other
    columns and values.

    WHAT THIS TOOL DOES:
    1. Reads the table and checks that the columns exist.
    2. Keeps the rows that meet the condition; a missing value never meets one.
    3. Orders the rows; equal rows keep their order, missing values come last.
    4. Keeps the first rows.
    5. Keeps the columns asked for.

    RETURNS:
    A Markdown table with the result, how many rows came in and were used, and a JSON footer with the same.
    Columns for the default parameters: `state`, `date`, `deaths`.

    PREREQUISITES:
    The file exists, can be read as a table, and has the columns given in `filter_column`, `filter_column_2`,
    `sort_column`, `columns`.
    """
    try:
        if top < 1:
            raise ValueError("`top` must be at least 1.")
        if isinstance(columns, str) or len(columns) < 1:
            raise ValueError("`columns` must be a list of at least 1 column.")
        needed = [filter_column, filter_column_2, sort_column, *columns]
        validate_file_and_columns(file_path, needed)
        df = load_csv_data_with_types(file_path, columns=needed)
        table = analyze(
            df,
            filter_column=filter_column,
            filter_text=filter_text,
            filter_column_2=filter_column_2,
            filter_value=filter_value,
            sort_column=sort_column,
            top=top,
            columns=list(columns),
        )
        used = rows_used(
            df,
            filter_column=filter_column,
            filter_text=filter_text,
            filter_column_2=filter_column_2,
            filter_value=filter_value,
        )
    except (OSError, KeyError, TypeError, ValueError, NotImplementedError) as error:
        return Report.failure(error, file_path)
    return Report.of(
        table,
        title="Rows of a table that meet a condition, largest first, only the first ones",
        source=file_path,
        rows_in=len(df),
        rows_used=len(used),
        notes=[
            f"filter_column: {filter_column}",
            f"filter_text: {filter_text}",
            f"filter_column_2: {filter_column_2}",
            f"filter_value: {filter_value}",
            f"sort_column: {sort_column}",
            f"top: {top}",
            f"columns: {', '.join(map(str, columns))}",
        ],
    )


if __name__ == "__main__":
    mcp.run()
