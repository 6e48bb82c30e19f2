"""A columnar file that is small and unpacks to too much is refused before it is loaded, whatever it says of itself."""

from __future__ import annotations

import os
import struct
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from jupyter_mcpgen.data.bounds import require_bounded
from jupyter_mcpgen.errors import DataTooHeavy, DataTooLarge, DataTooSlow, UnreadableData

ROWS, COLUMNS = 100, 5
BLOCK = struct.Struct("<qi4xq")
"""Where a batch of an Arrow file is, how long its description is, and its values."""
COLUMNAR = ["table.parquet", "table.arrow", "stream.arrow"]
BYTES = 1 << 20


def zeros(path: Path, rows: int, batches: int = 1, compression: str | None = "zstd") -> None:
    """Write a column of nothing but 0: a file of a few kilobytes."""
    table = pa.table({"a": np.zeros(rows, dtype="i8")})
    if path.suffix == ".parquet":
        parquet.write_table(table, path, compression=compression or "none", use_dictionary=False)
        return
    new = pa.ipc.new_stream if path.stem == "stream" else pa.ipc.new_file
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.OSFile(str(path), "wb") as sink, new(sink, table.schema, options=options) as writer:
        for _ in range(batches):
            writer.write_table(table)


def blocks_of(data: bytes) -> Iterator[int]:
    """Yield where the list at the end of an Arrow file names each batch."""
    (length,) = struct.unpack_from("<i", data, len(data) - 10)
    for at in range(len(data) - 10 - length, len(data) - 10 - BLOCK.size):
        place, described, _ = BLOCK.unpack_from(data, at)
        if 0 < place < len(data) and described > 0 and data[place : place + 4] == b"\xff\xff\xff\xff":
            yield at


@pytest.mark.parametrize("name", COLUMNAR)
def test_a_small_file_of_many_rows_is_refused_without_unpacking_it(tmp_path: Path, name: str) -> None:
    zeros(tmp_path / name, 20_000_000)
    before = pa.default_memory_pool().max_memory()
    tracemalloc.start()

    with pytest.raises(DataTooLarge, match="20,000,000 rows"):
        require_bounded(tmp_path / name, 1_000_000, COLUMNS)

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (tmp_path / name).stat().st_size < BYTES
    assert peak < 16 * BYTES
    assert pa.default_memory_pool().max_memory() <= max(before, pa.default_memory_pool().bytes_allocated() + BYTES)


@pytest.mark.parametrize("compression", [None, "zstd", "lz4"])
@pytest.mark.parametrize("name", COLUMNAR)
def test_a_table_is_bounded_by_its_bytes_once_it_is_unpacked(
    tmp_path: Path, name: str, compression: str | None
) -> None:
    zeros(tmp_path / name, 100_000, compression=compression)

    require_bounded(tmp_path / name, 100_000, COLUMNS, most_bytes=BYTES)
    with pytest.raises(DataTooHeavy, match=r"`.*` needs at least 80\d,\d{3} bytes .*MCPGEN_SANDBOX__MEMORY_MB"):
        require_bounded(tmp_path / name, 100_000, COLUMNS, most_bytes=799_999)


def test_repeated_values_of_parquet_count_as_often_as_they_are_there(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"a": np.zeros(100_000, dtype="i8")}), tmp_path / "table.parquet")

    require_bounded(tmp_path / "table.parquet", 100_000, COLUMNS, most_bytes=800_000)
    with pytest.raises(DataTooHeavy, match="at least 800,000 bytes"):
        require_bounded(tmp_path / "table.parquet", 100_000, COLUMNS, most_bytes=799_999)


LONG = "x" * 10_000
REPEATED = {
    "words of a dictionary": pa.DictionaryArray.from_arrays(pa.array([0] * 300), [LONG]),
    "values of a dictionary": pa.DictionaryArray.from_arrays(
        pa.array([0] * 300), pa.array([b"x" * 10_000], pa.binary(10_000))
    ),
    "runs": pa.RunEndEncodedArray.from_arrays([100, 300], [LONG, LONG]),
    "views": pa.Array.from_buffers(
        pa.string_view(),
        300,
        [None, pa.py_buffer(struct.pack("<i4sii", 10_000, b"xxxx", 0, 0) * 300), pa.py_buffer(LONG.encode())],
    ),
    "lists of words": pa.array([[LONG] * 3] * 100, pa.list_(pa.dictionary(pa.int32(), pa.string()))),
    "records of words": pa.array([{"w": LONG}] * 300, pa.struct({"w": pa.dictionary(pa.int32(), pa.string())})),
}


