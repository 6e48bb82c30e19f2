"""Tests of `plot_correlation_heatmap`. Run them in this folder: `pytest tests.py`.

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

COLUMNS = {
    "order_id": "str",
    "order_date": "datetime64[us]",
    "region": "str",
    "channel": "str",
    "units": "int64",
    "price": "float64",
    "delivery_days": "int64",
    "rating": "float64",
    "status": "str",
}
ROWS = [
    ("order_id-0", "2024-01-21T00:00:00", "alpha", "gamma", 8, 7.0, 4, 8.5, "gamma"),
    ("order_id-1", "2024-02-28T00:00:00", "alpha", "alpha", 5, 5.5, 5, 2.0, "gamma"),
    ("order_id-2", "2023-11-27T00:00:00", "alpha", "delta", 4, 6.5, 5, 2.0, "delta"),
    ("order_id-3", "2023-12-11T00:00:00", "alpha", "alpha", 8, 7.0, 9, 7.5, "alpha"),
    ("order_id-4", "2023-12-02T00:00:00", "gamma", "gamma", 3, 1.5, 6, 8.0, "alpha"),
    ("order_id-5", "2024-02-21T00:00:00", "beta", "alpha", 1, 6.0, 8, 1.5, "alpha"),
    ("order_id-6", "2024-03-06T00:00:00", "delta", "beta", 3, 4.5, 9, 5.0, "beta"),
    ("order_id-7", "2023-12-23T00:00:00", "alpha", "beta", 3, 9.0, 7, 9.0, "alpha"),
]


def frame(rows, columns):
    """Return the rows as a table whose columns have these types."""
    return pd.DataFrame(rows, columns=list(columns)).astype(columns)


def call(folder, rows, /, **arguments):
    """Write the rows to a file and call the tool on it."""
    file_path = folder / "file_path.parquet"
    frame(rows, COLUMNS).to_parquet(file_path, index=False)
    return tool.plot_correlation_heatmap(str(file_path), **arguments)


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
        ["first", "second", "rows_used", "correlation"],
        [
            ("units", "rating", 8, 0.41192711350030664),
            ("price", "rating", 8, 0.0998257250239047),
            ("delivery_days", "rating", 8, 0.030362263799110768),
            ("rating", "rating", 8, 1.0),
            ("units", "delivery_days", 8, -0.2634023332993702),
            ("price", "delivery_days", 8, 0.004222116201524404),
            ("delivery_days", "delivery_days", 8, 1.0),
            ("rating", "delivery_days", 8, 0.030362263799110792),
            ("units", "price", 8, 0.282085685891504),
            ("price", "price", 8, 0.9999999999999998),
            ("delivery_days", "price", 8, 0.004222116201524327),
            ("rating", "price", 8, 0.09982572502390472),
            ("units", "units", 8, 1.0),
            ("price", "units", 8, 0.282085685891504),
            ("delivery_days", "units", 8, -0.2634023332993702),
            ("rating", "units", 8, 0.41192711350030664),
        ],
    )


def test_a_table_without_rows(tmp_path):
    report = call(tmp_path, [])

    assert not report.failed, str(report)
    assert_rows(
        report.table,
        ["first", "second", "rows_used", "correlation"],
        [
            ("rating", "rating", 0, None),
            ("rating", "units", 0, None),
            ("units", "price", 0, None),
            ("units", "units", 0, None),
            ("rating", "price", 0, None),
            ("delivery_days", "delivery_days", 0, None),
            ("units", "rating", 0, None),
            ("price", "delivery_days", 0, None),
            ("rating", "delivery_days", 0, None),
            ("price", "price", 0, None),
            ("delivery_days", "price", 0, None),
            ("price", "units", 0, None),
            ("delivery_days", "units", 0, None),
            ("price", "rating", 0, None),
            ("units", "delivery_days", 0, None),
            ("delivery_days", "rating", 0, None),
        ],
    )


def test_one_row(tmp_path):
    report = call(tmp_path, [("order_id-0", "2024-01-21T00:00:00", "alpha", "alpha", 8, 7.0, 4, 8.5, "alpha")])

    assert not report.failed, str(report)
    assert_rows(
        report.table,
        ["first", "second", "rows_used", "correlation"],
        [
            ("units", "rating", 1, None),
            ("price", "rating", 1, None),
            ("delivery_days", "rating", 1, None),
            ("rating", "rating", 1, None),
            ("units", "delivery_days", 1, None),
            ("price", "delivery_days", 1, None),
            ("delivery_days", "delivery_days", 1, None),
            ("rating", "delivery_days", 1, None),
            ("units", "price", 1, None),
            ("price", "price", 1, None),
            ("delivery_days", "price", 1, None),
            ("rating", "price", 1, None),
            ("units", "units", 1, None),
            ("price", "units", 1, None),
            ("delivery_days", "units", 1, None),
            ("rating", "units", 1, None),
        ],
    )


def test_missing_values(tmp_path):
    report = call(
        tmp_path,
        [
            ("order_id-0", "2024-01-21T00:00:00", None, "gamma", 8.0, None, 4.0, None, "gamma"),
            ("order_id-1", "2024-02-28T00:00:00", None, "alpha", 5.0, 5.5, 5.0, 2.0, "gamma"),
            ("order_id-2", "2023-11-27T00:00:00", "alpha", "delta", 4.0, 6.5, 5.0, 2.0, "delta"),
            ("order_id-3", "2023-12-11T00:00:00", "alpha", "alpha", 8.0, 7.0, 9.0, None, "alpha"),
            ("order_id-4", "2023-12-02T00:00:00", "gamma", "gamma", 3.0, 1.5, 6.0, 8.0, "alpha"),
            ("order_id-5", "2024-02-21T00:00:00", None, "alpha", 1.0, 6.0, 8.0, None, "alpha"),
            ("order_id-6", "2024-03-06T00:00:00", None, "beta", 3.0, None, 9.0, 5.0, "beta"),
            ("order_id-7", "2023-12-23T00:00:00", "alpha", "beta", 3.0, None, 7.0, 9.0, "alpha"),
        ],
    )

    assert not report.failed, str(report)
    assert_rows(
        report.table,
        ["first", "second", "rows_used", "correlation"],
        [
            ("units", "delivery_days", 8, -0.26340233329937013),
            ("units", "rating", 5, -0.8203031124295959),
            ("price", "rating", 3, -0.9819805060619655),
            ("price", "delivery_days", 5, 0.31952478845632515),
            ("delivery_days", "delivery_days", 8, 1.0),
            ("delivery_days", "rating", 5, 0.4384704571451218),
            ("rating", "rating", 5, 1.0),
            ("units", "units", 8, 1.0000000000000002),
            ("units", "price", 5, 0.3825367828392985),
            ("price", "price", 5, 0.9999999999999999),
            ("delivery_days", "units", 8, -0.26340233329937013),
            ("delivery_days", "price", 5, 0.319524788456325),
            ("rating", "delivery_days", 5, 0.4384704571451218),
            ("price", "units", 5, 0.38253678283929843),
            ("rating", "price", 3, -0.9819805060619655),
            ("rating", "units", 5, -0.8203031124295959),
        ],
    )


def test_every_row_twice(tmp_path):
    report = call(
        tmp_path,
        [
            ("order_id-0", "2024-01-21T00:00:00", "alpha", "gamma", 8, 7.0, 4, 8.5, "gamma"),
            ("order_id-1", "2024-02-28T00:00:00", "alpha", "alpha", 5, 5.5, 5, 2.0, "gamma"),
            ("order_id-2", "2023-11-27T00:00:00", "alpha", "delta", 4, 6.5, 5, 2.0, "delta"),
            ("order_id-3", "2023-12-11T00:00:00", "alpha", "alpha", 8, 7.0, 9, 7.5, "alpha"),
            ("order_id-0", "2024-01-21T00:00:00", "alpha", "gamma", 8, 7.0, 4, 8.5, "gamma"),
            ("order_id-1", "2024-02-28T00:00:00", "alpha", "alpha", 5, 5.5, 5, 2.0, "gamma"),
            ("order_id-2", "2023-11-27T00:00:00", "alpha", "delta", 4, 6.5, 5, 2.0, "delta"),
            ("order_id-3", "2023-12-11T00:00:00", "alpha", "alpha", 8, 7.0, 9, 7.5, "alpha"),
        ],
    )

    assert not report.failed, str(report)
    assert_rows(
        report.table,
        ["first", "second", "rows_used", "correlation"],
        [
            ("units", "rating", 8, 0.9734592363167276),
            ("price", "rating", 8, 0.8108848540793829),
            ("delivery_days", "rating", 8, 0.28013728433199425),
            ("rating", "rating", 8, 1.0),
            ("units", "delivery_days", 8, 0.38283197233626054),
            ("price", "delivery_days", 8, 0.31889640207164055),
            ("delivery_days", "delivery_days", 8, 1.0000000000000002),
            ("rating", "delivery_days", 8, 0.28013728433199425),
            ("units", "price", 8, 0.6859943405700352),
            ("price", "price", 8, 0.9999999999999999),
            ("delivery_days", "price", 8, 0.3188964020716406),
            ("rating", "price", 8, 0.810884854079383),
            ("units", "units", 8, 0.9999999999999999),
            ("price", "units", 8, 0.6859943405700352),
            ("delivery_days", "units", 8, 0.3828319723362606),
            ("rating", "units", 8, 0.9734592363167276),
        ],
    )


def test_ties(tmp_path):
    report = call(
        tmp_path,
        [
            ("order_id-0", "2023-11-15T00:00:00", "alpha", "alpha", 1, 1.0, 1, 1.0, "alpha"),
            ("order_id-1", "2023-11-15T00:00:00", "beta", "beta", 1, 1.0, 1, 1.0, "beta"),
            ("order_id-2", "2023-11-15T00:00:00", "gamma", "gamma", 1, 1.0, 9, 1.0, "gamma"),
            ("order_id-3", "2023-11-15T00:00:00", "delta", "delta", 1, 1.0, 9, 1.0, "delta"),
            ("order_id-4", "2024-03-15T00:00:00", "gamma", "delta", 9, 1.0, 1, 9.0, "alpha"),
            ("order_id-5", "2024-03-15T00:00:00", "delta", "alpha", 9, 1.0, 1, 9.0, "beta"),
            ("order_id-6", "2024-03-15T00:00:00", "alpha", "beta", 9, 1.0, 9, 9.0, "gamma"),
            ("order_id-7", "2024-03-15T00:00:00", "beta", "gamma", 9, 1.0, 9, 9.0, "delta"),
        ],
    )

    assert not report.failed, str(report)
    assert_rows(
        report.table,
        ["first", "second", "rows_used", "correlation"],
        [
            ("units", "rating", 8, 1.0),
            ("price", "rating", 8, None),
            ("delivery_days", "rating", 8, -5.551115123125783e-17),
            ("rating", "rating", 8, 1.0),
            ("units", "delivery_days", 8, -5.551115123125783e-17),
            ("price", "delivery_days", 8, None),
            ("delivery_days", "delivery_days", 8, 1.0),
            ("rating", "delivery_days", 8, -5.551115123125783e-17),
            ("units", "price", 8, None),
            ("price", "price", 8, None),
            ("delivery_days", "price", 8, None),
            ("rating", "price", 8, None),
            ("units", "units", 8, 1.0),
            ("price", "units", 8, None),
            ("delivery_days", "units", 8, -5.551115123125783e-17),
            ("rating", "units", 8, 1.0),
        ],
    )


def test_numbers_below_zero(tmp_path):
    report = call(
        tmp_path,
        [
            ("order_id-0", "2024-01-21T00:00:00", "alpha", "gamma", 0, 0.0, 0, -15.0, "gamma"),
            ("order_id-1", "2024-02-28T00:00:00", "alpha", "alpha", 8, 1.5, 28, 9.5, "gamma"),
            ("order_id-2", "2023-11-27T00:00:00", "alpha", "delta", -58, 0.0, 7, -35.0, "delta"),
            ("order_id-3", "2023-12-11T00:00:00", "alpha", "alpha", -1, 66.0, 2, 60.0, "alpha"),
            ("order_id-4", "2023-12-02T00:00:00", "gamma", "gamma", -16, -0.0, 58, -0.5, "alpha"),
            ("order_id-5", "2024-02-21T00:00:00", "beta", "alpha", 7, 0.0, 10, 12.5, "alpha"),
            ("order_id-6", "2024-03-06T00:00:00", "delta", "beta", 0, 0.5, -1, -0.0, "beta"),
            ("order_id-7", "2023-12-23T00:00:00", "alpha", "beta", 0, -0.0, 0, -1.5, "alpha"),
        ],
    )

    assert not report.failed, str(report)
    assert_rows(
        report.table,
        ["first", "second", "rows_used", "correlation"],
        [
            ("units", "rating", 8, 0.5734132756005423),
            ("price", "rating", 8, 0.8399309012897014),
            ("delivery_days", "rating", 8, -0.039114990735013094),
            ("rating", "rating", 8, 1.0),
            ("units", "delivery_days", 8, -0.08417608230747528),
            ("price", "delivery_days", 8, -0.21275435224993072),
            ("delivery_days", "delivery_days", 8, 0.9999999999999997),
            ("rating", "delivery_days", 8, -0.03911499073501308),
            ("units", "price", 8, 0.12941620107169996),
            ("price", "price", 8, 1.0),
            ("delivery_days", "price", 8, -0.21275435224993075),
            ("rating", "price", 8, 0.8399309012897014),
            ("units", "units", 8, 0.9999999999999999),
            ("price", "units", 8, 0.12941620107170002),
            ("delivery_days", "units", 8, -0.08417608230747531),
            ("rating", "units", 8, 0.5734132756005423),
        ],
    )


def test_the_defaults_are_those_of_the_approved_answer():
    parameters = signature(tool.plot_correlation_heatmap).parameters.values()

    assert {p.name: p.default for p in parameters if p.default is not p.empty} == {
        "columns": ("units", "price", "delivery_days", "rating")
    }


def test_the_same_call_gives_the_same_report(tmp_path):
    first, second = (call(tmp_path, ROWS) for _ in range(2))

    assert str(first) == str(second)
