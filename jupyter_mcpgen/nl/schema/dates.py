"""What happened at the dates of a column, and which two columns begin and end an interval."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from jupyter_mcpgen.model.profile import ColumnProfile, Kind
from jupyter_mcpgen.nl.schema.headers import HeaderWord
from jupyter_mcpgen.nl.schema.vocabulary import DateWords, Words
from jupyter_mcpgen.plan.schema import ColumnType

FIRST_YEAR, LAST_YEAR = 1400, 2200
"""Whole numbers between these are years under a name that says what happened then."""


class DateRole(StrEnum):
    """What happened at a date."""

    START = "start"
    END = "end"
    CREATED = "created"
    DUE = "due"
    BIRTH = "birth"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Dated:
    """A column of dates or years: its header, its role and its range."""

    name: str
    words: tuple[HeaderWord, ...]
    role: DateRole
    minimum: Any
    maximum: Any


@dataclass(frozen=True, slots=True)
class Interval:
    """Two columns that say from when until when something was so."""

    start: str
    end: str
    reason: str


def find_date_role(words: Sequence[HeaderWord], told: DateWords) -> DateRole:
    """Return what a header says of its dates; what is planned is due, whatever was planned."""
    roles = (
        (DateRole.BIRTH, told.birth),
        (DateRole.DUE, told.due),
        (DateRole.START, told.start),
        (DateRole.END, told.end),
        (DateRole.CREATED, told.created),
    )
    return next((role for role, own in roles if any(word.known & own for word in words)), DateRole.OTHER)


def holds_years(column: ColumnProfile, type_: ColumnType, words: Sequence[HeaderWord], told: DateWords) -> bool:
    """Tell whether whole numbers are years: by their range, where the name says a year or an event."""
    if not type_.is_number or column.minimum is None:
        return False
    if column.minimum < FIRST_YEAR or column.maximum > LAST_YEAR:
        return False
    named = type_ is ColumnType.INTEGER and any(word.known & told.years for word in words)
    return column.kind is Kind.YEAR or named


def find_intervals(dated: Iterable[Dated], sides: Iterable[tuple[str, str]], told: DateWords) -> tuple[Interval, ...]:
    """Return the pairs of a start and an end: those called alike, else the only two, unless an end comes first.

    `sides` are pairs of columns whose names differ by opposite words.
    """
    columns = tuple(dated)
    by_name = {column.name: column for column in columns}
    starts = [column for column in columns if column.role is DateRole.START]
    ends = [column for column in columns if column.role is DateRole.END]
    alike: dict[frozenset[str], list[Dated]] = defaultdict(list)
    for end in ends:
        alike[_called(end, told.end)].append(end)
    pairs = [
        Interval(start.name, found[0].name, "their names differ by a word for the start and one for the end")
        for start in starts
        if len(found := alike.get(_called(start, told.start), [])) == 1 and _in_order(start, found[0])
    ]
    pairs += [
        Interval(first, second, "their names differ by opposite words")
        for first, second in sides
        if first in by_name and second in by_name and _in_order(by_name[first], by_name[second])
    ]
    if not pairs and len(starts) == len(ends) == 1 and _in_order(starts[0], ends[0]):
        return (Interval(starts[0].name, ends[0].name, "they are the only start and the only end"),)
    return tuple({(pair.start, pair.end): pair for pair in reversed(pairs)}.values())[::-1]


def _called(column: Dated, role: Words) -> frozenset[str]:
    """Return the words of a header that do not say whether it is the start or the end."""
    return frozenset(word.base for word in column.words if word.heavy and not word.known & role)


def _in_order(start: Dated, end: Dated) -> bool:
    """Tell whether the ranges of two columns let one begin what the other ends."""
    known = (start.minimum, start.maximum, end.minimum, end.maximum)
    if any(value is None for value in known) or len({isinstance(value, str) for value in known}) > 1:
        return True
    return bool(start.minimum <= end.minimum and start.maximum <= end.maximum)
