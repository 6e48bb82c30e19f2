"""E-mail addresses, web addresses, dates and amounts of money in the texts of a column, with their rows."""

import re
from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import Report, load_csv_data_with_types, validate_file_and_columns
from pydantic import Field

mcp = FastMCP("extract_structured_data")


_FORMS = {
    "email": r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+",
    "url": r"https?://[A-Za-z0-9./?=_&%#-]*[A-Za-z0-9/]",
    "date": r"\b[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])\b",
    "amount": r"(?:[$€£] ?[0-9][0-9,]*(?:\.[0-9]+)?|\b[0-9][0-9,]*(?:\.[0-9]+)? (?:USD|EUR|GBP)\b)",
}


def analyze(df: pd.DataFrame, column: str = "text") -> pd.DataFrame:
    """Find what is written in one of the known forms, and count in how many rows each value stands."""
    texts = df[column].dropna().astype(str)
    found = [
        (kind, value)
        for text in texts
        for kind, form in _FORMS.items()
        for value in sorted(set(re.findall(form, text, flags=re.ASCII)))
    ]
    values = pd.DataFrame(found, columns=["kind", "value"]).astype("str")
    counted = values.groupby(["kind", "value"], as_index=False).size().rename(columns={"size": "rows"})
    return counted.sort_values(["kind", "value"], ignore_index=True)


@mcp.tool()
def extract_structured_data(
    file_path: Annotated[str, Field(description="Path of the table: CSV, Parquet, Arrow, JSON or a workbook.")],
    column: Annotated[str, Field(description="Column.")] = "text",
) -> str:
    """E-mail addresses, web addresses, dates and amounts of money in the texts of a column, with their rows.

    WHEN TO USE THIS TOOL:
    To get this: E-mail addresses, web addresses, dates and amounts of money in the texts of a column, with their
    rows.

    WHAT THIS TOOL DOES:
    Find what is written in one of the known forms, and count in how many rows each value stands.

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
        title="E-mail addresses, web addresses, dates and amounts of money in the texts of a column, with their rows",
        source=file_path,
        rows_in=len(df),
    )


if __name__ == "__main__":
    mcp.run()
