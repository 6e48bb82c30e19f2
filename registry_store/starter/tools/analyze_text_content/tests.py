"""Tests of `analyze_text_content`. Run them in this folder: `pytest tests.py`.

The tables are invented: no row is from the data that the tool was made for.
The expected rows were computed by DuckDB from SQL that was written apart from the code in `tool.py`.
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

COLUMNS = {"note_id": "str", "document": "str", "page": "int64", "text": "str"}
ROWS = [
    ("note_id-0", "delta", 2, "gamma"),
    ("note_id-1", "alpha", 9, "alpha"),
    ("note_id-2", "alpha", 8, "delta"),
    ("note_id-3", "beta", 3, "alpha"),
    ("note_id-4", "alpha", 9, "gamma"),
    ("note_id-5", "gamma", 9, "alpha"),
    ("note_id-6", "gamma", 4, "beta"),
    ("note_id-7", "gamma", 1, "beta"),
]


def frame(rows, columns):
    """Return the rows as a table whose columns have these types."""
    return pd.DataFrame(rows, columns=list(columns)).astype(columns)


def call(folder, rows, /, **arguments):
    """Write the rows to a file and call the tool on it."""
    file_path = folder / "file_path.parquet"
    frame(rows, COLUMNS).to_parquet(file_path, index=False)
    return tool.analyze_text_content(str(file_path), **arguments)


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
        report.table, ["word", "times", "rows"], [("gamma", 2, 2), ("alpha", 3, 3), ("delta", 1, 1), ("beta", 2, 2)]
    )


def test_a_table_without_rows(tmp_path):
    report = call(tmp_path, [])

    assert not report.failed, str(report)
    assert_rows(report.table, ["word", "times", "rows"], [])


def test_one_row(tmp_path):
    report = call(tmp_path, [("note_id-0", "alpha", 2, "alpha")])

    assert not report.failed, str(report)
    assert_rows(report.table, ["word", "times", "rows"], [("alpha", 1, 1)])


def test_missing_values(tmp_path):
    report = call(
        tmp_path,
        [
            ("note_id-0", "delta", 2.0, None),
            ("note_id-1", "alpha", 9.0, None),
            ("note_id-2", "alpha", 8.0, None),
            ("note_id-3", "beta", 3.0, None),
            ("note_id-4", "alpha", 9.0, None),
            ("note_id-5", "gamma", 9.0, None),
            ("note_id-6", "gamma", 4.0, "beta"),
            ("note_id-7", "gamma", 1.0, None),
        ],
    )

    assert not report.failed, str(report)
    assert_rows(report.table, ["word", "times", "rows"], [("beta", 1, 1)])


def test_every_row_twice(tmp_path):
    report = call(
        tmp_path,
        [
            ("note_id-0", "delta", 2, "gamma"),
            ("note_id-1", "alpha", 9, "alpha"),
            ("note_id-2", "alpha", 8, "delta"),
            ("note_id-3", "beta", 3, "alpha"),
            ("note_id-0", "delta", 2, "gamma"),
            ("note_id-1", "alpha", 9, "alpha"),
            ("note_id-2", "alpha", 8, "delta"),
            ("note_id-3", "beta", 3, "alpha"),
        ],
    )

    assert not report.failed, str(report)
    assert_rows(report.table, ["word", "times", "rows"], [("gamma", 2, 2), ("alpha", 4, 4), ("delta", 2, 2)])


def test_ties(tmp_path):
    report = call(
        tmp_path,
        [
            ("note_id-0", "alpha", 1, "alpha"),
            ("note_id-1", "beta", 1, "beta"),
            ("note_id-2", "gamma", 1, "gamma"),
            ("note_id-3", "delta", 1, "delta"),
            ("note_id-4", "beta", 1, "delta"),
            ("note_id-5", "gamma", 1, "alpha"),
            ("note_id-6", "delta", 1, "beta"),
            ("note_id-7", "alpha", 1, "gamma"),
        ],
    )

    assert not report.failed, str(report)
    assert_rows(
        report.table, ["word", "times", "rows"], [("alpha", 2, 2), ("beta", 2, 2), ("gamma", 2, 2), ("delta", 2, 2)]
    )


def test_numbers_below_zero(tmp_path):
    report = call(
        tmp_path,
        [
            ("note_id-0", "delta", 55, "gamma"),
            ("note_id-1", "alpha", -1, "alpha"),
            ("note_id-2", "alpha", 31, "delta"),
            ("note_id-3", "beta", -22, "alpha"),
            ("note_id-4", "alpha", 0, "gamma"),
            ("note_id-5", "gamma", -56, "alpha"),
            ("note_id-6", "gamma", -1, "beta"),
            ("note_id-7", "gamma", 0, "beta"),
        ],
    )

    assert not report.failed, str(report)
    assert_rows(
        report.table, ["word", "times", "rows"], [("gamma", 2, 2), ("alpha", 3, 3), ("delta", 1, 1), ("beta", 2, 2)]
    )


def test_the_defaults_are_those_of_the_approved_answer():
    parameters = signature(tool.analyze_text_content).parameters.values()

    assert {p.name: p.default for p in parameters if p.default is not p.empty} == {"column": "text", "shortest_word": 3}


def test_the_same_call_gives_the_same_report(tmp_path):
    first, second = (call(tmp_path, ROWS) for _ in range(2))

    assert str(first) == str(second)
