"""Whether the table in a file has more rows or columns than a run may take, without loading it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

from jupyter_mcpgen.data.columnar_extent import NOTHING, Extent, arrow_extent, parquet_extent
from jupyter_mcpgen.data.json_extent import json_extent
from jupyter_mcpgen.data.one_look import OneLook, one_look
from jupyter_mcpgen.data.repeated_values import bytes_in_arrow, bytes_in_parquet
from jupyter_mcpgen.data.text_extent import rows_of_delimited, rows_of_lines
from jupyter_mcpgen.errors import DataTooHeavy, DataTooLarge, UnreadableData
from jupyter_mcpgen.toolkit.encodings import HEAD_BYTES, encoding_of
from jupyter_mcpgen.toolkit.layouts import layout_of

_ARROW = (".feather", ".arrow", ".ipc")
_PARQUET = (".parquet", ".pq")
_LINES = (".jsonl", ".ndjson")
_DELIMITERS = (",", ";", "\t", "|")
_BETWEEN_FIELDS = re.compile(rb"[^\w\s.-]|\t")
_LEAST_BYTES_OF_A_ROW = 2
_SECONDS = 30.0


def require_bounded(
    path: Path,
    most_rows: int,
    most_columns: int,
    seconds: float = _SECONDS,
    clock: Callable[[], float] = time.monotonic,
    most_bytes: int | None = None,
) -> None:
    """Raise `DataTooLarge` when a table file is beyond the limits, `DataTooSlow` when that takes too many seconds.

    Raises `DataTooHeavy` for a table that takes more than `most_bytes` of memory. Columnar files say how large they
    are, and nothing in them is unpacked; raises `UnreadableData` for one that lies about that. The rows of a text file
    or a JSON document are counted as it is read through, without keeping them. A file that is no table is bounded by
    memory; the tool says why it cannot be read. The path is one without links; raises `DataMoved` where one was put
    there since.
    """
    with one_look(path, seconds, clock) as look:
        found = _size(look, most_rows, most_columns)
        if found.rows > most_rows or found.columns > most_columns:
            raise DataTooLarge(path.name, found.rows, found.columns, most_rows, most_columns)
        if most_bytes is None or found == NOTHING:
            return
        size = found.unpacked if found.unpacked > most_bytes else _written_out(look, most_bytes)
        if size > most_bytes:
            raise DataTooHeavy(path.name, size, most_bytes)


def _written_out(look: OneLook, most: int) -> int:
    """Return the bytes of values that the file stores once and a frame as often as they are there."""
    import pyarrow as pa  # deferred: 60 ms

    suffix = look.path.suffix.lower()
    if suffix not in (*_PARQUET, *_ARROW):
        return 0
    try:
        return bytes_in_parquet(look, most) if suffix in _PARQUET else bytes_in_arrow(look, most)
    except (pa.ArrowException, OSError, ValueError, IndexError) as error:
        raise UnreadableData(look.path.name, f"{error}. Check that the file is complete and of that format.") from error


def _size(look: OneLook, most_rows: int, most_columns: int) -> Extent:
    """Return the size of a table, exactly where it is beyond the limits and else at least that."""
    match look.path.suffix.lower():
        case suffix if suffix in _PARQUET:
            return parquet_extent(look)
        case suffix if suffix in _ARROW:
            return arrow_extent(look)
        case ".json":
            return Extent(*json_extent(look.pieces()), look.size)
        case suffix if suffix in _LINES:
            return Extent(_lines(look, most_rows), 0, look.size)
        case _:
            return Extent(*_delimited(look, most_rows, most_columns), look.size)


def _delimited(look: OneLook, most_rows: int, most_columns: int) -> tuple[int, int]:
    may_be_long = look.size >= _LEAST_BYTES_OF_A_ROW * most_rows
    if not may_be_long and not _may_be_wide(look, most_columns):
        return 0, 0
    delimiter, encoding, columns = _layout(look)
    if not may_be_long or columns > most_columns:
        return 0, columns
    try:
        rows = rows_of_delimited(look.pieces(), delimiter, encoding)
    except ValueError:
        rows = rows_of_lines(look.pieces())  # never fewer
    return max(rows - 1, 0), columns


def _layout(look: OneLook) -> tuple[str, str, int]:
    """Return the delimiter and encoding that a text is read with, and its columns; of what is no table any will do."""
    place = Path(look.place)
    try:
        encoding = encoding_of(place, HEAD_BYTES)
        layout = layout_of(place, encoding)
    except ValueError:
        return _DELIMITERS[0], "utf-8", 0  # the tool says what is wrong with it
    return layout.delimiter, encoding, len(layout.words)


def _may_be_wide(look: OneLook, most_columns: int) -> bool:
    """Tell whether a line at the beginning has so many signs that are no letters that they may part more columns."""
    lines = (line for line in look.head(HEAD_BYTES).splitlines() if len(line) >= most_columns)
    return any(len(_BETWEEN_FIELDS.findall(line)) >= most_columns for line in lines)


def _lines(look: OneLook, most_rows: int) -> int:
    """Return how many lines a file has; a file that is too small for so many rows is not read."""
    return rows_of_lines(look.pieces()) if look.size >= _LEAST_BYTES_OF_A_ROW * most_rows else 0
