"""Runs a reference query over one table, or two; the query cannot reach other files, extensions or the network."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import signature
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from jupyter_mcpgen.data.distributions import TAILS
from jupyter_mcpgen.data.parquet_tables import ParquetTable, Rows, columns_of, names_of
from jupyter_mcpgen.data.with_columns import with_columns
from jupyter_mcpgen.errors import ReferenceFailed
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.emit.duckdb import SOURCE, emit_duckdb, labels
from jupyter_mcpgen.plan.emit.duckdb_sources import OTHER
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.rewrite import rewrite

if TYPE_CHECKING:
    import duckdb
    import pandas as pd
    import pyarrow as pa
    from pyarrow.dataset import Dataset

_Fetched = TypeVar("_Fetched")
LARGEST_TOTAL = 9.2e18
"""A little less than the most that a whole number of 64 bits holds, as a tool takes it: a float near it is rounded."""


@cache
def _database() -> duckdb.DuckDBPyConnection:
    """Return the one database of this process: empty, with the tails of distributions, which SQL has not.

    Making one takes as long as sixty connections to it, and what a connection registers is its own.
    """
    import duckdb  # deferred: 90 ms

    database = duckdb.connect(
        config={"enable_external_access": "false", "autoinstall_known_extensions": "false", "threads": "2"}
    )
    for name, function in TAILS.items():
        count = len(signature(function).parameters)
        database.create_function(name, function, ["DOUBLE" for _ in range(count)], "DOUBLE")
    return database


_MADE = Lock()


class Engine:
    """One DuckDB connection over a table, and a second one if plans need it; a missing value of any kind is NULL."""

    def __init__(self, frame: Rows, other: Rows | None = None) -> None:
        import duckdb

        with _MADE:
            self._connection = _database().cursor()
        self._failure = duckdb.Error
        self._ranges = (duckdb.OutOfRangeException, duckdb.ConversionException)
        self.load(frame, other)

    def swapped(self) -> Engine:
        """Return another engine over the same two tables, the second one first."""
        first, other = self._frames
        return Engine(first if other is None else other, first)

    def load(self, frame: Rows, other: Rows | None = None) -> None:
        """Take other tables in place of those there are; much cheaper than another engine."""
        self._frames = frame, other
        self._figures: dict[str, float] = {}
        self._connection.register(SOURCE, as_arrow(frame))
        if other is not None:
            self._connection.register(OTHER, as_arrow(other))

    def table(self, plan: Plan) -> pd.DataFrame:
        """Return the result of a plan, rewritten to read less and computed in SQL; raises `ReferenceFailed`."""
        frame: pd.DataFrame = self._run(plan, emit_duckdb(rewrite(plan)), lambda result: result.df())
        frame.columns = list(plan.result_schema.names)
        return frame

    def _run(self, plan: Plan, query: str, fetch: Callable[[duckdb.DuckDBPyConnection], _Fetched]) -> _Fetched:
        try:
            return fetch(self._connection.execute(query))
        except self._failure as error:
            raise ReferenceFailed(self._why(error, plan)) from error

    def _why(self, error: Exception, plan: Plan) -> str:
        """Say why a plan could not be computed: which columns do not fit, else the first line of what DuckDB says."""
        named = {name for step in plan.steps for name in names_in(step)}
        beyond = _beyond_whole_numbers(self._frames, named) if isinstance(error, self._ranges) else []
        if beyond:
            columns = " and ".join(f"`{name}`" for name in beyond)
            return (
                f"The reference computation in SQL did not finish: {columns} cannot be added up exactly, because a "
                "total may be beyond 9.2e18, the most that a whole number of 64 bits holds. Ask for a column of "
                f"smaller numbers, or make {columns} a column of decimal fractions first"
            )
        return f"The reference computation in SQL did not finish: {str(error).strip().splitlines()[0]}"

    def figure(self, plan: Plan) -> float:
        """Return the number or total that a plan gives: 0 of no values, NaN of values that are not finite.

        Each is computed once, however often it is asked for. Raises `ReferenceFailed`.
        """
        query = emit_duckdb(rewrite(plan))
        if query not in self._figures:
            value = self._run(plan, query, lambda result: result.fetchall())[0][0]
            self._figures[query] = 0.0 if value is None else float(value)
        return self._figures[query]

    def close(self) -> None:
        """Release the memory of the table."""
        self._connection.close()


def _beyond_whole_numbers(tables: tuple[Rows | None, ...], named: set[str]) -> list[str]:
    """Return the columns of whole numbers, of those named, whose total may not fit 64 bits."""
    return [
        name
        for table in tables
        if table is not None
        for name in map(str, names_of(table))
        if name in named and _may_be_too_large(columns_of(table, [name])[name])
    ]


def _may_be_too_large(column: pd.Series) -> bool:
    return column.dtype.kind in "iu" and bool(column.astype("float64").abs().sum() > LARGEST_TOTAL)


def as_arrow(table: Rows) -> pa.Table | Dataset:
    """Return what queries read a table from, with its columns called as SQL has to call them."""
    import pyarrow as pa

    if isinstance(table, ParquetTable):
        return table.dataset
    plain = table.reset_index(drop=True)
    for name in plain.columns:
        column = plain[name]
        if str(column.dtype) == "category":
            plain = with_columns(plain, {name: column.astype(column.cat.categories.dtype)})
        elif getattr(column.dtype, "tz", None) is not None:
            plain = with_columns(plain, {name: column.dt.tz_localize(None)})  # a plan reads clocks, not instants
    made = pa.Table.from_pandas(plain, preserve_index=False)
    known = labels(made.column_names)
    return made.rename_columns([known[name] for name in made.column_names])
