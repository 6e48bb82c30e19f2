"""SQL that every statistic is written with: numbers, their finite values, ranks, significance, named cells."""

from __future__ import annotations

from jupyter_mcpgen.plan import findings
from jupyter_mcpgen.plan.emit.duckdb_expressions import Scope
from jupyter_mcpgen.plan.expressions import Col, Columns

RANK = "rank() OVER (ORDER BY {0}) + (count(*) OVER (PARTITION BY {0}) - 1) / 2.0"
"""The rank of a value, the mean of the ranks where several are equal."""


def double_of(name: str, scope: Scope) -> str:
    """Return a column as a floating-point number."""
    return f"CAST({scope.column(name)} AS DOUBLE)"


def finite_values(column: Col, source: str, scope: Scope) -> str:
    """Return a query for the finite values `x` of a column."""
    number = double_of(column.name, scope)
    return f"SELECT {number} AS x FROM {source} WHERE isfinite({number})"


def group_of(by: Columns, scope: Scope) -> str:
    """Return what tells the groups apart."""
    return f"row({scope.columns(by.names)})"


def are_present(by: Columns, scope: Scope) -> str:
    """Return the condition that a row is in a group."""
    return " AND ".join(f"{scope.column(name)} IS NOT NULL" for name in by.names) or "TRUE"


def each_group(by: Columns, figures: str, source: str, scope: Scope) -> str:
    """Return a row for each group, its values called `k0`, `k1`, …, with its `figures` of the same `g` if it has some.

    Without groups the figures stay as they are.
    """
    if not by.names:
        return figures
    keys = ", ".join(f"{scope.column(name)} AS k{place}" for place, name in enumerate(by.names))
    every = f"SELECT DISTINCT {keys}, {group_of(by, scope)} AS g FROM {source} WHERE {are_present(by, scope)}"
    return (
        f"SELECT every.* EXCLUDE (g), sums.* EXCLUDE (n), coalesce(sums.n, 0) AS n "
        f"FROM ({every}) AS every LEFT JOIN ({figures}) AS sums ON every.g = sums.g"
    )


def shown_groups(by: Columns, scope: Scope) -> str:
    """Return the values of the groups under their own names, before the other cells."""
    return "".join(f"k{place} AS {scope.column(name)}, " for place, name in enumerate(by.names))


def order_of_groups(by: Columns) -> str:
    """Return the number of each group in their order."""
    keys = ", ".join(f"k{place}" for place in range(len(by.names)))
    return f"row_number() OVER (ORDER BY {keys})" if keys else "1"


def named_cells(scope: Scope, **values: str) -> str:
    """Return the values of one row, each under its name."""
    return ", ".join(f"{value} AS {scope.column(name)}" for name, value in values.items())


def significance(p_value: str) -> str:
    """Return what is said of a p-value."""
    said = f"THEN '{findings.SIGNIFICANT}' ELSE '{findings.NOT_SIGNIFICANT}'"
    return f"CASE WHEN {p_value} < {findings.SIGNIFICANCE} {said} END"
