"""Writes the summary of number columns as SQL, of all rows or of each group."""

from __future__ import annotations

from jupyter_mcpgen.plan.emit.duckdb_expressions import Scope, text_literal
from jupyter_mcpgen.plan.emit.duckdb_figures import double_of
from jupyter_mcpgen.plan.ops import Describe


def describe_query(step: Describe, source: str, scope: Scope) -> str:
    """Return one row of figures per number column, or per group and number column."""
    keys = scope.columns(step.by.names)
    grouped = f" WHERE {' AND '.join(f'{scope.column(n)} IS NOT NULL' for n in step.by.names)} GROUP BY {keys}"
    place = scope.spare("place")
    shown, label = f"{keys}, " if keys else "", scope.column("column")
    selects = [
        f"SELECT {shown}{text_literal(name)} AS {label}, {_figures(name, scope)}, "
        f"{position} AS {place} FROM {source}{grouped if keys else ''}"
        for position, name in enumerate(step.columns.names)
    ]
    order = ", ".join([*([keys] if keys else []), place])
    return (
        f"SELECT * EXCLUDE ({place}), row_number() OVER (ORDER BY {order}) AS {scope.order} "
        f"FROM ({' UNION ALL '.join(selects)})"
    )


def _figures(name: str, scope: Scope) -> str:
    number = double_of(name, scope)
    figures = {
        "count": f"count({number})",
        "missing": f"count(*) - count({number})",
        "mean": f"avg({number})",
        "std": f"stddev_samp({number})",
        "min": f"min({number})",
        "q25": f"quantile_cont({number}, 0.25)",
        "median": f"quantile_cont({number}, 0.5)",
        "q75": f"quantile_cont({number}, 0.75)",
        "max": f"max({number})",
    }
    return ", ".join(f"{value} AS {scope.column(figure)}" for figure, value in figures.items())
