"""Workbooks (`.xlsx .xlsb .xls .ods`): the cells of one sheet as CSV, as its program would export them."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetMetadata,
    SheetTypeEnum,
    SheetVisibleEnum,
    XmlError,
    ZipError,
    load_workbook,
)

from .archives import workbook_in
from .kinds import Kind, kind_of
from .outcome import CELLS, CannotUnpack, Choice, Table, choose, counted
from .sheet_text import SheetText, Window
from .sheet_xml import CellMarks, cell_marks, cell_name

_WORKBOOKS = ("xlsx", "xlsb", "xls", "ods")
_MOST_NAMED = 3
_PASSWORD = "it is a workbook with a password. Save a copy without the password, and name that."  # noqa: S105  # a text


def workbook_as_text(path: Path, wanted: str | None, into: Path) -> Table:
    """Write the sheet, or the named table, that is wanted as CSV, or the only sheet with cells.

    Raises `SeveralTables`, or `CannotUnpack` for a workbook that is encrypted, broken or without cells.
    """
    kind = "xls" if kind_of(path) is Kind.COMPOUND else workbook_in(path)
    if kind not in _WORKBOOKS:
        raise CannotUnpack(f"it is a {kind}, which holds no table that can be read. Copy the table into a workbook.")
    if kind == "xls" and "EncryptedPackage".encode("utf-16-le") in path.read_bytes():
        raise CannotUnpack(_PASSWORD)
    named = Path(f"book.{kind}")  # by its ending, because of one without it only the last of several errors is told
    shutil.copyfile(path, named)
    try:
        book = load_workbook(named, load_tables=kind == "xlsx")
        return _written(_Book(path, kind, book), wanted, into)
    except PasswordError as error:
        raise CannotUnpack(_PASSWORD) from error
    except (CalamineError, XmlError, ZipError) as error:
        raise CannotUnpack(f"it is no workbook that can be opened ({error}). Save it again as `.xlsx`.") from error


class _Book:
    """A workbook: its sheets with cells, and its named tables."""

    def __init__(self, path: Path, kind: str, book: CalamineWorkbook) -> None:
        self._path, self._kind = path, kind
        self._about = {about.name: about for about in book.sheets_metadata if about.typ is SheetTypeEnum.WorkSheet}
        self.marks = {name: self._marks(name) for name in self._about}  # before calamine makes room for the cells
        sheets = {name: book.get_sheet_by_name(name) for name in self._about}
        self.sheets = {name: sheet for name, sheet in sheets.items() if sheet.end is not None}
        self.tables = {
            name: book.get_table_by_name(name) for name in (book.table_names or () if kind == "xlsx" else ())
        }

    def _marks(self, name: str) -> CellMarks:
        return cell_marks(self._path, name) if self._kind == "xlsx" else CellMarks()

    @property
    def hidden(self) -> list[str]:
        """The sheets that its program does not show, where it shows others."""
        hidden = [name for name in self.sheets if _is_hidden(self._about[name])]
        return hidden if len(hidden) < len(self.sheets) else []

    def choices(self, wanted: str | None) -> list[Choice]:
        """Return what there is to choose from; a hidden sheet is there for whoever names it."""
        shown = {name: sheet for name, sheet in self.sheets.items() if name == wanted or name not in self.hidden}
        sheets = [Choice(name, _size(sheet)) for name, sheet in shown.items()]
        if len(sheets) == 1 and wanted is None:
            return sheets
        taken = {name.casefold() for name in self.sheets}
        named = {name: table for name, table in self.tables.items() if name.casefold() not in taken}
        return [*sheets, *(Choice(name, f"a table in the sheet `{table.sheet}`") for name, table in named.items())]


def _written(book: _Book, wanted: str | None, into: Path) -> Table:
    if not book.sheets:
        raise CannotUnpack("it is a workbook without any filled cell. Check that you named the right file.")
    name = choose("sheets", book.choices(wanted), wanted).name
    table = None if name in book.sheets else book.tables[name]
    sheet = book.sheets[name if table is None else table.sheet]
    (top, left), (bottom, right) = sheet.start or (0, 0), sheet.end or (0, 0)
    if table is not None and table.start is not None and table.end is not None:
        top, left, bottom, right = table.start[0] - 1, table.start[1], table.end[0], table.end[1]
    marks = book.marks[sheet.name]
    text = SheetText(Window(top, left, bottom, right), marks.errors, dict(sheet.merged_cell_ranges or ()))
    with into.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(text.lines(sheet.iter_rows(), (sheet.start or (0, 0))[1]))
    of = f", one of {len(book.sheets)} with cells" if len(book.sheets) > 1 else ""
    read = (
        f"Read from the sheet `{name}`{of}." if table is None else f"Read from the table `{name}`, in `{sheet.name}`."
    )
    left_out = [each for each in book.hidden if each != sheet.name]
    return Table(str(into), CELLS, (read, *_hidden(left_out), *_marked(marks), *_filled(text.filled_down)), name)


def _hidden(names: list[str]) -> list[str]:
    return [f"Hidden and left out: {_named([f'`{name}`' for name in names])}."] if names else []


def _marked(marks: CellMarks) -> list[str]:
    said = []
    if marks.errors:
        cells = [f"`{cell_name(place)}` `{error}`" for place, error in marks.errors.items()]
        said.append(f"{counted(len(cells), 'cell holds', 'cells hold')} an error: {_named(cells)}.")
    if marks.uncalculated:
        cells = [f"`{cell_name(place)}`" for place in marks.uncalculated]
        said.append(
            f"{counted(len(cells), 'formula was', 'formulas were')} never calculated and read as missing: "
            f"{_named(cells)}. Open and save the workbook in its program to have the values."
        )
    return said


def _filled(count: int) -> list[str]:
    return [f"The texts of merged cells stand in all their rows ({count:,} filled)."] if count else []


def _named(words: list[str]) -> str:
    more = f" and {len(words) - _MOST_NAMED:,} more" if len(words) > _MOST_NAMED else ""
    return ", ".join(words[:_MOST_NAMED]) + more


def _size(sheet: CalamineSheet) -> str:
    (top, left), (bottom, right) = sheet.start or (0, 0), sheet.end or (0, 0)
    return f"{counted(bottom - top + 1, 'row')}, {counted(right - left + 1, 'column')}"


def _is_hidden(about: SheetMetadata) -> bool:
    return bool(about.visible is not SheetVisibleEnum.Visible)
