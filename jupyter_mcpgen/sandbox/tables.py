"""Turns the table bytes of an answer into a frame, treating them as what they are: written by untrusted code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jupyter_mcpgen.errors import SandboxError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_MOST_NULL_CELLS = 10_000_000
_PLAIN = ("primitive", "boolean", "null", "decimal", "string", "large_string", "binary", "large_binary")


def read_table(data: bytes) -> pd.DataFrame:
    """Return the table of an answer; raises `SandboxError` when the bytes are not an honest one."""
    import pyarrow as pa  # deferred: 100 ms

    try:
        reader = pa.ipc.open_file(pa.BufferReader(data))
        _require_plain_types(reader.schema)
        table = reader.read_all()
        table.validate(full=True)
        _require_honest_size(table, len(data))
        # The pandas notes in the schema are the job's own words; the Arrow types say what is needed.
        frame: pd.DataFrame = table.to_pandas(ignore_metadata=True)
    except (pa.ArrowException, ValueError, TypeError, OSError) as error:
        raise SandboxError(f"The table that a job gave back cannot be used: {error}.") from error
    return frame


def _require_plain_types(schema: pa.Schema) -> None:
    for field in schema:
        if not _is_plain(field.type):
            raise ValueError(f"its column `{field.name}` has the type `{field.type}`")


def _is_plain(kind: pa.DataType) -> bool:
    import pyarrow as pa  # deferred: 100 ms

    if pa.types.is_dictionary(kind):
        return _is_plain(kind.value_type)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return _is_plain(kind.value_type)
    if pa.types.is_struct(kind):
        return all(_is_plain(field.type) for field in kind)
    return any(getattr(pa.types, f"is_{name}")(kind) for name in _PLAIN)


def _require_honest_size(table: pa.Table, size: int) -> None:
    """Refuse a table of few bytes that claims many cells: every cell takes a bit, only nulls take nothing."""
    import pyarrow as pa  # deferred: 100 ms

    nulls = sum(pa.types.is_null(field.type) for field in table.schema)
    stored = len(table.schema) - nulls
    if table.num_rows * nulls > _MOST_NULL_CELLS or table.num_rows * stored > 8 * size:
        raise ValueError(f"it claims {table.num_rows:,} rows in {size:,} bytes")
