"""Tables of a web page, also of one that is called a workbook, as many programs export them."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from .outcome import CELLS, CannotUnpack, Choice, Table, choose

_CHARSET = re.compile(rb"charset\s*=\s*[\"']?([\w-]+)", re.IGNORECASE)
_HEAD_BYTES = 4096
_MOST_SPAN = 1_000
_LEAST_ROWS, _LEAST_COLUMNS = 2, 2
_MOST_CELLS = 20_000_000


def web_table(path: Path, wanted: str | None, into: Path) -> Table:
    """Write the table that is wanted as CSV, or the only one that is more than a frame for something else."""
    reader = _TableReader()
    reader.feed(_decoded(path.read_bytes()))
    reader.close()
    tables = {}
    for number, grid in enumerate((g for g in reader.tables if g.is_table), start=1):
        name = " ".join(grid.caption.split()) or f"table {number}"
        tables[name if name not in tables else f"{name} ({number})"] = grid
    if not tables:
        raise CannotUnpack("it is a web page without a table. A page that loads its rows later does not hold them.")
    choices = [Choice(name, f"{len(grid.rows):,} rows, {grid.width:,} columns") for name, grid in tables.items()]
    name = choose("tables", choices, wanted).name
    with into.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(tables[name].padded())
    of = f", one of {len(tables)}" if len(tables) > 1 else ""
    return Table(str(into), CELLS, (f"Read from the web page's table `{name}`{of}.",), name)


def _decoded(content: bytes) -> str:
    told = _CHARSET.search(content[:_HEAD_BYTES])
    for encoding in (*([told[1].decode()] if told else []), "utf-8-sig"):
        try:
            return content.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue  # what a page says of itself is often wrong
    return content.decode("cp1252", "replace")


@dataclass
class _Grid:
    """The rows of one table; a cell that spans several places stands in all of them."""

    caption: str = ""
    rows: list[list[str]] = field(default_factory=list)
    below: dict[int, tuple[int, str]] = field(default_factory=dict)
    """How many more rows a cell of a column spans, and its text."""

    @property
    def width(self) -> int:
        """The columns of the widest row."""
        return max(map(len, self.rows), default=0)

    @property
    def is_table(self) -> bool:
        """Whether it has rows and columns."""
        return len(self.rows) >= _LEAST_ROWS and self.width >= _LEAST_COLUMNS

    def padded(self) -> list[list[str]]:
        """Return the rows, all of them as wide as the widest."""
        return [[*row, *[""] * (self.width - len(row))] for row in self.rows]

    def add(self, text: str, across: int, down: int) -> None:
        """Put a cell behind the last one of the last row."""
        row = self.rows[-1]
        self.fill()
        for _ in range(across):
            if down > 1:
                self.below[len(row)] = (down - 1, text)
            row.append(text)

    def fill(self) -> None:
        """Repeat the cells of rows above that stand at the end of the last row."""
        row = self.rows[-1]
        while len(row) in self.below:
            left, text = self.below.pop(len(row))
            if left > 1:
                self.below[len(row)] = (left - 1, text)
            row.append(text)


class _TableReader(HTMLParser):
    """Collects the tables of a page; a table inside a cell is a table of its own."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[_Grid] = []
        self._open: list[_Grid] = []
        self._words: list[str] | None = None
        self._spans = (1, 1)
        self._cells = 0
        self._is_hidden = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a table, a row or a cell."""
        if tag == "table":
            self._end_cell()
            self.tables.append(_Grid())
            self._open.append(self.tables[-1])
        elif tag in ("script", "style"):
            self._is_hidden = True
        elif not self._open:
            return
        elif tag == "tr":
            self._end_cell()
            self._open[-1].rows.append([])
        elif tag in ("td", "th", "caption"):
            self._end_cell()
            given = dict(attrs)
            self._spans = (_span(given.get("colspan")), _span(given.get("rowspan")))
            self._words = []
        elif tag == "br" and self._words is not None:
            self._words.append(" ")

    def handle_endtag(self, tag: str) -> None:
        """End what began so."""
        if tag in ("script", "style"):
            self._is_hidden = False
        elif tag == "caption" and self._open:
            self._open[-1].caption = "".join(self._words or [])
            self._words = None
        elif tag in ("td", "th", "tr", "table"):
            self._end_cell()
            if tag in ("tr", "table") and self._open and self._open[-1].rows:
                self._open[-1].fill()
            if tag == "table" and self._open:
                self._open.pop()

    def handle_data(self, data: str) -> None:
        """Add a text to the cell it is in."""
        if self._words is not None and not self._is_hidden:
            self._words.append(data)

    def _end_cell(self) -> None:
        if self._words is None or not self._open:
            return
        grid = self._open[-1]
        if not grid.rows:
            grid.rows.append([])
        across, down = self._spans
        self._cells += across
        if self._cells > _MOST_CELLS:
            raise CannotUnpack("it is a web page with more cells than can be read. Save the table as CSV.")
        grid.add(" ".join("".join(self._words).split()), across, down)
        self._words = None


def _span(told: str | None) -> int:
    return min(max(int(told), 1), _MOST_SPAN) if told is not None and told.isdecimal() else 1
