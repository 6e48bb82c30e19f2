"""The crash table holds exactly the totals that the documentation and other tests rely on."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.demo import DEVICES, WEATHER, cars, crashes, seattle_weather

INJURIES = ["injuries_total", "injuries_fatal", "injuries_incapacitating", "injuries_non_incapacitating"]


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return crashes()


def test_the_shape_is_that_of_the_published_file(table):
    assert table.shape == (209_306, 24)
    assert list(table.columns) == [
        *("crash_date", "traffic_control_device", "weather_condition", "lighting_condition", "first_crash_type"),
        *(
            "trafficway_type",
            "alignment",
            "roadway_surface_cond",
            "road_defect",
            "crash_type",
            "intersection_related_i",
        ),
        *("damage", "prim_contributory_cause", "num_units", "most_severe_injury", "injuries_total", "injuries_fatal"),
        *("injuries_incapacitating", "injuries_non_incapacitating", "injuries_reported_not_evident"),
        *("injuries_no_indication", "crash_hour", "crash_day_of_week", "crash_month"),
    ]


def test_crashes_with_a_death_by_weather(table):
    fatal = table[table["injuries_fatal"] > 0]["weather_condition"].value_counts().to_dict()

    assert fatal == {
        "CLEAR": 290,
        "RAIN": 36,
        "CLOUDY/OVERCAST": 13,
        "UNKNOWN": 6,
        "SNOW": 3,
        "FOG/SMOKE/HAZE": 1,
        "FREEZING RAIN/DRIZZLE": 1,
        "SEVERE CROSS WIND GATE": 1,
    }
    assert sum(fatal.values()) == 351


def test_deaths_and_rows_by_weather(table):
    by_weather = table.groupby("weather_condition")["injuries_fatal"].agg(["size", "sum"])

    assert table["injuries_fatal"].sum() == 389
    assert by_weather["sum"].sum() == 389
    assert by_weather.loc["CLEAR", "size"] == 164_700
    assert by_weather["size"].sum() == 209_305
    assert by_weather["sum"].to_dict() == {name: totals.deaths for name, totals in WEATHER.items()}


def test_one_row_has_no_weather_and_nothing_else_is_missing(table):
    missing = table[table["weather_condition"].isna()]

    assert len(missing) == table.isna().sum().sum() == 1
    assert missing["injuries_total"].item() == 0


def test_people_hurt_by_traffic_control_device(table):
    by_device = table.groupby("traffic_control_device")[INJURIES].sum()

    assert len(by_device) == 19
    assert by_device.sum().to_list() == [80_105, 389, 7_975, 46_307]
    assert by_device.loc["TRAFFIC SIGNAL"].to_list() == [48_394, 247, 4_898, 27_950]
    assert by_device.loc["STOP SIGN/FLASHER"].to_list() == [19_898, 58, 1_768, 11_562]
    assert by_device.loc["NO CONTROLS"].to_list() == [9_687, 73, 1_046, 5_574]
    assert by_device.loc["UNKNOWN"].to_list() == [1_086, 4, 120, 655]
    assert {name: tuple(row) for name, row in by_device.iterrows()} == {n: t[1:] for n, t in DEVICES.items()}


def test_injuries_add_up_in_every_row(table):
    parts = [*INJURIES[1:], "injuries_reported_not_evident"]

    assert (table[parts].sum(axis=1) == table["injuries_total"]).all()
    assert (table.select_dtypes("number") >= 0).all(axis=None)


def test_the_most_severe_injury_follows_from_the_counts(table):
    names = [
        ("FATAL", "injuries_fatal"),
        ("INCAPACITATING INJURY", "injuries_incapacitating"),
        ("NONINCAPACITATING INJURY", "injuries_non_incapacitating"),
        ("REPORTED, NOT EVIDENT", "injuries_reported_not_evident"),
    ]
    expected = pd.Series("NO INDICATION OF INJURY", index=table.index, dtype="str")
    for name, column in reversed(names):
        expected = expected.mask(table[column] > 0, name)

    pd.testing.assert_series_equal(table["most_severe_injury"], expected, check_names=False)


def test_the_calendar_columns_follow_from_the_date(table):
    date = table["crash_date"].dt

    assert (table["crash_hour"] == date.hour).all()
    assert (table["crash_month"] == date.month).all()
    assert (
        table["crash_day_of_week"]
        == date.day_name().map(
            {"Sunday": 1, "Monday": 2, "Tuesday": 3, "Wednesday": 4, "Thursday": 5, "Friday": 6, "Saturday": 7}
        )
    ).all()
    assert (table["crash_date"].min().year, table["crash_date"].max().year) == (2016, 2024)


@pytest.mark.soak
def test_each_call_gives_the_same_table(table):
    pd.testing.assert_frame_equal(crashes(), table)


def test_the_docstring_says_that_it_is_synthetic():
    assert "SYNTHETIC" in str(crashes.__doc__)


def test_the_published_tables_load_with_their_types():
    assert seattle_weather().shape == (1_461, 6)
    assert seattle_weather()["date"].dtype == "datetime64[us]"
    assert cars().shape == (406, 9)
    assert cars()["Miles_per_Gallon"].isna().sum() == 8
