"""The marks of a chart: which channel of Vega-Lite draws which column, and how its axes and tooltips are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pandas as pd

from jupyter_mcpgen.toolkit.formats import date_format, is_date, is_name, number_format, ticks_of_dates

_MarkKind = Literal["bar", "line", "scatter", "pie", "histogram", "heatmap"]
ChartKind = Literal[_MarkKind, "box"]
StackKind = Literal["", "total", "share"]

_STACKS = {"total": "zero", "share": "normalize"}
_BAR_STEP = 22
_MOST_UPRIGHT_BARS = 8
_MOST_UPRIGHT_NUMBERS = 31
_LONGEST_UPRIGHT_LABEL = 12
_THINNEST_BAR = 6
_HEIGHT = 300
_SPECIAL_TIPS = ("image", "title")
_LONGEST_TITLE = 32
_BOX_FIGURES = ("min", "q25", "median", "q75", "max")
_BOX_OPACITY = 0.45
_MEDIAN_WIDTH = 2
_BETWEEN_BOXES = 0.4
_MOST_BINS = 30


@dataclass(frozen=True)
class Wishes:
    """What was wished of a chart beyond its columns; `x` and `y` are the axes as they stand on the page."""

    x_title: str = ""
    y_title: str = ""
    stack: StackKind = ""
    lying: bool = False
    log_x: bool = False
    log_y: bool = False


@dataclass(frozen=True)
class Picture:
    """What is drawn: the columns of a table on the channels of a kind of chart."""

    table: pd.DataFrame
    kind: ChartKind
    x: str
    y: str
    color: str | None = None
    titles: Mapping[str, str] = field(default_factory=dict)
    """What columns are called that were made for the drawing."""
    wishes: Wishes = field(default_factory=Wishes)

    def title(self, name: str) -> str:
        """Return what a column is called for a reader."""
        return self.titles.get(name, name)


def drawn_columns(kind: ChartKind, x: str, y: str, color: str | None) -> list[str]:
    """Return the columns that a chart of a kind shows."""
    figures: tuple[str, ...] = _BOX_FIGURES if kind == "box" else () if kind == "histogram" else (y,)
    return [name for name in dict.fromkeys((x, *figures, color)) if name is not None]


def drawing(picture: Picture) -> dict[str, Any]:
    """Return the mark with its channels, or the layers of a box plot."""
    drawn = _boxes(picture) if picture.kind == "box" else _marks(picture, picture.kind)
    for part in (drawn, *drawn.get("layer", ())):
        for side, title in (("x", picture.wishes.x_title), ("y", picture.wishes.y_title)):
            if title and side in part["encoding"]:
                part["encoding"][side]["title"] = title
    return drawn


def height(picture: Picture) -> dict[str, Any]:
    """Return how high a chart is: bars that lie take a step each."""
    if picture.kind not in ("bar", "box") or not _lies_down(picture):
        return {"height": _HEIGHT}
    color = picture.color
    beside = 1 if color is None or picture.wishes.stack else max(1, picture.table[color].nunique(dropna=False))
    return {"height": {"step": max(_THINNEST_BAR, _BAR_STEP // beside)}}


def what_spreads(table: pd.DataFrame) -> str:
    """Return the name of the column that a summary is about, if it is about one."""
    names = list(table["column"].unique()) if "column" in table.columns else []
    return str(names[0]) if len(names) == 1 else "value"


def _marks(picture: Picture, kind: _MarkKind) -> dict[str, Any]:
    mark, encoding = _channels(picture, kind)
    shown = drawn_columns(kind, picture.x, picture.y, picture.color)
    tips = [_tip(picture, name) for name in shown]
    encoding["tooltip"] = _histogram_tooltip(picture) if kind == "histogram" else tips
    return {"mark": mark, "encoding": encoding}


def _boxes(picture: Picture) -> dict[str, Any]:
    """Lay whiskers from the smallest to the largest value, a box between the quartiles and the median's line."""
    up = "x" if _lies_down(picture) else "y"
    spread = {"type": "quantitative", "title": _shortened(what_spreads(picture.table)), "scale": {"zero": False}}

    def layer(mark: dict[str, Any], start: str, end: str) -> dict[str, Any]:
        return {"mark": mark, "encoding": {up: {"field": start, **spread}, f"{up}2": {"field": end}}}

    tips = [_tip(picture, name) for name in drawn_columns("box", picture.x, picture.x, picture.color)]
    return {
        "encoding": {**_groups(picture, {"scale": {"paddingInner": _BETWEEN_BOXES}}), "tooltip": tips},
        "layer": [
            layer({"type": "rule"}, "min", "max"),
            layer({"type": "bar", "opacity": _BOX_OPACITY}, "q25", "q75"),
            layer({"type": "bar", "filled": False, "strokeWidth": _MEDIAN_WIDTH}, "median", "median"),
        ],
    }


