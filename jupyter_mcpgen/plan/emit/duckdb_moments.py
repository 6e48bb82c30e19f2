"""Writes how columns are read as moments or durations that are no calendar dates, as DuckDB SQL."""

from __future__ import annotations

from typing import assert_never

from jupyter_mcpgen.plan.moments import (
    CLOCK_PATTERNS,
    FIRST_DIGITS,
    LAST_DIGITS,
    LAST_SECOND,
    OFFSET,
    TIME_OF_DAY,
    YEAR_TO_DAY,
    ZONE,
    Clock,
    ClockWriting,
    CountedWriting,
    DigitsWriting,
    MomentWriting,
    ZonedWriting,
)


def parse_moment(column: str, writing: MomentWriting, blank: str) -> str:
    """Write what a column says; a value that is not written so is NULL. `blank` is a pattern of spaces."""
    match writing:
        case CountedWriting(unit=unit):
            microseconds = f"CAST(floor({column}) AS BIGINT) * {1_000_000 // unit.per_second}"
            last = LAST_SECOND * unit.per_second
            return f"CASE WHEN {column} BETWEEN 1 AND {last} THEN make_timestamp({microseconds}) END"
        case DigitsWriting():
            whole = f"{column} BETWEEN {FIRST_DIGITS} AND {LAST_DIGITS} AND {column} = floor({column})"
            digits = f"CAST(CAST({column} AS BIGINT) AS VARCHAR)"
            return f"CASE WHEN {whole} THEN try_strptime({digits}, '%Y%m%d') END"
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
