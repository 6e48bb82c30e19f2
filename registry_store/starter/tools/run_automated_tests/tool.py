"""A test of each pair of columns, chosen by their types, with p-values corrected by Holm's method."""

import math
from itertools import combinations
from scipy import stats
from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import Report, load_csv_data_with_types, validate_file_and_columns
from pydantic import Field

mcp = FastMCP("run_automated_tests")


def analyze(df: pd.DataFrame, most_groups: int = 10, level: float = 0.05) -> pd.DataFrame:
    """Choose a test for each pair of number and group columns, and say which relations hold after a correction."""
    kinds = {name: _kind(df[name], most_groups) for name in df.columns}
    pairs = combinations([name for name, kind in kinds.items() if kind], 2)
    rows = [(str(a), str(b), *_tested(df[[a, b]].dropna(), a, b, kinds)) for a, b in pairs]
    names = ["first", "second", "test", "rows", "statistic", "p_value", "note"]
    numbers = {"rows": "int64", "statistic": "float64", "p_value": "float64"}
    found = pd.DataFrame(rows, columns=names).astype(numbers)
    found.insert(6, "corrected_p_value", _corrected(found["p_value"]))
    found.insert(7, "significant", (found["corrected_p_value"] < level).astype("bool"))
    return found.sort_values(["p_value", "first", "second"], ignore_index=True, na_position="last")


def _kind(values: pd.Series, most_groups: int) -> str | None:
    if pd.api.types.is_datetime64_any_dtype(values):
        return None
    if pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values):
        return "number"
    return "groups" if 2 <= values.dropna().astype(str).nunique() <= most_groups else None


def _tested(both: pd.DataFrame, first: object, second: object, kinds: dict) -> tuple:
    if kinds[first] == kinds[second] == "number":
        return _spearman(both[first].astype("float64"), both[second].astype("float64"))
    if kinds[first] == kinds[second]:
        return _chi_square(both[first].astype(str), both[second].astype(str))
    number, group = (first, second) if kinds[first] == "number" else (second, first)
    return _means(both[number].astype("float64"), both[group].astype(str))


def _spearman(first: pd.Series, second: pd.Series) -> tuple:
    if len(first) < 4 or first.nunique() < 2 or second.nunique() < 2:
        return ("Spearman", len(first), None, None, "too few rows, or a column does not vary")
    found = stats.spearmanr(first, second)
    return ("Spearman", len(first), *_figures(found.statistic, found.pvalue), "")


def _chi_square(first: pd.Series, second: pd.Series) -> tuple:
    table = pd.crosstab(first, second)
    if min(table.shape, default=0) < 2:
        return ("chi-square", len(first), None, None, "a column has one group alone")
    found = stats.chi2_contingency(table.to_numpy(), correction=False)
    note = "some expected counts are below 5" if (found.expected_freq < 5).any() else ""
    return ("chi-square", len(first), *_figures(found.statistic, found.pvalue), note)


def _means(numbers: pd.Series, groups: pd.Series) -> tuple:
    finite = numbers.abs() < math.inf
    samples = [part.to_numpy() for _, part in numbers[finite].groupby(groups[finite]) if len(part) > 1]
    rows = sum(map(len, samples))
    test = "Welch t-test" if len(samples) == 2 else "ANOVA"
    if len(samples) < 2:
        return (test, rows, None, None, "fewer than two groups have two values")
    if any((sample == sample[0]).all() for sample in samples):
        return (test, rows, None, None, "a group does not vary")
    found = stats.ttest_ind(*samples, equal_var=False) if len(samples) == 2 else stats.f_oneway(*samples)
    left_out = int(finite.sum()) - rows
    return (test, rows, *_figures(found.statistic, found.pvalue), "groups of one row left out" if left_out else "")


def _figures(statistic: float, p_value: float) -> tuple:
    # the order of the rows may move the last digits
    return (float(f"{statistic:.9g}"), float(f"{p_value:.9g}"))


def _corrected(p_values: pd.Series) -> pd.Series:
    tested = p_values.dropna().sort_values()
    factors = pd.Series(range(len(tested), 0, -1), index=tested.index, dtype="float64")
    return (tested * factors).cummax().clip(upper=1).reindex(p_values.index)


@mcp.tool()
def run_automated_tests(
    file_path: Annotated[str, Field(description="Path of the table: CSV, Parquet, Arrow, JSON or a workbook.")],
    most_groups: Annotated[int, Field(description="Most groups.")] = 10,
    level: Annotated[float, Field(description="Level.")] = 0.05,
) -> str:
    """A test of each pair of columns, chosen by their types, with p-values corrected by Holm's method.

    WHEN TO USE THIS TOOL:
    To get this: A test of each pair of columns, chosen by their types, with p-values corrected by Holm's method.

    WHAT THIS TOOL DOES:
    Choose a test for each pair of number and group columns, and say which relations hold after a correction.

    RETURNS:
    A Markdown table with the result, how many rows came in, and a JSON footer with the same.

    PREREQUISITES:
    The file exists and can be read as a table.
    """
    try:
        validate_file_and_columns(file_path, [])
        df = load_csv_data_with_types(file_path)
        table = analyze(df, most_groups=most_groups, level=level)
    except (ArithmeticError, AttributeError, IndexError, OSError, KeyError, TypeError, ValueError) as error:
        return Report.failure(error, file_path)
    return Report.of(
        table,
        title="A test of each pair of columns, chosen by their types, with p-values corrected by Holm's method",
        source=file_path,
        rows_in=len(df),
    )


if __name__ == "__main__":
    mcp.run()
