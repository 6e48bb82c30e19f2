"""Values and conditions inside a step.

A column, a list of columns or a literal may carry the name of the tool parameter it became when the plan was
generalised (see `plan.shape`); the value beside the name is then the parameter's default.
"""

from __future__ import annotations

import math
import re
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, model_validator

from jupyter_mcpgen.errors import WrongType
from jupyter_mcpgen.plan.schema import ColumnType, Node
from jupyter_mcpgen.plan.writings import Writing

_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?)?")


class Col(Node):
    """A column of the table that the step sees."""

    kind: Literal["col"] = "col"
    name: str
    parameter: str | None = None


class Columns(Node):
    """Several columns, in order; one tool parameter when generalised."""

    names: tuple[str, ...]
    parameter: str | None = None


class Lit(Node):
    """A constant; dates are ISO 8601 text with `type` saying so. Raises `WrongType` for a value of another type."""

    kind: Literal["lit"] = "lit"
    value: bool | int | float | str
    type: ColumnType
    parameter: str | None = None

    @model_validator(mode="after")
    def _of_its_type(self) -> Lit:
        if not _is_of_type(self.value, self.type):
            what = "a date such as `2024-03-01`" if self.type is ColumnType.DATE else self.type.value
            raise WrongType(f"`{self.value}` is not {what}.")
        return self


def _is_of_type(value: bool | int | float | str, type_: ColumnType) -> bool:
    """Tell whether a value may stand for a type; a whole number and a fraction fit either kind of number."""
    match value:
        case bool():
            return type_ is ColumnType.BOOLEAN
        case int() | float():
            return type_.is_number and math.isfinite(value)
        case str() if type_ is ColumnType.DATE:
            return _is_moment(value)
        case str():
            return type_ is ColumnType.TEXT


def _is_moment(text: str) -> bool:
    """Tell whether a text is a calendar date or a time of one, without a zone: a plan reads clocks, not instants."""
    if _MOMENT.fullmatch(text) is None:
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


class ArithmeticOp(StrEnum):
    """The four operations; a division by zero is a missing value."""

    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "/"


class Arithmetic(Node):
    """Two numbers combined."""

    kind: Literal["arithmetic"] = "arithmetic"
    op: ArithmeticOp
    left: Expression
    right: Expression


class DateUnit(StrEnum):
    """A part of a date (a number), or with `START_OF_…` the date a period begins.

    Weeks start on Monday, weekdays count from Monday = 1 (ISO 8601).
    """

    YEAR = "year"
    QUARTER = "quarter"
    MONTH = "month"
    DAY = "day"
    WEEKDAY = "weekday"
    HOUR = "hour"
    MINUTE = "minute"
    START_OF_YEAR = "start_of_year"
    START_OF_QUARTER = "start_of_quarter"
    START_OF_MONTH = "start_of_month"
    START_OF_WEEK = "start_of_week"
    START_OF_DAY = "start_of_day"

    @property
    def is_period(self) -> bool:
        """True for units that give a date, false for those that give a number."""
        return self.value.startswith("start_of_")


class DatePart(Node):
    """A unit taken out of a date column."""

    kind: Literal["date_part"] = "date_part"
    unit: DateUnit
    operand: Col


class DateName(Node):
    """The English name of a date's weekday or month."""

    kind: Literal["date_name"] = "date_name"
    unit: Literal[DateUnit.WEEKDAY, DateUnit.MONTH]
    operand: Col


class TimeUnit(StrEnum):
    """What the time between two moments is counted in.

    Seconds to weeks are what passed on the clock, with its fractions: a day is 24 hours. Months and years are full ones
    by the calendar, from the day of the one date to the same day of another month; the time of day does not matter.
    """

    SECONDS = "seconds"
    MINUTES = "minutes"
    HOURS = "hours"
    DAYS = "days"
    WEEKS = "weeks"
    MONTHS = "months"
    YEARS = "years"

    @property
    def seconds(self) -> int | None:
        """How many seconds it has, or None for a unit of the calendar."""
        return _SECONDS.get(self)


_SECONDS = {
    TimeUnit.SECONDS: 1,
    TimeUnit.MINUTES: 60,
    TimeUnit.HOURS: 3_600,
    TimeUnit.DAYS: 86_400,
    TimeUnit.WEEKS: 604_800,
}

Moment = Annotated[Col | Lit, Field(discriminator="kind")]
"""A date column, or one date for all rows."""


class TimeBetween(Node):
    """How much time passes from one moment to another; below zero where the second one is earlier."""

    kind: Literal["time_between"] = "time_between"
    unit: TimeUnit
    start: Moment
    end: Moment


class TextFunction(StrEnum):
    """What is made of a text; the length counts Unicode code points."""

    LOWER = "lower"
    UPPER = "upper"
    LENGTH = "length"
    TRIM = "trim"


