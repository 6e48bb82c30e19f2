"""Good default charts of a result table, as Vega-Lite specifications with their data inline."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd

from jupyter_mcpgen.toolkit.formats import is_date, written_texts
from jupyter_mcpgen.toolkit.marks import (
    ChartKind,
    Picture,
    StackKind,
    Wishes,
    drawing,
    drawn_columns,
    height,
    what_spreads,
)
from jupyter_mcpgen.toolkit.values import json_rows

_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
_MOST_ROWS = 5_000


def vega_lite_chart(
    table: pd.DataFrame,
    kind: ChartKind,
    x: str,
    y: str,
    *,
    color: str | None = None,
    title: str = "",
    x_title: str = "",
    y_title: str = "",
    stack: StackKind = "",
    lying: bool = False,
    log_x: bool = False,
    log_y: bool = False,
) -> dict[str, Any]:
    """Draw `y` over `x` (a histogram bins `x` and counts; a pie slices `y` by `x`; a box plot has a box per `x`).

    A heat map has a field for each `x` and `color`, the darker the larger `y` is. Bars keep the order of the table,
    and lie down when there are many of them, their labels are long, or `lying` says so; those of different colors
    stand side by side, or on each other with `stack`: `total` as they are, `share` as shares of their total. A box plot
    draws the columns `min`, `q25`, `median`, `q75` and `max` instead of `y`. Rows that would be drawn on each other are
    told apart by the columns before `y`. A logarithmic axis with values that are not above zero is linear around it. At
    most 5,000 rows are drawn, and the subtitle says so when there are more.
    """
    for name in drawn_columns(kind, x, y, color):
        if name not in table.columns:
            raise ValueError(f"There is no column `{name}` to draw. Columns: {', '.join(map(str, table.columns))}.")
    wishes = Wishes(x_title, y_title, stack if kind == "bar" and color is not None else "", lying, log_x, log_y)
    picture = _told_apart(Picture(table, kind, x, y, color, wishes=wishes))
    drawn = [*drawn_columns(kind, picture.x, y, picture.color), *drawn_columns(kind, x, y, color)]
    described = _description(kind, picture.title(picture.x), what_spreads(table) if kind == "box" else y)
    return {
        "$schema": _SCHEMA,
        "title": _title(title or described, len(table)),
        "description": described,
        "data": {"values": json_rows(picture.table[list(dict.fromkeys(drawn))], _MOST_ROWS)},
        **drawing(picture),
        "width": "container",
        **height(picture),
    }


def _told_apart(picture: Picture) -> Picture:
    """Return the picture with `x` and `color` such that no mark lies on another, as far as the columns before `y` say.

    A table of more groups than a chart has channels would hide all but one of the bars in a place.
    """
    table, kind, x, y, color = picture.table, picture.kind, picture.x, picture.y, picture.color
    if kind in ("scatter", "histogram"):
        return picture
    names, places = list(table.columns), [x] if color is None else [x, color]
    figures = names.index("column" if kind == "box" and "column" in names else y)
    further = [name for name in names[:figures] if name not in places] if table.duplicated(places).any() else []
    if further and (kind == "line" or (color is None and is_date(table[x]))):
        picture = _colored(picture, [*places[1:], *further])
        further = []
    # bars of several colors along a time would be added up
    stands = kind != "line" and picture.color is not None and not picture.wishes.stack
    if further or (stands and is_date(table[x])):
        picture = _placed(picture, [x, *further])
    return _colored(picture, [color]) if kind == "heatmap" and color is not None else picture


def _colored(picture: Picture, names: list[str]) -> Picture:
    table, label, titles = _labelled(picture, names)
    return replace(picture, table=table, color=label, titles=titles)


def _placed(picture: Picture, names: list[str]) -> Picture:
    table, label, titles = _labelled(picture, names)
    return replace(picture, table=table, x=label, titles=titles)


def _labelled(picture: Picture, names: list[str]) -> tuple[pd.DataFrame, str, dict[str, str]]:
    """Return the table with a column of texts that say the values of some columns, its name, and what it is called."""
    table, titles = picture.table, dict(picture.titles)
    if len(names) == 1 and not is_date(table[names[0]]):
        return table, names[0], titles
    called = " · ".join(names)
    label = called
    while label in table.columns:
        label = f"{label} (text)"
    rows = zip(*(written_texts(table[name]) for name in names), strict=True)
    return table.assign(**{label: [" · ".join(row) for row in rows]}), label, {**titles, label: called}


def _description(kind: ChartKind, x: str, y: str) -> str:
    match kind:
        case "histogram":
            return f"Histogram of {x}"
        case "pie":
            return f"Pie chart of {y} by {x}"
        case "heatmap":
            return f"Heat map of {y} by {x}"
        case "box":
            return f"Box plot of {y} by {x}"
        case _:
            return f"{kind.capitalize()} chart of {y} by {x}"


def _title(text: str, rows: int) -> dict[str, Any]:
    title: dict[str, Any] = {"text": text, "anchor": "start"}
    return title if rows <= _MOST_ROWS else {**title, "subtitle": f"first {_MOST_ROWS:,} of {rows:,} rows"}
