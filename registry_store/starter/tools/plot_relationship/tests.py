"""Tests of `plot_relationship`. Run them in this folder: `pytest tests.py`.

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

COLUMNS = {"units": "int64", "price": "float64"}
ROWS = [(8, 7.0), (5, 5.5), (4, 6.5), (8, 7.0), (3, 1.5), (1, 6.0), (3, 4.5), (3, 9.0)]


def frame(rows, columns):
    """Return the rows as a table whose columns have these types."""
    made = pd.DataFrame(rows, columns=list(columns))
    with_gaps = {"int64": "float64", "bool": "boolean"}  # what pandas makes of them where a value is missing
    return made.astype({n: with_gaps.get(t, t) if made[n].isna().any() else t for n, t in columns.items()})


def call(folder, rows, without=(), /, **arguments):
    """Write the rows to a file and call the tool on it."""
    file_path = folder / "file_path.parquet"
    frame(rows, COLUMNS).drop(columns=list(without), errors="ignore").to_parquet(file_path, index=False)
    return tool.plot_relationship(str(file_path), **arguments)


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
        ["units", "price"],
        [(8, 7.0), (5, 5.5), (4, 6.5), (8, 7.0), (3, 1.5), (1, 6.0), (3, 4.5), (3, 9.0)],
    )
    assert report.details["rows_in"] == 8
    assert report.details["rows_used"] == 8


def test_a_table_without_rows(tmp_path):
    report = call(tmp_path, [])

    assert not report.failed, str(report)
    assert_rows(report.table, ["units", "price"], [])
    assert report.details["rows_in"] == 0
    assert report.details["rows_used"] == 0


def test_one_row(tmp_path):
    report = call(tmp_path, [(8, 7.0)])

    assert not report.failed, str(report)
    assert_rows(report.table, ["units", "price"], [(8, 7.0)])
    assert report.details["rows_in"] == 1
    assert report.details["rows_used"] == 1


def test_missing_values(tmp_path):
    report = call(
        tmp_path, [(None, None), (5.0, 5.5), (4.0, 6.5), (8.0, 7.0), (3.0, 1.5), (1.0, 6.0), (None, None), (None, None)]
    )

    assert not report.failed, str(report)
    assert_rows(
        report.table,
        ["units", "price"],
        [(None, None), (5.0, 5.5), (4.0, 6.5), (8.0, 7.0), (3.0, 1.5), (1.0, 6.0), (None, None), (None, None)],
    )
    assert report.details["rows_in"] == 8
    assert report.details["rows_used"] == 8


def test_every_row_twice(tmp_path):
    report = call(tmp_path, [(8, 7.0), (5, 5.5), (4, 6.5), (8, 7.0), (8, 7.0), (5, 5.5), (4, 6.5), (8, 7.0)])

    assert not report.failed, str(report)
    assert_rows(
        report.table,
        ["units", "price"],
        [(8, 7.0), (5, 5.5), (4, 6.5), (8, 7.0), (8, 7.0), (5, 5.5), (4, 6.5), (8, 7.0)],
    )
    assert report.details["rows_in"] == 8
    assert report.details["rows_used"] == 8


def test_ties(tmp_path):
    report = call(tmp_path, [(1, 1.0), (1, 1.0), (1, 1.0), (1, 1.0), (9, 1.0), (9, 1.0), (9, 1.0), (9, 1.0)])

    assert not report.failed, str(report)
    assert_rows(
        report.table,
        ["units", "price"],
        [(1, 1.0), (1, 1.0), (1, 1.0), (1, 1.0), (9, 1.0), (9, 1.0), (9, 1.0), (9, 1.0)],
    )
    assert report.details["rows_in"] == 8
    assert report.details["rows_used"] == 8


def test_numbers_below_zero(tmp_path):
    report = call(tmp_path, [(0, 0.0), (8, 1.5), (-58, 0.0), (-1, 66.0), (-16, -0.0), (7, 0.0), (0, 0.5), (0, -0.0)])

    assert not report.failed, str(report)
    assert_rows(
        report.table,
        ["units", "price"],
        [(0, 0.0), (8, 1.5), (-58, 0.0), (-1, 66.0), (-16, -0.0), (7, 0.0), (0, 0.5), (0, -0.0)],
    )
    assert report.details["rows_in"] == 8
    assert report.details["rows_used"] == 8


def test_a_table_without_a_needed_column_is_refused(tmp_path):
    report = call(tmp_path, ROWS, ["price"])

    assert report.failed
    assert report.table is None


def test_the_defaults_are_those_of_the_approved_answer():
    parameters = signature(tool.plot_relationship).parameters.values()

    assert {p.name: p.default for p in parameters if p.default is not p.empty} == {"columns": ("units", "price")}


def test_the_same_call_gives_the_same_report(tmp_path):
    first, second = (call(tmp_path, ROWS) for _ in range(2))

    assert str(first) == str(second)
