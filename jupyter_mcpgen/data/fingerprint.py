"""Digests of content: the proof that a run left its data unchanged, and the names of snapshots."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc


def fingerprint_file(path: str | Path) -> str:
    """SHA-256 over a file's bytes, in hex."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fingerprint_frame(frame: pd.DataFrame) -> str:
    """SHA-256 over values, missing values, types, column names and index of a frame, in hex.

    The order of rows and columns counts; how the values lie in memory does not.
    """
    digest = hashlib.sha256(repr(frame.shape).encode())
    for part in _parts(frame):
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()


def _parts(frame: pd.DataFrame) -> Iterator[bytes | memoryview]:
    yield repr((list(frame.columns), list(frame.columns.names), list(frame.index.names))).encode(errors="replace")
    yield from _index_parts(frame.index)
    for position in range(frame.shape[1]):
        yield from _column_parts(frame.iloc[:, position])


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
