"""Whether the table in a file has more rows or columns than a run may take, without loading it."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from jupyter_mcpgen.data.json_extent import json_extent
from jupyter_mcpgen.data.one_look import OneLook, one_look
from jupyter_mcpgen.errors import DataTooLarge

if TYPE_CHECKING:
    import pyarrow as pa

_ARROW = (".feather", ".arrow", ".ipc")
_PARQUET = (".parquet", ".pq")
_FILE = b"ARROW1"
_LINES = (".jsonl", ".ndjson")
_DELIMITERS = (",", ";", "\t", "|")
_LEAST_BYTES_OF_A_ROW = 2
_HEAD_BYTES = 1 << 20
_LONGEST_LINE = 1 << 22
_SECONDS = 30.0
_LINES_AT_ONCE = 10_000


def require_bounded(
    path: Path,
    most_rows: int,
    most_columns: int,
    seconds: float = _SECONDS,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Raise `DataTooLarge` when a table file is beyond the limits, `DataTooSlow` when that takes too many seconds.

    Columnar files say how large they are. Of a text file the lines are counted, and the rows only where the lines are
    too many: a value may hold a line break. Of a JSON document the rows are counted as it is read through, without
    keeping them. A file that is no table is bounded by memory; the tool says why it cannot be read. The path is one
    without links; raises `DataMoved` where one was put there since.
    """
    with one_look(path, seconds, clock) as look:
        rows, columns = _size(look, most_rows)
    if rows > most_rows or columns > most_columns:
        raise DataTooLarge(path.name, rows, columns, most_rows, most_columns)


def _size(look: OneLook, most_rows: int) -> tuple[int, int]:
    """Return rows and columns, exactly where they are beyond the limits and else at least as many as there are."""
    match look.path.suffix.lower():
        case suffix if suffix in _PARQUET or suffix in _ARROW:
            return _columnar(look)
        case ".json":
            return json_extent(look.pieces())
        case suffix if suffix in _LINES:
            return _lines(look, most_rows), 0
        case _:
            return _delimited(look, most_rows)


def _columnar(look: OneLook) -> tuple[int, int]:
    import pyarrow as pa  # deferred: 60 ms
    import pyarrow.parquet as parquet

    try:
        if look.path.suffix.lower() in _PARQUET:
            facts = parquet.read_metadata(look.place)
            return facts.num_rows, len(facts.schema.to_arrow_schema().names)
        with pa.memory_map(look.place) as source:
            if source.read(len(_FILE)) == _FILE:
                columns = len(pa.ipc.open_file(source).schema.names)
                opened = pa.ipc.open_file(source, options=pa.ipc.IpcReadOptions(included_fields=[0]))
                batches = map(opened.get_batch, range(opened.num_record_batches))
                return sum(batch.num_rows for batch in _in_time(batches, look)), columns
            source.seek(0)
            stream = pa.ipc.open_stream(source)
            return sum(batch.num_rows for batch in _in_time(stream, look)), len(stream.schema.names)
    except (pa.ArrowException, OSError, ValueError):
        return 0, 0  # the tool says what is wrong with it


def _in_time(batches: Iterable[pa.RecordBatch], look: OneLook) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        look.require_time()
        yield batch


def _delimited(look: OneLook, most_rows: int) -> tuple[int, int]:
    head = look.head(_HEAD_BYTES).decode("utf-8", "replace").replace("\0", "")
    columns = max(_values_of_first_row(head, mark) for mark in _DELIMITERS)
    rows = _lines(look, most_rows) - 1
    if rows > most_rows:
        # Where a value or a line is too long, it has as many rows as lines.
        with suppress(csv.Error), look.text() as text:
            rows = sum(1 for row in csv.reader(_without_nul(text, look)) if row) - 1
    return max(rows, 0), columns


def _values_of_first_row(head: str, delimiter: str) -> int:
    try:
        return len(next(csv.reader(io.StringIO(head, newline=""), delimiter=delimiter), ()))
    except csv.Error:
        return 0  # a value that is too long, or no text at all: the tool says what is wrong with it


def _lines(look: OneLook, most_rows: int) -> int:
    """Return how many lines a file has; a file that is too small for so many rows is not read."""
    if look.size < _LEAST_BYTES_OF_A_ROW * most_rows:
        return 0
    lines, last = 0, b"\n"
    for piece in look.pieces():
        lines += piece.count(b"\n")
        last = piece[-1:]
    return lines + (last != b"\n")


def _without_nul(text: TextIO, look: OneLook) -> Iterator[str]:
    """Give line after line; raises `csv.Error` for one that no row is so long as, before it is in memory."""
    for number in count():
        if number % _LINES_AT_ONCE == 0:
            look.require_time()
        line = text.readline(_LONGEST_LINE)
        if len(line) == _LONGEST_LINE:
            raise csv.Error("a line is too long")
        if not line:
            return
        yield line.replace("\0", "")
