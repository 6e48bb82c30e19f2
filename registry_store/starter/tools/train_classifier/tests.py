"""Tests of `train_classifier`. Run them in this folder: `pytest tests.py`.

The tables are invented: no row is from the data that the tool was made for.
Nothing computed the result a second time. So these tests say only that the tool runs, which columns it gives,
that it gives the same twice, and what was worked out by hand where examples were given.
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
    return tool.train_classifier(str(file_path), **arguments)


def test_ordinary_rows(tmp_path):
    call(tmp_path, ROWS)


def test_a_table_without_rows(tmp_path):
    call(tmp_path, [])


def test_one_row(tmp_path):
    call(tmp_path, [("order_id-0", "2024-01-21T00:00:00", "alpha", "alpha", 8, 7.0, 4, 8.5, "alpha")])


def test_missing_values(tmp_path):
    call(
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


def test_every_row_twice(tmp_path):
    call(
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


def test_ties(tmp_path):
    call(
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


def test_numbers_below_zero(tmp_path):
    call(
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


def test_the_defaults_are_those_of_the_approved_answer():
    parameters = signature(tool.train_classifier).parameters.values()

    assert {p.name: p.default for p in parameters if p.default is not p.empty} == {
        "target": "status",
        "features": ("delivery_days", "price", "units"),
        "penalty": 1.0,
        "fewest_rows": 10,
    }


def test_the_same_call_gives_the_same_value(tmp_path):
    first, second = (call(tmp_path, ROWS) for _ in range(2))

    assert str(first) == str(second)
