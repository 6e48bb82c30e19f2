"""Random conditions and computed values over the columns of a schema."""

from __future__ import annotations

from hypothesis import strategies as st

from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Arithmetic,
    Bin,
    Case,
    Col,
    Compare,
    DateName,
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
from jupyter_mcpgen.plan.schema import ColumnType, Schema
from tests.strategies.tables import literal, names_of


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
        case "computed" if names_of(schema, ColumnType.INTEGER, ColumnType.REAL):
            return Compare(op=op, left=draw(computed(schema)), right=draw(literal(ColumnType.INTEGER)))
        case _ if draw(st.integers(0, 5)) == 0:
            return Compare(op=op, left=draw(literal(field.type)), right=column)
        case _:
            return Compare(op=op, left=column, right=draw(literal(field.type)))


@st.composite
def computed(draw: st.DrawFn, schema: Schema, depth: int = 2) -> Expression:
    """Draw a number computed from number columns."""
    column = Col(name=draw(st.sampled_from(names_of(schema, ColumnType.INTEGER, ColumnType.REAL))))
    other = draw(st.sampled_from(["column", "constant", "computed"] if depth else ["constant"]))
    right: Expression = column
    if other == "constant":
        right = draw(literal(ColumnType.INTEGER))
    elif other == "computed":
        right = draw(computed(schema, depth - 1))
    left, right = draw(st.permutations([column, right]))
    return Arithmetic(op=draw(st.sampled_from("+-*/")), left=left, right=right)


@st.composite
def made_of_others(draw: st.DrawFn, schema: Schema) -> Expression:
    """Draw a value of another kind than a number of numbers: an interval, a text, a name, a choice."""
    choices = ["case"]
    numbers, texts = names_of(schema, ColumnType.INTEGER, ColumnType.REAL), names_of(schema, ColumnType.TEXT)
    dates = names_of(schema, ColumnType.DATE)
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
            columns = names_of(schema, type_)
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
