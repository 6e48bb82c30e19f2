"""Writes the values and conditions of a plan as narwhals expressions; all names and literals go through `repr`."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from jupyter_mcpgen.plan.check import expression_type
from jupyter_mcpgen.plan.emit.narwhals_engines import Ability
from jupyter_mcpgen.plan.emit.narwhals_writer import Writer, column
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
from jupyter_mcpgen.plan.writings import TruthWriting

DTYPES = {
    ColumnType.INTEGER: "nw.Int64",
    ColumnType.REAL: "nw.Float64",
    ColumnType.TEXT: "nw.String",
    ColumnType.BOOLEAN: "nw.Boolean",
    ColumnType.DATE: 'nw.Datetime("us")',
}
"""What holds the values of each type."""
_MATCHES = {
    MatchMode.CONTAINS: "str.contains({text}, literal=True)",
    MatchMode.STARTS: "str.starts_with({text})",
    MatchMode.ENDS: "str.ends_with({text})",
}
_PARTS = {
    DateUnit.YEAR: "year()",
    DateUnit.MONTH: "month()",
    DateUnit.DAY: "day()",
    DateUnit.HOUR: "hour()",
    DateUnit.MINUTE: "minute()",
    DateUnit.WEEKDAY: "weekday()",
}
_PERIODS = {
    DateUnit.START_OF_YEAR: "1y",
    DateUnit.START_OF_QUARTER: "1q",
    DateUnit.START_OF_MONTH: "1mo",
    DateUnit.START_OF_DAY: "1d",
}
_NAMES = {DateUnit.WEEKDAY: "%A", DateUnit.MONTH: "%B"}
_SPACES = "".join(chr(code) for code in range(0x3001) if chr(code).isspace())
"""What Python trims from a text; the engines' own lists of spaces differ."""
_TEXT_METHODS = {
    TextFunction.LOWER: "to_lowercase()",
    TextFunction.UPPER: "to_uppercase()",
    TextFunction.TRIM: f"strip_chars({_SPACES!r})",
    TextFunction.LENGTH: "len_chars()",
}


def predicate_text(predicate: Predicate, schema: Schema, writer: Writer) -> str:
    """Write a condition; where a value is missing it is missing, or false."""
    match predicate:
        case Compare():
            return _compare(predicate, schema, writer)
        case IsIn():
            values = ", ".join(literal_text(value) for value in predicate.values)
            return _negatable(f"{column(predicate.operand.name)}.is_in([{values}])", predicate)
        case TextMatch():
            match_ = _MATCHES[predicate.mode].format(text=repr(str(predicate.text.value).lower()))
            return _negatable(f"{column(predicate.operand.name)}.str.to_lowercase().{match_}", predicate)
        case IsMissing():
            return f"{'~' if predicate.negated else ''}{column(predicate.operand.name)}.is_null()"
        case All():
            return " & ".join(f"({predicate_text(term, schema, writer)})" for term in predicate.terms)
        case AnyOf():
            return " | ".join(f"({predicate_text(term, schema, writer)})" for term in predicate.terms)
        case _:
            assert_never(predicate)


def _negatable(match: str, predicate: IsIn | TextMatch) -> str:
    return f"~{column(predicate.operand.name)}.is_null() & ~{match}" if predicate.negated else match


def _compare(predicate: Compare, schema: Schema, writer: Writer) -> str:
    if isinstance(predicate.left, Lit):  # the column first, as everybody writes it
        turned = {"left": predicate.right, "op": predicate.op.turned, "right": predicate.left}
        return _compare(predicate.model_copy(update=turned), schema, writer)
    left = _operand(predicate.left, schema, writer)
    right = _operand(predicate.right, schema, writer)
    comparison = f"{left} {predicate.op.value} {right}"
    if predicate.op is not CompareOp.NE:
        return comparison
    # to numpy a missing number differs from everything; a plan says that it satisfies no comparison
    sides = [left] if isinstance(predicate.right, Lit) else [left, right]
    return " & ".join([*(f"~{side}.is_null()" for side in sides), f"({comparison})"])


def value_text(expression: Expression, schema: Schema, writer: Writer) -> str:
    """Write a value for every row."""
    match expression:
        case Col():
            return column(expression.name)
        case Lit():
            return f"nw.lit({literal_text(expression)})"
        case Arithmetic():
            return _arithmetic(expression, schema, writer)
        case DatePart():
            return _date_part(expression, writer)
        case DateName():
            return f'{column(expression.operand.name)}.dt.to_string("{_NAMES[expression.unit]}")'
        case TimeBetween():
            return _time_between(expression, writer)
        case TextCall():
            return _text_call(expression)
        case Parse():
            return _parse(expression, writer)
        case Bin():
            return _interval(expression, schema, writer)
        case Case():
            return _case(expression, schema, writer)
        case _:
            assert_never(expression)


def literal_text(literal: Lit) -> str:
    """Write a constant as a Python value."""
    if literal.type is not ColumnType.DATE:
        return repr(literal.value)
    moment = datetime.fromisoformat(str(literal.value))
    parts = [moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second, moment.microsecond]
    while len(parts) > 3 and not parts[-1]:
        parts.pop()
    return f"datetime({', '.join(map(str, parts))})"


def _operand(expression: Expression, schema: Schema, writer: Writer) -> str:
    if isinstance(expression, Lit):
        return literal_text(expression)
    text = value_text(expression, schema, writer)
    return f"({text})" if isinstance(expression, Arithmetic | Bin | DatePart | TimeBetween | Parse) else text


