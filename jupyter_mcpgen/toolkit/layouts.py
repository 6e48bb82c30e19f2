"""How a text file is written: its delimiter, the lines above its table, its header, and the notes below.

Every delimiter that may be one is tried. The one wins under which the longest run of rows of one width has the most
even columns. What stands above the run is a preamble, what stands below it a note, and each is shown.
The idea is that of van den Burg and others, arXiv 1811.11242.
"""

from __future__ import annotations

import csv
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from jupyter_mcpgen.toolkit.cell_kinds import CellKind, ColumnKind, kind_of_cell, kinds_of_columns
from jupyter_mcpgen.toolkit.columns import unique_names
from jupyter_mcpgen.toolkit.encodings import MIXED, decoded

LOOKED_AT = 1 << 18
"""How many bytes of the beginning of a file are looked at for its layout."""
FOOT_BYTES = 1 << 16
_DELIMITERS = (",", ";", "\t", "|", "#", "~", "^", ":")
_NEVER_BETWEEN_FIELDS = frozenset(" .-_/\\()[]{}'\"%+=<>*&@!?$€£¥°`’“”")
_SEPARATORS_OF_FIELDS = frozenset("\x1c\x1d\x1e\x1f")
"""Signs that were made to stand between fields; Python counts them as spaces."""
_ROWS_SCORED = 100
_MOST_HEADER_ROWS = 4
_MOST_NOTES = 30
_NEAR = 0.15
_MOST_ABOVE = 20
_LEAST_SHARE = 0.2
_GROUPED = r"^\s*[+-]?([1-9][0-9]{0,2}\.[0-9]{3}|[1-9][0-9]{0,2}|0)\s*$"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_POINTER = "version https://git-lfs."
_HINT = re.compile(r"sep=(.)\s*")
_TOTALS = re.compile(
    r"(?:grand |sub|over)?(?:total|totals)|sum|summe|gesamt|gesamtsumme|insgesamt|total g[ée]n[ée]ral|totale|suma|razem"
    r"|totaal|summa|yhteensä|ukupno|celkem|összesen|toplam|итого|всего|合計|总计|總計|합계",
    re.IGNORECASE,
)
_NOTE = re.compile(r"\s*(?:[^\W\d_][\w ]{0,30}[::]\s|\*|†|\(\d+\)|©|#)")


class Reading(NamedTuple):
    """What is said of how a text file is written; what is not said is found.

    `skip` lines at the start are left out. `header` is the line of the names, from 1, or 0 where there are none; what
    stands above it is left out. `footer` counts the rows at the end that are left out. `missing` are words that stand
    for a missing value, besides the usual ones.
    """

    delimiter: str | None = None
    encoding: str | None = None
    skip: int = 0
    header: int | None = None
    footer: int | None = None
    missing: tuple[str, ...] = ()

    @property
    def start(self) -> int:
        """Return how many lines are not looked at."""
        return self.header - 1 if self.header else self.skip


NOTHING_SAID = Reading()


class Row(NamedTuple):
    """A row of a text: the lines on which it begins and ends, from 1, and its cells."""

    first: int
    last: int
    cells: list[str]

    @property
    def filled(self) -> list[str]:
        """Return the cells with something in them."""
        return [cell for cell in self.cells if cell.strip()]

    def fits(self, width: int) -> bool:
        """Tell whether a row has so many cells, but for a delimiter at its end."""
        return len(self.cells) == width or (len(self.cells) == width + 1 and not self.cells[-1].strip())


