"""Charts are good by default and survive any column name."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from jupyter_mcpgen.toolkit import vega_lite_chart

TABLE = pd.DataFrame(
    {"kind": ["b", "a"], "n": [2, 1], "at": pd.to_datetime(["2024-01-01", "2024-01-02"]), "r": [0.5, 1.5]}
)


def test_a_bar_chart_keeps_the_order_of_the_table():
    chart = vega_lite_chart(TABLE, "bar", "kind", "n", title="Counts")

    kind = {"field": "kind", "type": "nominal", "title": "kind"}
    count = {"field": "n", "type": "quantitative", "title": "n"}
    assert chart == {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "title": {"text": "Counts", "anchor": "start"},
        "description": "Bar chart of n by kind",
        "data": {"values": [{"kind": "b", "n": 2}, {"kind": "a", "n": 1}]},
        "mark": {"type": "bar"},
        "encoding": {
            "x": {**kind, "type": "ordinal", "sort": None, "axis": {"labelAngle": 0}},
            "y": count,
            "tooltip": [kind, {**count, "format": ",d"}],
        },
        "width": "container",
        "height": 300,
    }


@pytest.mark.parametrize("labels", [[f"g{i}" for i in range(9)], ["a rather long label", "b"]])
def test_many_or_long_labels_lie_down(labels):
    chart = vega_lite_chart(pd.DataFrame({"kind": labels, "n": range(len(labels))}), "bar", "kind", "n")

    assert chart["encoding"]["y"]["field"] == "kind"
    assert chart["height"] == {"step": 22}


def test_bars_of_two_groups_stand_side_by_side_because_means_do_not_add_up():
    table = pd.DataFrame({"a": ["x", "x", "y"], "b": ["p", "q", "p"], "mean": [1.0, 2.0, 3.0]})

    chart = vega_lite_chart(table, "bar", "a", "mean", color="b")

    assert chart["encoding"]["xOffset"] == {"field": "b", "sort": None}
    assert chart["encoding"]["color"]["field"] == "b"


YEARS = pd.date_range("2021-01-01", periods=36, freq="MS")
STACKED = pd.DataFrame({"a": ["x", "x", "y"], "b": ["p", "q", "p"], "total": [1.0, 2.0, 3.0]})


@pytest.mark.parametrize(("stack", "written"), [("total", "zero"), ("share", "normalize")])
def test_bars_stand_on_each_other_where_that_was_wished(stack, written):
    chart = vega_lite_chart(STACKED, "bar", "a", "total", color="b", stack=stack)

    assert "xOffset" not in chart["encoding"]
    assert chart["encoding"]["y"]["stack"] == written
    assert ("axis" in chart["encoding"]["y"]) is (stack == "share")


def test_stacked_bars_along_a_time_stay_in_their_places():
    table = pd.DataFrame({"at": YEARS[[0, 0, 2]], "b": ["p", "q", "p"], "total": [1.0, 2.0, 3.0]})

    chart = vega_lite_chart(table, "bar", "at", "total", color="b", stack="total")

    assert chart["encoding"]["x"]["type"] == "temporal"
    assert chart["encoding"]["y"]["stack"] == "zero"


def test_bars_lie_where_that_was_wished_and_axes_are_called_as_they_stand_on_the_page():
    chart = vega_lite_chart(STACKED, "bar", "a", "total", color="b", lying=True, x_title="litres", y_title="place")

    assert (chart["encoding"]["x"]["field"], chart["encoding"]["x"]["title"]) == ("total", "litres")
    assert (chart["encoding"]["y"]["field"], chart["encoding"]["y"]["title"]) == ("a", "place")
    assert chart["height"] == {"step": 11}


@pytest.mark.parametrize(("lowest", "scale"), [(1.0, "log"), (0.0, "symlog"), (-3.0, "symlog")])
def test_a_logarithmic_axis_hides_no_value(lowest, scale):
    table = pd.DataFrame({"x": [lowest, 10.0], "y": [1.0, 100.0]})

    chart = vega_lite_chart(table, "scatter", "x", "y", log_x=True)

    assert chart["encoding"]["x"]["scale"] == {"type": scale}
    assert chart["encoding"]["y"]["scale"] == {"zero": False}


def test_a_heat_map_has_its_groups_in_order_though_the_first_column_lacks_some():
    table = pd.DataFrame({"at": YEARS[[0, 1, 1]], "b": ["q", "p", "q"], "n": [1, 2, 3]})

    chart = vega_lite_chart(table, "heatmap", "at", "n", color="b")

    assert chart["mark"] == {"type": "rect"}
    assert (chart["encoding"]["y"]["field"], chart["encoding"]["y"]["sort"]) == ("b", "ascending")
    assert chart["encoding"]["color"]["field"] == "n"
    assert [row["at (text)"] for row in chart["data"]["values"]] == ["2021-01", "2021-02", "2021-02"]


def test_a_column_made_for_the_drawing_takes_no_name_of_the_table():
    table = pd.DataFrame({"a": ["x", "x"], "b": ["p", "q"], "n": [1, 2], "a · b": [0.5, 0.6]})

    chart = vega_lite_chart(table, "bar", "a", "n")

    assert (chart["encoding"]["x"]["field"], chart["encoding"]["x"]["title"]) == ("a · b (text)", "a · b")


BOXES = pd.DataFrame(
    {"kind": ["a", "b"], "column": "n", "min": [1.0, 2.0], "q25": 3.0, "median": 4.0, "q75": 5.0, "max": 9.0}
)


def test_a_box_plot_lays_whiskers_a_box_and_the_median_on_each_other():
    chart = vega_lite_chart(BOXES, "box", "kind", "kind")

    ends = [("min", "max"), ("q25", "q75"), ("median", "median")]
    spread = {"type": "quantitative", "title": "n", "scale": {"zero": False}}
    assert chart["title"]["text"] == "Box plot of n by kind"
    assert chart["encoding"]["x"] == {
        "field": "kind",
        "type": "ordinal",
        "title": "kind",
        "sort": None,
        "axis": {"labelAngle": 0},
        "scale": {"paddingInner": 0.4},
    }
    assert [tip["title"] for tip in chart["encoding"]["tooltip"]] == ["kind", "min", "q25", "median", "q75", "max"]
    assert [layer["mark"]["type"] for layer in chart["layer"]] == ["rule", "bar", "bar"]
    assert [layer["encoding"] for layer in chart["layer"]] == [
        {"y": {"field": start, **spread}, "y2": {"field": end}} for start, end in ends
    ]
    assert "mark" not in chart


def test_boxes_of_two_columns_stand_side_by_side_and_many_lie_down():
    kinds = [f"g{i}" for i in range(9) for _ in range(2)]
    figures = {name: range(18) for name in ("min", "q25", "median", "q75", "max")}
    table = pd.DataFrame({"kind": kinds, "column": ["n", "m"] * 9, **figures})

    chart = vega_lite_chart(table, "box", "kind", "kind", color="column")

    assert chart["encoding"]["yOffset"] == {"field": "column", "sort": None, "scale": {"paddingInner": 0.4}}
    assert set(chart["layer"][0]["encoding"]) == {"x", "x2"}
    assert chart["layer"][0]["encoding"]["x"]["title"] == "value"


@pytest.mark.parametrize(
    ("dates", "ticks", "tip"),
    [
        (YEARS, ("%Y-%m", "month", 6), "%Y-%m"),
        (YEARS[:3], ("%Y-%m", "month", 1), "%Y-%m"),
        (YEARS[::12], ("%Y", "year", 1), "%Y"),
        (YEARS + pd.Timedelta(days=14), ("%Y-%m", "month", 6), "%Y-%m-%d"),
        (pd.date_range("2021-05-03", periods=12), ("%Y-%m-%d", "day", 2), "%Y-%m-%d"),
        (pd.date_range("1950-01-01", periods=70, freq="YS"), ("%Y", "year", 11), "%Y"),
    ],
)
@pytest.mark.parametrize("kind", ["line", "bar", "scatter"])
def test_every_tick_and_tip_of_a_time_says_the_year(kind, dates, ticks, tip):
    chart = vega_lite_chart(pd.DataFrame({"at": dates, "n": range(len(dates))}), kind, "at", "n")

    form, interval, step = ticks
    assert chart["encoding"]["x"]["axis"] == {"format": form, "tickCount": {"interval": interval, "step": step}}
    assert chart["encoding"]["tooltip"][0]["format"] == tip


def test_the_hours_of_a_day_stand_behind_their_date():
    hours = pd.DataFrame({"at": pd.date_range("2021-05-03", periods=12, freq="h"), "n": range(12)})

    assert vega_lite_chart(hours, "line", "at", "n")["encoding"]["x"]["axis"] == {"format": "%Y-%m-%d %H:%M"}


@pytest.mark.parametrize(
    ("name", "values", "form"),
    [
        ("n", [1, 1234567], ",d"),
        ("order_id", [1, 1234567], "d"),
        ("mean", [51.2345678, 1234.5], ",.2~f"),
        ("rate", [0.02345678, 0.5, 0.0], ",.5~f"),
        ("tiny", [2.3456789e-9, 1.0], ",.4~g"),
        ("gap", [None, float("inf"), -3.25], ",.3~f"),
        ("none", [None, None], ",d"),
    ],
)
def test_the_numbers_of_a_tooltip_are_written_as_amounts(name, values, form):
    table = pd.DataFrame({"kind": [str(place) for place, _ in enumerate(values)], name: pd.Series(values, dtype=float)})

    assert vega_lite_chart(table, "bar", "kind", name)["encoding"]["tooltip"][1]["format"] == form


def test_years_along_an_axis_are_no_amounts():
    chart = vega_lite_chart(pd.DataFrame({"year": [2023, 2024], "n": [1, 2]}), "line", "year", "n")

    assert chart["encoding"]["x"]["axis"] == {"format": "d", "tickMinStep": 1}
    assert "axis" not in chart["encoding"]["y"]


MORE_GROUPS = pd.DataFrame(
    {
        "region": ["n", "n", "s", "s"],
        "size": ["S", "L", "S", "L"],
        "at": pd.to_datetime(["2024-01-01", "2024-01-01", "2024-02-01", None]),
        "n": [1, 2, 3, 4],
    }
)


def test_groups_beyond_the_channels_of_a_chart_hide_no_bar():
    bars = vega_lite_chart(MORE_GROUPS, "bar", "region", "n")
    without_dates = MORE_GROUPS.assign(at=pd.NaT)
    colored = vega_lite_chart(pd.concat([MORE_GROUPS, without_dates]), "bar", "region", "n", color="size")

    assert bars["encoding"]["y"]["field"] == "region · size · at"
    assert [row["region · size · at"] for row in bars["data"]["values"]] == [
        "n · S · 2024-01", "n · L · 2024-01", "s · S · 2024-02", "s · L · –",
    ]  # fmt: skip
    assert bars["data"]["values"][0] == {"region · size · at": "n · S · 2024-01", "n": 1, "region": "n"}
    assert colored["encoding"]["color"]["field"] == "size"
    assert colored["encoding"]["x"]["field"] == "region · at"


def test_lines_of_further_groups_have_a_color_each():
    table = MORE_GROUPS[["at", "region", "size", "n"]].assign(at=YEARS[0])

    chart = vega_lite_chart(table, "line", "at", "n", color="region")
    one_more = vega_lite_chart(table.drop(columns="size"), "line", "at", "n")

    assert chart["encoding"]["color"]["field"] == "region · size"
    assert one_more["encoding"]["color"]["field"] == "region"


def test_bars_of_several_colors_along_a_time_stand_side_by_side():
    table = pd.DataFrame({"at": YEARS[[0, 0, 1, 1]], "region": ["n", "s", "n", "s"], "mean": [1.0, 2.0, 3.0, 4.0]})

    for colored in ("region", None):  # said, or found out
        chart = vega_lite_chart(table, "bar", "at", "mean", color=colored)

        assert chart["encoding"]["xOffset"]["field"] == chart["encoding"]["color"]["field"] == "region"
        assert chart["encoding"]["x"]["type"] == "ordinal"
        assert chart["encoding"]["x"]["title"] == "at"
        assert [row["at (text)"] for row in chart["data"]["values"]] == ["2021-01", "2021-01", "2021-02", "2021-02"]


def test_what_stands_behind_the_figure_never_tells_bars_apart():
    table = pd.DataFrame({"kind": ["a", "a"], "n": [1, 2], "mean": [0.5, 1.5]})

    assert vega_lite_chart(table, "bar", "kind", "n")["encoding"]["x"]["field"] == "kind"


def test_a_table_without_quartiles_is_no_box_plot():
    with pytest.raises(ValueError, match="There is no column `q25` to draw"):
        vega_lite_chart(BOXES.drop(columns="q25"), "box", "kind", "kind")


def test_the_hours_of_a_day_stand_in_a_row():
    chart = vega_lite_chart(pd.DataFrame({"hour": range(24), "n": range(24)}), "bar", "hour", "n")

    assert chart["encoding"]["x"]["field"] == "hour"


@pytest.mark.parametrize(
    ("kind", "x", "y", "mark"),
    [
        ("line", "at", "n", "line"),
        ("scatter", "r", "n", "point"),
        ("pie", "kind", "n", "arc"),
        ("histogram", "r", "", "bar"),
    ],
)
def test_each_kind_draws_its_columns(kind, x, y, mark):
    chart = vega_lite_chart(TABLE, kind, x, y)

    assert chart["mark"]["type"] == mark
    assert set(chart["data"]["values"][0]) == {name for name in (x, y) if name}
    assert json.loads(json.dumps(chart, allow_nan=False)) == chart


@pytest.mark.parametrize(
    ("name", "field"),
    [("a.b", r"a\.b"), ("w[kg]", r"w\[kg\]"), ("it's", r"it\'s"), ("back\\slash", "back\\\\slash"), ("plain", "plain")],
)
def test_names_with_special_signs_are_not_read_as_paths(name, field):
    chart = vega_lite_chart(TABLE.rename(columns={"kind": name}), "bar", name, "n")

    assert chart["encoding"]["x"]["field"] == field
    assert chart["encoding"]["x"]["title"] == name
    assert name in chart["data"]["values"][0]


def test_a_long_name_leaves_room_for_the_bars_and_is_whole_in_the_tooltip():
    long = "mean_temperature_of_the_second_greenhouse_in_degrees"

    chart = vega_lite_chart(TABLE.rename(columns={"n": long}), "bar", "kind", long)

    assert chart["encoding"]["y"]["title"] == "mean_temperature…ouse_in_degrees"
    assert chart["encoding"]["tooltip"][1]["title"] == long


def test_large_tables_are_cut_and_say_so():
    chart = vega_lite_chart(pd.DataFrame({"x": range(5_001), "y": range(5_001)}), "scatter", "x", "y")

    assert len(chart["data"]["values"]) == 5_000
    assert chart["title"]["subtitle"] == "first 5,000 of 5,001 rows"


def test_a_column_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="no column `m` to draw"):
        vega_lite_chart(TABLE, "bar", "kind", "m")
