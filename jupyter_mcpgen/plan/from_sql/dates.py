"""Reads functions of dates: units, periods, names, and the time between two moments."""

from __future__ import annotations

import calendar
from datetime import datetime, timedelta

from sqlglot import exp

from jupyter_mcpgen.errors import WrongType
from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.expressions import (
    ArithmeticOp,
    Case,
    Col,
    Compare,
    CompareOp,
    DateName,
    DatePart,
    DateUnit,
    Expression,
    Lit,
    Moment,
    Parse,
    TimeBetween,
    TimeUnit,
    When,
)
from jupyter_mcpgen.plan.from_sql.arithmetic import combine, number
from jupyter_mcpgen.plan.from_sql.nodes import Read, bare, quoted
from jupyter_mcpgen.plan.from_sql.rows import Rows
from jupyter_mcpgen.plan.from_sql.symbols import Span, Symbol, settle
from jupyter_mcpgen.plan.from_sql.unread import CannotHold
from jupyter_mcpgen.plan.schema import ColumnType

PARTS: dict[type[exp.Expr], str] = {
    exp.Year: "year",
    exp.Quarter: "quarter",
    exp.Month: "month",
    exp.Day: "day",
    exp.DayOfMonth: "day",
    exp.DayOfWeek: "dow",
    exp.DayOfWeekIso: "isodow",
    exp.Hour: "hour",
    exp.Minute: "minute",
}
_UNITS = {
    "year": DateUnit.YEAR,
    "quarter": DateUnit.QUARTER,
    "month": DateUnit.MONTH,
    "day": DateUnit.DAY,
    "isodow": DateUnit.WEEKDAY,
    "hour": DateUnit.HOUR,
    "minute": DateUnit.MINUTE,
}
_PERIODS = {unit.value.removeprefix("start_of_"): unit for unit in DateUnit if unit.is_period}
_WRITTEN_UNITS = {"%Y": "year", "%m": "month", "%d": "day", "%H": "hour", "%M": "minute"}
_WRITTEN_NAMES = {"%A": DateUnit.WEEKDAY, "%B": DateUnit.MONTH}
_SUNDAY = 7


def date_column(symbol: Symbol, rows: Rows) -> Col:
    """Return the column that holds a date."""
    value = settle(symbol, rows)
    if rows.type_of(value) is not ColumnType.DATE:
        raise CannotHold("A function of dates is used on a value that the table does not hold as a date.")
    if isinstance(value, Lit):
        raise CannotHold("A part of a constant date is a constant. Write that.")
    return Col(name=rows.column(value))


def read_part(unit: str, symbol: Symbol, rows: Rows) -> Expression:
    """Read a unit of a date, such as its year, or the seconds of a span."""
    unit = {"weekday": "dow", "dayofweek": "dow", "dayofmonth": "day"}.get(unit, unit)
    if unit == "epoch" and isinstance(symbol, Span):
        return TimeBetween(unit=TimeUnit.SECONDS, start=symbol.start, end=symbol.end)
    if isinstance(symbol, Span) or unit not in (*_UNITS, "dow"):
        raise CannotHold(f"A plan does not take the {unit} out of a date.")
    column = date_column(symbol, rows)
    if unit != "dow":
        return DatePart(unit=_UNITS[unit], operand=column)
    weekday = DatePart(unit=DateUnit.WEEKDAY, operand=column)
    is_sunday = Compare(op=CompareOp.EQ, left=weekday, right=number(_SUNDAY))
    return Case(branches=(When(condition=is_sunday, value=number(0)),), otherwise=weekday)


def read_period(unit: str, symbol: Symbol, rows: Rows) -> Expression:
    """Read the date at which a period begins."""
    if unit not in _PERIODS:
        raise CannotHold(f"A plan has no periods of a {unit}.")
    return DatePart(unit=_PERIODS[unit], operand=date_column(symbol, rows))


def read_name(unit: DateUnit, symbol: Symbol, rows: Rows) -> Expression:
    """Read the English name of a weekday or a month."""
    if unit not in (DateUnit.WEEKDAY, DateUnit.MONTH):
        raise CannotHold(f"A plan has no name of a {unit.value}.")
    return DateName(unit=unit, operand=date_column(symbol, rows))


def read_from_text(text: exp.Expr, format_: exp.Expr, read: Read, rows: Rows, *, may_fail: bool) -> Expression:
    """Read the dates that the texts of a column write; where one is no date, a plan has a missing value.

    A SELECT that `may_fail` gives nothing at all there, so wherever it gives something, each text is a date.
    """
    written = str(format_.this) if isinstance(format_, exp.Literal) else ""
    value = settle(read(text), rows)
    try:
        writing = DateWriting(format=written)
    except WrongType as error:
        raise CannotHold(f"A plan reads no dates that are written like {quoted(format_)}.") from error
    if writing.is_clock or writing.has_zone or rows.type_of(value) is not ColumnType.TEXT:
        raise CannotHold(f"A plan reads no dates that are written like {quoted(format_)}.")
    operand = rows.column(value)
    date = rows.column(Parse(operand=Col(name=operand), writing=writing))
    if may_fail and operand in rows.present:
        rows.present |= {date}
    return Col(name=date)


