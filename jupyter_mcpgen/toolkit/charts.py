"""Good default charts of a result table, as Vega-Lite specifications with their data inline."""

from __future__ import annotations

from typing import Any, Literal

import pandas as pd

from jupyter_mcpgen.toolkit.values import json_rows

_MarkKind = Literal["bar", "line", "scatter", "pie", "histogram"]
ChartKind = Literal[_MarkKind, "box"]

_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
_MOST_ROWS = 5_000
_MOST_UPRIGHT_BARS = 8
_MOST_UPRIGHT_NUMBERS = 31
_LONGEST_UPRIGHT_LABEL = 12
_BAR_STEP = 22
_THINNEST_BAR = 6
_HEIGHT = 300
_SPECIAL_TIPS = ("image", "title")
_LONGEST_TITLE = 32
_BOX_FIGURES = ("min", "q25", "median", "q75", "max")
_BOX_OPACITY = 0.45
_MEDIAN_WIDTH = 2
_BETWEEN_BOXES = 0.4


def vega_lite_chart(
    table: pd.DataFrame,
    kind: ChartKind,
    x: str,
    y: str,
    *,
    color: str | None = None,
    title: str = "",
) -> dict[str, Any]:
    """Draw `y` over `x` (a histogram bins `x` and counts; a pie slices `y` by `x`; a box plot has a box per `x`).

    Bars keep the order of the table and lie down when there are many of them or their labels are long; those of
    different colors stand side by side. A box plot draws the columns `min`, `q25`, `median`, `q75` and `max` instead of
    `y`. At most 5,000 rows are drawn, and the subtitle says so when there are more.
    """
    drawn = _drawn_columns(kind, x, y, color)
    for name in drawn:
        if name not in table.columns:
            raise ValueError(f"There is no column `{name}` to draw. Columns: {', '.join(map(str, table.columns))}.")
    described = _description(kind, x, _what_spreads(table) if kind == "box" else y)
    return {
        "$schema": _SCHEMA,
        "title": _title(title or described, len(table)),
        "description": described,
        "data": {"values": json_rows(table[drawn], _MOST_ROWS)},
        **(_boxes(table, x, color) if kind == "box" else _marks(table, kind, x, y, color)),
        "width": "container",
        **_height(table, kind, x, color),
    }


def _drawn_columns(kind: ChartKind, x: str, y: str, color: str | None) -> list[str]:
    figures: tuple[str, ...] = _BOX_FIGURES if kind == "box" else () if kind == "histogram" else (y,)
    return [name for name in dict.fromkeys((x, *figures, color)) if name is not None]


def _marks(table: pd.DataFrame, kind: _MarkKind, x: str, y: str, color: str | None) -> dict[str, Any]:
    mark, encoding = _drawing(table, kind, x, y, color)
    tips = [_tip(table, name) for name in _drawn_columns(kind, x, y, color)]
    encoding["tooltip"] = _histogram_tooltip(table, x) if kind == "histogram" else tips
    return {"mark": mark, "encoding": encoding}


def _boxes(table: pd.DataFrame, x: str, color: str | None) -> dict[str, Any]:
    """Lay whiskers from the smallest to the largest value, a box between the quartiles and the median's line."""
    up = "x" if _lies_down(table, x) else "y"
    spread = {"type": "quantitative", "title": _shortened(_what_spreads(table)), "scale": {"zero": False}}

    def layer(mark: dict[str, Any], start: str, end: str) -> dict[str, Any]:
        return {"mark": mark, "encoding": {up: {"field": start, **spread}, f"{up}2": {"field": end}}}

    tips = [_tip(table, name) for name in _drawn_columns("box", x, x, color)]
    return {
        "encoding": {**_groups(table, x, color, {"scale": {"paddingInner": _BETWEEN_BOXES}}), "tooltip": tips},
        "layer": [
            layer({"type": "rule"}, "min", "max"),
            layer({"type": "bar", "opacity": _BOX_OPACITY}, "q25", "q75"),
            layer({"type": "bar", "filled": False, "strokeWidth": _MEDIAN_WIDTH}, "median", "median"),
        ],
    }


def _what_spreads(table: pd.DataFrame) -> str:
    """Return the name of the column that a summary is about, if it is about one."""
    names = list(table["column"].unique()) if "column" in table.columns else []
    return str(names[0]) if len(names) == 1 else "value"


