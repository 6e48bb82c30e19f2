"""A second reader of text files: DuckDB, told how a file is written, must find the same cells in it."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from jupyter_mcpgen.toolkit.tables import rows_as_read

if TYPE_CHECKING:
    import duckdb

MOST_BYTES = 1 << 24
"""Files of more bytes are read once: their rows are too many to be looked at cell by cell."""
_LONGEST_ROW = 1 << 24


def where_readers_differ(path: str) -> str | None:
    """Say which row of a text file two readers do not read alike; nothing where they agree, or it is too large."""
    if Path(path).stat().st_size > MOST_BYTES:
        return None
    rows = rows_as_read(path)
    if rows is None:
        return None
    try:
        again = _read_by_duckdb(rows.content, rows.delimiter, rows.cells.num_columns)
    except _failure() as error:
        return f"a second reader cannot read it: {str(error).splitlines()[0]}"
    if len(again) != len(rows.cells):
        return f"one reader finds {len(rows.cells):,} rows in it, and another one {len(again):,}"
    place = _first_difference(rows.cells, again)
    if place is None:
        return None
    return f"row {place[0] + 1:,} is read in two ways: “{place[1][:60]}” and “{place[2][:60]}”"


def _read_by_duckdb(content: bytes, delimiter: str, width: int) -> pa.Table:
    connection = _database().cursor()
    with tempfile.TemporaryDirectory(prefix="mcpgen-reading-") as folder:
        place = Path(folder) / "rows.csv"
        place.write_bytes(content)
        try:
            return connection.sql(
                "SELECT * FROM read_csv($path, auto_detect=false, header=false, delim=$delimiter, quote='\"', "
                "escape='\"', columns=$columns, null_padding=true, strict_mode=false, parallel=false, "
                "max_line_size=$longest)",
                params={
                    "path": str(place),
                    "delimiter": delimiter,
                    "columns": {f"f{number}": "VARCHAR" for number in range(width)},
                    "longest": _LONGEST_ROW,
                },
            ).to_arrow_table()
        finally:
            connection.close()


@cache
def _database() -> duckdb.DuckDBPyConnection:
    """Return a database of its own: this one may open files."""
    import duckdb  # deferred: 90 ms

    return duckdb.connect(config={"autoinstall_known_extensions": "false", "threads": "2"})


def _failure() -> type[duckdb.Error]:
    import duckdb

    return duckdb.Error


def _first_difference(first: pa.Table, second: pa.Table) -> tuple[int, str, str] | None:
    """Return the first row with a cell that differs, and that cell twice; a cell without a text is an empty one."""
    found: list[tuple[int, str, str]] = []
    for ours, theirs in zip(first.columns, second.columns, strict=True):
        one, other = (pc.fill_null(column.cast(pa.string()), "") for column in (ours, theirs))
        place = pc.index(pc.not_equal(one, other), True).as_py()
        if place >= 0:
            found.append((place, one[place].as_py(), other[place].as_py()))
    return min(found, default=None)
