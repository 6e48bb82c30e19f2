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
            "tooltip": [kind, count],
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
