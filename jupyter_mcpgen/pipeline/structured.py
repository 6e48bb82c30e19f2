"""What a client of MCP gets of a tool's answer as values: rows, and how many of the table's rows they are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jupyter_mcpgen.model.run import Table
from jupyter_mcpgen.sandbox.job import Answer


def structured_of(answer: Answer, table: Table, files: Sequence[str] = ()) -> dict[str, Any]:
    """Return an answer as its output schema has it; only whole numbers of its counts are passed on."""
    without_value = answer.details.get("without_value")
    return {
        "columns": list(table.columns),
        "rows": [dict(zip(table.columns, row, strict=True)) for row in table.rows],
        "row_count": table.total_rows,
        "rows_in": _count(answer.details.get("rows_in")) or 0,
        "rows_used": rows_told(answer),
        "without_value": _counts(without_value) if isinstance(without_value, Mapping) else {},
        "truncated": table.total_rows > len(table.rows),
        "result": answer.text or "",
        **({"files": list(files)} if files else {}),
    }


def rows_told(answer: Answer) -> int | None:
    """Return how many rows a tool says that its result is made of, or None where it does not say."""
    return _count(answer.details.get("rows_used"))


def _counts(values: Mapping[Any, Any]) -> dict[str, int]:
    return {str(name): count for name, value in values.items() if (count := _count(value))}


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
