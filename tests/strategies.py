"""Random tables and random valid plans over them, for laws that hold for every plan."""

from __future__ import annotations

import datetime as dt

import pandas as pd
from hypothesis import strategies as st

from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Arithmetic,
    Col,
    Columns,
    Compare,
    DatePart,
    DateUnit,
    IsIn,
    IsMissing,
    Lit,
    TextMatch,
    negate,
)
from jupyter_mcpgen.plan.ops import Aggregate, Derive, Describe, Filter, Limit, Measure, Select, Sort, SortKey
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType, Field, Schema

NAMES = ["amount", "unit price", "kind", 'he said "so"', "flag", "day", "class", "größe", "x'); drop", "lambda"]
TEXTS = ["red", "Red", "blue", "it's", 'a"b', "", "dark red", "grün", "%_", "\\"]
DTYPES = {
    ColumnType.INTEGER: "Int64",
    ColumnType.REAL: "float64",
    ColumnType.TEXT: "str",
    ColumnType.BOOLEAN: "bool",
    ColumnType.DATE: "datetime64[us]",
}

VALUES = {
    ColumnType.INTEGER: st.integers(-5, 5) | st.none(),
    ColumnType.REAL: st.sampled_from([-2.5, -1.0, 0.0, 0.1, 0.2, 3.75, 1e6, float("nan")]),
    ColumnType.TEXT: st.sampled_from(TEXTS) | st.none(),
    ColumnType.BOOLEAN: st.booleans(),
    ColumnType.DATE: st.datetimes(dt.datetime(2019, 12, 28), dt.datetime(2021, 1, 5)).map(
        lambda d: d.replace(microsecond=0)
    )
    | st.none(),
}


