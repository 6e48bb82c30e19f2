"""Turns the table bytes of an answer into a frame, treating them as what they are: written by untrusted code."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jupyter_mcpgen.errors import SandboxError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_MOST_NULL_CELLS = 10_000_000
_MOST_NESTED_VALUES = 5_000_000
_LONGEST_SCALE = 76
_MAGIC = b"ARROW1\0\0"
_UNUSABLE = (ValueError, TypeError, LookupError, ArithmeticError, RecursionError, MemoryError, OSError)
"""What pandas raises about a table that is not honest, beside Arrow's own errors."""
_MOST_MESSAGES = {"schema": 1, "dictionary": 10_000, "record batch": 2_000}
"""Of each kind there may be; what writes an honest table puts 65,536 rows into one batch."""
# the numbers of some fields in Arrow's own description of its messages
_VERSION, _HEADER, _NOTES, _BATCH_OF_A_DICTIONARY, _COMPRESSION = 0, 2, 4, 1, 3
_VERSION_WITH_COMPRESSION = 4
_PLAIN = ("primitive", "boolean", "null", "decimal", "string", "large_string", "binary", "large_binary")
_WITH_LENGTH = ("string", "large_string", "binary", "large_binary")


@dataclass(frozen=True)
class Bounds:
    """How large a table of an answer may be; the length of a cell is in bytes."""

    rows: int = 10_000_000
    columns: int = 10_000
    cell: int = 16 * 1024 * 1024


def read_table(data: bytes, bounds: Bounds = Bounds()) -> pd.DataFrame:
    """Return the table of an answer; raises `SandboxError` when the bytes are not an honest one, or too many.

    What could swell is refused by what the file says about itself, before any of it is read.
    """
    import pyarrow as pa  # deferred: 100 ms

    try:
        stream = _checked_stream(data)
        reader = pa.ipc.open_stream(stream)
        _require_plain_types(reader.schema, bounds)
        table = _batches(reader, bounds)
        table.validate(full=True)
        _require_honest_size(table, len(data))
        _require_modest_nesting(table)
        _require_modest_cells(table, bounds)
        # The pandas notes in the schema are the job's own words; the Arrow types say what is needed.
        frame: pd.DataFrame = table.to_pandas(ignore_metadata=True)
    except (pa.ArrowException, *_UNUSABLE) as error:
        raise SandboxError(f"The table that a job gave back cannot be used: {error}.") from error
    return frame


def rows_received(tables: Iterable[bytes | None]) -> int | None:
    """Return how many rows the tables of a job's answers have together; `None` where none is an honest table."""
    counts = [rows for table in tables if table and (rows := _rows(table)) is not None]
    return sum(counts) if counts else None


def _rows(data: bytes) -> int | None:
    import pyarrow as pa  # deferred: 100 ms

    try:
        return sum(int(batch.num_rows) for batch in pa.ipc.open_stream(_checked_stream(data)))
    except (pa.ArrowException, *_UNUSABLE):
        return None  # whoever reads the table is told


def _checked_stream(data: bytes) -> pa.Buffer:
    """Return the messages of an Arrow file, each of them seen to be plain; its footer, which may lie, is not used."""
    import pyarrow as pa  # deferred: 100 ms

    if not data.startswith(_MAGIC) or not data.endswith(_MAGIC.rstrip(b"\0")):
        raise ValueError("it is no Arrow file")
    stream = pa.py_buffer(data).slice(len(_MAGIC))
    found: Counter[str] = Counter()
    for message in pa.ipc.MessageReader.open_stream(stream):
        found[message.type] += 1
        most = _MOST_MESSAGES.get(message.type, 0)
        if found[message.type] > most:
            raise ValueError(f"it holds more than {most:,} messages of the kind `{message.type}`")
        if message.type != "schema" and _is_compressed(message.metadata.to_pybytes(), message.type):
            raise ValueError("it is compressed, so its size says nothing")
    return stream


def _is_compressed(metadata: bytes, kind: str) -> bool:
    """Tell by the message's flatbuffer, as Arrow reads it, whether its buffers are compressed."""
    try:
        message = _table_at(metadata, 0)
        # Before there was a field for it, compression stood among the notes, and Arrow still reads it there.
        if _version(metadata, message) < _VERSION_WITH_COMPRESSION and _field(metadata, message, _NOTES) != 0:
            return True
        header = _table_in(metadata, message, _HEADER)
        batch = header if kind == "record batch" else _table_in(metadata, header, _BATCH_OF_A_DICTIONARY)
        return _field(metadata, batch, _COMPRESSION) != 0
    except struct.error as error:
        raise ValueError("a message lies about its own layout") from error


def _version(data: bytes, message: int) -> int:
    offset = _field(data, message, _VERSION)
    return int(struct.unpack_from("<h", data, message + offset)[0]) if offset else 0


def _table_at(data: bytes, place: int) -> int:
    return place + int(struct.unpack_from("<I", data, place)[0])