@pytest.mark.parametrize("name", ["table.arrow", "stream.arrow"])
@pytest.mark.parametrize("kind", REPEATED)
def test_long_values_that_are_stored_once_count_as_often_as_they_stand_there(
    tmp_path: Path, name: str, kind: str
) -> None:
    table = pa.table({"a": REPEATED[kind], "b": range(len(REPEATED[kind]))})
    new = pa.ipc.new_stream if name.startswith("stream") else pa.ipc.new_file
    with pa.OSFile(str(tmp_path / name), "wb") as sink, new(sink, table.schema) as writer:
        writer.write_table(table)

    require_bounded(tmp_path / name, 300, COLUMNS, most_bytes=3_100_000)
    with pytest.raises(DataTooHeavy, match=r"at least 3,0\d\d,\d{3} bytes"):
        require_bounded(tmp_path / name, 300, COLUMNS, most_bytes=2_900_000)


@pytest.mark.parametrize("column", [[LONG] * 300, [[LONG] * 3] * 100, REPEATED["words of a dictionary"]])
def test_long_texts_that_parquet_stores_once_count_as_often_as_they_stand_there(tmp_path: Path, column: object) -> None:
    parquet.write_table(pa.table({"a": column}), tmp_path / "table.parquet", compression="zstd")

    require_bounded(tmp_path / "table.parquet", 300, COLUMNS, most_bytes=3_100_000)
    with pytest.raises(DataTooHeavy, match=r"at least 3,0\d\d,\d{3} bytes"):
        require_bounded(tmp_path / "table.parquet", 300, COLUMNS, most_bytes=2_900_000)


@pytest.mark.parametrize("name", ["table.arrow", "stream.arrow"])
def test_counting_batches_ends_with_its_time(tmp_path: Path, name: str) -> None:
    zeros(tmp_path / name, 10, batches=50)

    with pytest.raises(DataTooSlow):
        require_bounded(tmp_path / name, 500, COLUMNS, 5, count().__next__)
    require_bounded(tmp_path / name, 500, COLUMNS, 10_000, count().__next__)


def test_a_batch_that_a_file_lists_twice_counts_twice(tmp_path: Path) -> None:
    """A file is read by the list at its end: one that lists its only batch again has twice as many rows."""
    path = tmp_path / "table.arrow"
    zeros(path, 60, batches=2)
    data = path.read_bytes()
    (first, second), listed = list(blocks_of(data)), bytearray(data)
    listed[second : second + BLOCK.size] = data[first : first + BLOCK.size]
    listed[data.index(b"\xff\xff\xff\xff", BLOCK.unpack_from(data, second)[0])] = 0  # nobody reads it any more
    path.write_bytes(listed)

    assert pa.ipc.open_file(path).read_all().num_rows == 120
    with pytest.raises(DataTooLarge, match="120 rows"):
        require_bounded(path, 119, COLUMNS)


@pytest.mark.parametrize("name", ["table.arrow", "stream.arrow"])
def test_an_arrow_file_that_says_nothing_of_its_size_is_refused(tmp_path: Path, name: str) -> None:
    zeros(tmp_path / name, 60)
    data = bytearray((tmp_path / name).read_bytes())
    place = next(at for at in range(len(data)) if data[at : at + 8] == (60).to_bytes(8, "little"))
    data[place : place + 8] = (-60).to_bytes(8, "little", signed=True)
    (tmp_path / name).write_bytes(data)

    with pytest.raises(UnreadableData, match="lies about its own length"):
        require_bounded(tmp_path / name, ROWS, COLUMNS)


@pytest.mark.parametrize("name", COLUMNAR)
def test_who_cuts_a_file_short_while_it_is_looked_at_ends_nothing(tmp_path: Path, name: str) -> None:
    """What is mapped into memory and cut short ends the process that reads it, with no error to catch."""
    zeros(tmp_path / name, 50, batches=40, compression=None)
    size = (tmp_path / name).stat().st_size

    def cut() -> float:
        os.truncate(tmp_path / name, 512)
        return 0.0

    with suppress(UnreadableData):
        require_bounded(tmp_path / name, 2_000, COLUMNS, clock=cut)
    os.truncate(tmp_path / name, size)
