"""Runs a reference query over a table in memory; the query cannot reach files, extensions or the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jupyter_mcpgen.errors import ReferenceFailed
from jupyter_mcpgen.plan.emit.duckdb import SOURCE, emit_duckdb, labels
from jupyter_mcpgen.plan.plan import Plan

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


class Engine:
    """One DuckDB connection over one table; missing values of every kind are NULL there."""

    def __init__(self, frame: pd.DataFrame) -> None:
        import duckdb  # deferred: 90 ms

        self._connection = duckdb.connect(
            config={"enable_external_access": "false", "autoinstall_known_extensions": "false", "threads": "2"}
        )
        self._failure = duckdb.Error
        self.load(frame)

    def load(self, frame: pd.DataFrame) -> None:
        """Take another table in place of the one there is; much cheaper than another engine."""
        self._connection.register(SOURCE, _as_arrow(frame))

    def table(self, plan: Plan) -> pd.DataFrame:
        """Return the result of a plan, computed in SQL; raises `ReferenceFailed`."""
        try:
            frame: pd.DataFrame = self._connection.execute(emit_duckdb(plan)).df()
        except self._failure as error:
            raise ReferenceFailed(f"The reference computation in SQL did not finish: {error}") from error
        frame.columns = list(plan.result_schema.names)
        return frame

    def figure(self, plan: Plan) -> float:
        """Return the single number that a plan gives, NaN for a missing one; raises `ReferenceFailed`."""
        value = self.table(plan).iloc[0, 0]
        return float("nan") if value is None else float(str(value))

    def close(self) -> None:
        """Release the memory of the table."""
        self._connection.close()


def _as_arrow(frame: pd.DataFrame) -> pa.Table:
    import pyarrow as pa

    plain = frame.reset_index(drop=True)
    for name in plain.columns:
        column = plain[name]
        if str(column.dtype) == "category":
            plain = plain.assign(**{name: column.astype(column.cat.categories.dtype)})
        elif getattr(column.dtype, "tz", None) is not None:
            plain = plain.assign(**{name: column.dt.tz_localize(None)})  # a plan reads clocks, not instants
    table = pa.Table.from_pandas(plain, preserve_index=False)
    known = labels(table.column_names)
    return table.rename_columns([known[name] for name in table.column_names])