class Layout(NamedTuple):
    """Where the table of a text file is.

    `words` are the names of the columns as they are written, and `width` how many fields a row has: one more than there
    are names where every row ends with a delimiter. `start` counts the bytes above the first row and `cut` those below
    the last one, both in UTF-8.
    """

    encoding: str
    delimiter: str
    words: list[str]
    width: int
    header: tuple[int, int] | None
    """The first and the last line of the header, from 1."""
    above: list[str]
    below: list[str]
    """What stands below the rows, a row of empty cells as an empty text."""
    start: int
    cut: int
    first_line: int
    """The line of the first row, from 1."""
    is_whole: bool
    """Whether all of the file was looked at; else what is below the table is not known."""
    has_rows: bool
    empty: frozenset[int]
    """The places of columns without a name and without a value."""

    @property
    def every_name(self) -> list[str]:
        """The names of all columns, each of them once; `column_1` and so on where there is no header."""
        return unique_names(self.words) if self.header else [f"column_{n + 1}" for n in range(len(self.words))]

    @property
    def names(self) -> list[str]:
        """The names of the columns that are read."""
        return [name for place, name in enumerate(self.every_name) if place not in self.empty]

    def evened(self) -> Layout:
        """Return the layout of the same rows after they were written again with commas, each as wide as the header."""
        return self._replace(delimiter=",", width=len(self.words))

    def completed(self, end: str, footer: int | None) -> Layout:
        """Return the layout with what stands below the table, where only the beginning of the file was looked at.

        `footer` says how many rows that are, where it is known.
        """
        lines = lines_of(end)[1:]  # the first one is cut, or may begin inside of quotes
        rows = list(rows_of(lines, self.delimiter))
        even = [row.cells for row in rows if row.fits(len(self.words))]
        kinds = kinds_of_columns(even[:_ROWS_SCORED], len(self.words))
        count = footer if footer is not None else rows_below(rows, kinds, len(self.words)) if even else 0
        if not 0 < count < len(rows):
            return self
        table, notes = rows[:-count], rows[-count:]
        below = [_written(lines, row, self.delimiter) for row in notes]
        return self._replace(below=below, cut=_bytes(lines[table[-1].last :]))

    def may_group(self, words: pa.ChunkedArray) -> bool:
        """Tell whether points may stand between thousands: files with `;` come from where `1.234` is a large number."""
        if self.delimiter != ";" or words.null_count == len(words):
            return False
        dotted = bool(pc.any(pc.match_substring(words, ".")).as_py())
        return dotted and bool(pc.all(pc.match_substring_regex(words, _GROUPED)).as_py())


def cannot_read(path: Path, reason: object) -> ValueError:
    """Return the error that a file is no table."""
    return ValueError(f"`{path.name}` cannot be read as a table: {reason}")


def empty_file(path: Path) -> ValueError:
    """Return the error that a file has nothing in it."""
    return pd.errors.EmptyDataError(f"`{path.name}` is empty. Check that the right file was named.")


def layout_of(path: Path, encoding: str, reading: Reading = NOTHING_SAID) -> Layout:
    """Find the table in the beginning of a text file, as far as nothing is said about it.

    Raises `ValueError` where there is none, or where two layouts are equally likely and differ.
    """
    text, is_whole = _beginning(path, encoding)
    if not text.strip():
        raise empty_file(path)
    if text.startswith(_POINTER):
        raise cannot_read(path, "it only points to a file in Git LFS. Fetch that with `git lfs pull`.")
    lines = lines_of(text)
    if not is_whole:
        lines = lines[:-1] or lines
    hint = _HINT.fullmatch(lines[0])
    start = max(reading.start, 1 if hint else 0)
    if not any(line.strip() for line in lines[start:]):
        raise cannot_read(path, f"nothing stands below its first {start:,} lines that are looked at.")
    said = reading.delimiter or (hint[1] if hint else None)
    delimiters = [said] if said else _candidates(lines[start:])
    tries = sorted((_Try(path, lines, start, each, is_whole) for each in delimiters), key=lambda one: -one.score)
    return tries[0].layout(encoding, reading)


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
        if not (is_total(row) or _is_note(row, above, kinds, width)):
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
    cell, place, before = filled[0].strip(), row.cells.index(filled[0]), above[-1]
    if kind_of_cell(cell) is not CellKind.TEXT:
        return False
    if row.first > before.last + 1 or not before.filled or _NOTE.match(cell):
        return True
    if place < len(kinds) and kinds[place].is_typed:
        return True
    longest = max((len(one.cells[place]) for one in above if one.fits(width)), default=0)
    return len(cell.split()) > 2 and len(cell) > 1.5 * longest


def _beginning(path: Path, encoding: str) -> tuple[str, bool]:
    """Return the text of the first part of a file, and whether that is all of it."""
    if encoding == MIXED:
        return decoded(path, encoding), True
    try:
        with path.open(encoding=encoding, newline="") as file:
            text = file.read(LOOKED_AT)
            return text.removeprefix("\ufeff"), not file.read(1)
    except UnicodeDecodeError as error:
        raise cannot_read(path, f"it is not {encoding} throughout ({error}). Save it as UTF-8.") from error
    except LookupError as error:
        raise cannot_read(path, f"`{encoding}` is no encoding. Name one such as `cp1252` or `utf-16`.") from error


