"""A short way to write plans and small tables, for tests and for the case files that a domain expert reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pandas as pd

from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Arithmetic,
    Bin,
    Case,
    Col,
    Columns,
    Compare,
    DateName,
    DatePart,
    Expression,
    IsIn,
    IsMissing,
    Lit,
    Parse,
    Predicate,
    TextCall,
    TextMatch,
    TimeBetween,
    When,
    negate,
)
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    Chart,
    Derive,
    Describe,
    Distinct,
    Filter,
    Limit,
    Measure,
    Pivot,
    Rename,
    Resample,
    Select,
    Sort,
    SortKey,
    Step,
    TopPerGroup,
    Window,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType, Field, Schema
from tests.statistic_plans import statistic

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
    known = isinstance(
        value, Col | Lit | Arithmetic | DatePart | DateName | TimeBetween | TextCall | Bin | Case | Parse
    )
    return value if known else constant(value)


def column(name: str) -> Col:
    """Return a column as a value."""
    return Col(name=name)


def part(unit: str, name: str) -> DatePart:
    """Return a unit of a date column."""
    return DatePart(unit=unit, operand=Col(name=name))


def between(unit: str, start: str | Lit, end: str | Lit) -> TimeBetween:
    """Return the time from one moment to another; a name is a column."""
    first, last = (Col(name=side) if isinstance(side, str) else side for side in (start, end))
    return TimeBetween(unit=unit, start=first, end=last)


def parse(name: str, kind: str, **how: object) -> Parse:
    """Return what the texts of a column write."""
    return Parse(operand=Col(name=name), writing={"kind": kind, **how})


def derive(name: str, value: object) -> Derive:
    """Add a column."""
    return Derive(name=name, expression=_value(value))


def select(*names: str) -> Select:
    """Keep columns."""
    return Select(columns=Columns(names=names))


def named_part(unit: str, name: str) -> DateName:
    """Return the name of a date's weekday or month."""
    return DateName(unit=unit, operand=Col(name=name))


def text(function: str, name: str) -> TextCall:
    """Return a function of a text column."""
    return TextCall(function=function, operand=Col(name=name))


def interval(name: str, width: float | None = None, count: int | None = None, labelled: bool = False) -> Bin:
    """Return the interval that a number lies in."""
    return Bin(operand=Col(name=name), width=width, count=count, labelled=labelled)


def choice(*branches: tuple[Predicate, object], otherwise: object = None) -> Case:
    """Return the value of the first condition that holds."""
    whens = tuple(When(condition=condition, value=_chosen(value)) for condition, value in branches)
    return Case(branches=whens, otherwise=None if otherwise is None else _chosen(otherwise))


def _chosen(value: object) -> Expression:
    """Return what a choice gives: a text is itself there, a column is written `column("name")`."""
    return constant(value) if isinstance(value, str) else _value(value)


def rate(function: str, met: Predicate, label: str | None = None) -> Measure:
    """Return how many rows meet a condition, as a `count`, a `rate` or a `percent`."""
    return Measure(function=function, where=met, label=label)


def distinct(*names: str) -> Distinct:
    """Keep each combination of columns once."""
    return Distinct(columns=Columns(names=names))


def top(count: int, by: str | list[str], *keys: str) -> TopPerGroup:
    """Keep the first rows of each group."""
    names = (by,) if isinstance(by, str) else tuple(by)
    return TopPerGroup(by=Columns(names=names), keys=sort(*keys).keys, count=count)


def window(
    function: str,
    name: str,
    *by: str,
    order: str | None = None,
    size: int = 1,
    descending: bool = True,
    fraction: float | None = None,
    as_: str = "",
) -> Window:
    """Compare each row with others; the new column is called after the function unless it is named."""
    return Window(
        name=as_ or function,
        function=function,
        column=Col(name=name),
        by=Columns(names=by),
        order=sort(order).keys[0] if order else None,
        size=size,
        descending=descending,
        fraction=fraction,
    )


def resample(unit: str, date_column: str, *measures: str | Measure, by: tuple[str, ...] = ()) -> Resample:
    """Aggregate by the periods of a date column, also those without rows."""
    name = unit.removeprefix("start_of_")
    return Resample(
        name=name,
        date=Col(name=date_column),
        unit=unit,
        by=Columns(names=by),
        measures=tuple(map(_measure, measures)),
    )


def pivot(by: str | list[str], name: str, values: list[Value], measure: str | Measure) -> Pivot:
    """Aggregate with a column per value of another."""
    names = (by,) if isinstance(by, str) else tuple(by)
    return Pivot(
        by=Columns(names=names),
        column=Col(name=name),
        values=tuple(constant(value) for value in values),
        measure=_measure(measure),
    )


def rename(old: str, new: str) -> Rename:
    """Give a column another name."""
    return Rename(column=Col(name=old), name=new)


def group(by: str | list[str], *measures: str | Measure) -> Aggregate:
    """Aggregate by columns; a measure is written `count`, `sum amount` or `quantile 0.9 amount`."""
    names = (by,) if isinstance(by, str) else tuple(by)
    return Aggregate(by=Columns(names=names), measures=tuple(map(_measure, measures)))


def totals(*measures: str | Measure) -> Aggregate:
    """Aggregate all rows."""
    return group([], *measures)


def _measure(text: str | Measure) -> Measure:
    if isinstance(text, Measure):
        return text
    function, _, name = text.partition(" ")
    if function == "quantile":
        fraction, _, name = name.partition(" ")
        return Measure(function=function, column=Col(name=name), fraction=float(fraction))
    return Measure(function=function, column=Col(name=name) if name else None)


def sort(*keys: str) -> Sort:
    """Order rows; a key is written `count` or `count desc`."""
    return Sort(
        keys=tuple(SortKey(column=k.removesuffix(" desc"), descending=k.endswith(" desc")) for k in keys),
    )


def sort_in(column: str, *order: str, descending: bool = False) -> Sort:
    """Order rows by the places that a column's texts have in a list."""
    return Sort(keys=(SortKey(column=column, descending=descending, order=order),))


def limit(count: int) -> Limit:
    """Keep the first rows."""
    return Limit(count=count)


def describe(*names: str, by: tuple[str, ...] = ()) -> Describe:
    """Summarise number columns, or those of each group."""
    return Describe(columns=Columns(names=names), by=Columns(names=tuple(by)))


_BUILDERS = {
    builder.__name__: builder
    for builder in (
        *(where, both, either, opposite, condition, number, column, part, date, constant),
        *(
            between,
            parse,
            derive,
            select,
            group,
            totals,
            sort,
            limit,
            describe,
            rate,
            named_part,
            text,
            interval,
            choice,
        ),
        *(sort_in, distinct, top, window, resample, pivot, rename),
        statistic,
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
