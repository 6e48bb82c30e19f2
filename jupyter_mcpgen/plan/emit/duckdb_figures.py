"""SQL that every statistic is written with: numbers, their finite values, ranks, significance, named cells."""

from __future__ import annotations

from jupyter_mcpgen.plan import findings
from jupyter_mcpgen.plan.emit.duckdb_expressions import Scope
from jupyter_mcpgen.plan.expressions import Col

RANK = "rank() OVER (ORDER BY {0}) + (count(*) OVER (PARTITION BY {0}) - 1) / 2.0"
"""The rank of a value, the mean of the ranks where several are equal."""
RANK_WITHIN = "rank() OVER (PARTITION BY g ORDER BY {0}) + (count(*) OVER (PARTITION BY g, {0}) - 1) / 2.0"
"""The same among the values of its group `g`."""


def double_of(name: str, scope: Scope) -> str:
    """Return a column as a floating-point number."""
    return f"CAST({scope.column(name)} AS DOUBLE)"


def finite_values(column: Col, source: str, scope: Scope) -> str:
    """Return a query for the finite values `x` of a column."""
    number = double_of(column.name, scope)
    return f"SELECT {number} AS x FROM {source} WHERE isfinite({number})"


def named_cells(scope: Scope, **values: str) -> str:
    """Return the values of one row, each under its name."""
    return ", ".join(f"{value} AS {scope.column(name)}" for name, value in values.items())


def significance(p_value: str) -> str:
    """Return what is said of a p-value."""
    said = f"THEN '{findings.SIGNIFICANT}' ELSE '{findings.NOT_SIGNIFICANT}'"
    return f"CASE WHEN {p_value} < {findings.SIGNIFICANCE} {said} END"