def _candidates(lines: Sequence[str]) -> list[str]:
    """Return the signs that may stand between fields: the usual ones, and any other that many lines have."""
    some = [line for line in lines[:_ROWS_SCORED] if line.strip()]
    in_lines = Counter(sign for line in some for sign in set(line.rstrip("\r\n")))
    often = {sign for sign, count in in_lines.items() if count * 2 > len(some) and _may_separate(sign)}
    return [*_DELIMITERS, *sorted(often - set(_DELIMITERS))]


def _may_separate(sign: str) -> bool:
    is_space = sign.isspace() and sign not in _SEPARATORS_OF_FIELDS
    return not sign.isalnum() and sign not in _NEVER_BETWEEN_FIELDS and not is_space


class _Try:
    """The text under one delimiter: its rows, the longest run of rows of one width, and the kinds of its columns."""

    def __init__(self, path: Path, lines: Sequence[str], start: int, delimiter: str, is_whole: bool) -> None:
        self.path, self.lines, self.delimiter, self.is_whole = path, lines, delimiter, is_whole
        self.rows = list(rows_of(lines[start:], delimiter, start))
        self.width, self.begin, self.end = _longest_run(self.rows)
        run = self.rows[self.begin : self.end]
        full = [row.cells for row in run if len(row.filled) * 2 > self.width] or [row.cells for row in run]
        self.kinds = kinds_of_columns(full[len(full) // 2 :][:_ROWS_SCORED], self.width)
        self.score = self._score(run[:_ROWS_SCORED]) if self.rows else 0.0

    def _score(self, run: Sequence[Row]) -> float:
        """Return how much speaks for the delimiter; a text that it does not cut is one column."""
        cells = [cell for row in run for cell in row.cells[: self.width]]
        consistency = sum(kind.consistency for kind in self.kinds) / len(self.kinds)
        inside = (self.end - self.begin) / len(self.rows)
        if self.width < 2:
            return 0.01 * consistency * sum(len(row.cells) == 1 for row in self.rows) / len(self.rows)
        filled = sum(bool(cell.strip()) for cell in cells) / len(cells)
        odd = sum(cell.count('"') % 2 for cell in cells) / len(cells)
        present = sum(len(row.cells) > 1 for row in self.rows) / len(self.rows)
        if inside < _LEAST_SHARE and self.end - self.begin < 3:
            return 0.001
        return (
            consistency
            * inside
            * (0.5 + 0.5 * filled)
            * (1 - odd)
            * (1 + 0.08 * min(self.width, 8))
            * (0.9 + 0.1 * present)
        )

    def layout(self, encoding: str, reading: Reading) -> Layout:
        """Return where the table is under this delimiter; raises `ValueError` where its rows are not even."""
        begin, header = self._header() if reading.header is None else self._header_said(reading.header)
        first = begin + len(header)
        last = max(first, self._last() if reading.footer is None else self._last_said(reading.footer))
        above = [line.strip() for line in self.lines[: reading.start]] + [
            _written(self.lines, row, self.delimiter) for row in self.rows[:begin]
        ]
        while reading.header is None and self.width > 1 and first < last - 1 and is_total(self.rows[first]):
            above.append(_written(self.lines, self.rows[first], self.delimiter))
            first += 1
        table = self.rows[first:last]
        words = _joined([row.cells for row in header], self.width)
        filled = {place for row in table for place, cell in enumerate(row.cells) if cell.strip()}
        empty = {place for place, word in enumerate(words) if not word and table and place not in filled}
        start_line = table[0].first - 1 if table else self.rows[first - 1].last
        end_line = self.rows[last - 1].last
        return Layout(
            encoding=encoding,
            delimiter=self.delimiter,
            words=words,
            width=self.width + bool(table and all(len(row.cells) > self.width for row in table)),
            header=(header[0].first, header[-1].last) if header else None,
            above=[line for line in above if line],
            below=[_written(self.lines, row, self.delimiter) for row in self.rows[last:]],
            start=_bytes(self.lines[:start_line]),
            cut=_bytes(self.lines[end_line:]) if self.is_whole else 0,
            first_line=start_line + 1,
            is_whole=self.is_whole,
            has_rows=bool(table) or not self.is_whole,
            empty=frozenset(empty) if header else frozenset(),
        )

    def _header(self) -> tuple[int, list[Row]]:
        """Return the place of the first row of the header, and its rows; none where the first row is one of the table.

        Raises `ValueError` where the line above the rows could be their header but for its width.
        """
        run = self.rows[self.begin : self.end]
        begin, count = _header_in(run, self.kinds)
        if count == 0 and self.begin > 0:
            self._require_no_names(self.rows[self.begin - 1], run[0])
        if count == 0 or not any(kind.is_typed for kind in self.kinds):
            self._require_even(self.rows[: self.begin])
        return self.begin + begin, run[begin : begin + count]

    def _header_said(self, line: int) -> tuple[int, list[Row]]:
        """Return the header that somebody named, which is the first row looked at, or none."""
        self._require_fitting(self.rows[: self.begin])
        return 0, self.rows[:1] if line else []

    def _last_said(self, footer: int) -> int:
        """Return the place behind the last row of the table, where somebody said how many rows stand below it."""
        last = max(0, len(self.rows) - footer) if self.is_whole else len(self.rows)
        self._require_fitting(self.rows[self.end : last])
        return last

    def _require_fitting(self, rows: Sequence[Row]) -> None:
        if rows:
            raise self._uneven(rows[0])

    def _require_no_names(self, above: Row, first: Row) -> None:
        names = above.filled
        if len(names) > 1 and all(kind_of_cell(name) in (CellKind.TEXT, CellKind.CODE) for name in names):
            raise cannot_read(
                self.path,
                f"line {first.last} has {len(first.cells)} fields, the header has {len(above.cells)} (separated by "
                f"{self.delimiter!r}). Repair the header, or quote the field that was split.",
            )

    def _require_even(self, rows: Sequence[Row]) -> None:
        """Raise the error of the first row that has another width, where rows of the table's width are among them."""
        if any(row.fits(self.width) and len(row.filled) > 1 for row in rows):
            raise self._uneven(next((row for row in rows if not row.fits(self.width)), rows[0]))

    def _last(self) -> int:
        """Return the place behind the last row of the table; raises `ValueError` for what is neither row nor note."""
        run = self.rows[self.begin : self.end]
        last = self.end - (rows_below(run, self.kinds, self.width) if self.is_whole or self.end < len(self.rows) else 0)
        below = self.rows[self.end :]
        notes = rows_below([*run, *below], self.kinds, self.width)
        if below and notes < len(below):
            raise self._uneven(below[0])
        return min(last, len(self.rows) - notes) if below else last

    def _uneven(self, row: Row) -> ValueError:
        return cannot_read(
            self.path,
            f"line {row.last} has {len(row.cells)} fields, the header has {self.width} (separated by "
            f"{self.delimiter!r}). Repair that line, or quote the field that was split.",
        )


def _written(lines: Sequence[str], row: Row, delimiter: str) -> str:
    """Return a row as it is written, without the delimiters around it."""
    return "".join(lines[row.first - 1 : row.last]).strip(f" {delimiter}\r\n")


def _bytes(lines: Sequence[str]) -> int:
    return sum(len(line.encode("utf-8", "surrogatepass")) for line in lines)


def _longest_run(rows: Sequence[Row]) -> tuple[int, int, int]:
    """Return the width of the longest run of rows that have it, and the places where it begins and ends.

    Of runs of one length the widest is taken; rows of one cell make no run where there is another.
    """
    best = (1, 0, len(rows))
    longest = 0
    for width in sorted({len(row.cells) - less for row in rows for less in (0, 1)} - {0, 1}, reverse=True):
        at = 0
        for fits, group in itertools.groupby(rows, key=lambda row: row.fits(width)):
            length = sum(1 for _ in group)
            if fits and length > longest and (length > 1 or len(rows) == 1):
                best, longest = (width, at, at + length), length
            at += length
    return best


def _header_in(run: Sequence[Row], kinds: Sequence[ColumnKind]) -> tuple[int, int]:
    """Return the place of the first row of names in a run, and how many rows of them there are.

    Names are words where the columns below hold numbers, dates or codes; of a table of words the first row is taken.
    """
    typed = [place for place, kind in enumerate(kinds) if kind.is_typed]
    if not typed:
        return 0, 1
    named = [_is_of_words(row, kinds, typed) for row in run[:_MOST_ABOVE]]
    first = _first_of_words(run, named, typed)
    if first is None:
        return 0, int(_may_name(run, kinds, typed))
    begin, end = first, first + 1
    while begin > 0 and _is_of_groups(run[begin - 1], typed):
        begin -= 1
    while len(typed) > 1 and end - first < _MOST_HEADER_ROWS and end < len(run) - 1 and named[end : end + 1] == [True]:
        end += 1
    whole = next((place for place in range(begin, end) if _is_whole(run[place].cells)), begin)
    return whole, end - whole


def _is_of_words(row: Row, kinds: Sequence[ColumnKind], typed: Sequence[int]) -> bool:
    """Tell whether a row has words, and nothing else, in most columns that hold none."""
    there = [place for place in typed if row.cells[place].strip()]
    return len(there) * 2 >= len(typed) and all(kinds[place].is_unlike(row.cells[place]) for place in there)


def _first_of_words(run: Sequence[Row], named: Sequence[bool], typed: Sequence[int]) -> int | None:
    """Return the place of the first row of words; below other rows only where that can be no row of the table."""
    for place in (place for place, is_named in enumerate(named) if is_named):
        above = run[:place]
        if all(_is_of_groups(row, typed) or len(row.filled) < 2 for row in above):
            return place
        if len(typed) > 1 and place < len(run) / 2:
            return place
        if run[place].first > run[place - 1].last + 1 and place < len(run) / 2:
            return place
    return None


def _is_of_groups(row: Row, typed: Sequence[int]) -> bool:
    """Tell whether a row may name groups of columns: it has words, and gaps above some columns."""
    is_title = len(row.filled) == 1 and bool(row.cells[0].strip())
    return bool(row.filled) and not is_title and any(not row.cells[place].strip() for place in typed)


def _may_name(run: Sequence[Row], kinds: Sequence[ColumnKind], typed: Sequence[int]) -> bool:
    """Tell whether the first row names the columns although some names look like values: years, days or numbers."""
    there = [place for place in typed if run[0].cells[place].strip()]
    unlike = [place for place in there if kinds[place].is_unlike(run[0].cells[place])]
    if not there or len(unlike) * 2 > len(there):
        return bool(run[0].filled)
    others = [place for place in there if place not in unlike]
    if any(kinds[place].kind is not CellKind.NUMBER for place in others):
        return False
    columns = [[row.cells[place].strip() for row in run[: _ROWS_SCORED + 1]] for place in others]
    return _is_sequence([column[0] for column in columns]) and not any(
        map(_is_sequence, [*zip(*columns, strict=True)][1:])
    )


def _is_sequence(cells: Sequence[str]) -> bool:
    """Tell whether cells are different days, or years or numbers in their order."""
    if all(kind_of_cell(cell) is CellKind.DATE for cell in cells):
        return len(set(cells)) == len(cells)
    if not all(re.fullmatch(r"[0-9]{1,4}", cell) for cell in cells):
        return False
    numbers = [int(cell) for cell in cells]
    steps = {after - before for before, after in itertools.pairwise(numbers)}
    are_years = all(1800 <= number <= 2200 for number in numbers)
    is_counted = numbers[0] == 0 or (steps == {1} and numbers[0] == 1)
    return (steps <= {1} and is_counted) or (len(steps) <= 1 and steps != {0} and are_years)


def _is_whole(names: Sequence[str]) -> bool:
    """Tell whether names are one for each column, all different."""
    return all(names) and len({*names}) == len(names)


def _joined(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return one name for each column: a row that names them all alone, or what stands above each other."""
    cut = [[cell.strip() for cell in row[:width]] for row in rows]
    whole = next(filter(_is_whole, cut), None)
    if whole is not None or len(cut) < 2:
        return whole or (cut[0] if cut else [""] * width)
    spread = [_spread_out(row) for row in cut[:-1]] + cut[-1:]
    return [" ".join(dict.fromkeys(part for part in parts if part)) for parts in zip(*spread, strict=True)]


def _spread_out(row: Sequence[str]) -> list[str]:
    """Return a row of labels with each written over all columns that it is meant for."""
    spread = [""]
    for cell in row:
        spread.append(cell or spread[-1])
    return spread[1:]
