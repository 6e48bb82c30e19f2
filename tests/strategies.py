"""Random tables and random valid plans over them, for laws that hold for every plan."""

from __future__ import annotations

import datetime as dt

import pandas as pd
from hypothesis import assume
from hypothesis import strategies as st

from jupyter_mcpgen.errors import PlanError
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
    DateUnit,
    Expression,
    IsIn,
    IsMissing,
    Lit,
    Predicate,
    TextCall,
    TextFunction,
    TextMatch,
    TimeBetween,
    TimeUnit,
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
    WindowFunction,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType, Field, Schema
from jupyter_mcpgen.plan.sources import Join, JoinKind, KeyPair, Relation, Second, Union

PLAIN_NAMES = ["amount", "unit price", "kind", "flag", "day", "größe"]
HOSTILE_NAMES = [
    *("Amount", "AMOUNT", "count", "size", "self", "class", "lambda", "__debug__", "df", "pd", "table", "row_order"),
    *("step_0", "source_table", "index", "column", "sum_amount", "value_column", "group_by_columns", "None", "1", ""),
    *('he said "so"', "it's", '"""', "'''", "\\", "\\'", '\\"', "a\nb", "a\r\nb", "tab\there", "a\0b", " a "),
    *("{}", "{0}", "{amount}", "f{amount!r}", "%s", "${x}", "x'); drop", '"); drop table x; --', "/* a", "# b", "a;b"),
    *(
        "{{ spec }}",
        "{% raw %}",
        "__import__('os').system('true')",
        '"]; import os; df["',
        "😀",
        "👩‍🚀",
        "e\u0301",
        "é",
    ),
    *("\u202ekind", "\ufeffkind", "ı", "İ", "ſ", "K", "x" * 300, "a.b", "a[0]", "<b>", "|", "`amount`", "@amount"),
]
NAMES = [*PLAIN_NAMES, *HOSTILE_NAMES]
TEXTS = [
    *("red", "Red", "blue", "it's", 'a"b', "", "dark red", "grün", "%_", "\\", "'; drop table t; --", '"""', "'''"),
    *(
        "{x}",
        "{}",
        "\n",
        "a\nb",
        "😀",
        "%",
        "*",
        ".*",
        "__import__('os')",
        "\\n",
        "nan",
        "None",
        "1",
        "\u202e",
        "x" * 400,
    ),
]
DTYPES = {
    ColumnType.INTEGER: "Int64",
    ColumnType.REAL: "float64",
    ColumnType.TEXT: "str",
    ColumnType.BOOLEAN: "boolean",
    ColumnType.DATE: "datetime64[us]",
}

VALUES = {
    ColumnType.INTEGER: st.integers(-5, 5) | st.none(),
    ColumnType.REAL: st.sampled_from([-2.5, -1.0, 0.0, 0.1, 0.2, 3.75, 1e6, float("nan")]),
    ColumnType.TEXT: st.sampled_from(TEXTS) | st.none(),
    ColumnType.BOOLEAN: st.booleans() | st.none(),
    ColumnType.DATE: st.datetimes(dt.datetime(2019, 12, 28), dt.datetime(2021, 1, 5)).map(
        lambda d: d.replace(microsecond=0)
    )
    | st.none(),
}
_LITERALS = {
    ColumnType.INTEGER: st.integers(-5, 5),
    ColumnType.REAL: st.sampled_from([-1.0, 0.0, 0.1, 3.75]),
    ColumnType.TEXT: st.sampled_from(TEXTS),
    ColumnType.BOOLEAN: st.booleans(),
    ColumnType.DATE: st.sampled_from(["2020-01-01", "2020-02-29", "2020-12-31 12:00:00"]),
}


