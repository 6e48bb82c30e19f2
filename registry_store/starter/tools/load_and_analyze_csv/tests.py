"""Tests of `load_and_analyze_csv`. Run them in this folder: `pytest tests.py`.

The tables are invented: no row is from the data that the tool was made for.
The expected rows were computed by DuckDB from the plan in `plan.json`, apart from the code in `tool.py`.
"""

import sys
from inspect import signature
from pathlib import Path

import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).parent))
for name in ("tool", "helpers"):  # those of another tool, where several are tested together
    sys.modules.pop(name, None)

import tool  # noqa: E402

COLUMNS = {"units": "int64", "price": "float64", "delivery_days": "int64", "rating": "float64"}
ROWS = [
    (8, 7.0, 4, 8.5),
    (5, 5.5, 5, 2.0),
    (4, 6.5, 5, 2.0),
    (8, 7.0, 9, 7.5),
    (3, 1.5, 6, 8.0),
    (1, 6.0, 8, 1.5),
    (3, 4.5, 9, 5.0),
    (3, 9.0, 7, 9.0),
]


def frame(rows, columns):
    """Return the rows as a table whose columns have these types."""
    made = pd.DataFrame(rows, columns=list(columns))
    with_gaps = {"int64": "float64", "bool": "boolean"}  # what pandas makes of them where a value is missing
    return made.astype({n: with_gaps.get(t, t) if made[n].isna().any() else t for n, t in columns.items()})


def call(folder, rows, without=(), /, **arguments):
    """Write the rows to a file and call the tool on it."""
    file_path = folder / "file_path.parquet"
    frame(rows, COLUMNS).drop(columns=list(without), errors="ignore").to_parquet(file_path, index=False)
    return tool.load_and_analyze_csv(str(file_path), **arguments)


def plain(value):
    """Return a value as it stands in these tests: a missing one as None, a date as text."""
    if pd.isna(value):
        return None
    if isinstance(value, pd.Timestamp):
        return value.isoformat()
    return value.item() if hasattr(value, "item") else value


def assert_rows(table, columns, expected):
    """Compare a table with the expected rows, in any order; computed numbers may differ in the last digits."""
    assert list(table.columns) == columns
    found = [tuple(map(plain, row)) for row in table.itertuples(index=False, name=None)]
    found, expected = sorted(found, key=in_order), sorted(expected, key=in_order)
    assert len(found) == len(expected)
    for row, values in zip(found, expected, strict=True):
        assert row == tuple(close_to(value) for value in values)


def close_to(value):
    """Return what equals a number that is near enough, and any other value itself."""
    return pytest.approx(value, rel=1e-09, abs=1e-09) if isinstance(value, float) else value


def in_order(row):
    """Return what rows are sorted by before they are compared."""
    return [f"{value:.6g}" if isinstance(value, int | float) else str(value) for value in row]


def test_ordinary_rows(tmp_path):
    report = call(tmp_path, ROWS)

    assert not report.failed, str(report)
    assert_rows(
        report.table,
        ["column", "count", "missing", "mean", "std", "min", "q25", "median", "q75", "max"],
        [
            ("units", 8, 0, 4.375, 2.50356888118884, 1.0, 3.0, 3.5, 5.75, 8.0),
            ("price", 8, 0, 5.875, 2.1998376563477846, 1.5, 5.25, 6.25, 7.0, 9.0),
            ("delivery_days", 8, 0, 6.625, 1.9226098333849675, 4.0, 5.0, 6.5, 8.25, 9.0),
            ("rating", 8, 0, 5.4375, 3.212003157799551, 1.5, 2.0, 6.25, 8.125, 9.0),
        ],
    )
    assert report.details["rows_in"] == 8
    assert report.details["rows_used"] == 8


def test_a_table_without_rows(tmp_path):
    report = call(tmp_path, [])

    assert not report.failed, str(report)
    assert_rows(
        report.table,
        ["column", "count", "missing", "mean", "std", "min", "q25", "median", "q75", "max"],
        [
            ("units", 0, 0, None, None, None, None, None, None, None),
            ("price", 0, 0, None, None, None, None, None, None, None),
            ("delivery_days", 0, 0, None, None, None, None, None, None, None),
            ("rating", 0, 0, None, None, None, None, None, None, None),
        ],
    )
    assert report.details["rows_in"] == 0
    assert report.details["rows_used"] == 0


def test_one_row(tmp_path):
    report = call(tmp_path, [(8, 7.0, 4, 8.5)])

    assert not report.failed, str(report)
    assert_rows(
        report.table,
        ["column", "count", "missing", "mean", "std", "min", "q25", "median", "q75", "max"],
        [
            ("units", 1, 0, 8.0, None, 8.0, 8.0, 8.0, 8.0, 8.0),
            ("price", 1, 0, 7.0, None, 7.0, 7.0, 7.0, 7.0, 7.0),
            ("delivery_days", 1, 0, 4.0, None, 4.0, 4.0, 4.0, 4.0, 4.0),
            ("rating", 1, 0, 8.5, None, 8.5, 8.5, 8.5, 8.5, 8.5),
        ],
    )
    assert report.details["rows_in"] == 1
    assert report.details["rows_used"] == 1


