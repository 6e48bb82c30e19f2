"""Whether two computations gave the same table, and in words where they did not."""

from __future__ import annotations

import datetime as dt

import pandas as pd
import pytest

from jupyter_mcpgen.pipeline.agreement import first_difference


def table(*values: object, dtype: str | None = None) -> pd.DataFrame:
    return pd.DataFrame({"x": pd.Series(values, dtype=dtype)})


DAY = dt.datetime(2024, 1, 1)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (table(1, 2), table(1, 2)),
        (table(1, 2), table(1.0, 2.0)),
        (table(1, None, dtype="Int64"), table(1.0, float("nan"))),
        (table(0.1 + 0.2), table(0.3)),
        (table(float("inf"), float("-inf")), table(float("inf"), float("-inf"))),
        (table("a", None, dtype="str"), table("a", None, dtype=object)),
        (table(True, None, dtype="boolean"), table(True, None, dtype=object)),
        (table(True, False), table(True, False, dtype="boolean")),
        (table(DAY, dtype="datetime64[us]"), table(DAY, dtype="datetime64[ns]")),
        (table(DAY, None, dtype="datetime64[us]"), table(DAY, pd.NaT, dtype="datetime64[us]")),
        (table(None, None, dtype="str"), table(float("nan"), float("nan"))),
        (table(dtype="str"), table(dtype="float64")),
        (pd.DataFrame({"x": [1, 2]}, index=[7, 8]), table(1, 2)),
    ],
)
def test_equal_values_in_other_types_agree(left: pd.DataFrame, right: pd.DataFrame) -> None:
    assert first_difference(left, right) is None
    assert first_difference(right, left) is None


@pytest.mark.parametrize(
    ("left", "right", "words"),
    [
        (table(1, 2), pd.DataFrame({"y": [1, 2]}), "columns ['x'] against ['y']"),
        (table(1), pd.DataFrame({"x": [1], "y": [1]}), "columns ['x'] against ['x', 'y']"),
        (table(1, 2, 3), table(1, 2), "3 rows against 2"),
        (table(1, 2), table(1, 3), "row 2 of `x`: "),
        (table(1, 2), table(2, 1), "row 1 of `x`"),
        (table(1.0), table(1.0 + 1e-7), "row 1 of `x`"),
        (table(2**53, 0), table(2**53 + 1, 0), "row 1 of `x`"),
        (table(1.0, float("nan")), table(1.0, 0.0), "row 2 of `x`"),
        (table("", dtype="str"), table(None, dtype="str"), "row 1 of `x`"),
        (table("a", dtype="str"), table("A", dtype="str"), "row 1 of `x`"),
        (table("1", dtype="str"), table(1), "row 1 of `x`"),
        (table(True), table(1), "row 1 of `x`"),
        (table("True", dtype="str"), table(True), "row 1 of `x`"),
        (table(DAY, dtype="datetime64[us]"), table("2024-01-01", dtype="str"), "row 1 of `x`"),
        (
            table(DAY, dtype="datetime64[us]"),
            table(DAY + dt.timedelta(seconds=1), dtype="datetime64[us]"),
            "row 1 of `x`",
        ),
        (table(float("inf")), table(1e308), "row 1 of `x`"),
    ],
)
def test_the_first_difference_is_named(left: pd.DataFrame, right: pd.DataFrame, words: str) -> None:
    assert words in (first_difference(left, right) or "")
    assert first_difference(right, left) is not None
