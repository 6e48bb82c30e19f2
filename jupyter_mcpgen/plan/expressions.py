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
from jupyter_mcpgen.plan.moments import ClockWriting, CountedWriting, DigitsWriting, ZonedWriting
from jupyter_mcpgen.plan.month_names import GERMAN_MONTHS
from jupyter_mcpgen.plan.schema import ColumnType, Node

_NO_AFFIX = re.compile(r"[-+.,'0-9]|[^\x20-\U0010ffff]|[\x7f-\x9f]|^\s|\s$")
"""What would be taken for a part of a number, or cannot be printed."""
_ABBREVIATION = re.compile(r"^([A-Za-z]+)\.$")
"""A prefix such as `Rs.`: its point is no part of the number."""
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


SCALES = {
    **dict.fromkeys(("k", "K", "thousand", "Tsd"), 1e3),
    **dict.fromkeys(("M", "mn", "mln", "Mio", "mio", "million", "Million", "Millionen"), 1e6),
    **dict.fromkeys(("B", "bn", "Bn", "Mrd", "billion", "Billion", "Milliarden"), 1e9),
    **dict.fromkeys(("tn", "trillion", "Trillion"), 1e12),
}
"""Words after a number that multiply it."""


class NumberWriting(Node):
    """How numbers are written in a text: a sign, perhaps a prefix such as `$`, digits, perhaps a suffix such as `%`.

    Digits stand in groups of three with `thousands` between them, or in one run. A word of `scales` after the digits
    multiplies them. `negatives` are further ways to write that a number is negative: `(5)`, and a minus of its own.
    """

    kind: Literal["number"] = "number"
    decimal: Literal[".", ","] = "."
    thousands: Literal[",", ".", " ", "'", ""] = ","
    prefixes: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    scales: tuple[str, ...] = ()
    negatives: tuple[Literal["()", "−"], ...] = ()

    @model_validator(mode="after")
    def _unmistakable(self) -> NumberWriting:
        unknown = next((word for word in self.scales if word not in SCALES or word in self.suffixes), None)
        if unknown is not None:
            raise WrongType(f"`{unknown}` multiplies no number. Scales are: {', '.join(SCALES)}.")
        affixes = (*(_ABBREVIATION.sub(r"\1", prefix) for prefix in self.prefixes), *self.suffixes)
        wrong = next((affix for affix in affixes if _NO_AFFIX.search(affix)), None)
        if wrong is not None or self.decimal == self.thousands or "" in (*self.prefixes, *self.suffixes):
            raise WrongType(f"`{wrong or self.thousands}` cannot stand beside a number in a text: it is a part of it.")
        return self


class DateFormat(StrEnum):
    """The dates in a text that are read, as `strptime` writes them; year-first dates need no reading."""

    DAY_MONTH_YEAR = "%d/%m/%Y"
    MONTH_DAY_YEAR = "%m/%d/%Y"
    DAY_MONTH_SHORT_YEAR = "%d/%m/%y"
    MONTH_DAY_SHORT_YEAR = "%m/%d/%y"
    DOTTED = "%d.%m.%Y"
    DOTTED_SHORT_YEAR = "%d.%m.%y"
    DASHED_DAY_FIRST = "%d-%m-%Y"
    DASHED_MONTH_FIRST = "%m-%d-%Y"
    MONTH_NAME_DAY = "%B %d, %Y"
    MONTH_ABBREVIATION_DAY = "%b %d, %Y"
    DAY_MONTH_NAME = "%d %B %Y"
    DAY_MONTH_ABBREVIATION = "%d %b %Y"
    DASHED_ABBREVIATION = "%d-%b-%Y"
    DOTTED_DAY_MONTH_NAME = "%d. %B %Y"
    DOTTED_DAY_MONTH_ABBREVIATION = "%d. %b %Y"
    MONTH_NAME = "%B %Y"
    MONTH_ABBREVIATION = "%b %Y"
    DAY_MONTH_YEAR_TIME = "%d/%m/%Y %H:%M"
    MONTH_DAY_YEAR_TIME = "%m/%d/%Y %H:%M"
    DOTTED_TIME = "%d.%m.%Y %H:%M"
    DAY_MONTH_YEAR_SECONDS = "%d/%m/%Y %H:%M:%S"
    MONTH_DAY_YEAR_SECONDS = "%m/%d/%Y %H:%M:%S"


class DateWriting(Node):
    """How dates are written in a text; the names of their months are English, or German with `german`."""

    kind: Literal["date"] = "date"
    format: DateFormat
    german: bool = False

    @property
    def months(self) -> dict[str, str]:
        """The German names of months that occur in the format, with the English ones."""
        if not self.german:
            return {}
        return next((names for part, names in GERMAN_MONTHS.items() if part in self.format.value), {})


class TruthWriting(Node):
    """The words for true and for false, in lower case; capitals in the text do not matter."""

    kind: Literal["truth"] = "truth"
    true: tuple[str, ...] = Field(min_length=1)
    false: tuple[str, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _in_lower_case(self) -> TruthWriting:
        words = (*self.true, *self.false)
        if len(set(words)) < len(words) or any(not word.isascii() or word != word.lower() for word in words):
            raise WrongType("The words for true and false are different ones, in lower case.")
        return self


Writing = Annotated[
    NumberWriting | DateWriting | TruthWriting | CountedWriting | DigitsWriting | ZonedWriting | ClockWriting,
    Field(discriminator="kind"),
]


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
    Col | Lit | Arithmetic | DatePart | DateName | TextCall | Bin | Case | Parse, Field(discriminator="kind")
]


class CompareOp(StrEnum):
    """Comparison operators; each is false where a side is missing."""

    EQ = "=="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="


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


for _recursive in (Arithmetic, When, Case, Compare, All, AnyOf):
    _recursive.model_rebuild()
