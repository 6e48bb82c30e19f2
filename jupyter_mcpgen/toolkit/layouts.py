"""How a text file is written: its encoding, its delimiter, and where the names of its columns stand."""

from __future__ import annotations

import codecs
import csv
import io
import itertools
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from jupyter_mcpgen.toolkit.columns import unique_names

HEAD_BYTES = 1 << 20
_DELIMITERS = (",", ";", "\t", "|")
_SNIFFED_ROWS = 50
_MOST_TITLE_ROWS = 20
_WIDE = 3
_GROUPED = r"^\s*[+-]?([1-9][0-9]{0,2}\.[0-9]{3}|[1-9][0-9]{0,2}|0)\s*$"


class Layout(NamedTuple):
    """How a text file is written: encoding, delimiter, the lines above the header, and the words in the header."""

    encoding: str
    delimiter: str
    skipped: int
    words: list[str]
    has_rows: bool

    @property
    def names(self) -> list[str]:
        """The column names, each of them once."""
        return unique_names(self.words)

    def may_group(self, words: pa.ChunkedArray) -> bool:
        """Tell whether points may stand between thousands: files with `;` come from where `1.234` is a large number."""
        if self.delimiter != ";" or words.null_count == len(words):
            return False
        dotted = bool(pc.any(pc.match_substring(words, ".")).as_py())
        return dotted and bool(pc.all(pc.match_substring_regex(words, _GROUPED)).as_py())


class _Row(NamedTuple):
    """A row of the head of a file, and the line on which it ends."""

    line: int
    cells: list[str]

    @property
    def filled(self) -> int:
        return sum(bool(cell.strip()) for cell in self.cells)


def cannot_read(path: Path, reason: object) -> ValueError:
    """Return the error that a file is no table."""
    return ValueError(f"`{path.name}` cannot be read as a table: {reason}")


def empty_file(path: Path) -> ValueError:
    """Return the error that a file has nothing in it."""
    return pd.errors.EmptyDataError(f"`{path.name}` is empty. Check that the right file was named.")


def encoding_of(path: Path, most_bytes: int | None = None) -> str:
    """Tell the encoding from the bytes; refuse a file with zero bytes, which no text has."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with path.open("rb") as file:
        if file.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            return "utf-16"
        file.seek(0)
        is_utf8 = True
        while chunk := file.read(HEAD_BYTES):
            if b"\0" in chunk:
                raise cannot_read(path, "it is a binary file, not text. Name a CSV file, or use its proper suffix.")
            try:
                decoder.decode(chunk if is_utf8 else b"")
            except UnicodeDecodeError:
                is_utf8 = False
            if most_bytes is not None and file.tell() >= most_bytes:
                break
    return "utf-8-sig" if is_utf8 else "cp1252"


def layout_of(path: Path, encoding: str) -> Layout:
    """Find the delimiter that gives the most even rows, and the first row that is no title."""
    try:
        with path.open(encoding=encoding, newline="") as file:
            head = file.read(HEAD_BYTES)
    except UnicodeDecodeError as error:
        raise cannot_read(path, f"its text is neither UTF-8 nor Windows-1252 ({error}). Save it as UTF-8.") from error
    if not head.strip():
        raise empty_file(path)
    best, found, best_score = ",", _first_rows(head, ","), (0.0, 1, 0)
    for delimiter in _DELIMITERS:
        every = _first_rows(head, delimiter)
        rows = _below_title(every)
        evenness, width = _evenness(rows)
        score = (evenness, width, len(rows) - len(every))
        if width > 1 and score > best_score:
            best, found, best_score = delimiter, rows, score
    header = found[0]
    skipped = _line_before(head, best, header)
    return Layout(encoding, best, skipped, [word.strip() for word in header.cells], len(found) > 1)


def _evenness(rows: list[_Row]) -> tuple[float, int]:
    """Return the share of rows that are as wide as the header, and this width.

    Rows that all have one field less than the header, or one more, are even too: a delimiter stands at the end of the
    one and not of the other. Who is told so can mend it; another delimiter would cut the numbers.
    """
    width = len(rows[0].cells)
    below = [len(row.cells) for row in rows[1:]]
    if len(set(below)) == 1 and abs(below[0] - width) == 1:
        return 1.0, min(below[0], width)
    return (1 + below.count(width)) / len(rows), width


def _first_rows(head: str, delimiter: str) -> list[_Row]:
    rows: list[_Row] = []
    try:
        reader = csv.reader(io.StringIO(head, newline=""), delimiter=delimiter)
        for row in itertools.islice(reader, _SNIFFED_ROWS):
            rows += [_Row(reader.line_num, row)] if row else []
    except csv.Error:  # a field longer than the module takes; the parser proper takes it
        rows.append(_Row(0, []))
    return rows


def _line_before(head: str, delimiter: str, header: _Row) -> int:
    """Return how many lines stand above the header, when a title does."""
    rows = _first_rows(head, delimiter)
    place = rows.index(header)
    return rows[place - 1].line if place else 0


def _below_title(rows: list[_Row]) -> list[_Row]:
    """Leave out first rows with one cell only, when a row follows that names every column and holds no number."""
    titles = list(itertools.takewhile(_is_title, rows[:_MOST_TITLE_ROWS]))
    rest = rows[len(titles) :]
    if not titles or len(rest) < 2:
        return rows
    header = rest[0].cells
    width = max(len(row.cells) for row in titles)
    fits = width == 1 or (width == len(header) >= _WIDE)
    return rest if fits and all(map(_is_name, header)) and len(header) > 1 else rows


def _is_title(row: _Row) -> bool:
    return row.filled == 0 or (row.filled == 1 and bool(row.cells[0].strip()))


def _is_name(cell: str) -> bool:
    return bool(cell.strip()) and not cell.strip().lstrip("+-").replace(".", "").replace(",", "").isdecimal()