def _groups(table: pd.DataFrame, x: str, color: str | None, spaced: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the channels that say where a bar or a box stands; `spaced` says how far one is from the next."""
    across, colors = _channel(table, x), {} if color is None else {"color": _channel(table, color)}
    if across["type"] == "temporal":
        return {"x": across, **colors}
    upright = not _lies_down(table, x)
    group = {**across, "type": "ordinal", "sort": None, **({"axis": {"labelAngle": 0}} if upright else {})}
    if color is None:
        return {"x" if upright else "y": {**group, **(spaced or {})}}
    # side by side: bars on top of each other would add up what may be means
    beside = {"field": _field(color), "sort": None, **(spaced or {})}
    return {"x" if upright else "y": group, **colors, "xOffset" if upright else "yOffset": beside}


def _drawing(
    table: pd.DataFrame, kind: _MarkKind, x: str, y: str, color: str | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    across, up = _channel(table, x), _channel(table, y) if y in table.columns else {}
    encoding: dict[str, Any] = {} if color is None else {"color": _channel(table, color)}
    match kind:
        case "bar":
            return {"type": "bar"}, {**_groups(table, x, color), ("x" if _lies_down(table, x) else "y"): up}
        case "line":
            across |= {"sort": None} if across["type"] == "nominal" else {}
            return {"type": "line", "point": len(table) <= _MOST_UPRIGHT_BARS * 4}, {"x": across, "y": up, **encoding}
        case "scatter":
            scale = {"scale": {"zero": False}}
            across |= scale if across["type"] == "quantitative" else {}
            up |= scale if up["type"] == "quantitative" else {}
            return {"type": "point", "filled": True, "opacity": 0.6}, {"x": across, "y": up, **encoding}
        case "pie":
            slices = {"theta": {**up, "stack": True}, "color": {**across, "type": "nominal", "sort": None}}
            return {"type": "arc"}, slices
        case "histogram":
            counted = {"aggregate": "count", "type": "quantitative", "title": "rows"}
            return {"type": "bar"}, {"x": {**across, "bin": {"maxbins": 30}}, "y": counted, **encoding}


def _channel(table: pd.DataFrame, name: str) -> dict[str, Any]:
    return {"field": _field(name), "type": _type(table[name]), "title": _shortened(name)}


def _shortened(title: str) -> str:
    """Leave out the middle of a title that would leave no room beside its axis for what is drawn."""
    if len(title) <= _LONGEST_TITLE:
        return title
    half = _LONGEST_TITLE // 2
    return f"{title[:half]}…{title[1 - half :]}"


def _tip(table: pd.DataFrame, name: str) -> dict[str, Any]:
    """Describe one line of a tooltip; Vega's own would show a line called `image` as a picture from the network."""
    return {**_channel(table, name), "title": f"{name} (column)" if name in _SPECIAL_TIPS else name}


def _histogram_tooltip(table: pd.DataFrame, x: str) -> list[dict[str, Any]]:
    return [
        {**_tip(table, x), "bin": {"maxbins": 30}},
        {"aggregate": "count", "type": "quantitative", "title": "rows"},
    ]


def _type(column: pd.Series) -> str:
    if pd.api.types.is_bool_dtype(column.dtype):
        return "nominal"
    if pd.api.types.is_numeric_dtype(column.dtype):
        return "quantitative"
    return "temporal" if pd.api.types.is_datetime64_any_dtype(column.dtype) else "nominal"


def _field(name: str) -> str:
    """Escape what Vega-Lite would read as a path into nested data."""
    for special in ("\\", ".", "[", "]", "'", '"'):
        name = name.replace(special, f"\\{special}")
    return name


def _lies_down(table: pd.DataFrame, x: str) -> bool:
    if pd.api.types.is_datetime64_any_dtype(table[x].dtype):
        return False
    labels = table[x].astype(str).drop_duplicates()
    if pd.api.types.is_numeric_dtype(table[x].dtype):  # hours, months and years are read from left to right
        return len(labels) > _MOST_UPRIGHT_NUMBERS
    return len(labels) > _MOST_UPRIGHT_BARS or bool((labels.str.len() > _LONGEST_UPRIGHT_LABEL).any())


def _height(table: pd.DataFrame, kind: ChartKind, x: str, color: str | None) -> dict[str, Any]:
    if kind not in ("bar", "box") or not _lies_down(table, x):
        return {"height": _HEIGHT}
    beside = 1 if color is None else max(1, table[color].nunique(dropna=False))
    return {"height": {"step": max(_THINNEST_BAR, _BAR_STEP // beside)}}


def _description(kind: ChartKind, x: str, y: str) -> str:
    match kind:
        case "histogram":
            return f"Histogram of {x}"
        case "pie":
            return f"Pie chart of {y} by {x}"
        case "box":
            return f"Box plot of {y} by {x}"
        case _:
            return f"{kind.capitalize()} chart of {y} by {x}"


def _title(text: str, rows: int) -> dict[str, Any]:
    title: dict[str, Any] = {"text": text, "anchor": "start"}
    return title if rows <= _MOST_ROWS else {**title, "subtitle": f"first {_MOST_ROWS:,} of {rows:,} rows"}
