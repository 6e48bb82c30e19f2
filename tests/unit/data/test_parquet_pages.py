"""A Parquet file is as large as its pages, whatever its footer says of them."""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from jupyter_mcpgen.data.bounds import require_bounded
from jupyter_mcpgen.errors import DataTooHeavy, DataTooLarge, DataTooSlow, UnreadableData

LONG = "x" * 20_000
TEXTS = pa.table({"a": pa.array([LONG] * 300)})


def number(value: int, length: int | None = None) -> bytes:
    """Return a number as Thrift writes it, stretched to a length."""
    rest, written = value << 1, []
    while not written or rest:
        written.append(rest & 0x7F)
        rest >>= 7
    written += [0] * ((length or len(written)) - len(written))
    return bytes(part | 0x80 for part in written[:-1]) + bytes(written[-1:])


def forge(path: Path, truths: set[int], lie: int) -> None:
    """Let the footer of a file say another number instead of some, wherever they stand."""
    data = path.read_bytes()
    begin = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    footer = data[begin:]
    for truth in truths:
        assert number(truth) in footer
        footer = footer.replace(number(truth), number(lie, len(number(truth))))
    path.write_bytes(data[:begin] + footer)


@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_a_footer_that_says_too_little_lets_nothing_in(tmp_path: Path, version: str) -> None:
    path = tmp_path / "table.parquet"
    parquet.write_table(TEXTS, path, compression="zstd", use_dictionary=False, data_page_version=version)
    told = parquet.read_metadata(path).row_group(0)

    forge(path, {told.total_byte_size, told.column(0).total_uncompressed_size}, 50)

    assert parquet.read_metadata(path).row_group(0).total_byte_size == 50
    assert parquet.read_table(path).nbytes > 6_000_000
    require_bounded(path, 300, 5, most_bytes=6_100_000)
    with pytest.raises(DataTooHeavy, match=r"at least 6,00\d,\d{3} bytes"):
        require_bounded(path, 300, 5, most_bytes=5_900_000)


def test_a_word_of_a_dictionary_counts_by_its_page_and_not_by_the_footer(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    parquet.write_table(TEXTS, path, compression="zstd")
    told = parquet.read_metadata(path).row_group(0)

    forge(path, {told.total_byte_size, told.column(0).total_uncompressed_size}, 50)

    require_bounded(path, 300, 5, most_bytes=6_100_000)
    with pytest.raises(DataTooHeavy):
        require_bounded(path, 300, 5, most_bytes=5_900_000)


def test_rows_are_counted_by_the_values_that_readers_go_by(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    parquet.write_table(pa.table({"a": np.zeros(100_003, dtype="i8")}), path, store_schema=False)
    data = path.read_bytes()
    begin = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    # The first of the three places is the column's own, which stays.
    head, _, tail = data[begin:].partition(number(100_003))
    last = tail.rpartition(number(100_003))
    path.write_bytes(data[:begin] + head + number(3, 3) + last[0] + number(100_003) + last[2])
    assert parquet.read_metadata(path).num_rows == 3

    require_bounded(path, 100_003, 5)
    with pytest.raises(DataTooLarge, match="100,003 rows"):
        require_bounded(path, 100_002, 5)


@pytest.mark.parametrize("first", ["", LONG])
def test_texts_that_only_say_how_they_differ_count_whole(tmp_path: Path, first: str) -> None:
    """They are no dictionary, and each may be as long as all that is stored."""
    path = tmp_path / "table.parquet"
    table = pa.table({"a": pa.array([first] + [LONG] * 300)})
    parquet.write_table(table, path, use_dictionary=False, column_encoding={"a": "DELTA_BYTE_ARRAY"})
    assert path.stat().st_size < 100_000

    require_bounded(path, 301, 5, most_bytes=6_100_000)
    with pytest.raises(DataTooHeavy):
        require_bounded(path, 301, 5, most_bytes=5_900_000)


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("compression", ["none", "snappy", "zstd", "gzip"])
def test_honest_files_of_any_writer_are_let_in(tmp_path: Path, version: str, compression: str) -> None:
    """Many pages, groups of rows, long statistics, lists, records and missing values."""
    path = tmp_path / "table.parquet"
    frame = pd.DataFrame(
        {
            "number": range(5_000),
            "text": [f"{at}{'é' * 900}" if at % 7 else None for at in range(5_000)],
            "list": [list(range(at % 5)) for at in range(5_000)],
            "record": [{"a": at, "b": None} for at in range(5_000)],
            "never": [None] * 5_000,
        }
    )
    frame.to_parquet(path, compression=compression, data_page_version=version, row_group_size=900, data_page_size=2_000)

    require_bounded(path, 5_000, 5, most_bytes=64 << 20)
    with pytest.raises(DataTooLarge):
        require_bounded(path, 4_999, 5, most_bytes=64 << 20)


def test_looking_at_pages_ends_with_its_time(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    parquet.write_table(pa.table({"a": np.arange(20_000)}), path, data_page_size=500, use_dictionary=False)

    with pytest.raises(DataTooSlow):
        require_bounded(path, 20_000, 5, 5, count().__next__)
    require_bounded(path, 20_000, 5, 100_000, count().__next__)


@pytest.mark.parametrize("seed", range(40))
def test_pages_that_make_no_sense_are_refused_and_never_an_error_of_ours(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "table.parquet"
    parquet.write_table(pa.table({"a": np.arange(500), "b": ["word"] * 500}), path)
    data = bytearray(path.read_bytes())
    noise = np.random.default_rng(seed)
    footer = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    for at in noise.integers(4, footer, 60):
        data[at] = noise.integers(0, 256)
    data[4:12] = noise.bytes(8)
    path.write_bytes(data)

    with suppress(UnreadableData, DataTooHeavy):
        require_bounded(path, 500, 5, most_bytes=64 << 20)
