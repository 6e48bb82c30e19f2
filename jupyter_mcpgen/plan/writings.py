"""How the texts of a column write numbers, dates, and true and false; counted moments and clocks are in `moments`."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, model_validator

from jupyter_mcpgen.errors import WrongType
from jupyter_mcpgen.plan.moments import ClockWriting, CountedWriting, DigitsWriting, ZonedWriting
from jupyter_mcpgen.plan.month_names import GERMAN_MONTHS
from jupyter_mcpgen.plan.schema import Node

_NO_AFFIX = re.compile(r"[-+.,'0-9]|[^\x20-\U0010ffff]|[\x7f-\x9f]|^\s|\s$")
"""What would be taken for a part of a number, or cannot be printed."""
_ABBREVIATION = re.compile(r"^([A-Za-z]+)\.$")
"""A prefix such as `Rs.`: its point is no part of the number."""

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
    """The dates in a text that are read, as `strptime` writes them.

    `2024-01-05` and `2024/01/05` are read only beside cells that are no dates; a column of nothing else has dates.
    """

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
    YEAR_FIRST_DASHED = "%Y-%m-%d"
    YEAR_FIRST_SLASHED = "%Y/%m/%d"
    YEAR_FIRST_DOTTED = "%Y.%m.%d"
    YEAR_FIRST_ABBREVIATION = "%Y-%b-%d"
    DASHED_ABBREVIATION_SHORT_YEAR = "%d-%b-%y"
    SLASHED_ABBREVIATION = "%d/%b/%Y"
    DAY_MONTH_ABBREVIATION_SHORT_YEAR = "%d %b %y"
    MONTH_NAME_DAY_PLAIN = "%B %d %Y"
    MONTH_ABBREVIATION_DAY_PLAIN = "%b %d %Y"
    SHORT_WEEKDAY = "%a %d %b %Y"
    SHORT_WEEKDAY_COMMA = "%a, %d %b %Y"
    WEEKDAY = "%A %d %B %Y"
    WEEKDAY_COMMA = "%A, %d %B %Y"
    WEEKDAY_MONTH_FIRST = "%A, %B %d, %Y"
    SHORT_WEEKDAY_MONTH_FIRST = "%a, %b %d, %Y"
    DOTTED_DAY_MONTH_NAME = "%d. %B %Y"
    DOTTED_DAY_MONTH_ABBREVIATION = "%d. %b %Y"
    MONTH_NAME = "%B %Y"
    MONTH_ABBREVIATION = "%b %Y"
    YEAR_MONTH = "%Y-%m"
    SLASHED_YEAR_MONTH = "%Y/%m"
    MONTH_YEAR = "%m/%Y"
    DASHED_MONTH_YEAR = "%m-%Y"
    DOTTED_MONTH_YEAR = "%m.%Y"
    DASHED_ABBREVIATION_YEAR = "%b-%Y"
    DASHED_ABBREVIATION_SHORT_MONTHS = "%b-%y"
    DAY_MONTH_YEAR_TIME = "%d/%m/%Y %H:%M"
    MONTH_DAY_YEAR_TIME = "%m/%d/%Y %H:%M"
    DOTTED_TIME = "%d.%m.%Y %H:%M"
    DAY_MONTH_YEAR_SECONDS = "%d/%m/%Y %H:%M:%S"
    MONTH_DAY_YEAR_SECONDS = "%m/%d/%Y %H:%M:%S"
    DOTTED_SECONDS = "%d.%m.%Y %H:%M:%S"
    DASHED_DAY_FIRST_TIME = "%d-%m-%Y %H:%M"
    DASHED_DAY_FIRST_SECONDS = "%d-%m-%Y %H:%M:%S"
    YEAR_FIRST_DOTTED_TIME = "%Y.%m.%d %H:%M"
    YEAR_FIRST_DOTTED_SECONDS = "%Y.%m.%d %H:%M:%S"
    DAY_MONTH_ABBREVIATION_TIME = "%d %b %Y %H:%M"
    DASHED_ABBREVIATION_TIME = "%d-%b-%Y %H:%M"
    DASHED_ABBREVIATION_SECONDS = "%d-%b-%Y %H:%M:%S"
    DAY_MONTH_SHORT_YEAR_TIME = "%d/%m/%y %H:%M"
    MONTH_DAY_SHORT_YEAR_TIME = "%m/%d/%y %H:%M"
    DAY_MONTH_YEAR_NOON = "%d/%m/%Y %I:%M %p"
    MONTH_DAY_YEAR_NOON = "%m/%d/%Y %I:%M %p"
    DAY_MONTH_YEAR_SECONDS_NOON = "%d/%m/%Y %I:%M:%S %p"
    MONTH_DAY_YEAR_SECONDS_NOON = "%m/%d/%Y %I:%M:%S %p"
    CLOCK = "%H:%M"
    CLOCK_SECONDS = "%H:%M:%S"

    @property
    def is_of_months(self) -> bool:
        """True for texts that name a month of a year and no day: they are read as its first."""
        return "%d" not in self.value and not self.is_clock

    @property
    def is_of_short_months(self) -> bool:
        """True for texts such as "Jan-24", whose number may be a day as well."""
        return self.is_of_months and "%y" in self.value

    @property
    def is_clock(self) -> bool:
        """True for times of any day: they are read as those of 1 January 1900, of which only the time says anything."""
        return "%Y" not in self.value and "%y" not in self.value

    @property
    def has_time(self) -> bool:
        """True for texts that name a time of the day beside the day."""
        return "%M" in self.value

    @property
    def is_of_digits(self) -> bool:
        """True for texts of digits alone, which may be something else, such as a season."""
        return "%b" not in self.value and "%B" not in self.value


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
