"""Words of a text column, with how often each occurs and in how many rows."""

import re
from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import Report, load_csv_data_with_types, validate_file_and_columns
from pydantic import Field

mcp = FastMCP("analyze_text_content")


def analyze(df: pd.DataFrame, column: str = "text", shortest_word: int = 3) -> pd.DataFrame:
    """Take the words out of the texts, in lower case, and count how often each occurs and in how many rows."""
    texts = df[column].dropna().astype(str)
    words = [(row, word) for row, text in enumerate(texts) for word in re.findall(r"[^\W\d_]+", text.lower())]
    found = pd.DataFrame([pair for pair in words if len(pair[1]) >= shortest_word], columns=["row", "word"])
    counted = found.groupby("word", as_index=False).agg(times=("row", "size"), rows=("row", "nunique"))
    counted = counted.astype({"word": "str", "times": "int64", "rows": "int64"})
    return counted.sort_values(["times", "word"], ascending=[False, True], ignore_index=True)


@mcp.tool()
def analyze_text_content(
    file_path: Annotated[str, Field(description="Path of the table: CSV, Parquet, Arrow, JSON or a workbook.")],
    column: Annotated[str, Field(description="Column.")] = "text",
    shortest_word: Annotated[int, Field(description="Shortest word.")] = 3,
) -> str:
    """Words of a text column, with how often each occurs and in how many rows.

    WHEN TO USE THIS TOOL:
    To get this: Words of a text column, with how often each occurs and in how many rows.

    WHAT THIS TOOL DOES:
    Take the words out of the texts, in lower case, and count how often each occurs and in how many rows.

    RETURNS:
    A Markdown table with the result, how many rows came in, and a JSON footer with the same.

    PREREQUISITES:
    The file exists and can be read as a table.
    """
    try:
        validate_file_and_columns(file_path, [])
        df = load_csv_data_with_types(file_path)
        table = analyze(df, column=column, shortest_word=shortest_word)
    except (ArithmeticError, AttributeError, IndexError, OSError, KeyError, TypeError, ValueError) as error:
        return Report.failure(error, file_path)
    return Report.of(
        table,
        title="Words of a text column, with how often each occurs and in how many rows",
        source=file_path,
        rows_in=len(df),
    )


if __name__ == "__main__":
    mcp.run()
