"""Workbooks as one XML document, the format of Excel 2003 that reporting programs still export, mostly as `.xls`."""

from __future__ import annotations

import csv
import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from .outcome import CELLS, CannotUnpack, Choice, Table, choose, counted
from .sheet_text import Place, SheetText, Window

_OF_WORKBOOKS = "{urn:schemas-microsoft-com:office:spreadsheet}"
_FURTHEST = 1 << 20


@dataclass
class _Sheet:
    """The rows of a sheet, and the last cell of each merged range by its first."""

    rows: list[list[Any]] = field(default_factory=list)
    merged: dict[Place, Place] = field(default_factory=dict)

    @property
    def width(self) -> int:
        """The columns of the widest row."""
        return max(map(len, self.rows), default=0)

    def padded(self) -> list[list[Any]]:
        """Return the rows, all of them as wide as the widest."""
        return [[*row, *[""] * (self.width - len(row))] for row in self.rows]


def xml_workbook(path: Path, wanted: str | None, into: Path) -> Table:
    """Write the sheet that is wanted as CSV, or the only one; raises `CannotUnpack` for another document."""
    try:
        sheets = {name: sheet for name, sheet in _sheets_in(path).items() if sheet.width}
    except (ElementTree.ParseError, ValueError, KeyError) as error:
        raise CannotUnpack(f"it is an XML document that is damaged ({error}). Fetch or export it again.") from error
    if not sheets:
        raise CannotUnpack(
            "it is an XML document that is no workbook with cells. Open it in the program that it is for, and save the "
            "table as CSV or `.xlsx`."
        )
    choices = [
        Choice(name, f"{counted(len(sheet.rows), 'row')}, {counted(sheet.width, 'column')}")
        for name, sheet in sheets.items()
    ]
    name = choose("sheets", choices, wanted).name
    sheet = sheets[name]
    text = SheetText(Window(0, 0, len(sheet.rows) - 1, sheet.width - 1), {}, sheet.merged)
    with into.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(text.lines(sheet.padded(), 0))
    of = f", one of {len(sheets)} with cells" if len(sheets) > 1 else ""
    return Table(str(into), CELLS, (f"Read from the sheet `{name}`{of}.",), name)


def _sheets_in(path: Path) -> Mapping[str, _Sheet]:
    sheets: dict[str, _Sheet] = {}
    for _, element in ElementTree.iterparse(path):  # noqa: S314  # read in the sandbox
        if element.tag == f"{_OF_WORKBOOKS}Worksheet":
            sheet = _Sheet()
            for row in element.iter(f"{_OF_WORKBOOKS}Row"):
                above = len(sheet.rows)
                sheet.rows += [[] for _ in range(_place(row, above) - above)]
                sheet.rows.append(_cells_of(row, len(sheet.rows), sheet.merged))
            sheets[element.get(f"{_OF_WORKBOOKS}Name", f"sheet {len(sheets) + 1}")] = sheet
            element.clear()
    return sheets


def _cells_of(row: ElementTree.Element, number: int, merged: dict[Place, Place]) -> list[Any]:
    cells: list[Any] = []
    for cell in row.iter(f"{_OF_WORKBOOKS}Cell"):
        place = _place(cell, len(cells))
        cells += [""] * (place - len(cells))
        cells.append(_value(cell.find(f"{_OF_WORKBOOKS}Data")))
        across, down = (int(cell.get(f"{_OF_WORKBOOKS}Merge{way}", "0")) for way in ("Across", "Down"))
        if across or down:
            merged[number, place] = (number + down, place + across)
            cells += [""] * across
    while cells and cells[-1] == "":
        cells.pop()
    return cells


def _place(element: ElementTree.Element, following: int) -> int:
    """Return the place of a row or cell, from zero: the one it says, or the one behind that before it."""
    told = int(element.get(f"{_OF_WORKBOOKS}Index", following + 1)) - 1
    if not following <= told < _FURTHEST:
        raise ValueError(f"a cell or row at place {told + 1}")
    return told


def _value(data: ElementTree.Element | None) -> Any:
    if data is None:
        return ""
    text = "".join(data.itertext())
    return _VALUES.get(data.get(f"{_OF_WORKBOOKS}Type", "String"), str)(text)


_VALUES: Mapping[str, Callable[[str], Any]] = {
    "Number": float,
    "Boolean": lambda text: text.strip() == "1",
    "DateTime": lambda text: _date(dt.datetime.fromisoformat(text)),
}


def _date(value: dt.datetime) -> dt.date | dt.datetime:
    return value.date() if value.time() == dt.time() else value
