"""Writes how the rows of `other_table` come to those of the first table, as DuckDB SQL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from jupyter_mcpgen.plan.emit.duckdb_expressions import Scope, identifier, labels, text_literal
from jupyter_mcpgen.plan.schema import ColumnType, Schema
from jupyter_mcpgen.plan.sources import Join, JoinKind, Second, Union

OTHER = "other_table"
_TYPES = {
    ColumnType.INTEGER: "BIGINT",
    ColumnType.REAL: "DOUBLE",
    ColumnType.TEXT: "VARCHAR",
    ColumnType.BOOLEAN: "BOOLEAN",
    ColumnType.DATE: "TIMESTAMP",
}


def second_query(second: Second, source: str, scope: Scope) -> str:
    """Return the query of the table that is made of both; its columns are called by the labels of the scope."""
    first = _numbered(source, scope)
    other = _numbered(OTHER, scope)
    match second:
        case Join(how=JoinKind.SEMI | JoinKind.ANTI):
            return _matches(second, first, other, scope)
        case Join():
            return _pairs(second, first, other, scope)
        case Union():
            return _stacked(second, first, other, scope)
        case _:
            assert_never(second)


def _numbered(table: str, scope: Scope) -> str:
    return f"(SELECT *, row_number() OVER () AS {scope.order} FROM {table})"


def _pairs(join: Join, first: str, other: str, scope: Scope) -> str:
    own, others = _labels(join.first_schema), _labels(join.other_schema)
    types = join.schema_
    shown = [
        *(_cast(f"a.{own[name]}", name, types, scope) for name in join.first_schema.names),
        *(_cast(f"b.{others[old]}", new, types, scope) for old, new in join.taken.items()),
    ]
    kind = "LEFT JOIN" if join.how is JoinKind.LEFT else "JOIN"
    order = f"row_number() OVER (ORDER BY a.{scope.order}, b.{scope.order}) AS {scope.order}"
    matches = _matching_once(join, other) if join.one_match else other
    return f"SELECT {', '.join(shown)}, {order} FROM {first} AS a {kind} {matches} AS b ON {_equal(join)}"


def _matching_once(join: Join, other: str) -> str:
    """Return the rows that have a key, after making sure that no two of them have the same."""
    labelled = _labels(join.other_schema)
    keys = [labelled[pair.second.name] for pair in join.keys]
    present = " AND ".join(f"{key} IS NOT NULL" for key in keys)
    message = text_literal("a key of the second table names several of its rows")
    repeated = f"count(*) OVER (PARTITION BY {', '.join(keys)}) > 1"
    once = f"CASE WHEN {repeated} THEN CAST(error({message}) AS BOOLEAN) ELSE TRUE END"
    return f"(SELECT * FROM {other} WHERE {present} QUALIFY {once})"


def _matches(join: Join, first: str, other: str, scope: Scope) -> str:
    own = _labels(join.first_schema)
    shown = ", ".join(_cast(f"a.{own[name]}", name, join.schema_, scope) for name in join.first_schema.names)
    exists = "EXISTS" if join.how is JoinKind.SEMI else "NOT EXISTS"
    found = f"{exists} (SELECT 1 FROM {other} AS b WHERE {_equal(join)})"
    return f"SELECT {shown}, a.{scope.order} FROM {first} AS a WHERE {found}"


def _equal(join: Join) -> str:
    own, others = _labels(join.first_schema), _labels(join.other_schema)
    terms = []
    for pair in join.keys:
        left, right = f"a.{own[pair.first.name]}", f"b.{others[pair.second.name]}"
        mixed = join.is_mixed(pair)
        terms.append(f"CAST({left} AS DOUBLE) = CAST({right} AS DOUBLE)" if mixed else f"{left} = {right}")
    return " AND ".join(terms)


def _stacked(union: Union, first: str, other: str, scope: Scope) -> str:
    sides = []
    for side, (table, schema) in enumerate(((first, union.first_schema), (other, union.other_schema))):
        own = _labels(schema)
        shown = ", ".join(_cast(own.get(name, "NULL"), name, union.schema_, scope) for name in union.schema_.names)
        sides.append(f"SELECT {shown}, {side} AS {scope.spare('side')}, {scope.order} FROM {table}")
    order = f"row_number() OVER (ORDER BY {scope.spare('side')}, {scope.order}) AS {scope.order}"
    return f"SELECT {scope.columns(union.schema_.names)}, {order} FROM ({' UNION ALL '.join(sides)})"


def _cast(value: str, name: str, types: Schema, scope: Scope) -> str:
    return f"CAST({value} AS {_TYPES[types.type_of(name)]}) AS {scope.column(name)}"


def _labels(schema: Schema) -> Mapping[str, str]:
    """Quote what the engine calls the columns of a table."""
    return {name: identifier(label) for name, label in labels(schema.names).items()}
