"""Writes how columns are read as moments or durations that are no calendar dates, as DuckDB SQL."""

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


def parse_moment(column: str, writing: MomentWriting, blank: str) -> str:
    """Write what a column says; a value that is not written so is NULL. `blank` is a pattern of spaces."""
    match writing:
        case CountedWriting(unit=unit):
            first, last = unit.ends
            counted = f"CAST(floor({column}) AS BIGINT)"
            if unit is CountedUnit.SPREADSHEET_DAYS:
                counted = f"(CAST(floor({column} * {SECONDS_OF_DAY} + 0.5e0) AS BIGINT) - {SPREADSHEET_START})"
            microseconds = f"{counted} * {1_000_000 // unit.per_second}"
            if unit is CountedUnit.NANOSECONDS:
                microseconds = f"CAST(({column} - {column} % 1000) / 1000 AS BIGINT)"
            return f"CASE WHEN {column} BETWEEN {first} AND {last} THEN make_timestamp({microseconds}) END"
        case DigitsWriting():
            first, last = writing.ends
            whole = f"{column} BETWEEN {first} AND {last} AND {column} = floor({column})"
            digits = f"lpad(CAST(CAST({column} AS BIGINT) AS VARCHAR), 8, '0')"
            return f"CASE WHEN {whole} THEN try_strptime({digits}, '{writing.format}') END"
        case ZonedWriting(clock=Clock.WRITTEN):
            pattern = rf"^{blank}({YEAR_TO_DAY}[T ]{TIME_OF_DAY})( ?({OFFSET}|{ZONE}))?{blank}\z"
            return f"TRY_CAST(nullif(regexp_extract({column}, '{pattern}', 1), '') AS TIMESTAMP)"
        case ZonedWriting():
            pattern = rf"^{blank}({YEAR_TO_DAY}[T ]{TIME_OF_DAY}{OFFSET}){blank}\z"
            instant = f"TRY_CAST(nullif(regexp_extract({column}, '{pattern}', 1), '') AS TIMESTAMPTZ)"
            return f"make_timestamp(epoch_us({instant}))"
        case ClockWriting(parts=parts):
            text = f"nullif(regexp_extract({column}, '^{blank}({CLOCK_PATTERNS[parts]}){blank}\\z', 1), '')"
            sizes = {"h:mm:ss": (3600, 60, 1), "h:mm": (3600, 60), "m:ss": (60, 1)}[parts]
            terms = (f"CAST(split_part({text}, ':', {n}) AS DOUBLE) * {size}" for n, size in enumerate(sizes, 1))
            return f"({' + '.join(terms)})"
        case _:
            assert_never(writing)
