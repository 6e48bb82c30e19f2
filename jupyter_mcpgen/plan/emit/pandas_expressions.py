"""Writes the values and conditions of a plan as pandas expressions.

All names and literals go through `repr`, or appear by the name of the tool parameter that they became.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from keyword import iskeyword
from typing import assert_never

from jupyter_mcpgen.plan.check import expression_type
from jupyter_mcpgen.plan.emit.pandas_writing import parse_text
from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Arithmetic,
    ArithmeticOp,
    Bin,
    Case,
    Col,
    Columns,
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

_PERIODS = {
    DateUnit.START_OF_YEAR: "Y",
    DateUnit.START_OF_QUARTER: "Q",
    DateUnit.START_OF_MONTH: "M",
    DateUnit.START_OF_WEEK: "W-SUN",  # pandas names a week by its last day: Monday to Sunday
}
_PARTS = {
    DateUnit.YEAR: "year",
    DateUnit.QUARTER: "quarter",
    DateUnit.MONTH: "month",
    DateUnit.DAY: "day",
    DateUnit.HOUR: "hour",
    DateUnit.MINUTE: "minute",
}
_NAMES_OF_DATES = {DateUnit.WEEKDAY: "day_name", DateUnit.MONTH: "month_name"}
_DAYS_OF_FULL = {TimeUnit.MONTHS: 100, TimeUnit.YEARS: 1_200}
_TEXT_METHODS = {
    TextFunction.LOWER: "lower()",
    TextFunction.UPPER: "upper()",
    TextFunction.TRIM: "strip()",
    TextFunction.LENGTH: 'len().astype("Int64")',
}
DTYPES = {
    ColumnType.INTEGER: "Int64",
    ColumnType.REAL: "float64",
    ColumnType.TEXT: "str",
    ColumnType.BOOLEAN: "boolean",
    ColumnType.DATE: "datetime64[us]",
}
"""The pandas types that hold missing values beside each kind of value."""
_MATCHERS = {
    MatchMode.CONTAINS: "str.contains({text}, regex=False, na=False)",
    MatchMode.STARTS: "str.startswith({text}, na=False)",
    MatchMode.ENDS: "str.endswith({text}, na=False)",
}


@dataclass(frozen=True)
class Table:
    """A variable that holds a table, and how to write the name of each of its columns."""

    frame: str
    names: Mapping[str, str]

    def column(self, column: Col) -> str:
        """Write a column of the table."""
        return f"{self.frame}[{self.name(column)}]"

    def name(self, column: Col) -> str:
        """Write the name of a column."""
        return column.parameter or self.names[column.name]

    def list(self, columns: Columns) -> str:
        """Write a list of names."""
        return columns.parameter or f"[{', '.join(self.names[name] for name in columns.names)}]"


def names_of_list(columns: Columns, names: Mapping[str, str]) -> dict[str, str]:
    """Return how to write the columns of a list after it was used; a parameter's by their place in it."""
    parameter = columns.parameter
    return {name: f"{parameter}[{i}]" if parameter else names[name] for i, name in enumerate(columns.names)}


def predicate_text(predicate: Predicate, schema: Schema, table: Table) -> str:
    """Write a condition."""
    match predicate:
        case Compare():
            return _compare(predicate, schema, table)
        case IsIn():
            return _negatable(f"{table.column(predicate.operand)}.isin({_values(predicate)})", predicate, table)
        case TextMatch():
            text = f"{predicate.text.parameter}.lower()" if predicate.text.parameter else _lowered(predicate.text)
            match_ = _MATCHERS[predicate.mode].format(text=text)
            return _negatable(f"{table.column(predicate.operand)}.str.lower().{match_}", predicate, table)
        case IsMissing():
            return f"{table.column(predicate.operand)}.{'notna' if predicate.negated else 'isna'}()"
        case All():
            return " & ".join(f"({predicate_text(term, schema, table)})" for term in predicate.terms)
        case AnyOf():
            return " | ".join(f"({predicate_text(term, schema, table)})" for term in predicate.terms)
        case _:
            assert_never(predicate)


def mask_text(predicate: Predicate, schema: Schema, table: Table) -> str:
    """Write a condition that is false where it cannot be decided."""
    return f"({predicate_text(predicate, schema, table)}).fillna(False)"


def _compare(predicate: Compare, schema: Schema, table: Table) -> str:
    if isinstance(predicate.left, Lit):  # the column first, as everybody writes it
        turned = {"left": predicate.right, "op": predicate.op.turned, "right": predicate.left}
        return _compare(predicate.model_copy(update=turned), schema, table)
    left, right = value_text(predicate.left, schema, table), value_text(predicate.right, schema, table)
    if expression_type(predicate.left, schema) is ColumnType.BOOLEAN and predicate.op in (CompareOp.EQ, CompareOp.NE):
        comparison = f"{left}.{'eq' if predicate.op is CompareOp.EQ else 'ne'}({right})"
    else:
        comparison = f"{left} {predicate.op.value} {right}"
    if predicate.op is not CompareOp.NE:
        return comparison
    # pandas says that a missing value differs from everything; a plan says that it satisfies no comparison
    present = [
        f"{_operand(s, schema, table)}.notna()" for s in (predicate.left, predicate.right) if not isinstance(s, Lit)
    ]
    return " & ".join([*present, f"({comparison})"])


def _values(predicate: IsIn) -> str:
    if predicate.parameter is None:
        return f"[{', '.join(literal_text(value) for value in predicate.values)}]"
    are_dates = predicate.values[0].type is ColumnType.DATE
    return f"[pd.Timestamp(value) for value in {predicate.parameter}]" if are_dates else predicate.parameter


