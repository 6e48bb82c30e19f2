"""Sum a column by groups."""

from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import Report, load_csv_data_with_types, validate_file_and_columns
from pydantic import Field

mcp = FastMCP("sum_by_group")


def analyze(df: pd.DataFrame, *, value_column: str, group_by_columns: list[str]) -> pd.DataFrame:
    """Return the sum of a column for each group."""
    return (
        df.dropna(subset=group_by_columns)
        .groupby(group_by_columns, as_index=False, observed=True)
        .agg(**{f"sum_{value_column}": (value_column, "sum")})
    )


@mcp.tool()
def sum_by_group(
    file_path: Annotated[str, Field(description="Path of the table.")],
    value_column: Annotated[str, Field(description="The column to add up.")] = "deaths",
    group_by_columns: Annotated[list[str] | None, Field(description="The columns to group by.")] = None,
    limit: Annotated[int, Field(description="How many groups.")] = 10,
) -> str:
    """Sum a column by groups.

    WHEN TO USE THIS TOOL:
    When a total per group is asked for.

    WHAT THIS TOOL DOES:
    Adds up one column
    for each group.

    RETURNS:
    A table.

    PREREQUISITES:
    The file exists.
    """
    columns = ["weather"] if group_by_columns is None else group_by_columns
    try:
        validate_file_and_columns(file_path, [value_column, *columns])
        df = load_csv_data_with_types(file_path)
        result = analyze(df, value_column=value_column, group_by_columns=columns).head(limit)
    except (OSError, ValueError) as error:
        return Report(f"**Error:** {error}", failed=True)
    return Report.of(result, title="Sum by group", source=file_path, rows_in=len(df))


if __name__ == "__main__":
    mcp.run()