@st.composite
def tables(draw: st.DrawFn, most_rows: int = 12) -> tuple[pd.DataFrame, Schema]:
    """Draw a table of two to six columns, with missing values and hostile names."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=6, unique=True))
    types = [draw(st.sampled_from(list(ColumnType))) for _ in names]
    rows = draw(st.integers(0, most_rows))
    frame = pd.DataFrame(
        {
            name: pd.Series(draw(st.lists(VALUES[type_], min_size=rows, max_size=rows)), dtype=DTYPES[type_])
            for name, type_ in zip(names, types, strict=True)
        }
    )
    return frame, Schema(fields=tuple(Field(name=n, type=t) for n, t in zip(names, types, strict=True)))


def literal(type_: ColumnType) -> st.SearchStrategy[Lit]:
    """Draw a constant of a type."""
    return _LITERALS[type_].map(lambda value: Lit(value=value, type=type_))


@st.composite
def predicates(draw: st.DrawFn, schema: Schema, depth: int = 2) -> Predicate:
    """Draw a condition over a schema."""
    if depth and draw(st.integers(0, 3)) == 0:
        terms = tuple(draw(predicates(schema, depth - 1)) for _ in range(draw(st.integers(1, 2))))
        return negate(draw(st.sampled_from([All, AnyOf]))(terms=terms))
    field = draw(st.sampled_from(schema.fields))
    column = Col(name=field.name)
    choices = ["compare", "missing", "in", "computed"]
    if field.type is ColumnType.TEXT:
        choices.append("text")
    op = draw(st.sampled_from(["==", "!=", "<", "<=", ">", ">="]))
    match draw(st.sampled_from(choices)):
        case "missing":
            return IsMissing(operand=column, negated=draw(st.booleans()))
        case "in":
            values = tuple(draw(st.lists(literal(field.type), min_size=1, max_size=3)))
            return IsIn(operand=column, values=values, negated=draw(st.booleans()))
        case "text":
            mode = draw(st.sampled_from(["contains", "starts with", "ends with"]))
            return TextMatch(mode=mode, operand=column, text=draw(literal(field.type)), negated=draw(st.booleans()))
        case "computed" if _of(schema, ColumnType.INTEGER, ColumnType.REAL):
            return Compare(op=op, left=draw(computed(schema)), right=draw(literal(ColumnType.INTEGER)))
        case _ if draw(st.integers(0, 5)) == 0:
            return Compare(op=op, left=draw(literal(field.type)), right=column)
        case _:
            return Compare(op=op, left=column, right=draw(literal(field.type)))


def _of(schema: Schema, *types: ColumnType) -> list[str]:
    return [field.name for field in schema.fields if field.type in types]


@st.composite
def computed(draw: st.DrawFn, schema: Schema, depth: int = 2) -> Expression:
    """Draw a number computed from number columns."""
    column = Col(name=draw(st.sampled_from(_of(schema, ColumnType.INTEGER, ColumnType.REAL))))
    other = draw(st.sampled_from(["column", "constant", "computed"] if depth else ["constant"]))
    right: Expression = column
    if other == "constant":
        right = draw(literal(ColumnType.INTEGER))
    elif other == "computed":
        right = draw(computed(schema, depth - 1))
    left, right = draw(st.permutations([column, right]))
    return Arithmetic(op=draw(st.sampled_from("+-*/")), left=left, right=right)


@st.composite
def measures(draw: st.DrawFn, schema: Schema) -> Measure:
    """One measure that its column takes."""
    field = draw(st.sampled_from(schema.fields))
    functions = ["count", "count_distinct", "mode", "first", "last", "quantile", "rate"]
    if field.type.is_number:
        functions += ["sum", "mean", "median", "min", "max", "std", "var"]
    elif field.type is ColumnType.BOOLEAN:
        functions += ["sum", "mean"]
    else:
        functions += ["min", "max"]
    if draw(st.integers(0, 4)) == 0:
        return Measure(function="count")
    function = draw(st.sampled_from(functions))
    if function == "rate":
        function = draw(st.sampled_from(["count", "rate", "percent"]))
        return Measure(function=function, where=draw(predicates(schema)))
    if function == "quantile":
        fraction = draw(st.sampled_from([0.1, 0.25, 0.9]))
        fields = _of(schema, ColumnType.INTEGER, ColumnType.REAL)
        if not fields:
            return Measure(function="count")
        return Measure(function=function, column=Col(name=draw(st.sampled_from(fields))), fraction=fraction)
    return Measure(function=function, column=Col(name=field.name))


@st.composite
def made_of_others(draw: st.DrawFn, schema: Schema) -> Expression:
    """Draw a value of another kind than a number of numbers: an interval, a text, a name, a choice."""
    choices = ["case"]
    numbers, texts = _of(schema, ColumnType.INTEGER, ColumnType.REAL), _of(schema, ColumnType.TEXT)
    dates = _of(schema, ColumnType.DATE)
    choices += ["bin", "bin"] if numbers else []
    choices += ["text"] if texts else []
    choices += ["name", "time"] if dates else []
    match draw(st.sampled_from(choices)):
        case "bin":
            column = Col(name=draw(st.sampled_from(numbers)))
            if draw(st.integers(0, 2)) == 0:
                return Bin(operand=column, count=draw(st.integers(1, 4)))
            return Bin(operand=column, width=draw(st.sampled_from([1, 2, 0.5, 10])), labelled=draw(st.booleans()))
        case "text":
            return TextCall(
                function=draw(st.sampled_from(list(TextFunction))), operand=Col(name=draw(st.sampled_from(texts)))
            )
        case "name":
            unit = draw(st.sampled_from([DateUnit.WEEKDAY, DateUnit.MONTH]))
            return DateName(unit=unit, operand=Col(name=draw(st.sampled_from(dates))))
        case "time":
            moments = [Col(name=draw(st.sampled_from(dates))), draw(_moments(dates))]
            start, end = draw(st.permutations(moments))
            return TimeBetween(unit=draw(st.sampled_from(list(TimeUnit))), start=start, end=end)
        case _:
            type_ = draw(st.sampled_from(list(ColumnType)))
            columns = _of(schema, type_)
            values = (
                literal(type_) | st.sampled_from([Col(name=name) for name in columns]) if columns else literal(type_)
            )
            branches = tuple(
                When(condition=draw(predicates(schema)), value=draw(values)) for _ in range(draw(st.integers(1, 2)))
            )
            return Case(branches=branches, otherwise=draw(st.none() | values))


def _moments(dates: list[str]) -> st.SearchStrategy[Col | Lit]:
    """Draw a date column or a date."""
    return st.sampled_from(dates).map(lambda name: Col(name=name)) | literal(ColumnType.DATE)


@st.composite
def windows(draw: st.DrawFn, schema: Schema) -> Window:
    """Draw a comparison of rows with others."""
    function = draw(st.sampled_from(list(WindowFunction)))
    column = Col(name=draw(st.sampled_from(_of(schema, ColumnType.INTEGER, ColumnType.REAL))))
    order = SortKey(column=draw(st.sampled_from(schema.names)), descending=draw(st.booleans()))
    by = draw(st.lists(st.sampled_from(schema.names), max_size=2, unique=True))
    return Window(
        name=draw(st.sampled_from(["window", *NAMES])),
        function=function,
        column=column,
        by=Columns(names=tuple(by)),
        order=draw(st.sampled_from([None, order])),
        size=draw(st.integers(1, 3)),
        descending=draw(st.booleans()),
        fraction=draw(st.sampled_from([0.25, 0.9])) if function is WindowFunction.QUANTILE else None,
    )


def _pivot(draw: st.DrawFn, schema: Schema) -> Pivot:
    keys = draw(st.lists(st.sampled_from(schema.names), min_size=1, max_size=2, unique=True))
    column = draw(st.sampled_from(_of(schema, ColumnType.INTEGER, ColumnType.TEXT, ColumnType.BOOLEAN)))
    values = draw(st.lists(literal(schema.type_of(column)), min_size=1, max_size=3, unique_by=lambda lit: lit.value))
    return Pivot(
        by=Columns(names=tuple(keys)), column=Col(name=column), values=tuple(values), measure=draw(measures(schema))
    )


def _fitting(schema: Schema, steps: list[Step], step: Step) -> bool:
    """Tell whether a step may follow; two result columns of one name, say, may not."""
    try:
        Plan(source="t", source_schema=schema, steps=(*steps, step))
    except PlanError:
        return False
    return True


@st.composite
def plans(draw: st.DrawFn, schema: Schema) -> Plan:
    """Draw a valid plan: conditions, derived columns, perhaps groups or a summary, then conditions, order and limit."""
    steps: list[Step] = []

    def seen() -> Schema:
        return Plan(source="t", source_schema=schema, steps=tuple(steps)).result_schema

    def add(step: Step) -> None:
        if _fitting(schema, steps, step):
            steps.append(step)

    if draw(st.booleans()):
        add(Filter(predicate=draw(predicates(schema))))
    if draw(st.integers(0, 6)) == 0:
        add(_ordered(draw, seen()))
        add(Limit(count=draw(st.integers(1, 8))))
    if (dates := _of(schema, ColumnType.DATE)) and draw(st.booleans()):
        part = DatePart(unit=draw(st.sampled_from(list(DateUnit))), operand=Col(name=draw(st.sampled_from(dates))))
        add(Derive(name=draw(st.sampled_from(["period", *NAMES])), expression=part))
    if _of(seen(), ColumnType.INTEGER, ColumnType.REAL) and draw(st.integers(0, 2)) == 0:
        add(Derive(name=draw(st.sampled_from(["ratio of two", *NAMES])), expression=draw(computed(seen()))))
    if draw(st.integers(0, 3)) == 0:
        add(Derive(name=draw(st.sampled_from(["made", *NAMES])), expression=draw(made_of_others(seen()))))
    if draw(st.integers(0, 9)) == 0:
        add(Rename(column=Col(name=draw(st.sampled_from(seen().names))), name=draw(st.sampled_from(["new", *NAMES]))))
    summarised = True
    pivots = ["pivot"] if _of(seen(), ColumnType.INTEGER, ColumnType.TEXT, ColumnType.BOOLEAN) else []
    periods = ["periods"] if _of(seen(), ColumnType.DATE) else []
    match draw(st.sampled_from(["rows", "groups", "groups", "totals", "describe", *pivots, *periods])):
        case "pivot":
            add(_pivot(draw, seen()))
        case "periods":
            unit = draw(st.sampled_from([unit for unit in DateUnit if unit.is_period]))
            keys = draw(st.lists(st.sampled_from(seen().names), max_size=2, unique=True))
            date = Col(name=draw(st.sampled_from(_of(seen(), ColumnType.DATE))))
            name = draw(st.sampled_from(["period", *NAMES]))
            by = Columns(names=tuple(keys))
            add(Resample(name=name, date=date, unit=unit, by=by, measures=_unique(draw, seen())))
        case "groups":
            keys = draw(st.lists(st.sampled_from(seen().names), min_size=1, max_size=2, unique=True))
            add(Aggregate(by=Columns(names=tuple(keys)), measures=_unique(draw, seen())))
        case "totals":
            add(Aggregate(measures=_unique(draw, seen())))
        case "describe" if numbers := _of(seen(), ColumnType.INTEGER, ColumnType.REAL):
            keys = draw(st.lists(st.sampled_from(seen().names), max_size=2, unique=True))
            add(Describe(columns=Columns(names=tuple(numbers)), by=Columns(names=tuple(keys))))
        case _:
            summarised = False
    if summarised and draw(st.integers(0, 4)) == 0:
        add(Filter(predicate=draw(predicates(seen()))))
    if _of(seen(), ColumnType.INTEGER, ColumnType.REAL) and draw(st.integers(0, 2)) == 0:
        add(draw(windows(seen())))
    if draw(st.integers(0, 7)) == 0:
        keys = draw(st.lists(st.sampled_from(seen().names), min_size=1, max_size=2, unique=True))
        add(TopPerGroup(by=Columns(names=tuple(keys)), keys=_ordered(draw, seen()).keys, count=draw(st.integers(1, 2))))
    if draw(st.integers(0, 9)) == 0:
        keys = draw(st.lists(st.sampled_from(seen().names), min_size=1, max_size=2, unique=True))
        add(Distinct(columns=Columns(names=tuple(keys))))
    if draw(st.booleans()):
        add(_ordered(draw, seen()))
    if draw(st.booleans()):
        add(Limit(count=draw(st.integers(1, 4))))
    if draw(st.integers(0, 5 if summarised else 1)) == 0:
        names = draw(st.lists(st.sampled_from(seen().names), min_size=1, max_size=3, unique=True))
        add(Select(columns=Columns(names=tuple(names))))
    if summarised and draw(st.integers(0, 7)) == 0:
        add(Aggregate(measures=_unique(draw, seen())))
    return Plan(source="t", source_schema=schema, steps=tuple(steps), chart=draw(_charts(seen())))


@st.composite
def _charts(draw: st.DrawFn, schema: Schema) -> Chart | None:
    if draw(st.booleans()):
        return None
    x, y = (draw(st.sampled_from(schema.names)) for _ in range(2))
    color = draw(st.sampled_from([None, *schema.names]))
    kind = draw(st.sampled_from(["bar", "line", "scatter", "pie", "histogram"]))
    return Chart(kind=kind, x=x, y=None if kind == "histogram" else y, color=color)


def _ordered(draw: st.DrawFn, schema: Schema) -> Sort:
    keys = draw(st.lists(st.sampled_from(schema.names), min_size=1, max_size=2, unique=True))
    if len(keys) == 1 and schema.type_of(keys[0]) is ColumnType.TEXT and draw(st.booleans()):
        order = tuple(draw(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=4, unique=True)))
        return Sort(keys=(SortKey(column=keys[0], descending=draw(st.booleans()), order=order),))
    return Sort(keys=tuple(SortKey(column=key, descending=draw(st.booleans())) for key in keys))


def _unique(draw: st.DrawFn, schema: Schema) -> tuple[Measure, ...]:
    found = draw(st.lists(measures(schema), min_size=1, max_size=3))
    return tuple({measure.name: measure for measure in found}.values())


@st.composite
def tables_with_plans(draw: st.DrawFn) -> tuple[pd.DataFrame, Plan]:
    """Draw a table and a plan over it."""
    frame, schema = draw(tables())
    return frame, draw(plans(schema))


@st.composite
def seconds(draw: st.DrawFn) -> tuple[pd.DataFrame, pd.DataFrame, Second]:
    """Draw two tables and a way to make one of them; names, types and values of the two often meet."""
    frame, schema = draw(tables())
    other, other_schema = draw(tables())
    if draw(st.booleans()):  # the same names again, as two tables of one database have them
        other = other.rename(columns=(new := dict(zip(other.columns, frame.columns, strict=False))))
        fields = (field.model_copy(update={"name": new.get(field.name, field.name)}) for field in other_schema.fields)
        names = list(other.columns)
        assume(len(set(names)) == len(names))
        other_schema = Schema(fields=tuple(fields))
    name = draw(st.sampled_from(["other", "customers", "", "it's"]))
    try:
        if draw(st.integers(0, 3)) == 0:
            return frame, other, Union(other=name, first_schema=schema, other_schema=other_schema)
        join = _join(draw, name, schema, other_schema)
        if join.relation.first_is_unique:
            frame = frame[~frame[[pair.first.name for pair in join.keys]].duplicated()].reset_index(drop=True)
        if join.relation.second_is_unique:
            keys = [pair.second.name for pair in join.keys]
            other = other[other[keys].isna().any(axis=1) | ~other[keys].duplicated()].reset_index(drop=True)
        join.schema_  # noqa: B018  refuses two columns of one name
    except PlanError:
        assume(condition=False)
    return frame, other, join


def _join(draw: st.DrawFn, name: str, schema: Schema, other_schema: Schema) -> Join:
    pairs = [
        KeyPair(first=Col(name=first.name), second=Col(name=second.name))
        for first in schema.fields
        for second in other_schema.fields
        if first.type is second.type or (first.type.is_number and second.type.is_number)
    ]
    assume(pairs)
    keys = draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=2, unique=True))
    how = draw(st.sampled_from(list(JoinKind)))
    relation = draw(st.sampled_from(list(Relation))) if how.adds_columns else Relation.MANY_TO_MANY
    schemas = {"first_schema": schema, "other_schema": other_schema}
    return Join(other=name, keys=tuple(keys), how=how, relation=relation, **schemas)


@st.composite
def two_tables_with_plans(draw: st.DrawFn) -> tuple[pd.DataFrame, pd.DataFrame, Plan]:
    """Draw two tables and a plan over the one that is made of them."""
    frame, other, second = draw(seconds())
    return frame, other, draw(plans(second.schema_)).over(second)
