"""Writes a large text file as Parquet piece by piece, with the values that it has when it is read whole.

The type of a column is known once its last word is. What is known so far is taken for right, and the file is gone
through a second time where the rest of it says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as parquet

from jupyter_mcpgen.toolkit.columns import (
    KINDS,
    WordKind,
    all_match,
    are_codes,
    converted,
    loses_digits,
    without_formulas,
)
from jupyter_mcpgen.toolkit.layouts import GROUPED, Layout, Reading
from jupyter_mcpgen.toolkit.tables import TextInPieces, in_pieces

PIECE_BYTES = 1 << 21
"""Larger pieces are not read faster, and many of them are held at a time."""
_PIECES_OF_A_GROUP = 4
"""Queries read few groups of many rows faster than many groups of few."""
_THREADS = 3
"""Two for the columns of a piece, and one that writes the piece before."""
_MOST_TIMES = 5
"""How often a file is gone through: a column of whole numbers turns into one of fractions, then into one of text."""
_LOOKED_AT = 1_000
"""So many words tell whether most words of a piece are different ones."""
_NA = "NA"


@dataclass(frozen=True)
class _Taken:
    """How a column is written: as this kind of value, or as text where there is none."""

    kind: WordKind | None
    is_empty: bool
    na_is_code: bool

    @property
    def type(self) -> pa.DataType:
        """Return the type of the values; a column without any is one of numbers, as pandas has it."""
        return pa.float64() if self.is_empty else pa.string() if self.kind is None else self.kind.type

    def fits(self, values: pa.Array | None) -> bool:
        """Tell whether values that were made of words are of this kind."""
        return values is None or self.is_empty or self.kind is None or values.type == self.type

    def written(self, words: pa.Array, values: pa.Array | None) -> pa.Array:
        """Return what is written of a piece: its values, or its words where the column is one of text."""
        if self.is_empty or (values is None and not self.na_is_code):
            return pa.nulls(len(words), self.type)
        if self.kind is not None:
            return values
        return without_formulas(words if self.na_is_code else _with_gaps(words))


@dataclass
class _Column:
    """What the words of a column are, as far as they were seen; going through them once more only adds to it."""

    kinds: tuple[WordKind, ...] = KINDS
    """The kinds that the words may be of; the first one fits all that were seen since it is the first."""
    has_words: bool = False
    has_gaps: bool = False
    exact_in_floats: bool = True
    """Whether every whole number is kept by a column of fractions, which gaps make of it."""
    has_na: bool = False
    codes: pa.Array | None = field(default_factory=lambda: pa.array([], pa.string()))
    has_points: bool = False
    is_grouped: bool = True
    may_be_json: bool = True
    repeats: bool = False
    """Whether most words of the last piece are the same as others."""

    def values(self, words: pa.Array) -> pa.Array | None:
        """Take note of more words, and return them as values of the first kind that fits; None where all are gaps."""
        self._see_codes(words)
        if pc.index(words, _NA).as_py() >= 0:
            self.has_na = True
            words = _with_gaps(words)
        self.has_gaps = self.has_gaps or words.null_count > 0
        if words.null_count == len(words):
            return None
        self.has_words = True
        self.repeats = len(pc.unique(words[:_LOOKED_AT])) * 2 <= min(len(words), _LOOKED_AT)
        places, distinct = None, words
        if self.repeats and (self.kinds or self.is_grouped or self.may_be_json):
            coded = words.dictionary_encode()
            places, distinct = coded.indices, coded.dictionary
        self.has_points = self.has_points or pc.any(pc.match_substring(distinct, ".")).as_py()
        self.is_grouped = self.is_grouped and all_match(distinct, GROUPED)
        trimmed = pc.utf8_trim_whitespace(distinct)
        self.may_be_json = self.may_be_json and pc.all(pc.starts_with(trimmed, "{")).as_py()
        while self.kinds:
            typed = converted(trimmed, self.kinds[0])
            if typed is not None:
                if self.exact_in_floats and pa.types.is_integer(self.kinds[0].type):
                    self.exact_in_floats = not loses_digits(trimmed, self.kinds[0])
                return typed if places is None else typed.take(places)
            self.kinds = self.kinds[1:]
        return words

    def _see_codes(self, words: pa.Array) -> None:
        if words.null_count == len(words):
            return
        if self.codes is not None and all_match(words, "^[A-Z]{2}$"):
            self.codes = pc.unique(pa.concat_arrays([self.codes, words.drop_null()]))
        else:
            self.codes = None

    def taken(self, delimiter: str, na_is_code: bool) -> _Taken:
        """Return how the column is written if there are no other words than these."""
        na_is_code = na_is_code and self.has_na
        has_gaps = self.has_gaps or (self.has_na and not na_is_code)
        if has_gaps and not self.exact_in_floats:
            self.kinds = tuple(kind for kind in self.kinds if not pa.types.is_integer(kind.type))
        is_grouped = delimiter == ";" and self.has_points and self.is_grouped
        kind = None if is_grouped or na_is_code or not self.kinds else self.kinds[0]
        return _Taken(kind, not (self.has_words or na_is_code), na_is_code)


def write_in_pieces(file_path: str, reading: Reading, target: Path, about: Mapping[bytes, bytes]) -> bool:
    """Write the table of a text file as Parquet, with what is to be known `about` it.

    False where it has to be read whole: it is in another encoding than UTF-8, its rows are uneven, or its cells are
    JSON objects. What was written so far is to be thrown away then.
    """
    text = in_pieces(file_path, reading)
    if text is None:
        return False
    columns = [_Column() for _ in text.layout.words]
    try:
        ends = (_gone_through(text, columns, target, about) for _ in range(_MOST_TIMES))
        return next((end for end in ends if end is not _Ended.CHANGED), None) is _Ended.WRITTEN
    except pa.ArrowInvalid:  # a row of another width, or what is no UTF-8
        return False


class _Ended(Enum):
    """How going through a file ended."""

    WRITTEN = auto()
    CHANGED = auto()
    """A column is something else than it seemed at first."""
    UNEVEN = auto()


def _gone_through(text: TextInPieces, columns: list[_Column], target: Path, about: Mapping[bytes, bytes]) -> _Ended:
    """Go through a file once, and write its pieces for as long as the columns are what they seem."""
    layout, first = text.layout, None
    with ThreadPoolExecutor(_THREADS) as threads, _Groups(target, about, threads) as groups:
        for piece in text.pieces(PIECE_BYTES):
            if _is_uneven(piece, layout):
                return _Ended.UNEVEN
            words = piece.columns[: len(columns)]
            values = list(threads.map(_Column.values, columns, words))
            taken = _taken(columns, layout)
            first = taken if first is None else first
            if taken != first or not all(map(_Taken.fits, taken, values)):
                first = ()
                continue
            written = list(threads.map(_Taken.written, taken, words, values))
            repeated = [name for name, column in zip(layout.every_name, columns, strict=True) if column.repeats]
            groups.write(pa.record_batch(dict(_shown(layout, taken, written))), repeated)
    if any(column.may_be_json and column.has_words for column in columns):
        return _Ended.UNEVEN
    return _Ended.WRITTEN if _taken(columns, layout) == first else _Ended.CHANGED


class _Groups:
    """Writes pieces into a Parquet file, several at a time, while the next ones are read."""

    def __init__(self, target: Path, about: Mapping[bytes, bytes], threads: ThreadPoolExecutor) -> None:
        self._target, self._about, self._threads = target, about, threads
        self._file: parquet.ParquetWriter | None = None
        self._waiting: list[pa.RecordBatch] = []
        self._writing: Future[None] | None = None

    def __enter__(self) -> _Groups:
        return self

    def __exit__(self, *_: object) -> None:
        self._flush()
        if self._writing is not None:
            self._writing.result()
        if self._file is not None:
            self._file.close()

    def write(self, piece: pa.RecordBatch, repeated: list[str]) -> None:
        """Take one more piece; `repeated` are the columns with few different values, which are written once."""
        if self._file is None:
            schema = piece.schema.with_metadata(dict(self._about))
            self._file = parquet.ParquetWriter(self._target, schema, use_dictionary=repeated)
        self._waiting.append(piece)
        if len(self._waiting) == _PIECES_OF_A_GROUP:
            self._flush()

    def _flush(self) -> None:
        if self._writing is not None:
            self._writing.result()
        if self._file is not None and self._waiting:
            group = pa.Table.from_batches(self._waiting).cast(self._file.schema)
            self._writing, self._waiting = self._threads.submit(self._file.write_table, group), []


def _shown(layout: Layout, taken: tuple[_Taken, ...], values: list[pa.Array]) -> Iterator[tuple[str, pa.Array]]:
    """Yield the columns with a name or a value."""
    for place, (name, column) in enumerate(zip(layout.every_name, values, strict=True)):
        if not (place in layout.empty and taken[place].is_empty):
            yield name, column


def _is_uneven(piece: pa.RecordBatch, layout: Layout) -> bool:
    """Tell whether rows have values beyond the named columns, or are the names once more: neither is one table."""
    surplus = piece.columns[len(layout.words) :]
    if any(column.null_count < len(column) for column in surplus):
        return True
    if layout.is_whole or layout.header is None:
        return False
    rows = pa.array(np.arange(len(piece)))
    for column, name in zip(piece.columns, layout.words, strict=False):
        rows = rows.filter(pc.equal(column.take(rows), name))
        if not len(rows):
            return False
    return True


def _taken(columns: list[_Column], layout: Layout) -> tuple[_Taken, ...]:
    with_na = [column for column in columns if column.has_na]
    na_is_code = all(column.codes is not None and are_codes(column.codes) for column in with_na)
    return tuple(column.taken(layout.delimiter, na_is_code) for column in columns)


def _with_gaps(words: pa.Array) -> pa.Array:
    return pc.if_else(pc.equal(words, _NA), pa.scalar(None, pa.string()), words)