@st.composite
def tables(draw: st.DrawFn) -> tuple[pd.DataFrame, Schema]:
    """A table of up to eight columns and twelve rows, with missing values and hostile names."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=6, unique=True))
    types = [draw(st.sampled_from(list(ColumnType))) for _ in names]
    rows = draw(st.integers(0, 12))
    frame = pd.DataFrame(
        {
            name: pd.Series(draw(st.lists(VALUES[type_], min_size=rows, max_size=rows)), dtype=DTYPES[type_])
            for name, type_ in zip(names, types, strict=True)
        }
    )
    return frame, Schema(fields=tuple(Field(name=n, type=t) for n, t in zip(names, types, strict=True)))


def literal(type_: ColumnType) -> st.SearchStrategy[Lit]:
    """A constant of a type."""
    values = {
        ColumnType.INTEGER: st.integers(-5, 5),
        ColumnType.REAL: st.sampled_from([-1.0, 0.0, 0.1, 3.75]),
        ColumnType.TEXT: st.sampled_from(TEXTS),
        ColumnType.BOOLEAN: st.booleans(),
        ColumnType.DATE: st.sampled_from(["2020-01-01", "2020-02-29", "2020-12-31 12:00:00"]),
    }
    return values[type_].map(lambda value: Lit(value=value, type=type_))


@st.composite
def predicates(draw: st.DrawFn, schema: Schema, depth: int = 2):  # noqa: ANN201
    """A condition over a schema."""
    if depth and draw(st.integers(0, 3)) == 0:
        terms = tuple(draw(predicates(schema, depth - 1)) for _ in range(draw(st.integers(1, 2))))
        return negate(draw(st.sampled_from([All, AnyOf]))(terms=terms))
    field = draw(st.sampled_from(schema.fields))
    column = Col(name=field.name)
    choices = ["compare", "missing", "in"]
    if field.type is ColumnType.TEXT:
        choices.append("text")
    match draw(st.sampled_from(choices)):
        case "missing":
            return IsMissing(operand=column, negated=draw(st.booleans()))
        case "in" if field.type is not ColumnType.DATE:
            values = tuple(draw(st.lists(literal(field.type), min_size=1, max_size=3)))
            return IsIn(operand=column, values=values, negated=draw(st.booleans()))
        case "text":
            mode = draw(st.sampled_from(["contains", "starts with", "ends with"]))
            return TextMatch(mode=mode, operand=column, text=draw(literal(field.type)), negated=draw(st.booleans()))
        case _:
            op = draw(st.sampled_from(["==", "!=", "<", "<=", ">", ">="]))
            if field.type is ColumnType.BOOLEAN:
                op = draw(st.sampled_from(["==", "!="]))
            return Compare(op=op, left=column, right=draw(literal(field.type)))


def _numbers(schema: Schema) -> list[str]:
    return [field.name for field in schema.fields if field.type.is_number]


def _dates(schema: Schema) -> list[str]:
    return [field.name for field in schema.fields if field.type is ColumnType.DATE]


@st.composite
def measures(draw: st.DrawFn, schema: Schema) -> Measure:
    """One measure that its column takes."""
    field = draw(st.sampled_from(schema.fields))
    functions = ["count", "count_distinct"]
    if field.type.is_number:
        functions += ["sum", "mean", "median", "min", "max", "std", "var"]
    elif field.type is ColumnType.BOOLEAN:
        functions += ["sum", "mean"]
    else:
        functions += ["min", "max"]
    if draw(st.integers(0, 4)) == 0:
        return Measure(function="count")
    return Measure(function=draw(st.sampled_from(functions)), column=Col(name=field.name))


@st.composite
def plans(draw: st.DrawFn, schema: Schema) -> Plan:
    """A valid plan: filters and derived columns, then perhaps groups or a summary, then order and limit."""
    steps: list[object] = []
    if draw(st.booleans()):
        steps.append(Filter(predicate=draw(predicates(schema))))
    derived: list[str] = []
    if _dates(schema) and draw(st.booleans()):
        part = DatePart(
            unit=draw(st.sampled_from(list(DateUnit))), operand=Col(name=draw(st.sampled_from(_dates(schema))))
        )
        steps.append(Derive(name="period", expression=part))
        derived.append("period")
    if _numbers(schema) and draw(st.integers(0, 2)) == 0:
        left, right = (Col(name=draw(st.sampled_from(_numbers(schema)))) for _ in range(2))
        steps.append(
            Derive(name="ratio of two", expression=Arithmetic(op=draw(st.sampled_from("+-*/")), left=left, right=right))
        )
    plan = Plan(source="t", source_schema=schema, steps=tuple(steps))
    seen = plan.result_schema
    match draw(st.sampled_from(["rows", "groups", "totals", "describe"])):
        case "groups":
            keys = draw(st.lists(st.sampled_from(seen.names), min_size=1, max_size=2, unique=True))
            steps.append(Aggregate(by=Columns(names=tuple(keys)), measures=_unique(draw, seen)))
        case "totals":
            steps.append(Aggregate(measures=_unique(draw, seen)))
        case "describe" if _numbers(seen):
            steps.append(Describe(columns=Columns(names=tuple(_numbers(seen)))))
        case _:
            pass
    seen = Plan(source="t", source_schema=schema, steps=tuple(steps)).result_schema
    if draw(st.booleans()):
        keys = draw(st.lists(st.sampled_from(seen.names), min_size=1, max_size=2, unique=True))
        steps.append(Sort(keys=tuple(SortKey(column=key, descending=draw(st.booleans())) for key in keys)))
    if draw(st.booleans()):
        steps.append(Limit(count=draw(st.integers(1, 4))))
    if not any(isinstance(step, Aggregate | Describe) for step in steps) and draw(st.booleans()):
        names = draw(st.lists(st.sampled_from(seen.names), min_size=1, max_size=3, unique=True))
        steps.append(Select(columns=Columns(names=tuple(names))))
    return Plan(source="t", source_schema=schema, steps=tuple(steps))


def _unique(draw: st.DrawFn, schema: Schema) -> tuple[Measure, ...]:
    found = draw(st.lists(measures(schema), min_size=1, max_size=3))
    return tuple({measure.name: measure for measure in found}.values())


@st.composite
def tables_with_plans(draw: st.DrawFn) -> tuple[pd.DataFrame, Plan]:
    """A table and a plan over it."""
    frame, schema = draw(tables())
    return frame, draw(plans(schema))
