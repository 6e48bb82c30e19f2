"""Problems of each column with the rows that have them, and repeated rows."""

import math
from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import Report, load_csv_data_with_types, validate_file_and_columns
from pydantic import Field

mcp = FastMCP("check_data_quality")


_NUMBER = r"\s*[-+]?(?:[0-9]+(?:[.,][0-9]+)*|[.][0-9]+)\s*[%€$£]?\s*"


def analyze(df: pd.DataFrame) -> pd.DataFrame:
    """Look for what usually goes wrong in a table, column by column, and count the rows of each problem."""
    found = [("(whole row)", "repeated row", int(df.astype(str).duplicated().sum()))]
    for name in df.columns:
        found += [(str(name), problem, rows) for problem, rows in _problems(df[name])]
    problems = pd.DataFrame([each for each in found if each[2] > 0], columns=["column", "problem", "rows"])
    problems = problems.astype({"column": "str", "problem": "str", "rows": "int64"})
    problems["share"] = problems["rows"] / max(1, len(df))
    return problems.sort_values(["rows", "column", "problem"], ascending=[False, True, True], ignore_index=True)


def _problems(values: pd.Series) -> list[tuple[str, int]]:
    present = values.dropna()
    problems = [("missing value", len(values) - len(present))]
    if len(present) > 1 and present.astype(str).nunique() == 1:
        problems.append(("does not vary", len(present)))
    if pd.api.types.is_bool_dtype(values) or pd.api.types.is_datetime64_any_dtype(values):
        return problems
    if pd.api.types.is_numeric_dtype(values):
        return [*problems, ("infinite number", int((present.astype("float64").abs() == math.inf).sum()))]
    texts = present.astype(str)
    numbers = texts.str.fullmatch(_NUMBER)
    trimmed = texts.str.strip()
    folded = pd.DataFrame({"folded": trimmed.str.casefold(), "text": trimmed})
    spellings = folded.groupby("folded")["text"].transform("nunique")
    return [
        *problems,
        ("empty text", int((trimmed == "").sum())),
        ("blanks around the text", int(((trimmed != texts) & (trimmed != "")).sum())),
        ("text that is a number", int(numbers.sum())),
        ("same text in other capitals", int((spellings > 1).sum())),
    ]


@mcp.tool()
def check_data_quality(
    file_path: Annotated[str, Field(description="Path of the table: CSV, Parquet, Arrow, JSON or a workbook.")],
) -> str:
    """Problems of each column with the rows that have them, and repeated rows.

    WHEN TO USE THIS TOOL:
    To get this: Problems of each column with the rows that have them, and repeated rows.

    WHAT THIS TOOL DOES:
    Look for what usually goes wrong in a table, column by column, and count the rows of each problem.

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
    return Report.of(
        table,
        title="Problems of each column with the rows that have them, and repeated rows",
        source=file_path,
        rows_in=len(df),
    )


if __name__ == "__main__":
    mcp.run()
