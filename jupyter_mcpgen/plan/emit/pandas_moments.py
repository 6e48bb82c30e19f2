"""Writes how columns are read as moments or durations that are no calendar dates, as pandas code."""

from __future__ import annotations

from typing import assert_never

from jupyter_mcpgen.plan.moments import (
    CLOCK_PATTERNS,
    OFFSET,
    SECONDS_OF_DAY,
    SPREADSHEET_START,
    TIME_OF_DAY,
    YEAR_TO_DAY,
    ZONE,
    Clock,
    ClockWriting,
    CountedUnit,
    CountedWriting,
    DigitsWriting,
    MomentWriting,
    ZonedWriting,
)

_AROUND_CLOCKS = {"h:mm:ss": ("", ""), "h:mm": ("", ' + ":00"'), "m:ss": ('"00:" + ', "")}
_UNITS = {
    CountedUnit.SECONDS: "s",
    CountedUnit.MILLISECONDS: "ms",
    CountedUnit.MICROSECONDS: "us",
    CountedUnit.NANOSECONDS: "us",
    CountedUnit.SPREADSHEET_DAYS: "s",
}


def parse_moment(column: str, writing: MomentWriting) -> str:
    """Write what a column says; a value that is not written so is missing."""
    match writing:
        case CountedWriting(unit=unit):
            known = f"{column}.where({column}.between{unit.ends})"
            counted = {
                CountedUnit.NANOSECONDS: f"({column} // 1_000).where({column}.between{unit.ends})",
                CountedUnit.SPREADSHEET_DAYS: f"({known} * {SECONDS_OF_DAY} + 0.5) // 1 - {SPREADSHEET_START}",
            }.get(unit, f"{known} // 1")
            return f'pd.to_datetime({counted}, unit="{_UNITS[unit]}").astype("datetime64[us]")'
        case DigitsWriting():
            whole = f"({column} % 1 == 0) & {column}.between{writing.ends}"
            filled = "" if writing.format == "%Y%m%d" else ".str.zfill(8)"
            digits = f'{column}.where({whole}).astype("Int64").astype("str"){filled}'
            return f'pd.to_datetime({digits}, format="{writing.format}", errors="coerce")'
        case ZonedWriting(clock=clock):
            found = f'{column}.str.extract(r"{zoned_pattern(clock)}", expand=False)'
            if clock is Clock.WRITTEN:
                return f'pd.to_datetime({found}, format="ISO8601", errors="coerce")'
            return f'pd.to_datetime({found}, format="ISO8601", utc=True, errors="coerce").dt.tz_localize(None)'
        case ClockWriting(parts=parts):
            before, after = _AROUND_CLOCKS[parts]
            found = f'{column}.str.extract(r"{clock_pattern(writing)}", expand=False)'
            return f"pd.to_timedelta({before}{found}{after}).dt.total_seconds()"
        case _:
            assert_never(writing)


def zoned_pattern(clock: Clock) -> str:
    """Return a pattern whose only group is the moment, with its offset where UTC is told from it."""
    time, offset, zone = (part.replace("(", "(?:") for part in (TIME_OF_DAY, OFFSET, ZONE))
    if clock is Clock.WRITTEN:
        return rf"^\s*({YEAR_TO_DAY}[T ]{time})(?: ?(?:{offset}|{zone}))?\s*\Z"
    return rf"^\s*({YEAR_TO_DAY}[T ]{time}{offset})\s*\Z"


def clock_pattern(writing: ClockWriting) -> str:
    """Return a pattern whose group is the duration."""
    return rf"^\s*({CLOCK_PATTERNS[writing.parts]})\s*\Z"
