"""Which of several dates of a row comes first, told by the rows: nothing is returned before it was lent."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from statistics import median

from jupyter_mcpgen.model.profile import FIRST_PLACE, ColumnProfile
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.tables.dependencies import has_one_value
from jupyter_mcpgen.plan.schema import ColumnType

ALMOST_ALL = 0.98
"""A date follows another one where this part of the rows says so: a few are typed wrongly."""
SOON = dt.timedelta(days=31)
"""Of what began last, something may have ended this much later when the table was made."""
LONGEST = dt.timedelta(days=3_650)
"""A date that lies further back than this is none of the row: somebody's birth."""


def follows(later: str, first: str, context: Context) -> bool:
    """Tell whether one date comes after another one, or with it, in almost all rows that have both.

    Of a long table only the first and the last day of each column are known, and both have to say so.
    """
    times = times_between(first, later, context)
    if _moments(first, context) and _moments(later, context):
        return bool(times) and sum(1 for time in times if time >= dt.timedelta(0)) >= ALMOST_ALL * len(times)
    known = [_span(name, context) for name in (first, later)]
    if known[0] is None or known[1] is None:
        return False
    return known[0][0] < known[1][0] and known[0][1] < known[1][1]


def times_between(first: str, last: str, context: Context) -> tuple[dt.timedelta, ...]:
    """Return the times between two dates of the same row; none where it is not known which row has which."""
    starts, ends = _moments(first, context), _moments(last, context)
    return tuple(end - start for start, end in zip(starts, ends, strict=False) if start is not None and end is not None)


def usual_time(first: str, last: str, context: Context) -> dt.timedelta | None:
    """Return the median time between two dates of the same row; None where it is not known."""
    times = times_between(first, last, context)
    return dt.timedelta(seconds=median(time.total_seconds() for time in times)) if times else None


def lies_ahead(end: str, begun: str, context: Context) -> bool:
    """Tell whether some ends are so long after the last beginning that they are planned, as those of contracts."""
    spans = [_span(name, context) for name in (end, begun)]
    last = [next(_read(span[1:])) for span in spans if span is not None]
    return len(last) == len(spans) and last[0] - last[1] > SOON


def first_date(names: Sequence[str], context: Context) -> str | None:
    """Return the date that every row has and that all others follow; None where none does, or not surely.

    A date that all rows of somebody share is theirs, and none of the rows.
    """
    known = context.first_dates
    if tuple(names) not in known:
        known[tuple(names)] = _first(names, context) if len(names) > 1 else None
    return known[tuple(names)]


def _first(names: Sequence[str], context: Context) -> str | None:
    own = [name for name in names if not context.column(name).nulls and not is_of_somebody(name, context)]
    found = [name for name in own if all(_soon_follows(other, name, context) for other in names if other != name)]
    return found[0] if len(found) == 1 else None


def _soon_follows(later: str, first: str, context: Context) -> bool:
    usual = usual_time(first, later, context)
    return follows(later, first, context) and (usual is None or usual < LONGEST)


def is_of_somebody(name: str, context: Context) -> bool:
    """Tell whether all rows of the same thing have the same date: when a customer joined is no date of an order."""
    keys = [key for key in context.column_words if _tells_things_apart(key, context)]
    return any(has_one_value(name, key, context) for key in keys)


def _tells_things_apart(name: str, context: Context) -> bool:
    known = context.column(name)
    dated = context.type_of(name) is ColumnType.DATE or any(way.type is ColumnType.DATE for way in known.written)
    return not dated and not context.is_measure(name) and 1 < known.distinct < context.profile.rows / 2


def _span(name: str, context: Context) -> tuple[str, str] | None:
    known = context.column(name)
    written = [way.values for way in known.written if way.type is ColumnType.DATE]
    one: ColumnProfile = written[0] if len(written) == 1 else known
    return (str(one.minimum), str(one.maximum)) if one.minimum is not None and one.maximum is not None else None


def _moments(name: str, context: Context) -> tuple[dt.datetime | None, ...]:
    """Return the date of each row; nothing where some values are not kept."""
    known = context.column(name)
    kept = (*known.values, *known.more)
    if len(kept) != known.distinct or context.type_of(name) is not ColumnType.DATE:
        return ()
    read = [None, *_read(kept)]
    return tuple(read[ord(letter) - FIRST_PLACE] for letter in known.places)


def _read(values: Sequence[object]) -> Iterator[dt.datetime]:
    for value in values:
        moment = dt.datetime.fromisoformat(str(value))
        yield moment.replace(tzinfo=None)
