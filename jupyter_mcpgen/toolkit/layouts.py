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
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from jupyter_mcpgen.toolkit.cell_kinds import CellKind, ColumnKind, kind_of_cell, kinds_of_columns
from jupyter_mcpgen.toolkit.columns import unique_names
from jupyter_mcpgen.toolkit.encodings import MIXED, UnclearTextError, decoded
from jupyter_mcpgen.toolkit.names_in_text import MOST_ABOVE, header_in, joined_names, names_of_a_table
from jupyter_mcpgen.toolkit.text_rows import Row, is_beside, is_total, lines_of, rows_below, rows_of

LOOKED_AT = 1 << 18
"""How many bytes of the beginning of a file are looked at for its layout."""
FOOT_BYTES = 1 << 16
_USUAL = (",", ";", "\t", "|")
_DELIMITERS = (*_USUAL, "#", "~", "^", ":")
_NEVER_BETWEEN_FIELDS = frozenset(" .-‐‑‒–—―−_/\\()[]{}'\"%+=<>*&@!?$€£¥°`’“”")
_SEPARATORS_OF_FIELDS = frozenset("\x1c\x1d\x1e\x1f")
"""Signs that were made to stand between fields; Python counts them as spaces."""
_ROWS_SCORED, _ROWS_FOR_KINDS, _LINES_SCORED = 100, 400, 1_000
_LEAST_LINES, _MOST_IN_LINES = 3, 1 << 24
_MOST_BETWEEN_FIELDS = 1 << 18
"""So many signs that may stand between fields are no longer looked through: no table has so many columns."""
_NEAR = 0.15
_PREVIEWED, _PREVIEWED_SIGNS = 5, 20
_LEAST_SHARE = 0.2
GROUPED = r"^\s*[+-]?([1-9][0-9]{0,2}\.[0-9]{3}|[1-9][0-9]{0,2}|0)\s*$"
"""What a number is written like if points stand between its thousands; not every one of them has any."""
_IN_QUOTES = re.compile('"[^"]*("|$)')
_POINTER = "version https://git-lfs."
_HINT = re.compile(r"sep=(.)\s*")


class Reading(NamedTuple):
    """What is said of how a text file is written; what is not said is found.

    `skip` lines at the start are left out. `header` is the line of the names, from 1, or 0 where there are none; what
    stands above it is left out. `footer` counts the rows at the end that are left out. `missing` are words that stand
    for a missing value, besides the usual ones. `decimal` is the mark before decimals. `sheet` is the table that is
    meant where a file has several: no text.
    """

    delimiter: str | None = None
    encoding: str | None = None
    skip: int = 0
    header: int | None = None
    footer: int | None = None
    missing: tuple[str, ...] = ()
    decimal: str | None = None
    sheet: str | None = None

    @property
    def start(self) -> int:
        """Return how many lines are not looked at."""
        return self.header - 1 if self.header else self.skip


NOTHING_SAID = Reading()


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

    def may_group(self, words: pa.ChunkedArray, decimal: str | None = None) -> bool:
        """Tell whether points may stand between thousands: files with `;` come from where `1.234` is a large number.

        Where it is known, the mark before `decimal` parts tells it.
        """
        groups = self.delimiter == ";" if decimal is None else decimal == ","
        if not groups or words.null_count == len(words):
            return False
        dotted = bool(pc.any(pc.match_substring(words, ".")).as_py())
        return dotted and bool(pc.all(pc.match_substring_regex(words, GROUPED)).as_py())


def place_of_decimals(words: pa.ChunkedArray) -> int | None:
    """Return the place of the first number with a point that cannot stand between thousands."""
    has_point = pc.match_substring(words, ".")
    found = pc.and_(has_point, pc.invert(pc.match_substring_regex(words, GROUPED)))
    place = int(pc.index(found, pa.scalar(value=True)).as_py())
    return place if place >= 0 else None


def cannot_read(path: Path, reason: object) -> ValueError:
    """Return the error that a file is no table."""
    return ValueError(f"`{path.name}` cannot be read as a table: {reason}")


