"""A short way to write plans and small tables, for tests and for the case files that a domain expert reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pandas as pd

from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Arithmetic,
    Col,
    Columns,
    Compare,
    DatePart,
    Expression,
    IsIn,
    IsMissing,
    Lit,
    Predicate,
    TextMatch,
    negate,
)
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    Chart,
    Derive,
    Describe,
    Filter,
    Limit,
    Measure,
    Select,
    Sort,
    SortKey,
    Step,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType, Field, Schema

Value = bool | int | float | str | Lit
MISSING = "—"


def schema_of(types: Mapping[str, str]) -> Schema:
    """Return a schema from names and type words."""
    return Schema(fields=tuple(Field(name=name, type=ColumnType(type_)) for name, type_ in types.items()))


def plan_of(types: Mapping[str, str] | Schema, *steps: Step, chart: str | None = None) -> Plan:
    """Return a plan over columns of the given types; a chart is written `bar x y color`."""
    schema = types if isinstance(types, Schema) else schema_of(types)
    return Plan(source="table", source_schema=schema, steps=steps, chart=_chart(chart) if chart else None)


def _chart(text: str) -> Chart:
    kind, x, *others = text.split()
    y, color = [*others, None, None][:2]
    return Chart(kind=kind, x=x, y=y, color=color)


def constant(value: Value) -> Lit:
    """Return a constant of the type that its Python value has."""
    if isinstance(value, Lit):
        return value
    types = {bool: ColumnType.BOOLEAN, int: ColumnType.INTEGER, float: ColumnType.REAL, str: ColumnType.TEXT}
    return Lit(value=value, type=types[type(value)])


def date(text: str) -> Lit:
    """Return a date."""
    return Lit(value=text, type=ColumnType.DATE)


def condition(left: str | Expression, op: str, right: Value | Iterable[Value] | Expression | None = None) -> Predicate:
    """Return a condition such as `condition("severity", ">", 3)` or `condition("state", "not in", ["CA"])`."""
    column = Col(name=left) if isinstance(left, str) else left
    negated, word = op.startswith("not ") or op == "is not missing", op.removeprefix("not ")
    if word in ("is missing", "is not missing"):
        return IsMissing(operand=column, negated=negated)
    if word == "in":
        return IsIn(operand=column, values=tuple(constant(value) for value in right), negated=negated)
    if word in ("contains", "starts with", "ends with"):
        return TextMatch(mode=word, operand=column, text=constant(right), negated=negated)
    side = right if isinstance(right, Col | Arithmetic | DatePart) else constant(right)
    return Compare(op=word, left=column, right=side)


def where(*parts: object) -> Filter:
    """Keep the rows for which a condition holds; takes a condition, or its parts."""
    return Filter(predicate=parts[0] if len(parts) == 1 else condition(*parts))


def both(*terms: Predicate) -> All:
    """Return a condition that holds when all of them do."""
    return All(terms=terms)


def either(*terms: Predicate) -> AnyOf:
    """Return a condition that holds when one of them does."""
    return AnyOf(terms=terms)


def opposite(term: Predicate) -> Predicate:
    """Return the opposite of a condition."""
    return negate(term)


def number(left: object, op: str, right: object) -> Arithmetic:
    """Return two numbers combined; a name is a column."""
    return Arithmetic(op=op, left=_value(left), right=_value(right))


def _value(value: object) -> Expression:
    if isinstance(value, str):
        return Col(name=value)
    return value if isinstance(value, Col | Lit | Arithmetic | DatePart) else constant(value)


def column(name: str) -> Col:
    """Return a column as a value."""
    return Col(name=name)


def part(unit: str, name: str) -> DatePart:
    """Return a unit of a date column."""
    return DatePart(unit=unit, operand=Col(name=name))


def derive(name: str, value: object) -> Derive:
    """Add a column."""
    return Derive(name=name, expression=_value(value))


def select(*names: str) -> Select:
    """Keep columns."""
    return Select(columns=Columns(names=names))


def group(by: str | list[str], *measures: str) -> Aggregate:
    """Aggregate by columns; a measure is written `count` or `sum amount`."""
    names = (by,) if isinstance(by, str) else tuple(by)
    return Aggregate(by=Columns(names=names), measures=tuple(map(_measure, measures)))


def totals(*measures: str) -> Aggregate:
    """Aggregate all rows."""
    return group([], *measures)


def _measure(text: str) -> Measure:
    function, _, name = text.partition(" ")
    return Measure(function=function, column=Col(name=name) if name else None)


def sort(*keys: str) -> Sort:
    """Order rows; a key is written `count` or `count desc`."""
    return Sort(
        keys=tuple(SortKey(column=k.removesuffix(" desc"), descending=k.endswith(" desc")) for k in keys),
    )


def limit(count: int) -> Limit:
    """Keep the first rows."""
    return Limit(count=count)


def describe(*names: str) -> Describe:
    """Summarise number columns."""
    return Describe(columns=Columns(names=names))


_BUILDERS = {
    builder.__name__: builder
    for builder in (
        *(where, both, either, opposite, condition, number, column, part, date, constant),
        *(derive, select, group, totals, sort, limit, describe),
    )
}


def steps_of(texts: Iterable[str]) -> tuple[Step, ...]:
    """Return the steps of a case file, each written as a call of a builder above."""
    return tuple(eval(text, {"__builtins__": {}}, _BUILDERS) for text in texts)  # noqa: S307  our own case files


def table_of(text: str) -> tuple[pd.DataFrame, Schema]:
    """Read a table that is drawn with `|` between the cells; the header says `name type`, `—` is missing."""
    header, *lines = [line for line in text.strip().splitlines() if line.strip()]
    heads = [head.strip().rpartition(" ") for head in header.split("|")]
    rows = [[cell.strip() for cell in line.split("|")] for line in lines]
    types = {name: ColumnType(type_) for name, _, type_ in heads}
    cells = {name: [row[place] for row in rows] for place, name in enumerate(types)}
    frame = pd.DataFrame({name: typed(cells[name], type_) for name, type_ in types.items()})
    return frame, Schema(fields=tuple(Field(name=n, type=t) for n, t in types.items()))


def typed(cells: list[str], type_: ColumnType) -> pd.Series:
    """Return a column of drawn cells in the plain type that a file of them would get."""
    values = [None if cell == MISSING else cell for cell in cells]
    missing = None in values
    match type_:
        case ColumnType.INTEGER:
            numbers = [None if value is None else int(value) for value in values]
            return pd.Series(numbers, dtype="Int64" if missing else "int64")
        case ColumnType.REAL:
            return pd.Series([float("nan") if value is None else float(value) for value in values], dtype="float64")
        case ColumnType.BOOLEAN:
            flags = [None if value is None else value == "true" for value in values]
            return pd.Series(flags, dtype="boolean" if missing else "bool")
        case ColumnType.DATE:
            return pd.to_datetime(pd.Series(values, dtype="str"), format="ISO8601").astype("datetime64[us]")
        case ColumnType.TEXT:
            return pd.Series(values, dtype="str")
