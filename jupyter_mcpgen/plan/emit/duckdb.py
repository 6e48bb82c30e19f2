"""Writes a plan as one DuckDB query: the reference that the pandas code is held against.

It shares no code with the pandas emitter on purpose. Every table carries its row order as a column of its own, because
a relation has none. Identifiers are quoted by doubling `"`, text by doubling `'`.
"""

from __future__ import annotations

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


def emit_duckdb(plan: Plan) -> str:
    """Return a query over the table `source_table` whose rows come in the plan's order."""
    order = identifier(_order_column(plan))
    tables = [f"step_0 AS (SELECT *, row_number() OVER () AS {order} FROM {SOURCE})"]
    for position, step in enumerate(plan.steps):
        select = _select(step, plan.schema_at(position), f"step_{position}", order)
        tables.append(f"step_{position + 1} AS ({select})")
    names = ", ".join(identifier(name) for name in plan.result_schema.names)
    return f"WITH {', '.join(tables)} SELECT {names} FROM step_{len(plan.steps)} ORDER BY {order}"


def _order_column(plan: Plan) -> str:
    taken = {name.casefold() for i in range(len(plan.steps) + 1) for name in plan.schema_at(i).names}
    name = "row_order"
    while name in taken:
        name += "_"
    return name


def _select(step: Step, schema: Schema, source: str, order: str) -> str:
    everything = ", ".join(identifier(name) for name in schema.names)
    match step:
        case Filter():
            return f"SELECT {everything}, {order} FROM {source} WHERE {_predicate(step.predicate, schema)}"
        case Derive():
            columns = [identifier(name) for name in schema.names if name != step.name]
            columns.append(f"{_expression(step.expression, schema)} AS {identifier(step.name)}")
            return f"SELECT {', '.join(columns)}, {order} FROM {source}"
        case Select():
            names = ", ".join(identifier(name) for name in step.columns.names)
            return f"SELECT {names}, {order} FROM {source}"
        case Aggregate():
            return _aggregate(step, schema, source, order)
        case Sort():
            keys = ", ".join(
                f"{identifier(key.column)} {'DESC' if key.descending else 'ASC'} NULLS LAST" for key in step.keys
            )
            return f"SELECT {everything}, row_number() OVER (ORDER BY {keys}, {order}) AS {order} FROM {source}"
        case Limit():
            return f"SELECT {everything}, {order} FROM {source} ORDER BY {order} LIMIT {step.count}"
        case Describe():
            return _describe(step, source, order)
        case _:
            assert_never(step)


def _aggregate(step: Aggregate, schema: Schema, source: str, order: str) -> str:
    measures = ", ".join(f"{_measure(m, schema)} AS {identifier(m.name)}" for m in step.measures)
    if not step.by.names:
        return f"SELECT {measures}, 1 AS {order} FROM {source}"
    keys = ", ".join(identifier(name) for name in step.by.names)
    present = " AND ".join(f"{identifier(name)} IS NOT NULL" for name in step.by.names)
    ordering = f"row_number() OVER (ORDER BY {keys}) AS {order}"
    return f"SELECT {keys}, {measures}, {ordering} FROM {source} WHERE {present} GROUP BY {keys}"


def _measure(measure: Measure, schema: Schema) -> str:
    if measure.column is None:
        return "count(*)"
    column = identifier(measure.column.name)
    type_ = schema.type_of(measure.column.name)
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


def _describe(step: Describe, source: str, order: str) -> str:
    selects = []
    for position, name in enumerate(step.columns.names):
        number = f"CAST({identifier(name)} AS DOUBLE)"
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
        columns = ", ".join(f"{value} AS {identifier(figure)}" for figure, value in figures.items())
        label = f"{text_literal(name)} AS {identifier('column')}"
        selects.append(f"SELECT {label}, {columns}, {position} AS {order} FROM {source}")
    return " UNION ALL ".join(selects)


def _predicate(predicate: Predicate, schema: Schema) -> str:
    match predicate:
        case Compare():
            left, right = _expression(predicate.left, schema), _expression(predicate.right, schema)
            return f"{left} {_COMPARISONS.get(predicate.op, predicate.op.value)} {right}"
        case IsIn():
            values = ", ".join(_literal(value) for value in predicate.values)
            return f"{identifier(predicate.operand.name)} {'NOT IN' if predicate.negated else 'IN'} ({values})"
        case TextMatch():
            found = (
                f"{_SEARCHES[predicate.mode]}(lower({identifier(predicate.operand.name)}), "
                f"lower({_literal(predicate.text)}))"
            )
            return f"NOT {found}" if predicate.negated else found
        case IsMissing():
            return f"{identifier(predicate.operand.name)} IS {'NOT ' if predicate.negated else ''}NULL"
        case All():
            return " AND ".join(f"({_predicate(term, schema)})" for term in predicate.terms)
        case AnyOf():
            return " OR ".join(f"({_predicate(term, schema)})" for term in predicate.terms)
        case _:
            assert_never(predicate)


def _expression(expression: Expression, schema: Schema) -> str:
    match expression:
        case Col():
            return identifier(expression.name)
        case Lit():
            return _literal(expression)
        case Arithmetic():
            left, right = (f"CAST({_expression(s, schema)} AS DOUBLE)" for s in (expression.left, expression.right))
            if expression.op is ArithmeticOp.DIVIDE:
                return f"({left} / nullif({right}, 0))"
            return f"({left} {expression.op.value} {right})"
        case DatePart():
            column = identifier(expression.operand.name)
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