def _negatable(mask: str, predicate: IsIn | TextMatch, table: Table) -> str:
    return f"{table.column(predicate.operand)}.notna() & ~{mask}" if predicate.negated else mask


def value_text(expression: Expression, schema: Schema, table: Table) -> str:
    """Write a value for every row, or a constant."""
    match expression:
        case Col():
            return table.column(expression)
        case Lit():
            return literal_text(expression)
        case Arithmetic():
            left, right = (_operand(side, schema, table) for side in (expression.left, expression.right))
            if expression.op is ArithmeticOp.DIVIDE:
                right = _divisor(expression.right, right)
            return f"{left} {expression.op.value} {right}"
        case DatePart():
            return _date_part(expression, table)
        case DateName():
            return f"{table.column(expression.operand)}.dt.{_NAMES_OF_DATES[expression.unit]}()"
        case TimeBetween():
            return _time_between(expression, table)
        case TextCall():
            return f"{table.column(expression.operand)}.str.{_TEXT_METHODS[expression.function]}"
        case Parse():
            return parse_text(table.column(expression.operand), expression.writing)
        case Bin():
            return _interval(expression, schema, table)
        case Case():
            return _case(expression, schema, table)
        case _:
            assert_never(expression)


def _interval(bin_: Bin, schema: Schema, table: Table) -> str:
    numbers = table.column(bin_.operand)
    if bin_.count is not None:
        return _interval_of_several(numbers, bin_.parameter or str(bin_.count))
    whole = bin_.is_whole and schema.type_of(bin_.operand.name) is ColumnType.INTEGER
    width = bin_.parameter or repr(int(bin_.width or 0) if whole else bin_.width)
    low = f"{numbers} // {width} * {width}" if whole else f"{numbers} / {width} // 1 * {width}"
    if not bin_.labelled:
        return low
    if whole:
        last = f"{low} + {width} - 1" if bin_.parameter else f"{low} + {int(bin_.width or 0) - 1}"
        return f'({low}).astype("str") + "–" + ({last}).astype("str")'
    text = f'lambda low: "{{:g}} to <{{:g}}".format(low, low + {width})'
    return f'({low}).astype("float64").map({text}, na_action="ignore").astype("str")'


def _interval_of_several(numbers: str, count: str) -> str:
    """Write the lower end of the interval between the smallest and the largest number; one width if they are equal."""
    values = f'{numbers}.astype("float64")'
    width = f"((values.max() - values.min()) / {count} or 1.0)"
    place = f"((values - values.min()) / {width} // 1).clip(upper={count} - 1)"
    return f"{values}.pipe(lambda values: {place} * {width} + values.min())"


def _case(case: Case, schema: Schema, table: Table) -> str:
    type_ = DTYPES[expression_type(case, schema)]
    branches = ", ".join(
        f"({mask_text(branch.condition, schema, table)}, {value_text(branch.value, schema, table)})"
        for branch in case.branches
    )
    if case.otherwise is None or isinstance(case.otherwise, Lit):
        value = "None" if case.otherwise is None else literal_text(case.otherwise)
        rest = f"pd.Series({value}, index={table.frame}.index, dtype={type_!r})"
    else:
        rest = f"({value_text(case.otherwise, schema, table)}).astype({type_!r})"
    return f"{rest}.case_when([{branches}])"


def _divisor(expression: Expression, text: str) -> str:
    """Write what is divided by, so that zero gives a missing value."""
    if not isinstance(expression, Lit):
        return f'{text}.replace(0, float("nan"))'
    return text if expression.value else 'float("nan")'


def _operand(expression: Expression, schema: Schema, table: Table) -> str:
    text = value_text(expression, schema, table)
    return f"({text})" if isinstance(expression, Arithmetic | Bin | TimeBetween) else text


def _date_part(part: DatePart, table: Table) -> str:
    dates = f"{table.column(part.operand)}.dt"
    if part.unit in _PERIODS:
        return f'{dates}.to_period("{_PERIODS[part.unit]}").dt.start_time'
    if part.unit is DateUnit.START_OF_DAY:
        return f"{dates}.normalize()"
    number = f"{dates}.day_of_week + 1" if part.unit is DateUnit.WEEKDAY else f"{dates}.{_PARTS[part.unit]}"
    return f'({number}).astype("Int64")' if part.unit is DateUnit.WEEKDAY else f'{number}.astype("Int64")'


def _time_between(between: TimeBetween, table: Table) -> str:
    start, end = (table.column(s) if isinstance(s, Col) else literal_text(s) for s in (between.start, between.end))
    if between.unit.seconds is not None:
        return f"({end} - {start}) / pd.Timedelta({between.unit.value}=1)"
    years, months, days = (
        f"{end}{'.dt' if isinstance(between.end, Col) else ''}.{part} - "
        f"{start}{'.dt' if isinstance(between.start, Col) else ''}.{part}"
        for part in ("year", "month", "day")
    )
    full = f"((({years}) * 12 + {months}) * 100 + {days}) / {_DAYS_OF_FULL[between.unit]}"  # a month of days to spare
    return f'({full}).map(int, na_action="ignore").astype("Int64")'


def literal_text(literal: Lit) -> str:
    """Write a constant."""
    text = literal.parameter or repr(literal.value)
    return f"pd.Timestamp({text})" if literal.type is ColumnType.DATE else text


def _lowered(literal: Lit) -> str:
    return repr(str(literal.value).lower())


def keyword(name: str, value: str) -> str:
    """Write a keyword argument; a name that cannot be one is unpacked from a dictionary."""
    plain = name.isidentifier() and name.isascii() and not iskeyword(name) and name != "__debug__"
    return f"{name}={value}" if plain else f"**{{{name!r}: {value}}}"