def _groups(picture: Picture, spaced: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the channels that say where a bar or a box stands; `spaced` says how far one is from the next."""
    across, colors = _along(picture, picture.x), _colors(picture)
    if across["type"] == "temporal":
        return {"x": across, **colors}
    upright = not _lies_down(picture)
    group = {**across, "type": "ordinal", "sort": None, **({"axis": {"labelAngle": 0}} if upright else {})}
    if picture.color is None or picture.wishes.stack:
        return {"x" if upright else "y": {**group, **(spaced or {})}, **colors}
    # side by side: bars on top of each other would add up what may be means
    beside = {"field": _path(picture.color), "sort": None, **(spaced or {})}
    return {"x" if upright else "y": group, **colors, "xOffset" if upright else "yOffset": beside}


def _colors(picture: Picture) -> dict[str, Any]:
    return {} if picture.color is None else {"color": _channel(picture, picture.color)}


def _channels(picture: Picture, kind: _MarkKind) -> tuple[dict[str, Any], dict[str, Any]]:
    rows, counted = picture.table, picture.y in picture.table.columns
    across, up = _along(picture, picture.x), _along(picture, picture.y) if counted else {}
    match kind:
        case "bar":
            return {"type": "bar"}, {**_groups(picture), ("x" if _lies_down(picture) else "y"): _stacked(up, picture)}
        case "line":
            across |= {"sort": None} if across["type"] == "nominal" else {}
            mark = {"type": "line", "point": len(rows) <= _MOST_UPRIGHT_BARS * 4}
            return mark, {"x": across, "y": _scaled(up, picture, picture.y), **_colors(picture)}
        case "scatter":
            across, up = _scaled(across, picture, picture.x, zero=False), _scaled(up, picture, picture.y, zero=False)
            return {"type": "point", "filled": True, "opacity": 0.6}, {"x": across, "y": up, **_colors(picture)}
        case "pie":
            slices = {"theta": {**up, "stack": True}, "color": {**across, "type": "nominal", "sort": None}}
            return {"type": "arc"}, slices
        case "heatmap":
            along = _of_fields(picture, picture.x, None)
            along |= {} if _needs_room(rows[picture.x]) else {"axis": {"labelAngle": 0}}
            down = _of_fields(picture, picture.color or picture.x, _order_of_rows(picture))
            return {"type": "rect"}, {"x": along, "y": down, "color": {**up, "scale": {"zero": False}}}
        case "histogram":
            rows_in = {"aggregate": "count", "type": "quantitative", "title": "rows"}
            return {"type": "bar"}, {"x": {**across, "bin": {"maxbins": _MOST_BINS}}, "y": rows_in, **_colors(picture)}


def _of_fields(picture: Picture, name: str, order: str | None) -> dict[str, Any]:
    return {**_channel(picture, name), "type": "ordinal", "sort": order}


def _order_of_rows(picture: Picture) -> str | None:
    """Return how the rows of a heat map are sorted: as they are first met, but the first column may lack some."""
    down = picture.table.groupby(picture.x, sort=False)[picture.color or picture.x]
    return "ascending" if all(values.is_monotonic_increasing for _, values in down) else None


def _stacked(up: dict[str, Any], picture: Picture) -> dict[str, Any]:
    """Put the bars of several colors on each other, where that was wished."""
    stack = picture.wishes.stack
    shares = {"axis": {"format": ".0%"}, "title": f"share of {up['title']}"} if stack == "share" else {}
    return {**up, "stack": _STACKS[stack], **shares} if stack else up


def _scaled(channel: dict[str, Any], picture: Picture, name: str, *, zero: bool = True) -> dict[str, Any]:
    """Return the axis of a column with the scale that was wished; zero has no place on a logarithmic one."""
    if channel["type"] != "quantitative":
        return channel
    if picture.wishes.log_y if name == picture.y else picture.wishes.log_x:
        above = bool((picture.table[name].dropna() > 0).all())
        return {**channel, "scale": {"type": "log" if above else "symlog"}}
    return channel if zero else {**channel, "scale": {"zero": False}}


def _channel(picture: Picture, name: str) -> dict[str, Any]:
    return {"field": _path(name), "type": _type(picture.table[name]), "title": _shortened(picture.title(name))}


def _along(picture: Picture, name: str) -> dict[str, Any]:
    """Describe an axis: Vega's own would leave out most years of a time, and write the year 2024 as 2,024."""
    channel = _channel(picture, name)
    match channel["type"]:
        case "temporal":
            return {**channel, "axis": ticks_of_dates(picture.table[name])}
        case "quantitative" if is_name(name):
            return {**channel, "axis": {"format": "d", "tickMinStep": 1}}
        case _:
            return channel


def _shortened(title: str) -> str:
    """Leave out the middle of a title that would leave no room beside its axis for what is drawn."""
    if len(title) <= _LONGEST_TITLE:
        return title
    half = _LONGEST_TITLE // 2
    return f"{title[:half]}…{title[1 - half :]}"


def _tip(picture: Picture, name: str) -> dict[str, Any]:
    """Describe one line of a tooltip; Vega's own would show a line called `image` as a picture from the network."""
    called = f"{name} (column)" if name in _SPECIAL_TIPS else picture.title(name)
    told = {**_channel(picture, name), "title": called}
    match told["type"]:
        case "temporal":
            return {**told, "format": date_format(picture.table[name])}
        case "quantitative":
            return {**told, "format": number_format(picture.table[name])}
        case _:
            return told


def _histogram_tooltip(picture: Picture) -> list[dict[str, Any]]:
    return [
        {**_tip(picture, picture.x), "bin": {"maxbins": _MOST_BINS}},
        {"aggregate": "count", "type": "quantitative", "title": "rows"},
        *([] if picture.color is None else [_tip(picture, picture.color)]),
    ]


def _type(column: pd.Series) -> str:
    if pd.api.types.is_bool_dtype(column.dtype):
        return "nominal"
    if pd.api.types.is_numeric_dtype(column.dtype):
        return "quantitative"
    return "temporal" if is_date(column) else "nominal"


def _path(name: str) -> str:
    """Escape what Vega-Lite would read as a path into nested data."""
    for special in ("\\", ".", "[", "]", "'", '"'):
        name = name.replace(special, f"\\{special}")
    return name


def _lies_down(picture: Picture) -> bool:
    column = picture.table[picture.x]
    if is_date(column) or picture.wishes.lying:
        return picture.wishes.lying and not is_date(column)
    if pd.api.types.is_numeric_dtype(column.dtype):  # hours, months and years are read from left to right
        return column.nunique() > _MOST_UPRIGHT_NUMBERS
    return _needs_room(column)


def _needs_room(column: pd.Series) -> bool:
    """Tell whether labels are too many or too long to stand beside each other."""
    labels = column.astype(str).drop_duplicates()
    return len(labels) > _MOST_UPRIGHT_BARS or bool((labels.str.len() > _LONGEST_UPRIGHT_LABEL).any())
