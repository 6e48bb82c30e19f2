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
    SECONDS_OF_DAY,
    SPREADSHEET_START,
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
_SAID_BEHIND = frozenset(
    {
        *("s", "sec", "secs", "seconds", "ms", "msec", "millis", "milliseconds", "us", "micros", "ns", "nanos"),
        *("utc", "gmt", "local", "unix", "epoch", "sekunden"),
    }
)
"""What stands behind the name of a moment and says how it is counted."""
_DURATION_WORDS = frozenset(
    {
        *("duration", "elapsed", "length", "runtime", "lap", "laps", "split", "pace", "wait", "waiting", "uptime"),
        *("downtime", "latency", "running", "playtime", "finish", "dauer", "laufzeit", "wartezeit", "spieldauer"),
    }
)
_FIRST_SECOND, _END_SECOND = 1_000_000_000, 4_102_444_800
"""From 2001-09-09, when seconds have ten digits, to 2100."""
_YEARS = 1900, 2099
_SPREADSHEET_DAYS = 20_000, 60_000
"""From 1954 to 2064; only a column that is called a date is believed to have them."""
_DATE_WORDS = frozenset({"date", "dates", "datetime", "datum", "fecha"})
_READABLE = 0.8


def find_counted(name: str, values: pd.Index) -> tuple[MomentWriting, ...]:
    """Return how the distinct numbers of a column write moments; nothing for a column that is not called so."""
    if values.empty or not _is_called_a_moment(name):
        return ()
    numbers = pd.Series(values).astype("float64")
    positive = numbers[numbers > 0]
    if positive.empty or len(positive) < _READABLE * len(numbers):
        return ()
    unit = next((unit for unit in CountedUnit if _counts(unit, positive, name)), None)
    if unit is not None:
        return (CountedWriting(unit=unit),)
    ways = [DigitsWriting.model_validate({"format": one}) for one in ("%Y%m%d", "%d%m%Y", "%m%d%Y")]
    read = [read_moments(positive, way) for way in ways]
    fitting = [place for place, days in enumerate(read) if days.dt.year.between(*_YEARS).all()]
    same = all(read[place].equals(read[fitting[0]]) for place in fitting)
    return tuple(ways[place] for place in (fitting[:1] if same else fitting))


def _is_called_a_moment(name: str) -> bool:
    """Tell whether a name ends with a word for a moment, as `created_at` and `ts_ms`, or begins as `date_of_birth`.

    A moment in it is not enough: `day_rate` is a rate, and `updated_by` a person.
    """
    words = [word.lower() for word in _WORDS.findall(name)]
    said = {*words} & _MOMENT_WORDS
    while words and words[-1] in _SAID_BEHIND:
        words.pop()
    return bool(said) and (not words or words[-1] in _MOMENT_WORDS or words[1:2] == ["of"])


def _counts(unit: CountedUnit, numbers: pd.Series, name: str) -> bool:
    """Tell whether all numbers lie where those lie that count moments of our time."""
    if unit is CountedUnit.SPREADSHEET_DAYS:
        return bool(_words_of(name) & _DATE_WORDS) and bool(numbers.between(*_SPREADSHEET_DAYS).all())
    return bool(numbers.between(_FIRST_SECOND * unit.per_second, _END_SECOND * unit.per_second).all())


def find_moments(name: str, words: Sequence[str]) -> tuple[MomentWriting, ...]:
    """Return how distinct texts write moments with a zone, or durations; two ways where nobody can tell which."""
    return _zoned(words) or _clocks(name, words)


def read_moments(cells: pd.Series, writing: MomentWriting) -> pd.Series:
    """Return what cells say, as the code and the query of a plan read them."""
    match writing:
        case CountedWriting(unit=unit):
            known = cells.where(cells.between(*unit.ends))
            if unit is CountedUnit.SPREADSHEET_DAYS:
                known = (known * SECONDS_OF_DAY + 0.5) // 1 - SPREADSHEET_START
            if unit is CountedUnit.NANOSECONDS:
                return pd.to_datetime((cells // 1_000).where(cells.between(*unit.ends)), unit="us")
            return pd.to_datetime(known // 1 * (1_000_000 // unit.per_second), unit="us")
        case DigitsWriting():
            whole = cells.where((cells % 1 == 0) & cells.between(*writing.ends))
            digits = whole.astype("Int64").astype("str").str.zfill(8)
            return pd.to_datetime(digits, format=writing.format, errors="coerce")
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
