"""Writes how the rows of `other_table` come to those of the first table, as DuckDB SQL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from jupyter_mcpgen.plan.emit.duckdb_expressions import Scope, identifier, labels, text_literal
from jupyter_mcpgen.plan.emit.duckdb_groups import aggregate_query, or_zero
from jupyter_mcpgen.plan.schema import ColumnType, Field, Schema
from jupyter_mcpgen.plan.sources import Join, JoinKind, Second, Summary, Union

OTHER = "other_table"
SQL_TYPES = {
    ColumnType.INTEGER: "BIGINT",
    ColumnType.REAL: "DOUBLE",
    ColumnType.TEXT: "VARCHAR",
    ColumnType.BOOLEAN: "BOOLEAN",
    ColumnType.DATE: "TIMESTAMP",
}
"""What a column of each type is cast to."""


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
        case Summary():
            return _with_figures(second, first, scope)
        case _:
            assert_never(second)


def _numbered(table: str, scope: Scope) -> str:
    return f"(SELECT *, row_number() OVER () AS {scope.order} FROM {table})"


def _pairs(join: Join, first: str, other: str, scope: Scope) -> str:
    own, others = _labels(join.first_schema), _labels(join.other_schema)
    types = join.schema_
    values = {name: f"a.{label}" for name, label in own.items()} | _merged_keys(join)
    shown = [
        *(_shown(values[f.name], f, types, f.name, scope) for f in join.first_schema.fields),
        *(
            _shown(f"b.{others[f.name]}", f, types, join.taken[f.name], scope)
            for f in join.other_schema.fields
            if f.name in join.taken
        ),
    ]
    outer = join.how is JoinKind.OUTER
    kind = "FULL JOIN" if outer else "LEFT JOIN" if join.how is JoinKind.LEFT else "JOIN"
    last = " NULLS LAST" if outer else ""
    order = f"row_number() OVER (ORDER BY a.{scope.order}{last}, b.{scope.order}) AS {scope.order}"
    if join.relation.first_is_unique:
        first = _once(first, [own[pair.first.name] for pair in join.keys], "first")
    if join.relation.second_is_unique:
        keys = [others[pair.second.name] for pair in join.keys]
        present = " AND ".join(f"{key} IS NOT NULL" for key in keys)
        if outer:
            other = _once(other, keys, "second", f"{present} AND ")
        else:
            other = _once(f"(SELECT * FROM {other} WHERE {present})", keys, "second")
    return f"SELECT {', '.join(shown)}, {order} FROM {first} AS a {kind} {other} AS b ON {_equal(join)}"


def _merged_keys(join: Join) -> dict[str, str]:
    """Return the keys that both tables name alike, where a row may come from the second table alone."""
    if join.how is not JoinKind.OUTER:
        return {}
    own, others = _labels(join.first_schema), _labels(join.other_schema)
    names = [pair.first.name for pair in join.keys if pair.is_one_column]
    return {name: f"coalesce(a.{own[name]}, b.{others[name]})" for name in names}


def _once(table: str, keys: list[str], which: str, only: str = "") -> str:
    """Return a table after making sure that no two of its rows, or of `only` some, have the same key."""
    message = text_literal(f"a key names several rows of the {which} table")
    repeated = f"{only}count(*) OVER (PARTITION BY {', '.join(keys)}) > 1"
    checked = f"CASE WHEN {repeated} THEN CAST(error({message}) AS BOOLEAN) ELSE TRUE END"
    return f"(SELECT * FROM {table} QUALIFY {checked})"


def _matches(join: Join, first: str, other: str, scope: Scope) -> str:
    own = _labels(join.first_schema)
    shown = ", ".join(f"a.{own[name]} AS {scope.column(name)}" for name in join.first_schema.names)
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


def _with_figures(summary: Summary, first: str, scope: Scope) -> str:
    """Return the rows of the first table beside the figures of their keys, which a subquery groups."""
    own, types = _labels(summary.first_schema), summary.schema_
    figures = {figure.name: figure for figure in summary.figures}
    inner = Scope(summary.typed_schemas[1], labels((*summary.other_schema.names, *figures)), scope.order)
    shown = [_shown(f"a.{own[f.name]}", f, types, f.name, scope) for f in summary.first_schema.fields]
    no_rows = f"b.{inner.column(summary.keys[0].second.name)} IS NULL"
    for name, figure in figures.items():
        value = f"b.{inner.column(name)}"
        shown.append(f"{or_zero(figure, value, no_rows)} AS {scope.column(name)}")
    equal = []
    for pair in summary.keys:
        left, right = f"a.{own[pair.first.name]}", f"b.{inner.column(pair.second.name)}"
        equal.append(f"CAST({left} AS DOUBLE) = {right}" if summary.is_mixed(pair) else f"{left} = {right}")
    if summary.relation.first_is_unique:
        first = _once(first, [own[pair.first.name] for pair in summary.keys], "first")
    grouped = aggregate_query(summary.grouped, f"({_typed(summary, inner)})", inner)
    joined = f"{first} AS a LEFT JOIN ({grouped}) AS b ON {' AND '.join(equal)}"
    return f"SELECT {', '.join(shown)}, a.{scope.order} FROM {joined}"


def _typed(summary: Summary, inner: Scope) -> str:
    """Return the second table, numbered, with keys that meet real numbers as such before they are grouped."""
    own = _labels(summary.other_schema)
    columns = (_shown(own[f.name], f, inner.schema, f.name, inner) for f in summary.other_schema.fields)
    return f"SELECT {', '.join(columns)}, row_number() OVER () AS {inner.order} FROM {OTHER}"


def _stacked(union: Union, first: str, other: str, scope: Scope) -> str:
    sides = []
    for side, (table, schema) in enumerate(((first, union.first_schema), (other, union.other_schema))):
        own, fields = _labels(schema), {field.name: field for field in schema.fields}
        shown = (
            _shown(own.get(name, "NULL"), fields.get(name), union.schema_, name, scope) for name in union.schema_.names
        )
        sides.append(f"SELECT {', '.join(shown)}, {side} AS {scope.spare('side')}, {scope.order} FROM {table}")
    order = f"row_number() OVER (ORDER BY {scope.spare('side')}, {scope.order}) AS {scope.order}"
    return f"SELECT {scope.columns(union.schema_.names)}, {order} FROM ({' UNION ALL '.join(sides)})"


def _shown(value: str, field: Field | None, types: Schema, name: str, scope: Scope) -> str:
    """Write a column of one table as the column it becomes; a table that lacks it has no field for it."""
    type_ = types.type_of(name)
    same = field is not None and field.type is type_
    return f"{value if same else f'CAST({value} AS {SQL_TYPES[type_]})'} AS {scope.column(name)}"


def _labels(schema: Schema) -> Mapping[str, str]:
    """Quote what the engine calls the columns of a table."""
    return {name: identifier(label) for name, label in labels(schema.names).items()}
