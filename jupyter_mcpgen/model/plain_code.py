"""How an answer is computed, as a person runs it in a cell."""

from __future__ import annotations

from jupyter_mcpgen.model.record import Record


class PlainCode(Record):
    """Plain pandas, and the second computation in SQL, as DuckDB runs it; `no_sql` says why there is none."""

    pandas: str
    sql: str = ""
    no_sql: str = ""
