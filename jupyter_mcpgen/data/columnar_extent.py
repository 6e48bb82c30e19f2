"""How large the table in a columnar file is, by what the file says of its parts: nothing in it is unpacked.

A file of a few kilobytes may hold gigabytes, because repeated values take next to no bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jupyter_mcpgen.data.arrow_messages import batches
from jupyter_mcpgen.data.one_look import OneLook
from jupyter_mcpgen.data.parquet_pages import pages_of
from jupyter_mcpgen.errors import UnreadableData

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as parquet

_FILE = b"ARROW1"
_OF_A_POINTER = 8


@dataclass(frozen=True)
class Extent:
    """The rows and columns of a table, and how many bytes it takes at least once it is unpacked."""

    rows: int
    columns: int
    unpacked: int


NOTHING = Extent(0, 0, 0)
"""What is no table; the tool says what is wrong with it."""


def arrow_extent(look: OneLook) -> Extent:
    """Return how large the table in an Arrow file or stream is.

    Raises `UnreadableData` for one that begins well and then lies about itself, `DataTooSlow`.
    """
    import pyarrow as pa  # deferred: 60 ms

    try:
        # never mapped into memory: whoever cuts the file short then would end this process
        with pa.OSFile(look.place) as source:
            is_file = source.read(len(_FILE)) == _FILE
            source.seek(0)
            schema = (pa.ipc.open_file if is_file else pa.ipc.open_stream)(source).schema
    except (pa.ArrowException, OSError, ValueError):
        return NOTHING
    rows = unpacked = 0
    try:
        for batch in batches(look.part, look.size):
            rows += batch.rows
            unpacked += batch.unpacked
    except ValueError as error:
        raise UnreadableData(look.path.name, f"{error}. Save it again.") from error
    return Extent(rows, len(schema.names), max(unpacked, rows * _bytes_of_a_row(schema)))


def parquet_extent(look: OneLook) -> Extent:
    """Return how large the table in a Parquet file is.

    Raises `UnreadableData` for one that begins well and then lies about itself, `DataTooSlow`.
    """
    import pyarrow as pa  # deferred: 60 ms
    import pyarrow.parquet as parquet

    try:
        facts = parquet.read_metadata(look.place)
        schema = facts.schema.to_arrow_schema()
    except (pa.ArrowException, OSError, ValueError):
        return NOTHING
    groups = [facts.row_group(number) for number in range(facts.num_row_groups)]
    try:
        unpacked = sum(_unpacked(group, look) for group in groups)
    except ValueError as error:
        raise UnreadableData(look.path.name, f"{error}. Save it again.") from error
    # Readers go by the values of each column, whatever is said of the rows.
    rows = max(facts.num_rows, sum(_most_values(facts, group) for group in groups))
    return Extent(rows, len(schema.names), max(unpacked, rows * _bytes_of_a_row(schema)))


def _unpacked(group: parquet.RowGroupMetaData, look: OneLook) -> int:
    chunks = [group.column(place) for place in range(group.num_columns)]
    return max(int(group.total_byte_size), sum(pages_of(look.part, chunk).unpacked for chunk in chunks))


def _most_values(facts: parquet.FileMetaData, group: parquet.RowGroupMetaData) -> int:
    """Return the values of the longest column of a group that has one in each row, and no fewer than its rows."""
    flat = (place for place in range(group.num_columns) if facts.schema.column(place).max_repetition_level == 0)
    return max([int(group.num_rows), *(int(group.column(place).num_values) for place in flat)])


def _bytes_of_a_row(schema: pa.Schema) -> int:
    return sum(map(_bytes_of_a_value, schema.types))


def _bytes_of_a_value(kind: pa.DataType) -> int:
    """Return what a value takes in a frame at least: its own width, or a pointer to it."""
    try:
        return max(int(kind.bit_width) // 8, 1)
    except ValueError:
        return _OF_A_POINTER
