"""Random measures and steps over a schema."""

from __future__ import annotations

from hypothesis import strategies as st

from jupyter_mcpgen.plan.expressions import Col, Columns
from jupyter_mcpgen.plan.ops import Chart, Measure, Pivot, Sort, SortKey, Window, WindowFunction
from jupyter_mcpgen.plan.schema import ColumnType, Schema
from tests.strategies.expressions import predicates
from tests.strategies.tables import NAMES, TEXTS, literal, names_of


@st.composite
def measures(draw: st.DrawFn, schema: Schema) -> Measure:
    """One measure that its column takes."""
    field = draw(st.sampled_from(schema.fields))
    functions = ["count", "count_distinct", "mode", "first", "last", "quantile", "rate"]
    if field.type.is_number:
        functions += ["sum", "mean", "median", "min", "max", "std", "var", "skew", "kurt"]
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
        fields = names_of(schema, ColumnType.INTEGER, ColumnType.REAL)
        if not fields:
            return Measure(function="count")
        return Measure(function=function, column=Col(name=draw(st.sampled_from(fields))), fraction=fraction)
    return Measure(function=function, column=Col(name=field.name))


def unique_measures(draw: st.DrawFn, schema: Schema) -> tuple[Measure, ...]:
    """Draw measures of which no two make the same column."""
    found = draw(st.lists(measures(schema), min_size=1, max_size=3))
    return tuple({measure.name: measure for measure in found}.values())


@st.composite
def windows(draw: st.DrawFn, schema: Schema) -> Window:
    """Draw a comparison of rows with others."""
    function = draw(st.sampled_from(list(WindowFunction)))
    column = Col(name=draw(st.sampled_from(names_of(schema, ColumnType.INTEGER, ColumnType.REAL))))
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


def pivot(draw: st.DrawFn, schema: Schema) -> Pivot:
    """Draw a table of groups by values."""
    keys = draw(st.lists(st.sampled_from(schema.names), min_size=1, max_size=2, unique=True))
    column = draw(st.sampled_from(names_of(schema, ColumnType.INTEGER, ColumnType.TEXT, ColumnType.BOOLEAN)))
    values = draw(st.lists(literal(schema.type_of(column)), min_size=1, max_size=3, unique_by=lambda lit: lit.value))
    return Pivot(
        by=Columns(names=tuple(keys)), column=Col(name=column), values=tuple(values), measure=draw(measures(schema))
    )


def orders(draw: st.DrawFn, schema: Schema) -> Sort:
    """Draw an order of rows."""
    keys = draw(st.lists(st.sampled_from(_decided(schema)), min_size=1, max_size=2, unique=True))
    if len(keys) == 1 and schema.type_of(keys[0]) is ColumnType.TEXT and draw(st.booleans()):
        order = tuple(draw(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=4, unique=True)))
        return Sort(keys=(SortKey(column=keys[0], descending=draw(st.booleans()), order=order),))
    return Sort(keys=tuple(SortKey(column=key, descending=draw(st.booleans())) for key in keys))


def _decided(schema: Schema) -> tuple[str, ...]:
    """Return the columns that put rows in an order which the last digit of a sum cannot turn.

    In a summary two columns with the same values in another order of rows have the same mean but for that digit.
    """
    summed = {"mean", "std"} if {"column", "q25", "mean"} <= set(schema.names) else set()
    return tuple(name for name in schema.names if name not in summed)


@st.composite
def charts(draw: st.DrawFn, schema: Schema) -> Chart | None:
    """Draw a chart of two columns, or none."""
    if draw(st.booleans()):
        return None
    x, y = (draw(st.sampled_from(schema.names)) for _ in range(2))
    color = draw(st.sampled_from([None, *schema.names]))
    kind = draw(st.sampled_from(["bar", "line", "scatter", "pie", "histogram"]))
    return Chart(kind=kind, x=x, y=None if kind == "histogram" else y, color=color)
