"""Profiles a table of millions of rows in bounded time and memory: a sample tells what it is, full scans count it.

Missing values, ranges and the values of columns with few of them are counted over all rows by DuckDB. How many distinct
values the other columns have is estimated from the sample, and so are the values that are known of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.data.engine import as_arrow
from jupyter_mcpgen.data.parquet_tables import LEAST_ROWS, ParquetTable, Rows, count_of, names_of
from jupyter_mcpgen.data.scales import ordered
from jupyter_mcpgen.model.profile import ColumnProfile, Profile, Role, Written
from jupyter_mcpgen.plan.emit.duckdb import labels
from jupyter_mcpgen.plan.emit.duckdb_expressions import identifier
from jupyter_mcpgen.plan.schema import ColumnType

if TYPE_CHECKING:
    import duckdb
    import pandas as pd

MANY_ROWS = LEAST_ROWS
"""From this many rows on, a table is profiled by a sample and full scans."""
_SAMPLE_ROWS = 25_000
_FEW_VALUES = 1_000
_NEARLY_ALL = 0.95
"""With this share of different values in the sample, there are about as many in the same share of all rows."""
_TABLE = "large"


def sample_of(rows: Rows) -> pd.DataFrame:
    """Return rows from all over a table, the same ones each time; each is labelled by its place."""
    step = max(1, count_of(rows) // _SAMPLE_ROWS)
    if not isinstance(rows, ParquetTable):
        return rows.iloc[::step]
    sample = rows.every(step)
    return sample.set_axis(range(0, len(sample) * step, step))


def counted(rows: Rows, sampled: Profile, longest: int) -> Profile:
    """Return the profile of a table from that of its sample, with what is cheap to count counted over all rows.

    `longest` is how long a text may be to be kept as a value.
    """
    import duckdb  # deferred: 90 ms

    connection = duckdb.connect(config={"enable_external_access": "false", "threads": "2"})
    count = count_of(rows)
    try:
        named = labels(names_of(rows))
        connection.register(_TABLE, as_arrow(rows))
        told = rows.ends() if isinstance(rows, ParquetTable) else None
        figures = told or _figures(connection, sampled, named)
        columns = tuple(
            _corrected(column, sampled.schema_.type_of(column.name), figures[column.name], count, sampled.rows)
            for column in sampled.columns
        )
        columns = tuple(_with_values(column, connection, named[column.name], longest) for column in columns)
    finally:
        connection.close()
    return sampled.replace(rows=count, columns=columns)


def _figures(
    connection: duckdb.DuckDBPyConnection, sampled: Profile, named: dict[str, str]
) -> dict[str, tuple[Any, ...]]:
    """Return for each column how many values there are, the smallest and the largest: one scan."""
    parts = []
    for field in sampled.schema_.fields:
        column = identifier(named[field.name])
        ranged = field.type.is_number or field.type is ColumnType.DATE
        ends = f"min({column}), max({column})" if ranged else "NULL, NULL"
        parts.append(f"count({column}), {ends}")
    row = connection.execute(f"SELECT {', '.join(parts)} FROM {_TABLE}").fetchone() or ()  # noqa: S608  quoted names
    return {field.name: tuple(row[3 * place : 3 * place + 3]) for place, field in enumerate(sampled.schema_.fields)}


def _corrected(
    column: ColumnProfile, type_: ColumnType, figures: tuple[Any, ...], rows: int, sample: int
) -> ColumnProfile:
    present, low, high = figures
    unique = column.distinct == sample and present == rows
    many = column.distinct >= _NEARLY_ALL * sample
    numbered = unique and type_ is ColumnType.INTEGER and high - low + 1 == rows
    return column.replace(
        role=Role.IDENTIFIER if numbered else column.role,
        nulls=rows - present,
        distinct=rows if unique else column.distinct * rows // sample if many else column.distinct,
        complete=False,
        places="",
        minimum=_plain(low),
        maximum=_plain(high),
        written=tuple(_scaled(written, rows / sample) for written in column.written),
    )


def _scaled(written: Written, factor: float) -> Written:
    """Return what was found in the sample, with its counts for all rows; `estimated` says that they are no counts."""
    values = written.values.replace(nulls=round(written.values.nulls * factor), complete=False, places="")
    return written.replace(
        values=values,
        missing=round(written.missing * factor),
        unreadable=round(written.unreadable * factor),
        bare=round(written.bare * factor),
        odd=tuple(cell.replace(row=None) for cell in written.odd),
        estimated=True,
    )


def _with_values(
    column: ColumnProfile, connection: duckdb.DuckDBPyConnection, label: str, longest: int
) -> ColumnProfile:
    """Return the values of a column counted over all rows, where the sample has few of them."""
    if not column.values or column.distinct > _FEW_VALUES:
        return column
    name = identifier(label)
    found = connection.execute(
        f"SELECT {name}, count(*) AS n FROM {_TABLE} WHERE {name} IS NOT NULL GROUP BY 1 ORDER BY n DESC, 1"  # noqa: S608
    ).fetchall()
    words = tuple(value for value, _ in found)
    kept = tuple(word for word in words if not isinstance(word, str) or len(word) <= longest)
    if column.order and column.order == ordered(column.values):  # a rare value has its place too, or breaks the order
        order = ordered(kept)
        column = column.replace(order=order, kind=column.kind if order else None)
    return column.replace(values=kept, more=(), complete=len(kept) == len(words), distinct=len(words))


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value
