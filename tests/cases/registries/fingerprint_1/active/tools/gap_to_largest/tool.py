"""Gap of the median load to the largest by quarry."""

from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import Report, load_csv_data_with_types, validate_file_and_columns
from pydantic import Field

mcp = FastMCP("gap_to_largest")


def analyze(df: pd.DataFrame) -> pd.DataFrame:
    """Return how much the median load of each quarry lies below its largest."""
    tons = df.groupby("quarry")["tons"]
    return (tons.max() - tons.median()).reset_index(name="gap")


@mcp.tool()
def gap_to_largest(
    file_path: Annotated[str, Field(description="Path of the table: CSV, TSV, Parquet, Feather or JSON.")],
) -> str:
    """Gap of the median load to the largest by quarry.

    WHEN TO USE THIS TOOL:
    To get this: Gap of the median load to the largest by quarry.

    WHAT THIS TOOL DOES:
    Return how much the median load of each quarry lies below its largest.

    RETURNS:
    A Markdown table with the result, how many rows came in, and a JSON footer with the same.

    PREREQUISITES:
    The file exists and can be read as a table.
    """
    try:
        validate_file_and_columns(file_path, [])
        df = load_csv_data_with_types(file_path)
        table = analyze(df)
    except (ArithmeticError, AttributeError, IndexError, OSError, KeyError, TypeError, ValueError) as error:
        return Report.failure(error, file_path)
    return Report.of(table, title="Gap of the median load to the largest by quarry", source=file_path, rows_in=len(df))


if __name__ == "__main__":
    mcp.run()
