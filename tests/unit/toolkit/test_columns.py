"""Every column ends in a plain type, without a value changing."""

from __future__ import annotations

import datetime
import decimal

import numpy as np
import pandas as pd
import pytest

from jupyter_mcpgen.toolkit.columns import expand_json, plain_types, unique_names


@pytest.mark.parametrize(
    ("column", "dtype"),
    [
        (pd.Series([1, 2], dtype="int8"), "int64"),
        (pd.Series([1, None], dtype="Int64"), "float64"),
        (pd.Series([2**60, None], dtype="Int64"), "Int64"),
        (pd.Series([2**63], dtype="uint64"), "uint64"),
        (pd.Series([0.5], dtype="float32"), "float64"),
        (pd.Series([True, None], dtype="boolean"), "boolean"),
        (pd.Series([True, None], dtype=object), "boolean"),
        (pd.Series(["b", "a"], dtype="category"), "str"),
        (pd.Series([3, 1], dtype="category"), "int64"),
        (pd.Series([decimal.Decimal("1.10"), None]), "float64"),
        (pd.Series([datetime.date(2024, 1, 1), None]), "datetime64[us]"),
        (pd.Series(pd.to_datetime(["2024-01-01"]).as_unit("ns")), "datetime64[us]"),
        (pd.Series(pd.to_datetime(["2024-01-01 00:00:00.000000001"])), "datetime64[ns]"),
        (pd.Series(pd.to_datetime(["2024-01-01 23:30"]).tz_localize("Europe/Paris")), "datetime64[us]"),
        (pd.Series(pd.to_timedelta(["1h"])), "float64"),
        (pd.Series([[1, 2], None]), "str"),
        (pd.Series([1, "x"], dtype=object), "str"),
        (pd.Series([2**70, 1], dtype=object), "str"),
        (pd.Series([1, 2], dtype="int64[pyarrow]"), "int64"),
        (pd.Series(["a"], dtype="string[pyarrow]"), "str"),
        (pd.Series([None, None], dtype=object), "float64"),
        (pd.Series(["\ud800"], dtype=object), "str"),
    ],
)
def test_every_type_has_a_plain_one(column, dtype):
    before = column.copy(deep=True)

    plain = plain_types(pd.DataFrame({"c": column}))["c"]

    assert plain.dtype == dtype
    assert list(plain.isna()) == list(column.isna())
    pd.testing.assert_series_equal(column, before)


def test_a_time_with_a_zone_keeps_its_wall_clock():
    column = pd.Series(pd.to_datetime(["2024-01-01 00:30"]).tz_localize("Asia/Tokyo"))

    assert plain_types(column.to_frame())[0].iloc[0] == pd.Timestamp("2024-01-01 00:30")


def test_lists_become_json_text():
    assert list(plain_types(pd.DataFrame({"c": [[1, "é"], np.array([2])]}))["c"]) == ['[1, "é"]', "[2]"]


def test_repeated_names_and_any_index_are_left_alone():
    frame = pd.DataFrame([[1, "a"], [2, "b"]], columns=["x", "x"], index=[5, 5]).astype(object)

    plain = plain_types(frame)

    assert list(plain.columns) == ["x", "x"]
    assert list(plain.index) == [5, 5]
    assert [str(dtype) for dtype in plain.dtypes] == ["int64", "str"]


def test_dictionaries_expand_like_json_text():
    expanded = expand_json(pd.DataFrame({"c": [{"a": 1, "b": {"d": "x"}}, None]}))

    assert expanded.to_dict("list") == {"c.a": [1.0, pytest.approx(np.nan, nan_ok=True)], "c.b.d": ["x", np.nan]}


def test_unique_names_never_meet_an_existing_one():
    assert unique_names(["a", "a", "a.1", ""]) == ["a", "a.1", "a.1.1", "Unnamed: 3"]