def _table_in(data: bytes, table: int, field: int) -> int:
    offset = _field(data, table, field)
    if offset == 0:
        raise ValueError("a message lacks its header")
    return _table_at(data, table + offset)


def _field(data: bytes, table: int, field: int) -> int:
    """Return where in a table a field is, 0 where it is left out."""
    layout = table - struct.unpack_from("<i", data, table)[0]
    if layout < 0:
        raise ValueError("a message lies about its own layout")
    (size,) = struct.unpack_from("<H", data, layout)
    place = 4 + 2 * field
    return int(struct.unpack_from("<H", data, layout + place)[0]) if place + 2 <= size else 0


def _batches(reader: pa.ipc.RecordBatchStreamReader, bounds: Bounds) -> pa.Table:
    """Read batch by batch, and stop at the first row too many."""
    import pyarrow as pa  # deferred: 100 ms

    batches, rows = [], 0
    for batch in reader:
        rows += batch.num_rows
        if rows > bounds.rows and len(reader.schema) > 0:
            raise ValueError(f"it has {rows:,} rows or more, and at most {bounds.rows:,} are allowed")
        batches.append(batch)
    return pa.Table.from_batches(batches, schema=reader.schema)


def _require_modest_cells(table: pa.Table, bounds: Bounds) -> None:
    import pyarrow as pa  # deferred: 100 ms
    import pyarrow.compute as pc  # deferred: 100 ms

    for field, column in zip(table.schema, table.columns, strict=True):
        parts = [column]
        if pa.types.is_dictionary(field.type):
            parts = [chunk.dictionary for chunk in column.chunks]
        for part in parts:
            longest = (pc.max(pc.binary_length(part)).as_py() or 0) if _has_length(part.type) else 0
            if longest > bounds.cell:
                raise ValueError(f"a cell of its column `{field.name}` has {longest:,} bytes")


def _require_plain_types(schema: pa.Schema, bounds: Bounds) -> None:
    columns = sum(_fields_in(field.type) for field in schema)
    if columns > bounds.columns:
        raise ValueError(f"it has {columns:,} columns, and at most {bounds.columns:,} are allowed")
    for field in schema:
        if not _is_plain(field.type):
            raise ValueError(f"its column `{field.name}` has the type `{field.type}`")


def _has_length(kind: pa.DataType) -> bool:
    import pyarrow as pa  # deferred: 100 ms

    return any(getattr(pa.types, f"is_{name}")(kind) for name in _WITH_LENGTH)


def _is_plain(kind: pa.DataType) -> bool:
    """Tell what turns into pandas without growing: inside of lists, each use of a dictionary's word is a copy of it."""
    import pyarrow as pa  # deferred: 100 ms

    return _is_single(kind.value_type if pa.types.is_dictionary(kind) else kind) or _is_plainly_nested(kind)


def _is_plainly_nested(kind: pa.DataType) -> bool:
    import pyarrow as pa  # deferred: 100 ms

    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        parts = [kind.value_type]
    elif pa.types.is_struct(kind):
        parts = [field.type for field in kind]
    else:
        return False
    return all(_is_single(part) or _is_plainly_nested(part) for part in parts)


def _fields_in(kind: pa.DataType) -> int:
    return 1 + sum(_fields_in(kind.field(at).type) for at in range(kind.num_fields))


def _is_single(kind: pa.DataType) -> bool:
    import pyarrow as pa  # deferred: 100 ms

    if pa.types.is_decimal(kind) and abs(kind.scale) > _LONGEST_SCALE:
        return False  # a number with a billion digits, once somebody writes it out
    return any(getattr(pa.types, f"is_{name}")(kind) for name in _PLAIN)


def _require_modest_nesting(table: pa.Table) -> None:
    """Refuse lists and records that hold too many values: each becomes an object, and some take no byte at all."""
    for field, column in zip(table.schema, table.columns, strict=True):
        if _is_plainly_nested(field.type):
            held = sum(map(_values_in, column.chunks))
            if held > _MOST_NESTED_VALUES:
                raise ValueError(f"its column `{field.name}` holds {held:,} values in lists and records")


def _values_in(array: pa.Array) -> int:
    import pyarrow as pa  # deferred: 100 ms

    if pa.types.is_struct(array.type):
        return len(array) + sum(_values_in(array.field(at)) for at in range(array.type.num_fields))
    if pa.types.is_list(array.type) or pa.types.is_large_list(array.type):
        return len(array) + _values_in(array.values)
    return len(array)


def _require_honest_size(table: pa.Table, size: int) -> None:
    """Refuse a table of few bytes that claims many cells: every cell takes a bit, only nulls take nothing."""
    import pyarrow as pa  # deferred: 100 ms

    nulls = sum(pa.types.is_null(field.type) for field in table.schema)
    stored = len(table.schema) - nulls
    if table.num_rows * nulls > _MOST_NULL_CELLS or table.num_rows * stored > 8 * size:
        raise ValueError(f"it claims {table.num_rows:,} rows in {size:,} bytes")
