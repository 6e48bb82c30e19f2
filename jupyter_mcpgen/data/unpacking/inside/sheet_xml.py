"""What an `.xlsx` sheet says of its cells and calamine does not: errors, and formulas that were never calculated."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree
from xml.parsers import expat

from .outcome import CannotUnpack

_PIECE_BYTES = 1 << 20
_MOST_XML_BYTES = 1 << 30
_TELLING = (b't="e"', b"<f>", b"<f ", b"<f/", b":f>", b":f ")
_OVERLAP = max(map(len, _TELLING)) - 1
_REFERENCE = re.compile(r"([A-Z]+)(\d+)")
Place = tuple[int, int]


@dataclass
class CellMarks:
    """The cells of a sheet by row and column, from zero: errors as the sheet shows them, and uncalculated formulas."""

    errors: dict[Place, str] = field(default_factory=dict)
    uncalculated: list[Place] = field(default_factory=list)


def cell_marks(path: Path, sheet: str) -> CellMarks:
    """Return the marked cells of a sheet; raises `CannotUnpack` for one that is too large to be a person's."""
    try:
        with zipfile.ZipFile(path) as archive:
            part = _part_of(archive, sheet)
            if part is None:
                return CellMarks()
            if archive.getinfo(part).file_size > _MOST_XML_BYTES:
                raise CannotUnpack(f"its sheet `{sheet}` is larger than can be opened. Save the sheet as CSV.")
            with archive.open(part) as xml:
                if not any(_tells(piece) for piece in _overlapping(xml)):
                    return CellMarks()
            with archive.open(part) as xml:
                return _marks_in(iter(lambda: xml.read(_PIECE_BYTES), b""))
    except (zipfile.BadZipFile, ElementTree.ParseError, expat.ExpatError, KeyError, EOFError) as error:
        raise CannotUnpack(
            f"its sheet `{sheet}` is damaged ({error}). Open it in its program and save it again."
        ) from error


def cell_name(place: Place) -> str:
    """Return what a cell is called, such as `B7`."""
    row, column = place
    letters, left = "", column + 1
    while left:
        left, digit = divmod(left - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return f"{letters}{row + 1}"


def _part_of(archive: zipfile.ZipFile, sheet: str) -> str | None:
    """Return the part of the file that holds a sheet."""
    names = set(archive.namelist())
    if not {"xl/workbook.xml", "xl/_rels/workbook.xml.rels"} <= names:
        return None
    workbook = ElementTree.fromstring(archive.read("xl/workbook.xml"))  # noqa: S314  # read in the sandbox
    ids = {
        each.get("name"): next((value for key, value in each.items() if key.endswith("}id")), None)
        for each in workbook.iter()
        if each.tag.endswith("}sheet")
    }
    relations = ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))  # noqa: S314  # as above
    targets = {each.get("Id"): each.get("Target", "") for each in relations}
    target = targets.get(ids.get(sheet))
    if target is None:
        return None
    part = target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"xl/{target}")
    return part if part in names else None


def _overlapping(xml: object) -> Iterator[bytes]:
    last = b""
    while piece := xml.read(_PIECE_BYTES):  # type: ignore[attr-defined]  # a member of an archive
        yield last + piece
        last = piece[-_OVERLAP:]


def _tells(piece: bytes) -> bool:
    return any(mark in piece for mark in _TELLING)


def _marks_in(pieces: Iterator[bytes]) -> CellMarks:
    marks, reader = CellMarks(), _CellReader()
    parser = expat.ParserCreate(namespace_separator="|")
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = lambda name: reader.end(name, marks)
    parser.CharacterDataHandler = reader.text
    for piece in pieces:
        parser.Parse(piece, False)
    parser.Parse(b"", True)
    return marks


class _CellReader:
    """Follows the cells of a sheet; a cell that does not say where it is follows the one before it."""

    def __init__(self) -> None:
        self._row, self._column = -1, -1
        self._type, self._value = "", ""
        self._has_formula, self._is_value = False, False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        match name.rpartition("|")[2]:
            case "row":
                self._row = int(attributes["r"]) - 1 if "r" in attributes else self._row + 1
                self._column = -1
            case "c":
                told = _REFERENCE.fullmatch(attributes.get("r", ""))
                self._column = _column(told[1]) if told else self._column + 1
                self._row = int(told[2]) - 1 if told else self._row
                self._type, self._value, self._has_formula = attributes.get("t", "n"), "", False
            case "f":
                self._has_formula = True
            case "v":
                self._is_value = True

    def text(self, text: str) -> None:
        if self._is_value:
            self._value += text

    def end(self, name: str, marks: CellMarks) -> None:
        match name.rpartition("|")[2]:
            case "v":
                self._is_value = False
            case "c" if self._type == "e":
                marks.errors[self._row, self._column] = self._value or "#ERROR!"
            case "c" if self._has_formula and not self._value and self._type != "str":
                marks.uncalculated.append((self._row, self._column))


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1
