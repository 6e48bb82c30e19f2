"""Types of expressions and the schema after each step; refuses what makes no sense, with the column named."""

from __future__ import annotations

from typing import assert_never

from jupyter_mcpgen.errors import WrongType
from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Arithmetic,
    Col,
    Compare,
    DatePart,
    Expression,
    IsIn,
    IsMissing,
    Lit,
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
from jupyter_mcpgen.plan.schema import ColumnType, Field, Schema

DESCRIBE_FIELDS = (
    Field(name="column", type=ColumnType.TEXT),
    Field(name="count", type=ColumnType.INTEGER),
    Field(name="missing", type=ColumnType.INTEGER),
    *(Field(name=n, type=ColumnType.REAL) for n in ("mean", "std", "min", "q25", "median", "q75", "max")),
)
_ORDERED = frozenset({AggregateFunction.MIN, AggregateFunction.MAX})
_OF_BOOLEANS = frozenset({AggregateFunction.SUM, AggregateFunction.MEAN})
_COUNTS = frozenset({AggregateFunction.COUNT, AggregateFunction.COUNT_DISTINCT})
_KEEPS_INTEGERS = frozenset({AggregateFunction.SUM, AggregateFunction.MIN, AggregateFunction.MAX})


def expression_type(expression: Expression, schema: Schema) -> ColumnType:
    """Return the type of a value; raises `UnknownColumn` or `WrongType`."""
    match expression:
        case Col():
            return schema.type_of(expression.name)
        case Lit():
            return expression.type
        case Arithmetic():
            _need_column(expression.left, expression.right)
            for side in (expression.left, expression.right):
                if not expression_type(side, schema).is_number:
                    raise WrongType(f"{_say(side)} is not a number, so `{expression.op}` cannot use it.")
            return ColumnType.REAL
        case DatePart():
            if expression_type(expression.operand, schema) is not ColumnType.DATE:
                raise WrongType(f"`{expression.operand.name}` is not a date, so it has no {expression.unit.value}.")
            return ColumnType.DATE if expression.unit.is_period else ColumnType.INTEGER
        case _:
            assert_never(expression)


def check_predicate(predicate: Predicate, schema: Schema) -> None:
    """Accept a condition over the schema; raises `UnknownColumn` or `WrongType`."""
    match predicate:
        case Compare():
            left, right = expression_type(predicate.left, schema), expression_type(predicate.right, schema)
            _need_column(predicate.left, predicate.right)
            if left is not right and not (left.is_number and right.is_number):
                raise WrongType(
                    f"{_say(predicate.left)} is {left.value} and {_say(predicate.right)} is {right.value}: "
                    f"they cannot be compared with `{predicate.op}`."
                )
        case IsIn():
            for value in predicate.values:
                check_predicate(Compare(op="==", left=predicate.operand, right=value), schema)
        case TextMatch():
            for side in (predicate.operand, predicate.text):
                if expression_type(side, schema) is not ColumnType.TEXT:
                    raise WrongType(f"{_say(side)} is not text, so it cannot be searched with `{predicate.mode}`.")
        case IsMissing():
            schema.type_of(predicate.operand.name)
        case All() | AnyOf():
            for term in predicate.terms:
                check_predicate(term, schema)
        case _:
            assert_never(predicate)


def schema_after(step: Step, schema: Schema) -> Schema:
    """Return the columns that a step gives; raises `UnknownColumn` or `WrongType`."""
    match step:
        case Filter():
            check_predicate(step.predicate, schema)
            return schema
        case Derive():
            new = Field(name=step.name, type=expression_type(step.expression, schema))
            if step.name in schema.names:
                return Schema(fields=tuple(new if field.name == step.name else field for field in schema.fields))
            return Schema(fields=(*schema.fields, new))
        case Select():
            return Schema(fields=tuple(Field(name=n, type=schema.type_of(n)) for n in step.columns.names))
        case Aggregate():
            keys = tuple(Field(name=n, type=schema.type_of(n)) for n in step.by.names)
            return Schema(fields=(*keys, *(_measure_field(measure, schema) for measure in step.measures)))
        case Sort():
            for key in step.keys:
                schema.type_of(key.column)
            return schema
        case Limit():
            return schema
        case Describe():
            for name in step.columns.names:
                if not schema.type_of(name).is_number:
                    raise WrongType(f"`{name}` is not a number, so it has no mean or quartiles.")
            return Schema(fields=DESCRIBE_FIELDS)
        case _:
            assert_never(step)


def _measure_field(measure: Measure, schema: Schema) -> Field:
    function = measure.function
    if measure.column is None:
        if function is not AggregateFunction.COUNT:
            raise WrongType(f"`{function.value}` needs a column.")
        return Field(name=measure.name, type=ColumnType.INTEGER)
    type_ = schema.type_of(measure.column.name)
    if function in _COUNTS:
        return Field(name=measure.name, type=ColumnType.INTEGER)
    if function in _ORDERED and type_ is not ColumnType.BOOLEAN:
        return Field(name=measure.name, type=type_)
    if not (type_.is_number or (type_ is ColumnType.BOOLEAN and function in _OF_BOOLEANS)):
        raise WrongType(f"`{measure.column.name}` is {type_.value}, so it has no {function.value}.")
    keeps = function in _KEEPS_INTEGERS and type_ in (ColumnType.INTEGER, ColumnType.BOOLEAN)
    return Field(name=measure.name, type=ColumnType.INTEGER if keeps else ColumnType.REAL)


def _need_column(left: Expression, right: Expression) -> None:
    if isinstance(left, Lit) and isinstance(right, Lit):
        raise WrongType(f"{_say(left)} and {_say(right)} are both constants, so no column is used.")


def _say(expression: Expression) -> str:
    match expression:
        case Col():
            return f"`{expression.name}`"
        case Lit():
            return f"`{expression.value}`"
        case Arithmetic() | DatePart():
            return "the computed value"
        case _:
            assert_never(expression)