def _arithmetic(expression: Arithmetic, schema: Schema, writer: Writer) -> str:
    left, right = (_factor(side, schema, writer) for side in (expression.left, expression.right))
    quotient = f"{left} {expression.op.value} {right}"
    if expression.op is not ArithmeticOp.DIVIDE:
        return quotient
    if not isinstance(expression.right, Lit):
        return f"nw.when({right} != 0).then({quotient})"
    if expression.right.value == 0:
        writer.refuse("a division by the constant 0")
    return quotient


def _text_call(call: TextCall) -> str:
    text = column(call.operand.name)
    value = f"{text}.str.{_TEXT_METHODS[call.function]}"
    if call.function is TextFunction.LENGTH:  # some engines give numbers without a sign, and pandas no missing ones
        return f"nw.when(~{text}.is_null()).then({value}.fill_null(0).cast(nw.Int64))"
    return value


def _factor(expression: Expression, schema: Schema, writer: Writer) -> str:
    """Write a side of an operation as a real number."""
    if isinstance(expression, Lit):
        return repr(float(expression.value))
    text = _operand(expression, schema, writer)
    return text if expression_type(expression, schema) is ColumnType.REAL else f"{text}.cast(nw.Float64)"


def _date_part(part: DatePart, writer: Writer) -> str:
    dates = f"{column(part.operand.name)}.dt"
    if part.unit in _PERIODS:
        if part.unit is not DateUnit.START_OF_DAY:
            writer.need(Ability.PERIODS, f"`{part.unit.value}`")
        return f'{dates}.truncate("{_PERIODS[part.unit]}")'
    if part.unit is DateUnit.START_OF_WEEK:
        writer.refuse("the week that a date lies in")
    if part.unit is DateUnit.QUARTER:
        return f"({dates}.month() + 2) // 3"
    return f"{dates}.{_PARTS[part.unit]}"


def _time_between(between: TimeBetween, writer: Writer) -> str:
    start, end = (_moment(side) for side in (between.start, between.end))
    if between.unit.seconds is not None:
        passed = f"({end} - {start}).dt.total_microseconds().cast(nw.Float64)"
        return f"{passed} / {between.unit.seconds * 1e6!r}"
    writer.need(Ability.WHOLE_NUMBERS, "full months or years beside missing ones")
    years, months, days = (f"{end}.dt.{part}() - {start}.dt.{part}()" for part in ("year", "month", "day"))
    largest = 100 if between.unit is TimeUnit.MONTHS else 1_200
    full = f"((({years}).cast(nw.Float64) * 12 + ({months})) * 100 + ({days})) / {largest}"
    return f"nw.when({full} >= 0).then(({full}).floor()).otherwise(({full}).ceil()).cast(nw.Int64)"


def _moment(side: Col | Lit) -> str:
    return column(side.name) if isinstance(side, Col) else f'nw.lit({literal_text(side)}, nw.Datetime("us"))'


def _parse(parse: Parse, writer: Writer) -> str:
    if not isinstance(parse.writing, TruthWriting):
        writer.refuse("how a text writes numbers or dates")
    text = f"{column(parse.operand.name)}.str.to_lowercase()"
    true, false = (list(words) for words in (parse.writing.true, parse.writing.false))
    return f"nw.when({text}.is_in({true!r})).then(nw.lit(True)).when({text}.is_in({false!r})).then(nw.lit(False))"


def _interval(bin_: Bin, schema: Schema, writer: Writer) -> str:
    number = column(bin_.operand.name)
    is_whole = schema.type_of(bin_.operand.name) is ColumnType.INTEGER
    real = f"{number}.cast(nw.Float64)" if is_whole else number
    if bin_.width is None:
        low, span = f"{real}.min()", f"({real}.max() - {real}.min())"
        width = f"nw.when({span} > 0).then({span} / {bin_.count}).otherwise(1.0)"
        return f"(({real} - {low}) / {width}).floor().clip(upper_bound={(bin_.count or 1) - 1}) * {width} + {low}"
    if is_whole and bin_.is_whole:
        writer.need(Ability.WHOLE_NUMBERS, "intervals of whole numbers")
        whole = int(bin_.width)
        start = f"({real} / {whole}).floor().cast(nw.Int64) * {whole}"
        if not bin_.labelled:
            return start
        ends = f"({start}).cast(nw.String), nw.lit('–'), ({start} + {whole - 1}).cast(nw.String)"
        return f"nw.concat_str({ends})"
    if bin_.labelled:
        writer.refuse("the labels of intervals with fractions")
    start = f"({real} / {float(bin_.width)!r}).floor() * {float(bin_.width)!r}"
    return f"nw.when({real}.is_finite()).then({start})"


def _case(case: Case, schema: Schema, writer: Writer) -> str:
    type_ = expression_type(case, schema)
    branches = "".join(
        f".when({predicate_text(b.condition, schema, writer)}).then({_chosen(b.value, type_, schema, writer)})"
        for b in case.branches
    )
    rest = "" if case.otherwise is None else f".otherwise({_chosen(case.otherwise, type_, schema, writer)})"
    return f"nw{branches}{rest}"


def _chosen(expression: Expression, type_: ColumnType, schema: Schema, writer: Writer) -> str:
    if isinstance(expression, Lit):
        return f"nw.lit({literal_text(expression)}, {DTYPES[type_]})"
    text = value_text(expression, schema, writer)
    return text if expression_type(expression, schema) is type_ else f"({text}).cast({DTYPES[type_]})"
