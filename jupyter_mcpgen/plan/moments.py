"""How columns write moments and durations other than as calendar dates: counted, as digits, with a zone, as clocks."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from jupyter_mcpgen.plan.schema import Node


class CountedUnit(StrEnum):
    """What a number of an epoch counts."""

    SECONDS = "seconds"
    MILLISECONDS = "milliseconds"

    @property
    def per_second(self) -> int:
        """How many of them a second has."""
        return 1 if self is CountedUnit.SECONDS else 1_000


LAST_SECOND = 253_402_300_799
"""The last second of the year 9999, counted from 1970."""
FIRST_DIGITS, LAST_DIGITS = 10_000_101, 99_991_231
"""The ends of eight digits that may be a date with its year first."""


class CountedWriting(Node):
    """A number counts from 1970-01-01 00:00 UTC; fractions are cut off, and what is not above zero is missing."""

    kind: Literal["counted"] = "counted"
    unit: CountedUnit


class DigitsWriting(Node):
    """A number has the digits of a date with its year first: 20240131."""

    kind: Literal["digits"] = "digits"


class Clock(StrEnum):
    """By which clock a moment that names its distance from UTC is read."""

    WRITTEN = "written"
    """The clock of the place: what stands in the text, whatever follows it."""
    UTC = "utc"


class ZonedWriting(Node):
    """A text is a date with its year first, a time, and mostly a zone: `2024-01-31T18:30:00+02:00`, `… CET`."""

    kind: Literal["zoned"] = "zoned"
    clock: Clock


class ClockWriting(Node):
    """A text is a duration, read as seconds: `1:30:05`, or two parts of which `parts` says what they are."""

    kind: Literal["clock"] = "clock"
    parts: Literal["h:mm:ss", "h:mm", "m:ss"]


MomentWriting = CountedWriting | DigitsWriting | ZonedWriting | ClockWriting

YEAR_TO_DAY = "[12][0-9]{3}-[0-9]{2}-[0-9]{2}"
TIME_OF_DAY = r"([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?"
OFFSET = "(Z|[+-](0[0-9]|1[0-4]):?[0-5][0-9])"
ZONE = r"(UTC|GMT|[A-Z]{3,5}|[A-Z][A-Za-z]+/[A-Za-z_]+)"
"""The parts of a moment, in what the patterns of both engines share; brackets are no groups that matter."""
CLOCK_PATTERNS = {
    "h:mm:ss": "[0-9]{1,4}:[0-5][0-9]:[0-5][0-9]",
    "h:mm": "[0-9]{1,4}:[0-5][0-9]",
    "m:ss": "[0-9]{1,4}:[0-5][0-9]",
}
