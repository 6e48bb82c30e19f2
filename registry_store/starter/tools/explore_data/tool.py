"""Description of every column by its type, with the strongest correlations."""

import math
from itertools import combinations
from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import load_csv_data_with_types, validate_file_and_columns
from pydantic import Field

mcp = FastMCP("explore_data")


def analyze(df: pd.DataFrame, most_values: int = 5, most_correlations: int = 10) -> dict[str, object]:
    """Describe the distribution of every column, then rank the correlations between the number columns."""
    columns = {str(name): _described(df[name], most_values) for name in df.columns}
    numbers = [name for name in df.columns if _is_number(df[name])]
    pairs = [_correlation(df, *pair) for pair in combinations(numbers, 2)]
    strongest = sorted((p for p in pairs if p), key=lambda p: (-abs(p["correlation"]), p["columns"]))
    return {
        "rows": len(df),
        "repeated_rows": int(df.astype(str).duplicated().sum()),
        "columns": columns,
        "strongest_correlations": strongest[:most_correlations],
    }


def _is_number(values: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)


def _described(values: pd.Series, most_values: int) -> dict[str, object]:
    present = values.dropna()
    described = {
        "type": "number" if _is_number(values) else "date" if _is_date(values) else "text",
        "missing": int(values.isna().sum()),
        "distinct": int(present.astype(str).nunique()),
    }
    if described["type"] == "number":
        return {**described, **_numbers(present.astype("float64"))}
    if described["type"] == "date":
        return {**described, "first": _text(present.min()), "last": _text(present.max())}
    counts = present.astype(str).value_counts()
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:most_values]
    return {**described, "commonest": [{"value": value, "rows": int(rows)} for value, rows in ranked]}


def _numbers(present: pd.Series) -> dict[str, object]:
    finite = present[present.abs() < math.inf]
    low, middle, high = (_figure(finite.quantile(part)) for part in (0.25, 0.5, 0.75))
    reach = None if low is None else 1.5 * (high - low)
    outside = None if reach is None else int(((finite < low - reach) | (finite > high + reach)).sum())
    varies = finite.nunique() > 1
    return {
        "mean": _figure(finite.mean()),
        "standard_deviation": _figure(finite.std()),
        "min": _figure(finite.min()),
        "lower_quartile": low,
        "median": middle,
        "upper_quartile": high,
        "max": _figure(finite.max()),
        "skew": _figure(finite.skew()) if varies and len(finite) > 2 else None,
        "outliers": outside,
        "note": "" if varies else "It does not vary." if len(finite) else "It has no values.",
    }


def _correlation(df: pd.DataFrame, first: object, second: object) -> dict[str, object] | None:
    both = df[[first, second]].astype("float64").dropna()
    if len(both) < 3 or both[first].nunique() < 2 or both[second].nunique() < 2:
        return None
    found = both[first].rank().corr(both[second].rank())
    return {"columns": [str(first), str(second)], "correlation": round(float(found), 12), "rows": len(both)}


def _is_date(values: pd.Series) -> bool:
    return pd.api.types.is_datetime64_any_dtype(values)


def _text(moment: object) -> str | None:
    return None if pd.isna(moment) else str(moment)


def _figure(number: float) -> float | None:
    return round(float(number), 12) if math.isfinite(number) else None


@mcp.tool()
def explore_data(
    file_path: Annotated[str, Field(description="Path of the table: CSV, Parquet, Arrow, JSON or a workbook.")],
    most_values: Annotated[int, Field(description="Most values.")] = 5,
    most_correlations: Annotated[int, Field(description="Most correlations.")] = 10,
) -> dict[str, object]:
    """Description of every column by its type, with the strongest correlations.

    WHEN TO USE THIS TOOL:
    To get this: Description of every column by its type, with the strongest correlations.

    WHAT THIS TOOL DOES:
    Describe the distribution of every column, then rank the correlations between the number columns.

    RETURNS:
    A value of the type `dict[str, object]`.

    PREREQUISITES:
    The file exists and can be read as a table.
    """
    validate_file_and_columns(file_path, [])
    df = load_csv_data_with_types(file_path)
    return analyze(df, most_values=most_values, most_correlations=most_correlations)


if __name__ == "__main__":
    mcp.run()
