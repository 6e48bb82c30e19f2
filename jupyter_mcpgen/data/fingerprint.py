"""Digests of content: the proof that a run left its data unchanged, and the names of snapshots."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from jupyter_mcpgen.data.parquet_tables import ParquetTable, Rows

_LARGE_BYTES = 1 << 24
_LATELY_NANOSECONDS = 2_000_000_000
"""The times of a file that was written to less long ago may not tell its next change."""


def fingerprint_file(path: str | Path) -> str:
    """SHA-256 over a file's bytes, in hex; a large one that has not been written to since is read once."""
    state = Path(path).stat()
    if state.st_size < _LARGE_BYTES or time.time_ns() - max(state.st_mtime_ns, state.st_ctime_ns) < _LATELY_NANOSECONDS:
        return _found_fingerprint(path)
    return _known_fingerprint(path, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns)


@lru_cache(maxsize=64)
def _known_fingerprint(path: str | Path, *_: int) -> str:
    return _found_fingerprint(path)


def _found_fingerprint(path: str | Path) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fingerprint_frame(frame: pd.DataFrame) -> str:
    """SHA-256 over values, missing values, types, column names and index of a frame, in hex.

    The order of rows and columns counts; how the values lie in memory does not.
    """
    columns = (frame.iloc[:, position] for position in range(frame.shape[1]))
    names = list(frame.columns), list(frame.columns.names), list(frame.index.names)
    return _digest(frame.shape, names, frame.index, columns)


def fingerprint_rows(rows: Rows) -> str:
    """Return the same of a table that may not be loaded, column by column."""
    if not isinstance(rows, ParquetTable):
        return fingerprint_frame(rows)
    columns = (rows.read([name])[name] for name in rows.names)
    names: tuple[list[str], list[None], list[None]] = list(rows.names), [None], [None]
    return _digest((rows.rows, len(rows.names)), names, pd.RangeIndex(rows.rows), columns)


def _digest(shape: tuple[int, ...], names: object, index: pd.Index, columns: Iterable[pd.Series]) -> str:
    digest = hashlib.sha256(repr(shape).encode())
    for part in _parts(names, index, columns):
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()


def _parts(names: object, index: pd.Index, columns: Iterable[pd.Series]) -> Iterator[bytes | memoryview]:
    yield repr(names).encode(errors="replace")
    yield from _index_parts(index)
    for column in columns:
        yield from _column_parts(column)


def _index_parts(index: pd.Index) -> Iterator[bytes | memoryview]:
    if isinstance(index, pd.RangeIndex):
        yield repr((index.start, index.stop, index.step)).encode()
        return
    for level in range(index.nlevels):
        yield from _column_parts(index.get_level_values(level).to_series())


def _column_parts(column: pd.Series) -> Iterator[bytes | memoryview]:
    dtype = column.dtype
    yield str(dtype).encode()
    if isinstance(dtype, np.dtype) and dtype.kind in "biufcmM":
        yield _bytes(column.to_numpy())
    elif isinstance(dtype, pd.DatetimeTZDtype):
        yield _bytes(column.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy())
    elif isinstance(dtype, pd.CategoricalDtype):
        yield _bytes(column.cat.codes.to_numpy())
        yield from _column_parts(dtype.categories.to_series())
    elif isinstance(dtype, pd.StringDtype):
        yield from _text_parts(pa.array(column, type=pa.large_string(), from_pandas=True))
    elif pd.api.types.is_numeric_dtype(dtype) and not isinstance(dtype, pd.ArrowDtype | pd.SparseDtype):
        yield _bytes(column.isna().to_numpy())
        yield _bytes(column.dropna().to_numpy())
    else:
        yield from (_object_bytes(value) for value in column.astype(object))


def _bytes(values: np.ndarray) -> memoryview:
    # Dates have no buffer of their own; as plain bytes every type does.
    return memoryview(np.ascontiguousarray(values).view(np.uint8)) if values.size else memoryview(b"")  # type: ignore[arg-type]  # numpy's stubs for 3.11 lack the buffer protocol


def _text_parts(words: pa.Array | pa.ChunkedArray) -> Iterator[bytes | memoryview]:
    """Yield the missing mask, the lengths and the letters of the words that are there."""
    words = words.combine_chunks() if isinstance(words, pa.ChunkedArray) else words
    present = words.drop_null()
    yield _bytes(words.is_null().to_numpy(zero_copy_only=False))
    yield _bytes(pc.binary_length(present).to_numpy(zero_copy_only=False))
    if len(present):
        ends = np.frombuffer(present.buffers()[1], dtype=np.int64)
        yield memoryview(present.buffers()[2])[int(ends[present.offset]) : int(ends[present.offset + len(present)])]


def _object_bytes(value: object) -> bytes:
    if isinstance(value, np.ndarray):
        return repr((value.dtype, value.shape)).encode() + value.tobytes()
    return f"{type(value).__qualname__}:{value!r}".encode(errors="backslashreplace")
