"""Text of each document, joined in the order of its pages without blank and repeated pieces."""

from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import Report, load_csv_data_with_types, validate_file_and_columns
from pydantic import Field

mcp = FastMCP("merge_extracted_text")


def analyze(
    df: pd.DataFrame, document_column: str = "document", order_column: str = "page", text_column: str = "text"
) -> pd.DataFrame:
    """Trim the pieces, drop the blank ones and those that the document has already, and join the rest in order."""
    pieces = pd.DataFrame(
        {
            "document": df[document_column],
            "order": df[order_column],
            "text": df[text_column].map(lambda text: str(text).strip(" \t\r\n"), na_action="ignore"),
        }
    ).dropna()
    pieces = pieces[pieces["text"] != ""].sort_values(["document", "order", "text"], kind="stable")
    pieces = pieces.drop_duplicates(["document", "text"])
    return pieces.groupby("document", as_index=False).agg(
        pieces=("text", "size"), text=("text", lambda texts: "\n".join(map(str, texts)))
    )


@mcp.tool()
def merge_extracted_text(
    file_path: Annotated[str, Field(description="Path of the table: CSV, Parquet, Arrow, JSON or a workbook.")],
    document_column: Annotated[str, Field(description="Document column.")] = "document",
    order_column: Annotated[str, Field(description="Order column.")] = "page",
    text_column: Annotated[str, Field(description="Text column.")] = "text",
) -> str:
    """Text of each document, joined in the order of its pages without blank and repeated pieces.

    WHEN TO USE THIS TOOL:
    To get this: Text of each document, joined in the order of its pages without blank and repeated pieces.

    WHAT THIS TOOL DOES:
    Trim the pieces, drop the blank ones and those that the document has already, and join the rest in order.

    RETURNS:
    A Markdown table with the result, how many rows came in, and a JSON footer with the same.

    PREREQUISITES:
    The file exists and can be read as a table.
    """
    try:
        validate_file_and_columns(file_path, [])
        df = load_csv_data_with_types(file_path)
        table = analyze(df, document_column=document_column, order_column=order_column, text_column=text_column)
    except (ArithmeticError, AttributeError, IndexError, OSError, KeyError, TypeError, ValueError) as error:
        return Report.failure(error, file_path)
    return Report.of(
        table,
        title="Text of each document, joined in the order of its pages without blank and repeated pieces",
        source=file_path,
        rows_in=len(df),
    )


if __name__ == "__main__":
    mcp.run()