def unclear(path: Path, reason: object) -> UnclearTextError:
    """Return the error that a file is no table as far as its text tells."""
    return UnclearTextError(f"`{path.name}` cannot be read as a table: {reason}")


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
        if _has_too_many_fields(lines[-1]):
            signs = f"more than {_MOST_BETWEEN_FIELDS:,} signs that may stand between fields"
            raise cannot_read(
                path, f"its line {len(lines):,} has {signs}. Check that its lines end, or use a part of it."
            )
        lines = lines[:-1] or lines
    hint = _HINT.fullmatch(lines[0])
    start = max(reading.start, 1 if hint else 0)
    if not any(line.strip() for line in lines[start:]):
        raise cannot_read(path, f"nothing stands below its first {start:,} lines that are looked at.")
    said = reading.delimiter or (hint[1] if hint else None)
    delimiters = [said] if said else _candidates(lines[start:])
    tries = _tries(path, lines[: start + _LINES_SCORED], start, delimiters, is_whole)
    best = _without_cut_values(tries)
    _require_one(path, best, tries)
    if len(lines) > start + _LINES_SCORED:
        (best,) = _tries(path, lines, start, [best.delimiter], is_whole)
    return best.layout(encoding, reading)


def _beginning(path: Path, encoding: str) -> tuple[str, bool]:
    """Return the text of the first part of a file, and whether that is all of it."""
    if encoding == MIXED:
        return decoded(path, encoding), True
    try:
        with path.open(encoding=encoding, newline="") as file:
            text = file.read(LOOKED_AT)
            while _is_too_short(text) and (more := file.read(LOOKED_AT)):
                text += more
            return text.removeprefix("\ufeff"), not file.read(1)
    except UnicodeDecodeError as error:
        raise cannot_read(path, f"it is not {encoding} throughout ({error}). Save it as UTF-8.") from error
    except LookupError as error:
        raise cannot_read(path, f"`{encoding}` is no encoding. Name one such as `cp1252` or `utf-16`.") from error


def _is_too_short(text: str) -> bool:
    """Tell whether too few lines were read, and may be found a little further on."""
    few = max(text.count("\n"), text.count("\r")) < _LEAST_LINES
    return few and len(text) < _MOST_IN_LINES and not _has_too_many_fields(text)


def _has_too_many_fields(text: str) -> bool:
    """Tell whether a text has more signs between fields than are looked through; those inside of quotes are none."""
    if all(text.count(sign) <= _MOST_BETWEEN_FIELDS for sign in _USUAL):
        return False
    outside = _IN_QUOTES.sub("", text)
    return any(outside.count(sign) > _MOST_BETWEEN_FIELDS for sign in _USUAL)


def _candidates(lines: Sequence[str]) -> list[str]:
    """Return the signs that may stand between fields: the usual ones, and any other that many lines have."""
    some = [line for line in lines[:_ROWS_SCORED] if line.strip()]
    in_lines = Counter(sign for line in some for sign in set(line.rstrip("\r\n")))
    often = {sign for sign, count in in_lines.items() if count * 2 > len(some) and _may_separate(sign)}
    return [*_DELIMITERS, *sorted(often - set(_DELIMITERS))]


def _tries(path: Path, lines: Sequence[str], start: int, delimiters: Sequence[str], is_whole: bool) -> list[_Try]:
    """Return the text under each delimiter that leaves it any rows, the best one first."""
    tries = [_Try(path, lines, start, each, is_whole) for each in delimiters]
    if not any(one.rows for one in tries):
        longest = csv.field_size_limit()
        raise unclear(path, f"its first field has more than {longest:,} signs. Close its quote, if it has one.")
    return sorted((one for one in tries if one.rows), key=lambda one: -one.score)


def _may_separate(sign: str) -> bool:
    is_space = sign.isspace() and sign not in _SEPARATORS_OF_FIELDS
    return not sign.isalnum() and sign not in _NEVER_BETWEEN_FIELDS and not is_space


def _without_cut_values(tries: Sequence[_Try]) -> _Try:
    """Return the best try, or one near it whose numbers, dates and times the best one cuts at its delimiter."""
    best = tries[0]
    for rival in tries[1:]:
        if rival.score * 2 > best.score and rival.cut >= best.cut and rival.has_in_values(best.delimiter):
            return best if best.has_in_values(rival.delimiter) else rival
    return best


def _require_one(path: Path, best: _Try, tries: Sequence[_Try]) -> None:
    """Raise the error of a text that two delimiters cut into equally good tables, or one into rows of no one width."""
    for rival in tries:
        is_near = rival.score > (1 - _NEAR) * best.score and rival.width > 1 and rival.cut >= best.cut
        if rival is not best and is_near and not best.has_in_values(rival.delimiter):
            line = best.rows[best.begin].first
            again = next((row for row in rival.rows if row.first >= line), rival.rows[-1])
            raise unclear(
                path,
                f"its fields may be separated by {best.delimiter!r} or by {rival.delimiter!r}. Line {line} is then "
                f"{_previewed(best.rows[best.begin])} or {_previewed(again)}. Write `sep={best.delimiter}` or "
                f"`sep={rival.delimiter}` on a line of its own above the first one.",
            )
        if best.width == 1 and rival.delimiter in _USUAL and len(rival.rows[0].cells) > 1 + (rival.delimiter == ","):
            width = len(rival.rows[0].cells)
            raise rival.uneven(next((row for row in rival.rows if not row.fits(width)), rival.rows[0]), width)


