"""Finds columns that count moments, have the digits of dates, name a time zone or write durations; never a guess.

A number is only taken for a moment when its column is called like one, and a clock for a duration likewise: without
that, 1704243600 is an amount like any other, and 8:30 the time of a train.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import pandas as pd

from jupyter_mcpgen.data.date_formats import are_of_one_place
from jupyter_mcpgen.plan.emit.pandas_moments import clock_pattern, zoned_pattern
from jupyter_mcpgen.plan.moments import (
    FIRST_DIGITS,
    LAST_DIGITS,
    LAST_SECOND,
    Clock,
    ClockWriting,
    CountedUnit,
    CountedWriting,
    DigitsWriting,
    MomentWriting,
    ZonedWriting,
)

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-zäöüß]+")
_MOMENT_WORDS = frozenset(
    {
        *("ts", "time", "timestamp", "datetime", "date", "day", "dt", "epoch", "unix", "unixtime", "at", "on", "when"),
        *("created", "updated", "modified", "changed", "seen", "visited", "login", "logged", "recorded", "received"),
        *("sent", "opened", "closed", "started", "ended", "expires", "expiry", "published", "born", "birthday"),
        *("datum", "tag", "zeit", "zeitstempel", "zeitpunkt", "erstellt", "geändert", "gültig"),
    }
)
_DURATION_WORDS = frozenset(
    {
        *("duration", "elapsed", "length", "runtime", "lap", "laps", "split", "pace", "wait", "waiting", "uptime"),
        *("downtime", "latency", "running", "playtime", "finish", "dauer", "laufzeit", "wartezeit", "spieldauer"),
    }
)
_FIRST_SECOND, _END_SECOND = 1_000_000_000, 4_102_444_800
"""From 2001-09-09, when seconds have ten digits, to 2100."""
_FIRST_DAY, _LAST_DAY = 19_000_101, 20_991_231
_READABLE = 0.8


def find_counted(name: str, values: pd.Index) -> tuple[MomentWriting, ...]:
    """Return how the distinct numbers of a column write moments; nothing for a column that is not called so."""
    if values.empty or not _words_of(name) & _MOMENT_WORDS:
        return ()
    numbers = pd.Series(values).astype("float64")
    positive = numbers[numbers > 0]
    for unit in CountedUnit:
        ends = (_FIRST_SECOND * unit.per_second, _END_SECOND * unit.per_second)
        if not positive.empty and positive.between(*ends).all() and len(positive) >= _READABLE * len(numbers):
            return (CountedWriting(unit=unit),)
    dates = positive[positive.between(_FIRST_DAY, _LAST_DAY)]
    if len(dates) == len(positive) >= _READABLE * len(numbers) and not dates.empty and _are_days(dates):
        return (DigitsWriting(),)
    return ()


def find_moments(name: str, words: Sequence[str]) -> tuple[MomentWriting, ...]:
    """Return how distinct texts write moments with a zone, or durations; two ways where nobody can tell which."""
    return _zoned(words) or _clocks(name, words)


def read_moments(cells: pd.Series, writing: MomentWriting) -> pd.Series:
    """Return what cells say, as the code and the query of a plan read them."""
    match writing:
        case CountedWriting(unit=unit):
            numbers = cells.astype("float64")
            known = numbers.where(numbers.between(1, LAST_SECOND * unit.per_second)) // 1
            return pd.to_datetime(known * (1_000_000 // unit.per_second), unit="us")
        case DigitsWriting():
            numbers = cells.astype("float64")
            whole = numbers.where((numbers % 1 == 0) & numbers.between(FIRST_DIGITS, LAST_DIGITS))
            return pd.to_datetime(whole.astype("Int64").astype("str"), format="%Y%m%d", errors="coerce")
        case ZonedWriting(clock=clock):
            found = cells.str.extract(zoned_pattern(clock), expand=False)
            moments = pd.to_datetime(found, format="ISO8601", utc=True, errors="coerce")
            return moments.dt.tz_localize(None)
        case ClockWriting(parts=parts):
            found = cells.str.extract(clock_pattern(writing), expand=False)
            whole = {"h:mm:ss": found, "h:mm": found + ":00", "m:ss": "00:" + found}[parts]
            return pd.to_timedelta(whole).dt.total_seconds()


def _words_of(name: str) -> set[str]:
    return {word.lower() for word in _WORDS.findall(name)}


def _are_days(numbers: pd.Series) -> bool:
    return bool(read_moments(numbers, DigitsWriting()).notna().all())


def _zoned(words: Sequence[str]) -> tuple[MomentWriting, ...]:
    """Return the ways to read moments: by the clock written, and in UTC too where several offsets are named."""
    column = pd.Series(list(words), dtype="str")
    by_clock = read_moments(column, ZonedWriting(clock=Clock.WRITTEN))
    if by_clock.notna().sum() < max(1.0, _READABLE * len(words)):
        return ()
    if are_of_one_place(word for word, moment in zip(words, by_clock, strict=True) if not pd.isna(moment)):
        return (ZonedWriting(clock=Clock.WRITTEN),)
    in_utc = read_moments(column, ZonedWriting(clock=Clock.UTC))
    if in_utc.notna().sum() < by_clock.notna().sum():
        return ()  # names of zones tell no distance from UTC
    return ZonedWriting(clock=Clock.WRITTEN), ZonedWriting(clock=Clock.UTC)


def _clocks(name: str, words: Sequence[str]) -> tuple[MomentWriting, ...]:
    """Return how durations are written; hours and minutes cannot be told from minutes and seconds."""
    column = pd.Series(list(words), dtype="str")
    found: list[ClockWriting] = []
    for parts in ("h:mm:ss", "h:mm", "m:ss"):
        writing = ClockWriting.model_validate({"parts": parts})
        if read_moments(column, writing).notna().sum() >= max(1.0, _READABLE * len(words)):
            found.append(writing)
    if not found or not _words_of(name) & _DURATION_WORDS:
        return ()
    said = {"h": "h:mm", "hours": "h:mm", "min": "m:ss", "minutes": "m:ss", "mmss": "m:ss", "hhmm": "h:mm"}
    told = {parts for word, parts in said.items() if word in _words_of(name)}
    return tuple(one for one in found if not told or one.parts in told or len(found) == 1)
