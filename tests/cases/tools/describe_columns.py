"""Summary figures of number columns."""

from collections.abc import Sequence
from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import Report, load_csv_data_with_types, validate_file_and_columns
from pydantic import Field

mcp = FastMCP("describe_columns")


def analyze(df: pd.DataFrame, *, columns: list[str]) -> pd.DataFrame:
    """Return the summary figures of number columns."""
    numbers = df[columns]
    quartiles = numbers.quantile([0.25, 0.5, 0.75])
    return (
        pd.DataFrame(
            {
                "count": numbers.count(),
                "missing": numbers.isna().sum(),
                "mean": numbers.mean(),
                "std": numbers.std(),
                "min": numbers.min(),
                "q25": quartiles.loc[0.25],
                "median": quartiles.loc[0.5],
                "q75": quartiles.loc[0.75],
                "max": numbers.max(),
            }
        )
        .rename_axis("column")
        .reset_index()
    )


@mcp.tool()
def describe_columns(
    file_path: Annotated[str, Field(description="Path of the table: CSV, Parquet, Arrow, JSON or a workbook.")],
    columns: Annotated[Sequence[str], Field(description="Number columns to summarise.")] = (
        "severity",
        "deaths",
        "rate",
    ),
) -> str:
    """Summary figures of number columns.

    WHEN TO USE THIS TOOL:
    To get the summary figures of number columns, for these or for other columns and values.

    WHAT THIS TOOL DOES:
    1. Reads the table and checks that the columns exist.
    2. Computes count, missing values, mean, standard deviation and quartiles of each number column.

    RETURNS:
    A Markdown table with the result, how many rows came in and were used, and a JSON footer with the same.
    Columns for the default parameters: `column`, `count`, `missing`, `mean`, `std`, `min`, `q25`, `median`, `q75`,
    `max`.

    PREREQUISITES:
    The file exists, can be read as a table, and has the columns given in `columns`.
    """
    try:
        if isinstance(columns, str) or len(columns) < 1:
            raise ValueError("`columns` must be a list of at least 1 column.")
        needed = [*columns]
        validate_file_and_columns(file_path, needed)
        df = load_csv_data_with_types(file_path, columns=needed)
        table = analyze(df, columns=list(columns))
    except (OSError, KeyError, TypeError, ValueError, NotImplementedError) as error:
        return Report.failure(error, file_path)
    return Report.of(
        table,
        title="Summary figures of number columns",
        source=file_path,
        rows_in=len(df),
        rows_used=len(df),
        notes=[f"columns: {', '.join(map(str, columns))}"],
    )


if __name__ == "__main__":
    mcp.run()
