"""Writes a plan as one DuckDB query: the reference that the pandas code is held against.

It shares no code with the pandas emitter on purpose. Every table carries its row order as a column of its own, because
a relation has none. Identifiers are quoted by doubling `"`, text by doubling `'`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from jupyter_mcpgen.plan.emit.duckdb_expressions import (
    Scope,
    identifier,
    predicate_text,
    value_text,
    with_column,
)
from jupyter_mcpgen.plan.emit.duckdb_expressions import (
    labels as labels,
)
from jupyter_mcpgen.plan.emit.duckdb_groups import aggregate_query, pivot_query, resample_query
from jupyter_mcpgen.plan.emit.duckdb_reshaping import reshaping_query
from jupyter_mcpgen.plan.emit.duckdb_sources import second_query
from jupyter_mcpgen.plan.emit.duckdb_statistics import select_statistic
from jupyter_mcpgen.plan.emit.duckdb_summaries import describe_query
from jupyter_mcpgen.plan.emit.duckdb_windows import sort_key, top_per_group_query, window_value
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    Derive,
    Describe,
    Distinct,
    Filter,
    Limit,
    Pivot,
    Rename,
    Resample,
    Select,
    Sort,
    Step,
    TopPerGroup,
    Window,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.reshaping import Members, Unpivot
from jupyter_mcpgen.plan.statistics import Statistic

SOURCE = "source_table"


def emit_duckdb(plan: Plan) -> str:
    """Return a query over `source_table`, and `other_table` if the plan has a second one; rows in the plan's order.

    The columns of a table are called by their `labels`, and so are those of the result among themselves.
    """
    schemas = [plan.schema_at(position) for position in range(len(plan.steps) + 1)]
    known = labels(dict.fromkeys(name for schema in schemas for name in schema.names))
    both = (plan.second.first_schema, plan.second.other_schema) if plan.second is not None else ()
    taken = [label for schema in both for label in labels(schema.names).values()]
    order = identifier(_order_column((*known.values(), *taken)))
    tables = [f"step_0 AS ({_source(plan, known, order)})"]
    for position, step in enumerate(plan.steps):
        select = _select(step, f"step_{position}", Scope(schemas[position], known, order))
        tables.append(f"step_{position + 1} AS ({select})")
    names = plan.result_schema.names
    shown = labels(names)
    result = ", ".join(_as(identifier(known[name]), identifier(shown[name])) for name in names)
    return f"WITH {', '.join(tables)} SELECT {result} FROM step_{len(plan.steps)} ORDER BY {order}"


def _source(plan: Plan, known: Mapping[str, str], order: str) -> str:
    if plan.second is not None:
        return second_query(plan.second, SOURCE, Scope(plan.source_schema, known, order))
    return f"SELECT {_source_columns(plan, known)}, row_number() OVER () AS {order} FROM {SOURCE}"


def _source_columns(plan: Plan, known: Mapping[str, str]) -> str:
    own = labels(plan.source_schema.names)
    if all(known[name] == label for name, label in own.items()):
        return "*"
    return ", ".join(_as(identifier(label), identifier(known[name])) for name, label in own.items())


def _as(value: str, label: str) -> str:
    return value if value == label else f"{value} AS {label}"


def _order_column(taken: Iterable[str]) -> str:
    folded = {label.casefold() for label in taken}
    name = "row_order"
    while any(label.startswith(name) for label in folded):  # names that begin with it are ours too
        name += "_"
    return name


def _select(step: Step, source: str, scope: Scope) -> str:
    names, order = scope.schema.names, scope.order
    everything = scope.columns(names)
    match step:
        case Filter():
            return f"SELECT {everything}, {order} FROM {source} WHERE {predicate_text(step.predicate, scope)}"
        case Derive():
            return with_column(step.name, value_text(step.expression, scope), source, scope)
        case Select():
            return f"SELECT {scope.columns(step.columns.names)}, {order} FROM {source}"
        case Aggregate():
            return aggregate_query(step, source, scope)
        case Sort():
            keys = ", ".join(sort_key(key, scope) for key in step.keys)
            return f"SELECT {everything}, row_number() OVER (ORDER BY {keys}, {order}) AS {order} FROM {source}"
        case Limit():
            return f"SELECT {everything}, {order} FROM {source} ORDER BY {order} LIMIT {step.count}"
        case Describe():
            return describe_query(step, source, scope)
        case Distinct():
            columns = scope.columns(step.columns.names)
            return f"SELECT {columns}, min({order}) AS {order} FROM {source} GROUP BY {columns}"
        case TopPerGroup():
            return top_per_group_query(step, source, scope)
        case Window():
            return with_column(step.name, window_value(step, scope), source, scope)
        case Resample():
            return resample_query(step, source, scope)
        case Pivot():
            return pivot_query(step, source, scope)
        case Rename():
            old, new = step.column.name, scope.column(step.name)
            columns = ", ".join(f"{scope.column(n)} AS {new}" if n == old else scope.column(n) for n in names)
            return f"SELECT {columns}, {order} FROM {source}"
        case Unpivot() | Members():
            return reshaping_query(step, source, scope)
        case _ if isinstance(step, Statistic):
            return select_statistic(step, source, scope)
        case _:
            assert_never(step)