class TextCall(Node):
    """A function of a text column."""

    kind: Literal["text_call"] = "text_call"
    function: TextFunction
    operand: Col


class Parse(Node):
    """What a column writes: a number, a date, a duration, or true and false; missing where a cell is not written so.

    Texts write all of these; a column of numbers may count moments or have the digits of dates.
    """

    kind: Literal["parse"] = "parse"
    operand: Col
    writing: Writing


class Bin(Node):
    """The interval of equal width that a number lies in: its lower end, or with `labelled` a text such as `20–29`.

    Intervals begin at multiples of `width`; or there are `count` of them from the smallest value to the largest.
    """

    kind: Literal["bin"] = "bin"
    operand: Col
    width: float | None = None
    count: int | None = None
    labelled: bool = False
    parameter: str | None = None

    @property
    def is_whole(self) -> bool:
        """True when the interval's ends are whole numbers, if the column's values are."""
        return self.width is not None and self.width == int(self.width)


class When(Node):
    """A condition and the value where it holds."""

    condition: Predicate
    value: Expression


class Case(Node):
    """The value of the first condition that holds, else the other one (missing when there is none)."""

    kind: Literal["case"] = "case"
    branches: tuple[When, ...] = Field(min_length=1)
    otherwise: Expression | None = None


Expression = Annotated[
    Col | Lit | Arithmetic | DatePart | DateName | TimeBetween | TextCall | Bin | Case | Parse,
    Field(discriminator="kind"),
]


class CompareOp(StrEnum):
    """Comparison operators; each is false where a side is missing."""

    EQ = "=="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="

    @property
    def turned(self) -> CompareOp:
        """The operator that says the same with the two sides exchanged: `a < b` is `b > a`."""
        return CompareOp(self.value.translate(_EXCHANGED))


_EXCHANGED = str.maketrans("<>", "><")


class Compare(Node):
    """A comparison of two values of one kind."""

    kind: Literal["compare"] = "compare"
    op: CompareOp
    left: Expression
    right: Expression


class IsIn(Node):
    """Membership in a list of constants of one type, or with `negated` the opposite; false where missing."""

    kind: Literal["is_in"] = "is_in"
    operand: Col
    values: tuple[Lit, ...] = Field(min_length=1)
    negated: bool = False
    parameter: str | None = None


class MatchMode(StrEnum):
    """Where a text must stand in another."""

    CONTAINS = "contains"
    STARTS = "starts with"
    ENDS = "ends with"


class TextMatch(Node):
    """A text found in a column without regard to case, or with `negated` not found; false where missing."""

    kind: Literal["text_match"] = "text_match"
    mode: MatchMode
    operand: Col
    text: Lit
    negated: bool = False


class IsMissing(Node):
    """Rows without a value in a column, or with `negated` the rows that have one."""

    kind: Literal["is_missing"] = "is_missing"
    operand: Col
    negated: bool = False


class All(Node):
    """Every condition holds."""

    kind: Literal["all"] = "all"
    terms: tuple[Predicate, ...] = Field(min_length=1)


class AnyOf(Node):
    """At least one condition holds."""

    kind: Literal["any"] = "any"
    terms: tuple[Predicate, ...] = Field(min_length=1)


Predicate = Annotated[Compare | IsIn | TextMatch | IsMissing | All | AnyOf, Field(discriminator="kind")]

_OPPOSITE = {
    CompareOp.EQ: CompareOp.NE,
    CompareOp.NE: CompareOp.EQ,
    CompareOp.LT: CompareOp.GE,
    CompareOp.GE: CompareOp.LT,
    CompareOp.GT: CompareOp.LE,
    CompareOp.LE: CompareOp.GT,
}


def negate(predicate: Predicate) -> Predicate:
    """Return the opposite condition, pushed down to the comparisons.

    A missing value satisfies neither a comparison nor its opposite, as in SQL's three-valued logic.
    """
    match predicate:
        case Compare():
            return predicate.model_copy(update={"op": _OPPOSITE[predicate.op]})
        case IsIn() | TextMatch() | IsMissing():
            return predicate.model_copy(update={"negated": not predicate.negated})
        case All():
            return AnyOf(terms=tuple(negate(term) for term in predicate.terms))
        case AnyOf():
            return All(terms=tuple(negate(term) for term in predicate.terms))


def terms_of(predicate: Predicate) -> tuple[Predicate, ...]:
    """Return the conditions that must all hold for one to hold."""
    if not isinstance(predicate, All):
        return (predicate,)
    return tuple(term for part in predicate.terms for term in terms_of(part))


for _recursive in (Arithmetic, When, Case, Compare, All, AnyOf):
    _recursive.model_rebuild()
