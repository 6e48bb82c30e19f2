"""A file or stream of Arrow is believed where it lists batches, and its time ends whatever else it lists."""

from __future__ import annotations

import struct
from itertools import count
from pathlib import Path

import pyarrow as pa
import pytest

from jupyter_mcpgen.data.arrow_messages import Batch, batches
from jupyter_mcpgen.data.bounds import require_bounded
from jupyter_mcpgen.errors import DataTooSlow, UnreadableData

BLOCK = struct.Struct("<qi4xq")
"""Where a batch of a file is, how long its description is, and its values."""
TABLE = pa.table({"a": pa.array(["x", "y", "x"]).dictionary_encode(), "b": [1, 2, 3]})
FORMS = {"table.arrow": pa.ipc.new_file, "stream.arrow": pa.ipc.new_stream}


def write(path: Path, tables: int = 1, compression: str | None = None) -> bytes:
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.OSFile(str(path), "wb") as sink, FORMS[path.name](sink, TABLE.schema, options=options) as writer:
        for _ in range(tables):
            writer.write_table(TABLE)
    return path.read_bytes()


def found(data: bytes) -> list[Batch]:
    return list(batches(lambda at, most: data[at : at + most] if at >= 0 else b"", len(data)))


def pointing_at_the_schema(data: bytes) -> bytes:
    """Return a file whose list at the end has its first message, the schema, wherever a batch was."""
    changed, end = bytearray(data), len(data) - 10
    (length,) = struct.unpack_from("<i", data, end)
    for at in range(end - length, end - BLOCK.size):
        place, described, _ = BLOCK.unpack_from(data, at)
        if 0 < place < end and described > 0 and data[place : place + 4] == b"\xff\xff\xff\xff":
            struct.pack_into("<q", changed, at, 8)
    return bytes(changed)


@pytest.mark.parametrize("name", FORMS)
def test_every_batch_and_the_words_of_a_dictionary_are_found(tmp_path: Path, name: str) -> None:
    assert [batch.rows for batch in found(write(tmp_path / name, tables=2))] == [0, 3, 3]


def test_a_file_that_lists_what_is_no_batch_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.arrow"
    path.write_bytes(pointing_at_the_schema(write(path)))

    with pytest.raises(UnreadableData, match="a message that should be a batch is none"):
        require_bounded(path, 100, 5)


def test_a_stream_with_a_second_schema_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "stream.arrow"
    data = write(path)
    (length,) = struct.unpack_from("<i", data, 4)
    path.write_bytes(data[: 8 + length] + data)

    with pytest.raises(UnreadableData, match="a message that should be a batch is none"):
        require_bounded(path, 100, 5)


@pytest.mark.parametrize("name", FORMS)
def test_every_look_into_a_file_takes_of_its_time(tmp_path: Path, name: str) -> None:
    """A single batch is enough: its buffers are compressed, and each says by itself how long it is unpacked."""
    write(tmp_path / name, compression="zstd")

    with pytest.raises(DataTooSlow):
        require_bounded(tmp_path / name, 100, 5, 3, count().__next__)
    require_bounded(tmp_path / name, 100, 5, 100, count().__next__)
