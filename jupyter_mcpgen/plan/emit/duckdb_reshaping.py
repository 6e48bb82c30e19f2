"""Writes how columns come below each other, and lists by member, as DuckDB SQL."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from jupyter_mcpgen.plan.emit.duckdb_expressions import SPACES, Scope, text_literal
from jupyter_mcpgen.plan.emit.duckdb_sources import SQL_TYPES
from jupyter_mcpgen.plan.reshaping import MEMBER, Members, Reshaping, Unpivot, schema_after_reshaping


def reshaping_query(step: Reshaping, source: str, scope: Scope) -> str:
    """Return the query of the other rows of a table."""
    match step:
        case Unpivot():
            return _below_each_other(step, source, scope)
        case Members():
            return _by_member(step, source, scope)
        case _:
            assert_never(step)


def _below_each_other(step: Unpivot, source: str, scope: Scope) -> str:
    """Write a query for each column, and number the rows of all column by column."""
    taken = step.columns(scope.schema)
    kept = scope.columns(name for name in scope.schema.names if name not in taken)
    type_ = SQL_TYPES[schema_after_reshaping(step, scope.schema).type_of(step.value)]
    place, made = scope.spare("place"), scope.columns(step.made)
    period, value = (scope.column(name) for name in step.made)
    selects = (
        f"SELECT {f'{kept}, ' if kept else ''}{_literal(step.names.period(name))} AS {period}, "
        f"CAST({scope.column(name)} AS {type_}) AS {value}, {at} AS {place}, {scope.order} FROM {source}"
        for at, name in enumerate(taken)
    )
    order = f"row_number() OVER (ORDER BY {place}, {scope.order}) AS {scope.order}"
    return f"SELECT {f'{kept}, ' if kept else ''}{made}, {order} FROM ({' UNION ALL '.join(selects)})"


def _literal(period: int | str | datetime) -> str:
    match period:
        case int():
            return f"CAST({period} AS BIGINT)"
        case str():
            return text_literal(period)
        case datetime():
            return f"CAST({text_literal(period.isoformat(sep=' '))} AS TIMESTAMP)"


def _by_member(step: Members, source: str, scope: Scope) -> str:
    """Write the members of each list, the first of equal ones, and number the rows by row and place in its list."""
    name, order = step.column.name, scope.order
    lists, member, place = scope.spare("lists"), scope.spare("member"), scope.spare("place")
    column = scope.column(name)
    taken_apart = (
        f"regexp_extract_all({column}, {text_literal(MEMBER)}, 1)"
        if step.separator is None
        else f"string_split({column}, {text_literal(step.separator)})"
    )
    kept = "".join(f"{scope.column(other)}, " for other in scope.schema.names if other != name)
    trimmed = f"list_transform({taken_apart}, lambda {member}: trim({member}, {SPACES}))"
    is_first = f"{member} <> '' AND list_position({lists}, {member}) = {place}"
    listed = f"SELECT {kept}{trimmed} AS {lists}, {order} FROM {source}"
    chosen = (
        f"SELECT {kept}list_filter({lists}, lambda {member}, {place}: {is_first}) AS {lists}, {order} FROM ({listed})"
    )
    each = (
        f"SELECT {kept}unnest({lists}) AS {member}, generate_subscripts({lists}, 1) AS {place}, {order} FROM ({chosen})"
    )
    shown = ", ".join(f"{member} AS {column}" if own == name else scope.column(own) for own in scope.schema.names)
    return f"SELECT {shown}, row_number() OVER (ORDER BY {order}, {place}) AS {order} FROM ({each})"