def test_missing_values(tmp_path):
    report = call(
        tmp_path,
        [
            (None, None, None, None),
            (5.0, 5.5, 5.0, 2.0),
            (4.0, 6.5, 5.0, 2.0),
            (8.0, 7.0, 9.0, None),
            (3.0, 1.5, 6.0, 8.0),
            (1.0, 6.0, 8.0, None),
            (None, None, None, 5.0),
            (None, None, 7.0, 9.0),
        ],
    )

    assert not report.failed, str(report)
    assert_rows(
        report.table,
        ["column", "count", "missing", "mean", "std", "min", "q25", "median", "q75", "max"],
        [
            ("units", 5, 3, 4.2, 2.588435821108957, 1.0, 3.0, 4.0, 5.0, 8.0),
            ("price", 5, 3, 5.3, 2.19658826364888, 1.5, 5.5, 6.0, 6.5, 7.0),
            ("delivery_days", 6, 2, 6.666666666666667, 1.632993161855452, 5.0, 5.25, 6.5, 7.75, 9.0),
            ("rating", 5, 3, 5.2, 3.271085446759225, 2.0, 2.0, 5.0, 8.0, 9.0),
        ],
    )
    assert report.details["rows_in"] == 8
    assert report.details["rows_used"] == 8


def test_every_row_twice(tmp_path):
    report = call(
        tmp_path,
        [
            (8, 7.0, 4, 8.5),
            (5, 5.5, 5, 2.0),
            (4, 6.5, 5, 2.0),
            (8, 7.0, 9, 7.5),
            (8, 7.0, 4, 8.5),
            (5, 5.5, 5, 2.0),
            (4, 6.5, 5, 2.0),
            (8, 7.0, 9, 7.5),
        ],
    )

    assert not report.failed, str(report)
    assert_rows(
        report.table,
        ["column", "count", "missing", "mean", "std", "min", "q25", "median", "q75", "max"],
        [
            ("units", 8, 0, 6.25, 1.9086270308410553, 4.0, 4.75, 6.5, 8.0, 8.0),
            ("price", 8, 0, 6.5, 0.6546536707079772, 5.5, 6.25, 6.75, 7.0, 7.0),
            ("delivery_days", 8, 0, 5.75, 2.052872551885702, 4.0, 4.75, 5.0, 6.0, 9.0),
            ("rating", 8, 0, 5.0, 3.2293298729878046, 2.0, 2.0, 4.75, 7.75, 8.5),
        ],
    )
    assert report.details["rows_in"] == 8
    assert report.details["rows_used"] == 8


def test_ties(tmp_path):
    report = call(
        tmp_path,
        [
            (1, 1.0, 1, 1.0),
            (1, 1.0, 1, 1.0),
            (1, 1.0, 9, 1.0),
            (1, 1.0, 9, 1.0),
            (9, 1.0, 1, 9.0),
            (9, 1.0, 1, 9.0),
            (9, 1.0, 9, 9.0),
            (9, 1.0, 9, 9.0),
        ],
    )

    assert not report.failed, str(report)
    assert_rows(
        report.table,
        ["column", "count", "missing", "mean", "std", "min", "q25", "median", "q75", "max"],
        [
            ("units", 8, 0, 5.0, 4.27617987059879, 1.0, 1.0, 5.0, 9.0, 9.0),
            ("price", 8, 0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0),
            ("delivery_days", 8, 0, 5.0, 4.27617987059879, 1.0, 1.0, 5.0, 9.0, 9.0),
            ("rating", 8, 0, 5.0, 4.27617987059879, 1.0, 1.0, 5.0, 9.0, 9.0),
        ],
    )
    assert report.details["rows_in"] == 8
    assert report.details["rows_used"] == 8


def test_numbers_below_zero(tmp_path):
    report = call(
        tmp_path,
        [
            (0, 0.0, 0, -15.0),
            (8, 1.5, 28, 9.5),
            (-58, 0.0, 7, -35.0),
            (-1, 66.0, 2, 60.0),
            (-16, -0.0, 58, -0.5),
            (7, 0.0, 10, 12.5),
            (0, 0.5, -1, -0.0),
            (0, -0.0, 0, -1.5),
        ],
    )

    assert not report.failed, str(report)
    assert_rows(
        report.table,
        ["column", "count", "missing", "mean", "std", "min", "q25", "median", "q75", "max"],
        [
            ("units", 8, 0, -7.5, 21.659705841558818, -58.0, -4.75, 0.0, 1.75, 8.0),
            ("price", 8, 0, 8.5, 23.239436924577767, -0.0, 0.0, 0.0, 0.75, 66.0),
            ("delivery_days", 8, 0, 13.0, 20.528725518857023, -1.0, 0.0, 4.5, 14.5, 58.0),
            ("rating", 8, 0, 3.75, 27.220003148944922, -35.0, -4.875, -0.25, 10.25, 60.0),
        ],
    )
    assert report.details["rows_in"] == 8
    assert report.details["rows_used"] == 8


def test_a_table_without_a_needed_column_is_refused(tmp_path):
    report = call(tmp_path, ROWS, ["delivery_days"])

    assert report.failed
    assert report.table is None


def test_the_defaults_are_those_of_the_approved_answer():
    parameters = signature(tool.load_and_analyze_csv).parameters.values()

    assert {p.name: p.default for p in parameters if p.default is not p.empty} == {
        "columns": ("units", "price", "delivery_days", "rating")
    }


def test_the_same_call_gives_the_same_report(tmp_path):
    first, second = (call(tmp_path, ROWS) for _ in range(2))

    assert str(first) == str(second)
