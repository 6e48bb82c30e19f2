"""Writes the values and conditions of a plan as DuckDB SQL; identifiers and text are quoted by construction."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import assert_never

from jupyter_mcpgen.plan.emit.duckdb_writing import parse_text
from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Arithmetic,
    ArithmeticOp,
    Bin,
    Case,
    Col,
    Compare,
    CompareOp,
    DateName,
    DatePart,
    DateUnit,
    Expression,
    IsIn,
    IsMissing,
    Lit,
    MatchMode,
    Parse,
    Predicate,
    TextCall,
    TextFunction,
    TextMatch,
    TimeBetween,
    TimeUnit,
)
from jupyter_mcpgen.plan.schema import ColumnType, Schema

_UNITS = {
    DateUnit.YEAR: "year",
    DateUnit.QUARTER: "quarter",
    DateUnit.MONTH: "month",
    DateUnit.DAY: "day",
    DateUnit.WEEKDAY: "isodow",
    DateUnit.HOUR: "hour",
    DateUnit.MINUTE: "minute",
}
SPACES = " || ".join(f"chr({code})" for code in range(0x3001) if chr(code).isspace())
"""What Python trims from a text, as SQL writes it: an escape such as `\\u0020` is five letters to DuckDB."""
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
class Scope:
    """The columns that a step sees, what all columns of the plan are called, and the column that holds the order."""

    schema: Schema
    labels: Mapping[str, str]
    order: str

    def column(self, name: str) -> str:
        """Quote a column by its label."""
        return identifier(self.labels[name])

    def spare(self, name: str) -> str:
        """Return a quoted name that no column of the plan has."""
        return identifier(f"{self.order[1:-1]}_{name}")

    def columns(self, names: Iterable[str]) -> str:
        """Quote several columns."""
        return ", ".join(self.column(name) for name in names)


def with_column(name: str, value: str, source: str, scope: Scope) -> str:
    """Return a query that adds a column, or puts it in the place of another."""
    new = f"{value} AS {scope.column(name)}"
    columns = [new if known == name else scope.column(known) for known in scope.schema.names]
    columns += [] if name in scope.schema.names else [new]
    return f"SELECT {', '.join(columns)}, {scope.order} FROM {source}"


def predicate_text(predicate: Predicate, scope: Scope) -> str:
    """Write a condition."""
    match predicate:
        case Compare():
            left, right = value_text(predicate.left, scope), value_text(predicate.right, scope)
            return f"{left} {_COMPARISONS.get(predicate.op, predicate.op.value)} {right}"
        case IsIn():
            values = ", ".join(literal_text(value) for value in predicate.values)
            return f"{scope.column(predicate.operand.name)} {'NOT IN' if predicate.negated else 'IN'} ({values})"
        case TextMatch():
            found = (
                f"{_SEARCHES[predicate.mode]}(lower({scope.column(predicate.operand.name)}), "
                f"lower({literal_text(predicate.text)}))"
            )
            return f"NOT {found}" if predicate.negated else found
        case IsMissing():
            return f"{scope.column(predicate.operand.name)} IS {'NOT ' if predicate.negated else ''}NULL"
        case All():
            return " AND ".join(f"({predicate_text(term, scope)})" for term in predicate.terms)
        case AnyOf():
            return " OR ".join(f"({predicate_text(term, scope)})" for term in predicate.terms)
        case _:
            assert_never(predicate)


def value_text(expression: Expression, scope: Scope) -> str:
    """Write a value."""
    match expression:
        case Col():
            return scope.column(expression.name)
        case Lit():
            return literal_text(expression)
        case Arithmetic():
            left, right = (f"CAST({value_text(s, scope)} AS DOUBLE)" for s in (expression.left, expression.right))
            if expression.op is ArithmeticOp.DIVIDE:
                return f"({left} / nullif({right}, 0))"
            return f"({left} {expression.op.value} {right})"
        case DatePart():
            column = scope.column(expression.operand.name)
            if expression.unit.is_period:
                grain = expression.unit.value.removeprefix("start_of_")
                return f"CAST(date_trunc('{grain}', {column}) AS TIMESTAMP)"
            return f"CAST(date_part('{_UNITS[expression.unit]}', {column}) AS BIGINT)"
        case DateName():
            return f"{expression.unit.value.removeprefix('week')}name({scope.column(expression.operand.name)})"
        case TimeBetween():
            return _time_between(expression, scope)
        case TextCall():
            return _text_call(expression, scope.column(expression.operand.name))
        case Parse():
            return parse_text(scope.column(expression.operand.name), expression.writing)
        case Bin():
            return _interval(expression, scope)
        case Case():
            branches = " ".join(
                f"WHEN {predicate_text(b.condition, scope)} THEN {value_text(b.value, scope)}"
                for b in expression.branches
            )
            rest = "NULL" if expression.otherwise is None else value_text(expression.otherwise, scope)
            return f"CASE {branches} ELSE {rest} END"
        case _:
            assert_never(expression)


def _time_between(between: TimeBetween, scope: Scope) -> str:
    start, end = value_text(between.start, scope), value_text(between.end, scope)
    if between.unit.seconds is not None:
        return f"(date_diff('microsecond', {start}, {end}) / CAST({between.unit.seconds}000000 AS DOUBLE))"
    first, last = f"CAST({start} AS DATE)", f"CAST({end} AS DATE)"
    begun = f"date_diff('month', {first}, {last})"
    full = (
        f"(CASE WHEN {last} >= {first} THEN {begun} - CAST(day({last}) < day({first}) AS BIGINT) "
        f"ELSE {begun} + CAST(day({last}) > day({first}) AS BIGINT) END)"
    )
    return full if between.unit is TimeUnit.MONTHS else f"CAST(trunc({full} / 12) AS BIGINT)"


def literal_text(literal: Lit) -> str:
    """Write a constant."""
    value = literal.value
    if literal.type is ColumnType.DATE:
        return f"TIMESTAMP {text_literal(str(value))}"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return text_literal(value)
    return f"CAST({text_literal(repr(value))} AS {'DOUBLE' if isinstance(value, float) else 'BIGINT'})"


def _text_call(call: TextCall, column: str) -> str:
    match call.function:
        case TextFunction.TRIM:
            return f"trim({column}, {SPACES})"
        case TextFunction.LENGTH:
            return f"CAST(length({column}) AS BIGINT)"
        case _:
            return f"{call.function.value}({column})"


def _interval(bin_: Bin, scope: Scope) -> str:
    column = scope.column(bin_.operand.name)
    number = f"CAST({column} AS DOUBLE)"
    if bin_.width is None:
        low, high = f"min({number}) OVER ()", f"max({number}) OVER ()"
        width = f"coalesce(nullif(({high} - {low}) / {bin_.count}, 0), 1)"
        place = f"least(floor(({number} - {low}) / {width}), {bin_.count} - 1)"  # `least` passes over a missing value
        return f"CASE WHEN {column} IS NOT NULL THEN {place} * {width} + {low} END"
    if scope.schema.type_of(bin_.operand.name) is ColumnType.INTEGER and bin_.is_whole:
        whole = int(bin_.width)
        start = f"(CAST(floor({number} / {whole}) AS BIGINT) * {whole})"
        label = f"CAST({start} AS VARCHAR) || '–' || CAST({start} + {whole - 1} AS VARCHAR)"
    else:
        width = f"CAST({text_literal(repr(float(bin_.width)))} AS DOUBLE)"
        start = f"(CASE WHEN isfinite({number}) THEN floor({number} / {width}) * {width} END)"
        label = f"printf('%g', {start}) || ' to <' || printf('%g', {start} + {width})"
    return label if bin_.labelled else start
