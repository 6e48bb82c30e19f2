"""Whether the table in a file has more rows or columns than a run may take, without loading it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from jupyter_mcpgen.data.json_extent import json_extent
from jupyter_mcpgen.errors import DataTooLarge

_ARROW = (".feather", ".arrow", ".ipc")
_PARQUET = (".parquet", ".pq")
_FILE = b"ARROW1"
_LINES = (".jsonl", ".ndjson")
_DELIMITERS = (",", ";", "\t", "|")
_LEAST_BYTES_OF_A_ROW = 2
_HEAD_BYTES = 1 << 20
_CHUNK_BYTES = 1 << 22


def require_bounded(path: Path, most_rows: int, most_columns: int) -> None:
    """Raise `DataTooLarge` when a table file is beyond the limits.

    Columnar files say how large they are. Of a text file the lines are counted, and the rows only where the lines are
    too many: a value may hold a line break. Of a JSON document the rows are counted as it is read through, without
    keeping them. A file that is no table is bounded by memory; the tool says why it cannot be read.
    """
    rows, columns = _size(path, most_rows)
    if rows > most_rows or columns > most_columns:
        raise DataTooLarge(path.name, rows, columns, most_rows, most_columns)


def _size(path: Path, most_rows: int) -> tuple[int, int]:
    """Return rows and columns, exactly where they are beyond the limits and else at least as many as there are."""
    match path.suffix.lower():
        case suffix if suffix in _PARQUET or suffix in _ARROW:
            return _columnar(path)
        case ".json":
            return json_extent(path)
        case suffix if suffix in _LINES:
            return _lines(path, most_rows), 0
        case _:
            return _delimited(path, most_rows)


def _columnar(path: Path) -> tuple[int, int]:
    import pyarrow as pa  # deferred: 60 ms
    import pyarrow.parquet as parquet

    try:
        if path.suffix.lower() in _PARQUET:
            facts = parquet.read_metadata(path)
            return facts.num_rows, len(facts.schema.to_arrow_schema().names)
        with pa.memory_map(str(path)) as source:
            if source.read(len(_FILE)) == _FILE:
                columns = len(pa.ipc.open_file(source).schema.names)
                opened = pa.ipc.open_file(source, options=pa.ipc.IpcReadOptions(included_fields=[0]))
                return sum(opened.get_batch(at).num_rows for at in range(opened.num_record_batches)), columns
            source.seek(0)
            stream = pa.ipc.open_stream(source)
            return sum(batch.num_rows for batch in stream), len(stream.schema.names)
    except (pa.ArrowException, OSError, ValueError):
        return 0, 0  # the tool says what is wrong with it


def _delimited(path: Path, most_rows: int) -> tuple[int, int]:
    head = _head(path)
    columns = max(_values_of_first_row(head, mark) for mark in _DELIMITERS)
    rows = _lines(path, most_rows) - 1
    if rows > most_rows:
        with (
            path.open(encoding="utf-8", errors="replace", newline="") as text,
            suppress(csv.Error),  # it has as many rows as lines then
        ):
            rows = sum(1 for row in csv.reader(_without_nul(text)) if row) - 1
    return max(rows, 0), columns


def _values_of_first_row(head: str, delimiter: str) -> int:
    try:
        return len(next(csv.reader(io.StringIO(head, newline=""), delimiter=delimiter), ()))
    except csv.Error:
        return 0  # a value that is too long, or no text at all: the tool says what is wrong with it


def _head(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_HEAD_BYTES).decode("utf-8", "replace").replace("\0", "")


def _lines(path: Path, most_rows: int) -> int:
    """Return how many lines a file has; a file that is too small for so many rows is not read."""
    if path.stat().st_size < _LEAST_BYTES_OF_A_ROW * most_rows:
        return 0
    count, last = 0, b"\n"
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            count += chunk.count(b"\n")
            last = chunk[-1:]
    return count + (last != b"\n")


def _without_nul(lines: Iterable[str]) -> Iterator[str]:
    return (line.replace("\0", "") for line in lines)
