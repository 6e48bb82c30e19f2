"""The cells of a sheet as lines of CSV: values as text that reads back, errors named, merged cells written out."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Place = tuple[int, int]
_MOST_HEADER_ROWS = 10
_SECONDS_A_DAY, _SECONDS_AN_HOUR = 86_400, 3_600


@dataclass(frozen=True)
class Window:
    """A part of a sheet by its first and last rows and columns, from zero; all of them belong to it."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass
class SheetText:
    """Writes the rows of one window of a sheet.

    `merged` maps the first cell of each merged range to its last. In the rows above the first value that is no text,
    the value of a merged cell stands over all its columns, so that each column has its whole name; below, a text or
    a date stands in all rows of its cell. Numbers are never repeated.
    """

    window: Window
    errors: Mapping[Place, str]
    merged: Mapping[Place, Place]
    filled_down: int = 0
    _below: dict[Place, str] = field(default_factory=dict)
    _header_rows: int = 0
    _is_in_data: bool = False

    def lines(self, rows: Iterable[Sequence[Any]], first_column: int) -> Iterator[list[str]]:
        """Yield the lines of the window; rows begin at the top of the sheet, and their cells at a column."""
        window = self.window
        for row, cells in enumerate(rows):
            if row > window.bottom:
                return
            if row < window.top:
                continue
            values = list(cells[window.left - first_column : window.right - first_column + 1])
            yield self._line(row, values)

    def _line(self, row: int, values: list[Any]) -> list[str]:
        """Return a row as texts; a row without any is an empty line, unless the sheet has one column only."""
        left = self.window.left
        texts = [_TEXTS.get(type(value), str)(value) for value in values]
        if self.errors:
            texts = [self.errors.get((row, left + at), text) for at, text in enumerate(texts)]
        self._is_in_data = self._is_in_data or self._has_data(row, values)
        if self._is_in_data and self.merged:
            self._fill_down(row, values, texts)
        elif not self._is_in_data and self._header_rows < _MOST_HEADER_ROWS and sum(map(bool, texts)) > 1:
            self._spread(row, texts)
        self._header_rows += any(texts)
        return texts if any(texts) or len(texts) == 1 else []

    def _has_data(self, row: int, values: list[Any]) -> bool:
        """Tell whether a row has a value that is no text; a year over several columns is a heading."""
        typed = (self.window.left + at for at, value in enumerate(values) if value != "" and not isinstance(value, str))
        return any(self.merged.get((row, column), (row, column))[1] == column for column in typed)

    def _spread(self, row: int, texts: list[str]) -> None:
        left = self.window.left
        for at in range(len(texts)):
            last = self.merged.get((row, left + at))
            if last is not None:
                for column in range(at + 1, min(last[1] - left + 1, len(texts))):
                    texts[column] = texts[at]

    def _fill_down(self, row: int, values: list[Any], texts: list[str]) -> None:
        left = self.window.left
        for at, value in enumerate(values):
            place = (row, left + at)
            above = self._below.pop(place, None)
            if above is not None and not texts[at]:
                texts[at] = above
                self.filled_down += 1
            last = self.merged.get(place)
            if last is not None and last[1] == place[1] and isinstance(value, str | dt.date) and value != "":
                self._below.update({(below, place[1]): texts[at] for below in range(row + 1, last[0] + 1)})


def _number(value: float) -> str:
    return repr(value).removesuffix(".0")


def _hours(value: dt.timedelta) -> str:
    seconds = value.days * _SECONDS_A_DAY + value.seconds
    hours, rest = divmod(abs(seconds), _SECONDS_AN_HOUR)
    return f"{'-' if seconds < 0 else ''}{hours}:{rest // 60:02}:{rest % 60:02}"


_TEXTS: Mapping[type, Callable[[Any], str]] = {
    str: lambda value: value.replace("\0", "") if "\0" in value else value,
    bool: lambda value: "true" if value else "false",
    float: _number,
    dt.datetime: lambda value: value.isoformat(sep=" "),
    dt.date: dt.date.isoformat,
    dt.time: dt.time.isoformat,
    dt.timedelta: _hours,
}
"""How values are written: texts without zero bytes, dates in ISO form, whole numbers without a point."""
