"""Tests of `run_anova`. Run them in this folder: `pytest tests.py`.

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

COLUMNS = {"region": "str", "units": "int64"}
ROWS = [("alpha", 8), ("alpha", 5), ("alpha", 4), ("alpha", 8), ("gamma", 3), ("beta", 1), ("delta", 3), ("alpha", 3)]


def frame(rows, columns):
    """Return the rows as a table whose columns have these types."""
    made = pd.DataFrame(rows, columns=list(columns))
    with_gaps = {"int64": "float64", "bool": "boolean"}  # what pandas makes of them where a value is missing
    return made.astype({n: with_gaps.get(t, t) if made[n].isna().any() else t for n, t in columns.items()})


def call(folder, rows, without=(), /, **arguments):
    """Write the rows to a file and call the tool on it."""
    file_path = folder / "file_path.parquet"
    frame(rows, COLUMNS).drop(columns=list(without), errors="ignore").to_parquet(file_path, index=False)
    return tool.run_anova(str(file_path), **arguments)


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
        ["test", "first", "second", "difference", "statistic", "p_value", "effect_size", "finding"],
        [
            (
                "ANOVA",
                None,
                None,
                None,
                1.4261006289308176,
                0.359188127357479,
                0.5168091168091168,
                "not significant at the 5 % level",
            ),
            (
                "Tukey HSD",
                "alpha",
                "beta",
                4.6,
                2.5795519088234036,
                0.380885,
                1.9981123167101191,
                "not significant at the 5 % level",
            ),
            (
                "Tukey HSD",
                "alpha",
                "delta",
                2.5999999999999996,
                1.458007600639315,
                0.743228,
                1.1293678311839803,
                "not significant at the 5 % level",
            ),
            (
                "Tukey HSD",
                "alpha",
                "gamma",
                2.5999999999999996,
                1.458007600639315,
                0.743228,
                1.1293678311839803,
                "not significant at the 5 % level",
            ),
            (
                "Tukey HSD",
                "beta",
                "delta",
                -2.0,
                0.8687444855261388,
                0.922416,
                -0.8687444855261388,
                "not significant at the 5 % level",
            ),
            (
                "Tukey HSD",
                "beta",
                "gamma",
                -2.0,
                0.8687444855261388,
                0.922416,
                -0.8687444855261388,
                "not significant at the 5 % level",
            ),
            ("Tukey HSD", "delta", "gamma", 0.0, 0.0, 1.0, 0.0, "not significant at the 5 % level"),
        ],
    )
    assert report.details["rows_in"] == 8
    assert report.details["rows_used"] == 8


def test_a_table_without_rows(tmp_path):
    report = call(tmp_path, [])

    assert not report.failed, str(report)
    assert_rows(
        report.table,
        ["test", "first", "second", "difference", "statistic", "p_value", "effect_size", "finding"],
        [("ANOVA", None, None, None, None, None, None, "not defined: there are fewer than 2 groups")],
    )
    assert report.details["rows_in"] == 0
    assert report.details["rows_used"] == 0


def test_one_row(tmp_path):
    report = call(tmp_path, [("alpha", 8)])

    assert not report.failed, str(report)
    assert_rows(
        report.table,
        ["test", "first", "second", "difference", "statistic", "p_value", "effect_size", "finding"],
        [("ANOVA", None, None, None, None, None, None, "not defined: there are fewer than 2 groups")],
    )
    assert report.details["rows_in"] == 1
    assert report.details["rows_used"] == 1


def test_missing_values(tmp_path):
    report = call(
        tmp_path,
        [
            (None, None),
            (None, 5.0),
            ("alpha", 4.0),
            ("alpha", 8.0),
            ("gamma", 3.0),
            (None, 1.0),
            (None, None),
            ("alpha", None),
        ],
    )

    assert not report.failed, str(report)
    assert_rows(
        report.table,
        ["test", "first", "second", "difference", "statistic", "p_value", "effect_size", "finding"],
        [
            (
                "ANOVA",
                None,
                None,
                None,
                0.75,
                0.5456289483429904,
                0.42857142857142855,
                "not significant at the 5 % level",
            ),
            (
                "Tukey HSD",
                "alpha",
                "gamma",
                3.0,
                1.2247448713915892,
                0.545629,
                1.0606601717798212,
                "not significant at the 5 % level",
            ),
        ],
    )
    assert report.details["rows_in"] == 8
    assert report.details["rows_used"] == 3


def test_every_row_twice(tmp_path):
    report = call(
        tmp_path,
        [
            ("alpha", 8),
            ("alpha", 5),
            ("alpha", 4),
            ("alpha", 8),
            ("alpha", 8),
            ("alpha", 5),
            ("alpha", 4),
            ("alpha", 8),
        ],
    )

    assert not report.failed, str(report)
    assert_rows(
        report.table,
        ["test", "first", "second", "difference", "statistic", "p_value", "effect_size", "finding"],
        [("ANOVA", None, None, None, None, None, None, "not defined: there are fewer than 2 groups")],
    )
    assert report.details["rows_in"] == 8
    assert report.details["rows_used"] == 8


def test_ties(tmp_path):
    report = call(
        tmp_path,
        [("alpha", 1), ("beta", 1), ("gamma", 1), ("delta", 1), ("gamma", 9), ("delta", 9), ("alpha", 9), ("beta", 9)],
    )

    assert not report.failed, str(report)
    assert_rows(
        report.table,
        ["test", "first", "second", "difference", "statistic", "p_value", "effect_size", "finding"],
        [
            ("ANOVA", None, None, None, 0.0, 1.0, 0.0, "not significant at the 5 % level"),
            ("Tukey HSD", "alpha", "beta", 0.0, 0.0, 1.0, 0.0, "not significant at the 5 % level"),
            ("Tukey HSD", "alpha", "delta", 0.0, 0.0, 1.0, 0.0, "not significant at the 5 % level"),
            ("Tukey HSD", "alpha", "gamma", 0.0, 0.0, 1.0, 0.0, "not significant at the 5 % level"),
            ("Tukey HSD", "beta", "delta", 0.0, 0.0, 1.0, 0.0, "not significant at the 5 % level"),
            ("Tukey HSD", "beta", "gamma", 0.0, 0.0, 1.0, 0.0, "not significant at the 5 % level"),
            ("Tukey HSD", "delta", "gamma", 0.0, 0.0, 1.0, 0.0, "not significant at the 5 % level"),
        ],
    )
    assert report.details["rows_in"] == 8
    assert report.details["rows_used"] == 8


def test_numbers_below_zero(tmp_path):
    report = call(
        tmp_path,
        [
            ("alpha", 0),
            ("alpha", 8),
            ("alpha", -58),
            ("alpha", -1),
            ("gamma", -16),
            ("beta", 7),
            ("delta", 0),
            ("alpha", 0),
        ],
    )

    assert not report.failed, str(report)
    assert_rows(
        report.table,
        ["test", "first", "second", "difference", "statistic", "p_value", "effect_size", "finding"],
        [
            (
                "ANOVA",
                None,
                None,
                None,
                0.171983865053172,
                0.9100732657421255,
                0.11425091352009746,
                "not significant at the 5 % level",
            ),
            (
                "Tukey HSD",
                "alpha",
                "beta",
                -17.2,
                0.8234284851240441,
                0.93245,
                -0.6378249619356449,
                "not significant at the 5 % level",
            ),
            (
                "Tukey HSD",
                "alpha",
                "delta",
                -10.2,
                0.48831224117821215,
                0.983907,
                -0.3782450355664871,
                "not significant at the 5 % level",
            ),
            (
                "Tukey HSD",
                "alpha",
                "gamma",
                5.800000000000001,
                0.27766774498368935,
                0.996885,
                0.21508051042015935,
                "not significant at the 5 % level",
            ),
            (
                "Tukey HSD",
                "beta",
                "delta",
                7.0,
                0.25957992636915783,
                0.997447,
                0.25957992636915783,
                "not significant at the 5 % level",
            ),
            (
                "Tukey HSD",
                "beta",
                "gamma",
                23.0,
                0.8529054723558043,
                0.926002,
                0.8529054723558043,
                "not significant at the 5 % level",
            ),
            (
                "Tukey HSD",
                "delta",
                "gamma",
                16.0,
                0.5933255459866464,
                0.972135,
                0.5933255459866464,
                "not significant at the 5 % level",
            ),
        ],
    )
    assert report.details["rows_in"] == 8
    assert report.details["rows_used"] == 8


def test_a_table_without_a_needed_column_is_refused(tmp_path):
    report = call(tmp_path, ROWS, ["region"])

    assert report.failed
    assert report.table is None


def test_the_defaults_are_those_of_the_approved_answer():
    parameters = signature(tool.run_anova).parameters.values()

    assert {p.name: p.default for p in parameters if p.default is not p.empty} == {
        "value_column": "units",
        "group_column": "region",
    }


def test_the_same_call_gives_the_same_report(tmp_path):
    first, second = (call(tmp_path, ROWS) for _ in range(2))

    assert str(first) == str(second)
