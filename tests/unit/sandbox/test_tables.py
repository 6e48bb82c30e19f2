"""Tables from untrusted code: honest ones come through, the others are refused without harm."""

from __future__ import annotations

from io import BytesIO

import pandas as pd
import pyarrow as pa
import pytest

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.sandbox.tables import read_table


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


@pytest.mark.parametrize("data", [b"", b"ARROW1", b"garbage" * 100, arrow(pa.table({"a": [1, 2]}))[:-20]])
def test_bytes_that_are_no_table_are_refused(data: bytes) -> None:
    with pytest.raises(SandboxError, match="cannot be used"):
        read_table(data)


def test_a_few_bytes_that_claim_a_billion_rows_are_refused() -> None:
    with pytest.raises(SandboxError, match="1,000,000,000 rows"):
        read_table(arrow(pa.table({"a": pa.nulls(10**9)})))


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
