"""A profile says what each column is good for in a question."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from jupyter_mcpgen.data.demo import cars, crashes, seattle_weather
from jupyter_mcpgen.data.profile import LONGEST_VALUE, MOST_VALUES, profile
from jupyter_mcpgen.errors import DataError, EmptyData
from jupyter_mcpgen.model.profile import FIRST_PLACE, Profile, Role
from jupyter_mcpgen.plan.schema import ColumnType


def only(values, name="value", **options):
    return profile("t", pd.DataFrame({name: pd.Series(values, **options)})).columns[0]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2], ColumnType.INTEGER),
        ([1.5, None], ColumnType.REAL),
        ([True, False], ColumnType.BOOLEAN),
        (["a", None], ColumnType.TEXT),
        (pd.to_datetime(["2024-01-01"]), ColumnType.DATE),
        (pd.Categorical(["a"]), ColumnType.TEXT),
        (["2024-01-01", "2024-01-02"], ColumnType.TEXT),
    ],
)
def test_types_are_those_of_the_plan(values, kind):
    assert profile("t", pd.DataFrame({"c": values})).schema_.type_of("c") is kind


@pytest.mark.parametrize(
    ("name", "values", "role"),
    [
        ("price", [1.5, 2.5], Role.MEASURE),
        ("population", [39, 29, 20], Role.MEASURE),
        ("crash_id", [7, 7, 9], Role.IDENTIFIER),
        ("userID", [7, 8, 9], Role.IDENTIFIER),
        ("zip", [60601, 60602], Role.IDENTIFIER),
        ("order_no", [7, 8, 8], Role.IDENTIFIER),
        ("kunden_nr", [7, 8, 8], Role.IDENTIFIER),
        ("Rechnungsnummer", [7, 8, 8], Role.IDENTIFIER),
        ("Phone Number", [7, 8, 8], Role.IDENTIFIER),
        ("area code", [7, 8, 8], Role.IDENTIFIER),
        ("number", [7, 8, 8], Role.MEASURE),
        ("paid", [7, 8, 9], Role.MEASURE),
        ("row", list(range(100, 130)), Role.IDENTIFIER),
        ("key", [f"A{i}" for i in range(30)], Role.IDENTIFIER),
        ("crash_hour", [3, 4, 5], Role.CATEGORY),
        ("visits_last_month", [3, 4, 5], Role.MEASURE),
        ("last_year", [2021, 2022, 2022], Role.CATEGORY),
        ("state", ["CA", "TX", "CA"], Role.CATEGORY),
        ("ok", [True, False], Role.CATEGORY),
        ("note", [f"a long sentence about case number {i}, in words" for i in range(60)], Role.TEXT),
        ("date", ["01/02/2024", "03/04/2024"], Role.TEXT),
        ("at", list(pd.to_datetime(["2024-01-01", "2024-01-02"])), Role.TIME),
        ("gone", [None, None], Role.MEASURE),
    ],
)
def test_the_role_of_a_column_follows_from_its_name_and_values(name, values, role):
    assert only(values, name).role is role


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("price_usd", "usd"),
        ("weight (kg)", "kg"),
        ("speed [m/s]", "m/s"),
        ("Weight_in_lbs", "lbs"),
        ("Miles_per_Gallon", "miles per gallon"),
        ("share_pct", "%"),
        ("horsepower", None),
        ("crash_hour", None),
        ("dep_delay_min", "minutes"),
        ("temp_min", None),
        ("temp_c", "°C"),
        ("vitamin_c", None),
        ("distance_mi", "mi"),
        ("baselineSBP_mmHg", "mmHg"),
    ],
)
def test_a_unit_is_read_from_the_header(name, unit):
    assert only([1.5, 2.5], name).unit == unit


def test_values_are_kept_most_frequent_first_and_ties_in_order():
    column = only(["b", "c", "c", "a", None])

    assert (column.values, column.complete) == (("c", "a", "b"), True)
    assert (column.nulls, column.distinct, column.minimum) == (1, 3, None)


def test_too_many_and_too_long_values_are_left_out_and_said():
    many = only([f"v{i:05}" for i in range(MOST_VALUES + 1)])
    long = only(["x" * (LONGEST_VALUE + 1), "short"])

    assert (len(many.values), many.complete) == (MOST_VALUES, False)
    assert (long.values, long.complete) == (("short",), False)


def test_ranges_are_plain_values():
    assert (only([3, 1]).minimum, only([3, 1]).maximum) == (1, 3)
    assert only(pd.to_datetime(["2024-01-02", "2024-01-01"])).minimum == "2024-01-01T00:00:00"


def test_a_repeated_column_name_is_refused():
    with pytest.raises(DataError, match="`t` has two columns named `a`"):
        profile("t", pd.DataFrame([[1, 2]], columns=["a", "a"]))


def test_a_table_without_columns_is_refused_and_one_without_rows_is_not():
    with pytest.raises(EmptyData):
        profile("t", pd.DataFrame())
    assert profile("t", pd.DataFrame({"a": pd.Series([], dtype="str")})).rows == 0


@pytest.mark.every_run("cars", "seattle_weather")
@pytest.mark.parametrize("table", [cars, seattle_weather, crashes])
def test_a_profile_survives_json_and_is_the_same_each_time(table):
    known = profile("t", table())

    assert Profile.model_validate_json(known.model_dump_json()) == known
    assert profile("t", table()) == known


def test_infinite_and_missing_numbers_do_not_hide_the_range():
    column = only([np.inf, 1.0, np.nan])

    assert (column.minimum, column.maximum, column.nulls) == (1.0, np.inf, 1)


def test_rare_values_are_kept_apart_and_every_row_says_which_value_it_has():
    names = [f"name {number}" for number in range(MOST_VALUES + 5)]
    column = only([*names, "name 0", None])

    assert (len(column.values), len(column.more)) == (MOST_VALUES, 5)
    kept = {chr(FIRST_PLACE + 1 + place): value for place, value in enumerate((*column.values, *column.more))}
    assert [kept.get(letter) for letter in column.places] == [*names, "name 0", None]


def test_a_profile_with_places_survives_json():
    known = profile("t", seattle_weather())

    assert Profile.model_validate_json(known.model_dump_json()) == known
