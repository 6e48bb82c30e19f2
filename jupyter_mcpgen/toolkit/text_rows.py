"""The rows of a text, and which of the last ones are notes and totals below a table."""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jupyter_mcpgen.toolkit.cell_kinds import CellKind, ColumnKind, kind_of_cell

_MOST_NOTES = 30
_MOST_COMPARED = 1_000
_COMMENT = re.compile(r"\s*(?:#|%|//)\s*\w")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_TOTALS = re.compile(
    r"(?:grand |sub|over)?(?:total|totals)|sum|summe|gesamt|gesamtsumme|insgesamt|total g[ée]n[ée]ral|totale|suma|razem"
    r"|totaal|summa|yhteensä|ukupno|celkem|összesen|toplam|итого|всего|合計|总计|總計|합계",
    re.IGNORECASE,
)
_NOTE = re.compile(r"\s*(?:[^\W\d_][\w ]{0,30}[::]\s|\*|†|\(\d+\)|©|#)")


class Row(NamedTuple):
    """A row of a text: the lines on which it begins and ends, from 1, and its cells."""

    first: int
    last: int
    cells: list[str]

    @property
    def filled(self) -> list[str]:
        """Return the cells with something in them."""
        return [cell for cell in self.cells if cell.strip()]

    @property
    def is_comment(self) -> bool:
        """Tell whether a row begins as comments do; the name of a column may, too."""
        return bool(_COMMENT.match(self.cells[0]))

    def is_title(self, width: int) -> bool:
        """Tell whether a row may stand above a table of that width: a title, a word and its value, or a comment."""
        filled = len(self.filled)
        return self.is_comment or (filled <= min(2, width - 1) and all(map(str.strip, self.cells[:filled])))

    def fits(self, width: int) -> bool:
        """Tell whether a row has so many cells, but for a delimiter at its end."""
        return len(self.cells) == width or (len(self.cells) == width + 1 and not self.cells[-1].strip())


def lines_of(text: str) -> list[str]:
    """Return the lines of a text with their ends, which are those that a reader of CSV knows."""
    return [line for line in _LINE.findall(text) if line]


def rows_of(lines: Sequence[str], delimiter: str, before: int = 0) -> Iterator[Row]:
    """Give the rows of lines that are not blank; `before` is how many lines stand before them."""
    reader = csv.reader(iter(lines), delimiter=delimiter)
    last = before
    try:
        for cells in reader:
            if cells:
                yield Row(last + 1, before + reader.line_num, cells)
            last = before + reader.line_num
    except csv.Error:  # a field longer than the module takes; the parser proper takes it
        return


def rows_below(rows: Sequence[Row], kinds: Sequence[ColumnKind], width: int) -> int:
    """Return how many of the last rows are no rows of the table: blank ones, notes and totals."""
    count = written = 0
    while width > 1 and count < len(rows) - 1 and written < _MOST_NOTES:
        row, above = rows[-1 - count], rows[: len(rows) - 1 - count]
        behind_gap = is_behind_gap([*above[-1:], row], 1)
        is_closing = is_beside(row, above[:0:-1], width, behind_gap=behind_gap)
        if not (is_total(row) or _is_note(row, above, kinds, width) or is_closing):
            break
        count, written = count + 1, written + bool(row.filled)
    return count


def is_total(row: Row) -> bool:
    """Tell whether a row says of itself that it adds up the others."""
    return bool(row.filled) and bool(_TOTALS.fullmatch(row.filled[0].strip().rstrip(": ")))


def _is_note(row: Row, above: Sequence[Row], kinds: Sequence[ColumnKind], width: int) -> bool:
    """Tell whether a row with one cell is a sentence below the table, and not a row that lacks the others."""
    filled = row.filled
    if not filled:
        return True
    if len(filled) > 1 or len(row.cells) > width + 1:
        return False
    cell, place = filled[0].strip(), row.cells.index(filled[0])
    if kind_of_cell(cell) is not CellKind.TEXT:
        return False
    if (_NOTE.match(cell) and len(above) > 1) or is_behind_gap([*above, row], len(above) - _single_rows(above)):
        return True
    full = [one.cells[place] for one in above if one.fits(width) and len(one.filled) > 1]
    if len(full) < 2:
        return False
    longest = max(map(len, full))
    if place == 0 and kinds[0].is_typed:
        return len(cell) > longest or (" " in cell and not re.search(r"\d", cell))
    return len(cell.split()) > 2 and len(cell) > 1.5 * longest


def is_beside(row: Row, rows: Sequence[Row], width: int, *, behind_gap: bool = False) -> bool:
    """Tell whether words stand where all rows of the table have a date or the like, and cells that all have are empty.

    So are "Opening balance" and "Closing balance" written above and below the dates of a statement, with a figure. One
    word alone, such as "pending", may stand for a value, unless a gap is before it. `rows` are those next to it.
    """
    place = next((place for place, cell in enumerate(row.cells) if cell.strip()), width)
    if place == width or len(row.cells) > width + 1 or not _is_sparse(row, width):
        return False
    words = row.cells[place].strip()
    if kind_of_cell(words) is not CellKind.TEXT or not (behind_gap or " " in words or words.endswith(":")):
        return False
    known = [one for one in rows[:_MOST_COMPARED] if one.filled]
    kind = ColumnKind(_cell(one, place) for one in known)

    def is_odd(one: Row) -> bool:
        return kind.is_unlike(_cell(one, place)) and _is_sparse(one, width)

    to_its_end = list(itertools.dropwhile(is_odd, known))[::-1]
    table = list(itertools.dropwhile(is_odd, to_its_end))
    if not kind.is_unlike(words) or len(table) < 2 or any(kind.is_unlike(_cell(one, place)) for one in table):
        return False
    empty = (other for other in range(width) if not _cell(row, other))
    return any(all(_cell(one, other) for one in table) for other in empty)


def _is_sparse(row: Row, width: int) -> bool:
    return 2 * len(row.filled) <= width + 1


def _cell(row: Row, place: int) -> str:
    return row.cells[place].strip() if place < len(row.cells) else ""


def _single_rows(rows: Sequence[Row]) -> int:
    """Return how many of the last rows have one cell."""
    return sum(1 for _ in itertools.takewhile(lambda row: len(row.filled) == 1, rows[:0:-1]))


def is_behind_gap(rows: Sequence[Row], place: int) -> bool:
    """Tell whether a blank line, or a row of empty cells, stands above a row."""
    return rows[place].first > rows[place - 1].last + 1 or not rows[place - 1].filled
