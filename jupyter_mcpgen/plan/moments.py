"""How columns write moments and durations other than as calendar dates: counted, as digits, with a zone, as clocks."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from jupyter_mcpgen.plan.schema import Node


class CountedUnit(StrEnum):
    """What a number of an epoch counts."""

    SECONDS = "seconds"
    MILLISECONDS = "milliseconds"
    MICROSECONDS = "microseconds"
    NANOSECONDS = "nanoseconds"
    SPREADSHEET_DAYS = "days"
    """Days as spreadsheets count them, from 1899-12-30 on; a part of a day is a time, to the nearest second."""

    @property
    def per_second(self) -> int:
        """How many of them a second has; the days of spreadsheets are turned into seconds first."""
        return {"milliseconds": 10**3, "microseconds": 10**6, "nanoseconds": 10**9}.get(self.value, 1)

    @property
    def ends(self) -> tuple[int, int]:
        """The smallest and the largest number that is read."""
        if self is CountedUnit.SPREADSHEET_DAYS:
            return 61, 2_958_465  # before March 1900 spreadsheets have a day that no calendar has
        per_microsecond = max(1, self.per_second // 10**6)
        return 1, min(_LAST_SECOND * self.per_second, _MOST_EXACT * per_microsecond)


_LAST_SECOND = 253_402_300_799
"""The last second of the year 9999, counted from 1970."""
_MOST_EXACT = 2**53
"""Up to here, the numbers of a column with gaps are whole ones."""
SPREADSHEET_START = 2_209_161_600
"""How many seconds before 1970 the days of spreadsheets begin."""
SECONDS_OF_DAY = 86_400


class CountedWriting(Node):
    """A number counts from 1970-01-01 00:00 UTC; fractions are cut off, and what is not above zero is missing."""

    kind: Literal["counted"] = "counted"
    unit: CountedUnit


class DigitsWriting(Node):
    """A number has the digits of a date: 20240131, or with the year last, where a zero at the front may be lost."""

    kind: Literal["digits"] = "digits"
    format: Literal["%Y%m%d", "%m%d%Y", "%d%m%Y"] = "%Y%m%d"

    @property
    def ends(self) -> tuple[int, int]:
        """The smallest and the largest number that may be a date."""
        return (10_000_101, 99_991_231) if self.format == "%Y%m%d" else (1_011_000, 31_129_999)


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