def _previewed(row: Row) -> str:
    return " | ".join(f"“{cell.strip()[:_PREVIEWED_SIGNS]}”" for cell in row.cells[:_PREVIEWED])


class _Try:
    """The text under one delimiter: its rows, the longest run of rows of one width, and the kinds of its columns."""

    def __init__(self, path: Path, lines: Sequence[str], start: int, delimiter: str, is_whole: bool) -> None:
        self.path, self.lines, self.delimiter = path, lines, delimiter
        self.rows = list(rows_of(lines[start:], delimiter, start))
        self.is_whole = is_whole and bool(self.rows) and not "".join(lines[self.rows[-1].last :]).strip()
        self.width, self.begin, self.end = _longest_run(self.rows)
        run = self.rows[self.begin : self.end]
        self.kinds = _kinds_below(run[:_ROWS_FOR_KINDS], self.width)
        self.cut = sum(len(row.cells) > 1 for row in self.rows)
        """How many rows the delimiter cuts."""
        self.score = self._score(run[:_ROWS_SCORED]) if self.rows else 0.0

    def has_in_values(self, sign: str) -> bool:
        """Tell whether most numbers, dates or times of a column have a sign in them."""
        run = self.rows[self.begin : self.end][:_ROWS_SCORED]
        values = (
            [row.cells[at].strip() for row in run if row.cells[at].strip()]
            for at, kind in enumerate(self.kinds)
            if self.width > 1 and kind.kind in (CellKind.NUMBER, CellKind.DATE, CellKind.TIME)
        )
        return any(sum(sign in cell for cell in cells) * 2 > len(cells) for cells in values)

    def _score(self, run: Sequence[Row]) -> float:
        """Return how much speaks for the delimiter; a text that it does not cut is one column."""
        cells = [cell for row in run for cell in row.cells[: self.width]]
        consistency = sum(kind.consistency for kind in self.kinds) / len(self.kinds)
        inside = (self.end - self.begin) / len(self.rows)
        if self.width < 2:
            return 0.01 * consistency * (1 - self.cut / len(self.rows))
        filled = sum(bool(cell.strip()) for cell in cells) / len(cells)
        odd = sum(cell.count('"') % 2 for cell in cells) / len(cells)
        present = self.cut / len(self.rows)
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
        self._require_closed(self.rows[-1])
        begin, header = self._header() if reading.header is None else self._header_said(reading.header)
        first = begin + len(header)
        last = max(first, self._last(first) if reading.footer is None else self._last_said(reading.footer))
        above = [line.strip() for line in self.lines[: reading.start]] + [
            _written(self.lines, row, self.delimiter) for row in self.rows[:begin]
        ]
        while reading.header is None and self.width > 1 and first < last - 1 and self._is_opening(first, last):
            above.append(_written(self.lines, self.rows[first], self.delimiter))
            first += 1
        table = self.rows[first:last]
        self._require_one_table(begin, header, table)
        words = joined_names([row.cells for row in header], self.width)
        filled = {place for row in table for place, cell in enumerate(row.cells) if cell.strip()}
        named = {place for row in header for place, cell in enumerate(row.cells) if cell.strip()}
        empty = set(range(len(words))) - filled - named if table else set()
        if reading.header is None:
            self._require_names(header, filled - named)
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
            empty=frozenset(empty) if header else frozenset(empty & {self.width - 1}),
        )

    def _header(self) -> tuple[int, list[Row]]:
        """Return the place of the first row of the header, and its rows; none where the first row is one of the table.

        Raises `ValueError` where the line above the rows could be their header but for its width.
        """
        run = self.rows[self.begin : self.end]
        begin, count = header_in(run, self.kinds)
        if count == 0 and self.begin > 0:
            self._require_no_names(self.rows[self.begin - 1], run[0])
        if not any(kind.is_typed for kind in self.kinds):
            self._require_no_gap(run[begin:])
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

    def _require_one_table(self, begin: int, header: Sequence[Row], table: Sequence[Row]) -> None:
        """Raise the error of a file with several tables, or of a header that is repeated."""
        if not table:
            return
        start = (header[0] if header else table[0]).first
        names = [row.cells for row in header if self.width > 1 or self.kinds[0].is_typed]
        again = next((row for row in table if row.cells in names), None)
        if again is not None:
            line = header[names.index(again.cells)].first
            raise unclear(
                self.path,
                f"its header on line {line} stands again on line {again.first}. Remove that line, or what follows it; "
                f"if line {line} holds no names, write some above it.",
            )
        other = names_of_a_table([row for row in self.rows[:begin] if not row.is_comment], 0) or names_of_a_table(
            table, 1
        )
        if other is not None:
            raise self._two_tables(start, other.first)

    def _require_closed(self, last: Row) -> None:
        """Raise the error of a quote without an end: all that follows it would be one cell."""
        lines = [*self.lines[last.first - 1 : last.last], "x"]
        if self.is_whole and len([*csv.reader(lines, delimiter=self.delimiter)]) < 2:
            raise unclear(
                self.path,
                f"a quote that line {last.first} opens is never closed. Close it, or save the whole file again.",
            )

    def _require_names(self, header: Sequence[Row], unnamed: set[int]) -> None:
        """Raise the error of a wide table under a line that names one or two of its columns: it may be no header."""
        if header and self.width > 3 and len(unnamed) > 1 and header[0].is_title(self.width):
            raise unclear(
                self.path,
                f"line {header[0].first} names {len(header[0].filled)} of {self.width} columns. Name the others, or "
                "remove that line if it holds no names.",
            )

    def _two_tables(self, one: int, other: int) -> ValueError:
        return unclear(
            self.path,
            f"it holds two tables: one begins on line {min(one, other)}, another on line {max(one, other)}. "
            "Save each in a file of its own.",
        )

    def _require_no_gap(self, run: Sequence[Row]) -> None:
        """Raise the error of pairs of words that a blank line parts: what stands above it may be no rows."""
        for before, row in itertools.pairwise(run[:MOST_ABOVE] if self.width == 2 else ()):
            if row.first > before.last + 1:
                raise unclear(
                    self.path,
                    f"the names of its columns may stand on line {run[0].first} or, below a blank line, on line "
                    f"{row.first}. Remove the blank line, or what stands above it.",
                )

    def _require_fitting(self, rows: Sequence[Row]) -> None:
        if rows:
            raise self.uneven(rows[0])

    def _require_no_names(self, above: Row, first: Row) -> None:
        names = above.filled
        if (
            len(names) > 1
            and not above.is_comment
            and all(kind_of_cell(name) in (CellKind.TEXT, CellKind.CODE) for name in names)
        ):
            raise unclear(
                self.path,
                f"line {first.last} has {len(first.cells)} fields, the header has {len(above.cells)} (separated by "
                f"{self.delimiter!r}). Repair the header, or quote the field that was split.",
            )

    def _require_even(self, rows: Sequence[Row]) -> None:
        """Raise the error of the first row that has another width, where rows of the table's width are among them."""
        if any(row.fits(self.width) and len(row.filled) > 1 and not row.is_title(self.width) for row in rows):
            raise self.uneven(next((row for row in rows if not row.fits(self.width)), rows[0]))

    def _is_opening(self, first: int, last: int) -> bool:
        """Tell whether the first row below the names is a total, or a figure that the rows begin from."""
        row = self.rows[first]
        return is_total(row) or is_beside(row, self.rows[first + 1 : last], self.width)

    def _last(self, first: int) -> int:
        """Return the place behind the last row of the table, of which the first one is known.

        Raises `ValueError` for what is neither row nor note.
        """
        run = self.rows[max(self.begin, min(first, self.end) - 1) : self.end]
        last = self.end - (rows_below(run, self.kinds, self.width) if self.is_whole or self.end < len(self.rows) else 0)
        below = self.rows[self.end :]
        notes = rows_below([*run, *below], self.kinds, self.width)
        if below and notes < len(below):
            other = names_of_a_table([*run[-1:], *below], 1)
            raise self._two_tables(run[0].first, other.first) if other else self.uneven(below[0])
        return min(last, len(self.rows) - notes) if below else last

    def uneven(self, row: Row, width: int | None = None) -> ValueError:
        """Return the error of a row of another width than its header, or than `width`."""
        return unclear(
            self.path,
            f"line {row.last} has {len(row.cells)} fields, the header has {width or self.width} (separated by "
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


def _kinds_below(run: Sequence[Row], width: int) -> list[ColumnKind]:
    """Return the kinds of the columns of a run, from its lower half: names stand in the upper one."""
    rows = [row for row in run[1:] if row.cells != run[0].cells and any(map(str.strip, row.cells))] or run
    full = [row for row in rows if len(row.filled) * 2 >= width]
    cells = [row.cells for row in (full if len(full) * 2 >= len(rows) else rows)]
    return kinds_of_columns(cells[len(cells) // 2 :][:_ROWS_SCORED], width)