def read_written(node: exp.TimeToStr, read: Read, rows: Rows) -> Expression:
    """Read a date that is written as a text: only the names of weekdays and months are values of a plan."""
    unit = _WRITTEN_NAMES.get(_format(node))
    if unit is None:
        raise CannotHold(f"{quoted(node)} writes a date as a text, which a plan does not. Use date_trunc or year().")
    return read_name(unit, read(node.this), rows)


def read_written_unit(node: exp.TimeToStr, read: Read, rows: Rows) -> Expression:
    """Read a unit of a date that is written as a text and made a number again."""
    unit = _WRITTEN_UNITS.get(_format(node))
    if unit is None:
        raise CannotHold(f"{quoted(node)} writes a date as a text, which a plan does not.")
    return read_part(unit, read(node.this), rows)


def _format(node: exp.TimeToStr) -> str:
    written = node.args.get("format")
    return str(written.this) if isinstance(written, exp.Literal) else ""


def read_difference(node: exp.DateDiff, read: Read, rows: Rows) -> Expression:
    """Read how many borders of a unit lie between two moments."""
    unit = node.args["unit"].name.lower()
    end, start = read(node.this), read(node.expression)
    match unit:
        case "microsecond" | "microseconds":
            seconds = TimeBetween(unit=TimeUnit.SECONDS, start=moment(start, rows), end=moment(end, rows))
            return combine(ArithmeticOp.MULTIPLY, seconds, number(1_000_000), rows)
        case "day" | "days":
            return days_between(start, end, rows)
        case "year" | "years":
            return _difference("year", start, end, rows)
        case "month" | "months" | "quarter" | "quarters":
            part = unit.removesuffix("s")
            years = _difference("year", start, end, rows)
            parts = number(12 if part == "month" else 4)
            whole = combine(ArithmeticOp.MULTIPLY, years, parts, rows)
            return combine(ArithmeticOp.ADD, whole, _difference(part, start, end, rows), rows)
        case _:
            raise CannotHold(f"{quoted(node)} counts the borders of each {unit}, which a plan does not.")


def days_between(start: Symbol, end: Symbol, rows: Rows) -> Expression:
    """Return the days from one date to another, whatever the time of day."""
    first, last = (_day(side, rows) for side in (start, end))
    return TimeBetween(unit=TimeUnit.DAYS, start=first, end=last)


def _day(side: Symbol, rows: Rows) -> Moment:
    if isinstance(side, Lit) and len(str(side.value)) == len("2024-01-31"):
        return _as_date(side)
    return Col(name=rows.column(read_period("day", side, rows)))


def _difference(unit: str, start: Symbol, end: Symbol, rows: Rows) -> Expression:
    first, last = (read_part(unit, side, rows) for side in (start, end))
    return combine(ArithmeticOp.SUBTRACT, last, first, rows)


def moment(symbol: Symbol, rows: Rows) -> Moment:
    """Return a date as a column or a constant."""
    value = settle(symbol, rows)
    return _as_date(value) if isinstance(value, Lit) else date_column(value, rows)


def _as_date(value: Lit) -> Lit:
    return Lit(value=value.value, type=ColumnType.DATE)


def is_date_node(node: exp.Expr) -> bool:
    """Tell whether a part of SQL is a DATE, whose difference is a number of days and no INTERVAL."""
    node = bare(node)
    return isinstance(node, exp.Cast) and node.args["to"].sql() == "DATE"


def moved(date: Lit, interval: exp.Interval, sign: int) -> Lit:
    """Return a constant date moved by an interval."""
    unit_name = interval.args["unit"].name if interval.args.get("unit") is not None else ""
    words = f"{interval.name} {unit_name}".split()
    if len(words) != 2 or not words[0].lstrip("-").isdigit():
        raise CannotHold(f"{quoted(interval)} is no number of one unit.")
    count, unit = sign * int(words[0]), words[1].lower().removesuffix("s")
    at = datetime.fromisoformat(str(date.value))
    match unit:
        case "day" | "week" | "hour" | "minute" | "second":
            at += timedelta(**{f"{unit}s": count})
        case "month" | "quarter" | "year":
            months = at.year * 12 + at.month - 1 + count * {"month": 1, "quarter": 3, "year": 12}[unit]
            year, month = divmod(months, 12)
            at = at.replace(year=year, month=month + 1, day=min(at.day, calendar.monthrange(year, month + 1)[1]))
        case _:
            raise CannotHold(f"{quoted(interval)} is no number of one unit.")
    return Lit(
        value=at.isoformat(sep=" ") if (at.hour, at.minute, at.second) != (0, 0, 0) else f"{at:%Y-%m-%d}",
        type=ColumnType.DATE,
    )
