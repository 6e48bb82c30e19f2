"""Tables from untrusted code: honest ones come through, the others are refused without harm."""

from __future__ import annotations

from contextlib import suppress
from io import BytesIO

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.sandbox.jobs.tables import Bounds, read_table, rows_received


def arrow(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def test_types_survive_the_way() -> None:
    frame = pd.DataFrame(
        {
            "text": ["a", None],
            "number": [1.5, float("nan")],
            "when": pd.to_datetime(["2026-01-01", "2026-06-01"], utc=True),
            "kind": pd.Categorical(["x", "y"]),
            "nothing": [None, None],
        }
    )
    buffer = BytesIO()
    frame.to_feather(buffer, compression="uncompressed")

    read = read_table(buffer.getvalue())

    pd.testing.assert_frame_equal(read, frame, check_dtype=False)
    assert isinstance(read["kind"].dtype, pd.CategoricalDtype)


def test_rows_are_counted_over_all_honest_tables_and_nothing_else_is() -> None:
    three, empty = arrow(pa.table({"a": [1, 2, 3]})), arrow(pa.table({"a": pa.array([], pa.int64())}))

    assert rows_received([three, None, b"", three]) == 6
    assert rows_received([empty]) == 0
    assert rows_received([None, b"ARROW1", three[:-20]]) is None


@pytest.mark.parametrize("data", [b"", b"ARROW1", b"garbage" * 100, arrow(pa.table({"a": [1, 2]}))[:-20]])
def test_bytes_that_are_no_table_are_refused(data: bytes) -> None:
    with pytest.raises(SandboxError, match="cannot be used"):
        read_table(data)


def test_a_few_bytes_that_claim_a_billion_rows_are_refused() -> None:
    with pytest.raises(SandboxError, match="1,000,000,000 rows"):
        read_table(arrow(pa.table({"a": pa.nulls(10**9)})))


@pytest.mark.parametrize("codec", ["lz4", "zstd"])
@pytest.mark.parametrize("column", [pa.array([0] * 1000), pa.array(["a", "b"] * 500).dictionary_encode()])
def test_compressed_bytes_are_refused_before_any_is_unpacked(codec: str, column: pa.Array) -> None:
    sink = pa.BufferOutputStream()
    table = pa.table({"a": column})
    with pa.ipc.new_file(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression=codec)) as writer:
        writer.write_table(table)

    with pytest.raises(SandboxError, match="compressed"):
        read_table(bytes(sink.getvalue()))


@pytest.mark.parametrize(
    ("version", "refused"), [(pa.ipc.MetadataVersion.V4, True), (pa.ipc.MetadataVersion.V5, False)]
)
def test_compression_that_stands_among_the_notes_is_seen_where_arrow_reads_it_there(
    version: pa.ipc.MetadataVersion, *, refused: bool
) -> None:
    """The bytes are not compressed at all, so whoever believes the note cannot read them."""
    sink = pa.BufferOutputStream()
    batch = pa.record_batch({"a": [-1, 2, 3]})
    with pa.ipc.new_file(sink, batch.schema, options=pa.ipc.IpcWriteOptions(metadata_version=version)) as writer:
        writer.write_batch(batch, custom_metadata={"ARROW:experimental_compression": "zstd"})
    data = bytes(sink.getvalue())
    believed = pa.ipc.open_file(data).read_all()["a"].to_pylist() != [-1, 2, 3]

    assert believed is refused
    if refused:
        with pytest.raises(SandboxError, match="compressed"):
            read_table(data)
    else:
        assert read_table(data)["a"].tolist() == [-1, 2, 3]


def test_a_footer_that_names_one_batch_many_times_is_not_believed() -> None:
    honest = arrow(pa.table({"a": [1, 2, 3]}))
    footer = int.from_bytes(honest[-10:-6], "little")

    read = read_table(honest[: -10 - footer] + b"\0" * footer + honest[-10:])

    assert read["a"].tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("bounds", "words"),
    [(Bounds(rows=2), "3 rows"), (Bounds(columns=1), "2 columns"), (Bounds(cell=4), "5 bytes")],
)
def test_a_table_beyond_its_bounds_is_refused(bounds: Bounds, words: str) -> None:
    data = arrow(pa.table({"n": [1, 2, 3], "text": ["a", "bb", "ccccc"]}))

    with pytest.raises(SandboxError, match=words):
        read_table(data, bounds)


@given(place=st.integers(0, 600), noise=st.binary(min_size=1, max_size=8))
def test_no_damage_to_a_table_does_more_than_being_refused(place: int, noise: bytes) -> None:
    good = arrow(pa.table({"n": [1, 2], "kind": pa.array(["a", "b"]).dictionary_encode()}))

    with suppress(SandboxError):
        read_table(good[:place] + noise + good[place + len(noise) :])


@pytest.mark.parametrize(
    "column",
    [
        pa.array(["x" * 100] * 3, pa.string_view()),
        pa.RunEndEncodedArray.from_arrays(pa.array([10**6], pa.int32()), pa.array(["x"])),
    ],
)
def test_types_that_swell_on_reading_are_refused(column: pa.Array) -> None:
    with pytest.raises(SandboxError, match="has the type"):
        read_table(arrow(pa.table({"a": column})))


WORDS = pa.DictionaryArray.from_arrays(pa.array([0] * 100, pa.int8()), pa.array(["y" * 100_000]))
LONG = pa.DictionaryArray.from_arrays(pa.array([0] * 3, pa.int8()), pa.array(["y" * 2000]))


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (pa.ListArray.from_arrays(pa.array([0, 100], pa.int32()), WORDS), "has the type"),
        (pa.StructArray.from_arrays([WORDS], ["a"]), "has the type"),
        (LONG, "has 2,000 bytes"),
        (pa.array([None], pa.decimal256(76, -(2**30))), "has the type"),
        (pa.array([None], pa.struct([(str(number), pa.int8()) for number in range(200)])), "201 columns"),
        (pa.array([1], pa.timestamp("ns", tz="No/Such")), "cannot be used"),
    ],
)
def test_a_few_bytes_never_become_many_objects(column: pa.Array, words: str) -> None:
    with pytest.raises(SandboxError, match=words):
        read_table(arrow(pa.table({"a": column})), Bounds(columns=100, cell=1000))


def test_a_few_bytes_never_become_a_long_list() -> None:
    column = pa.ListArray.from_arrays(pa.array([0, 2**31 - 2], pa.int32()), pa.nulls(2**31 - 2))

    with pytest.raises(SandboxError, match="2,147,483,647 values in lists"):
        read_table(arrow(pa.table({"a": column})), Bounds(columns=100, cell=1000))


def test_lists_and_records_of_a_modest_size_come_through() -> None:
    frame = pd.DataFrame({"list": [[1, 2], [], [None]], "record": [{"a": 1}, {"a": None}, None]})
    buffer = BytesIO()
    frame.to_feather(buffer, compression="uncompressed")

    read = read_table(buffer.getvalue())

    assert [list(cell) for cell in read["list"]][1] == []
    assert read["record"][0] == {"a": 1}
