"""Writes a plan as one DuckDB query: the reference that the pandas code is held against.

It shares no code with the pandas emitter on purpose. Every table carries its row order as a column of its own, because
a relation has none. Identifiers are quoted by doubling `"`, text by doubling `'`.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import assert_never

from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Arithmetic,
    ArithmeticOp,
    Col,
    Compare,
    CompareOp,
    DatePart,
    DateUnit,
    Expression,
    IsIn,
    IsMissing,
    Lit,
    MatchMode,
    Predicate,
    TextMatch,
)
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Derive,
    Describe,
    Filter,
    Limit,
    Measure,
    Select,
    Sort,
    Step,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType, Schema

SOURCE = "source_table"
_FUNCTIONS = {
    AggregateFunction.MEAN: "avg",
    AggregateFunction.MEDIAN: "median",
    AggregateFunction.STD: "stddev_samp",
    AggregateFunction.VAR: "var_samp",
}
_UNITS = {
    DateUnit.YEAR: "year",
    DateUnit.QUARTER: "quarter",
    DateUnit.MONTH: "month",
    DateUnit.DAY: "day",
    DateUnit.WEEKDAY: "isodow",
    DateUnit.HOUR: "hour",
}
_COMPARISONS = {CompareOp.EQ: "=", CompareOp.NE: "<>"}
_SEARCHES = {
    MatchMode.CONTAINS: "contains",
    MatchMode.STARTS: "starts_with",
    MatchMode.ENDS: "ends_with",
}


def identifier(name: str) -> str:
    """Quote a name for SQL."""
    return '"' + name.replace('"', '""') + '"'


def text_literal(text: str) -> str:
    """Quote a text for SQL."""
    return "'" + text.replace("'", "''") + "'"


def labels(names: Iterable[str]) -> dict[str, str]:
    """Return what each column is called in SQL, where names differ by more than case and no name is empty.

    A name that cannot stand as it is gets a mark of its own content, so that a label never means another column.
    """
    names = tuple(names)
    folded = Counter(name.casefold() for name in names)
    return {name: name if folded[name.casefold()] == 1 and _is_plain(name) else _marked(name) for name in names}


def _is_plain(name: str) -> bool:
    return name != "" and "\0" not in name


def _marked(name: str) -> str:
    return f"{name.replace(chr(0), '')} #{hashlib.sha256(name.encode(errors='surrogatepass')).hexdigest()[:12]}"


@dataclass(frozen=True)
class _Scope:
    """The columns that a step sees, what all columns of the plan are called, and the column that holds the order."""

    schema: Schema
    labels: Mapping[str, str]
    order: str

    def column(self, name: str) -> str:
        """Quote a column by its label."""
        return identifier(self.labels[name])

    def columns(self, names: Iterable[str]) -> str:
        """Quote several columns."""
        return ", ".join(self.column(name) for name in names)


def emit_duckdb(plan: Plan) -> str:
    """Return a query over the table `source_table` whose rows come in the plan's order.

    The columns of the table are called by their `labels`, and so are those of the result among themselves.
    """
    schemas = [plan.schema_at(position) for position in range(len(plan.steps) + 1)]
    known = labels(dict.fromkeys(name for schema in schemas for name in schema.names))
    order = identifier(_order_column(known.values()))
    tables = [f"step_0 AS (SELECT {_source_columns(plan, known)}, row_number() OVER () AS {order} FROM {SOURCE})"]
    for position, step in enumerate(plan.steps):
        select = _select(step, f"step_{position}", _Scope(schemas[position], known, order))
        tables.append(f"step_{position + 1} AS ({select})")
    names = plan.result_schema.names
    shown = labels(names)
    result = ", ".join(_as(identifier(known[name]), identifier(shown[name])) for name in names)
    return f"WITH {', '.join(tables)} SELECT {result} FROM step_{len(plan.steps)} ORDER BY {order}"


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
    while name in folded:
        name += "_"
    return name


def _select(step: Step, source: str, scope: _Scope) -> str:
    names, order = scope.schema.names, scope.order
    everything = scope.columns(names)
    match step:
        case Filter():
            return f"SELECT {everything}, {order} FROM {source} WHERE {_predicate(step.predicate, scope)}"
        case Derive():
            value = f"{_expression(step.expression, scope)} AS {scope.column(step.name)}"
            columns = [value if name == step.name else scope.column(name) for name in names]
            columns += [] if step.name in names else [value]
            return f"SELECT {', '.join(columns)}, {order} FROM {source}"
        case Select():
            return f"SELECT {scope.columns(step.columns.names)}, {order} FROM {source}"
        case Aggregate():
            return _aggregate(step, source, scope)
        case Sort():
            keys = ", ".join(
                f"{scope.column(key.column)} {'DESC' if key.descending else 'ASC'} NULLS LAST" for key in step.keys
            )
            return f"SELECT {everything}, row_number() OVER (ORDER BY {keys}, {order}) AS {order} FROM {source}"
        case Limit():
            return f"SELECT {everything}, {order} FROM {source} ORDER BY {order} LIMIT {step.count}"
        case Describe():
            return _describe(step, source, scope)
        case _:
            assert_never(step)


def _aggregate(step: Aggregate, source: str, scope: _Scope) -> str:
    measures = ", ".join(f"{_measure(m, scope)} AS {scope.column(m.name)}" for m in step.measures)
    if not step.by.names:
        return f"SELECT {measures}, 1 AS {scope.order} FROM {source}"
    keys = scope.columns(step.by.names)
    present = " AND ".join(f"{scope.column(name)} IS NOT NULL" for name in step.by.names)
    ordering = f"row_number() OVER (ORDER BY {keys}) AS {scope.order}"
    return f"SELECT {keys}, {measures}, {ordering} FROM {source} WHERE {present} GROUP BY {keys}"


def _measure(measure: Measure, scope: _Scope) -> str:
    if measure.column is None:
        return "count(*)"
    column = scope.column(measure.column.name)
    type_ = scope.schema.type_of(measure.column.name)
    match measure.function:
        case AggregateFunction.COUNT:
            return f"count({column})"
        case AggregateFunction.COUNT_DISTINCT:
            return f"count(DISTINCT {column})"
        case AggregateFunction.SUM:
            number = "BIGINT" if type_ in (ColumnType.INTEGER, ColumnType.BOOLEAN) else "DOUBLE"
            return f"coalesce(CAST(sum(CAST({column} AS {number})) AS {number}), 0)"
        case AggregateFunction.MIN | AggregateFunction.MAX:
            return f"{measure.function.value}({column})"
        case _:
            return f"{_FUNCTIONS[measure.function]}(CAST({_number(column, type_)} AS DOUBLE))"


def _number(column: str, type_: ColumnType) -> str:
    return f"CAST({column} AS BIGINT)" if type_ is ColumnType.BOOLEAN else column


def _describe(step: Describe, source: str, scope: _Scope) -> str:
    selects = []
    for position, name in enumerate(step.columns.names):
        number = f"CAST({scope.column(name)} AS DOUBLE)"
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
        columns = ", ".join(f"{value} AS {scope.column(figure)}" for figure, value in figures.items())
        label = f"{text_literal(name)} AS {scope.column('column')}"
        selects.append(f"SELECT {label}, {columns}, {position} AS {scope.order} FROM {source}")
    return " UNION ALL ".join(selects)


def _predicate(predicate: Predicate, scope: _Scope) -> str:
    match predicate:
        case Compare():
            left, right = _expression(predicate.left, scope), _expression(predicate.right, scope)
            return f"{left} {_COMPARISONS.get(predicate.op, predicate.op.value)} {right}"
        case IsIn():
            values = ", ".join(_literal(value) for value in predicate.values)
            return f"{scope.column(predicate.operand.name)} {'NOT IN' if predicate.negated else 'IN'} ({values})"
        case TextMatch():
            found = (
                f"{_SEARCHES[predicate.mode]}(lower({scope.column(predicate.operand.name)}), "
                f"lower({_literal(predicate.text)}))"
            )
            return f"NOT {found}" if predicate.negated else found
        case IsMissing():
            return f"{scope.column(predicate.operand.name)} IS {'NOT ' if predicate.negated else ''}NULL"
        case All():
            return " AND ".join(f"({_predicate(term, scope)})" for term in predicate.terms)
        case AnyOf():
            return " OR ".join(f"({_predicate(term, scope)})" for term in predicate.terms)
        case _:
            assert_never(predicate)


def _expression(expression: Expression, scope: _Scope) -> str:
    match expression:
        case Col():
            return scope.column(expression.name)
        case Lit():
            return _literal(expression)
        case Arithmetic():
            left, right = (f"CAST({_expression(s, scope)} AS DOUBLE)" for s in (expression.left, expression.right))
            if expression.op is ArithmeticOp.DIVIDE:
                return f"({left} / nullif({right}, 0))"
            return f"({left} {expression.op.value} {right})"
        case DatePart():
            column = scope.column(expression.operand.name)
            if expression.unit.is_period:
                grain = expression.unit.value.removeprefix("start_of_")
                return f"CAST(date_trunc('{grain}', {column}) AS TIMESTAMP)"
            return f"CAST(date_part('{_UNITS[expression.unit]}', {column}) AS BIGINT)"
        case _:
            assert_never(expression)


def _literal(literal: Lit) -> str:
    value = literal.value
    if literal.type is ColumnType.DATE:
        return f"TIMESTAMP {text_literal(str(value))}"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return text_literal(value)
    return f"CAST({text_literal(repr(value))} AS {'DOUBLE' if isinstance(value, float) else 'BIGINT'})"
