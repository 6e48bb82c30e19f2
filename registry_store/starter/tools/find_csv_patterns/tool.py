"""Patterns that the texts of a column are written in, with their rows and an example."""

from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import Report, load_csv_data_with_types, validate_file_and_columns
from pydantic import Field

mcp = FastMCP("find_csv_patterns")


def analyze(df: pd.DataFrame, column: str = "order_id") -> pd.DataFrame:
    """Write each text of the column as its pattern (digits as 9, letters as A) and count the rows of each pattern."""
    texts = df[column].dropna().astype(str)
    patterns = texts.str.replace(r"[0-9]+", "9", regex=True).str.replace(r"[A-Za-z]+", "A", regex=True)
    found = (
        pd.DataFrame({"pattern": patterns, "text": texts})
        .groupby("pattern", as_index=False)
        .agg(rows=("text", "size"), different_values=("text", "nunique"), example=("text", "min"))
    )
    found["share"] = found["rows"] / len(texts)
    return found.sort_values(["rows", "pattern"], ascending=[False, True], ignore_index=True)


@mcp.tool()
def find_csv_patterns(
    file_path: Annotated[str, Field(description="Path of the table: CSV, Parquet, Arrow, JSON or a workbook.")],
    column: Annotated[str, Field(description="Column.")] = "order_id",
) -> str:
    """Patterns that the texts of a column are written in, with their rows and an example.

    WHEN TO USE THIS TOOL:
    To get this: Patterns that the texts of a column are written in, with their rows and an example.

    WHAT THIS TOOL DOES:
    Write each text of the column as its pattern (digits as 9, letters as A) and count the rows of each pattern.

    RETURNS:
    A Markdown table with the result, how many rows came in, and a JSON footer with the same.

    PREREQUISITES:
    The file exists and can be read as a table.
    """
    try:
        validate_file_and_columns(file_path, [])
        df = load_csv_data_with_types(file_path)
        table = analyze(df, column=column)
    except (ArithmeticError, AttributeError, IndexError, OSError, KeyError, TypeError, ValueError) as error:
        return Report.failure(error, file_path)
    return Report.of(
        table,
        title="Patterns that the texts of a column are written in, with their rows and an example",
        source=file_path,
        rows_in=len(df),
    )


if __name__ == "__main__":
    mcp.run()
