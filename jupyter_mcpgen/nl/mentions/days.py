"""Finds days that are written in words: "12 May 2024", "May 12th", "1 March and 15 April 2023", "1-5 May 2024"."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, replace

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.predicates import YEARS
from jupyter_mcpgen.nl.spans import between_spans, month_of
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.nl.words.lexicon import Lexicon

LAST_DAY = 31
_LEAP_YEAR = 2024
NEAR = 3
"""How many words may stand between a day without a year and the one whose year it shares."""
WITHOUT_YEAR = 0.02
"""What taking the year of a day from the table costs."""


@dataclass(frozen=True)
class _Written:
    """A month as words say it, perhaps with its day, its year, and the day that a stretch of days begins with."""

    start: int
    end: int
    month: int
    day: int | None = None
    year: int | None = None
    since: int | None = None
    both: bool = False
    """True for "1 and 5 May": two days, not a stretch."""


def days_in(tokens: tuple[Token, ...], context: Context) -> Iterator[Item]:
    """Yield days, stretches of days, and months by their short names, where words say which ones."""
    written = list(_written(tokens, context.lexicon))
    for place, found in enumerate(written):
        cost = 0.0
        if found.year is None:
            found = _with_shared_year(found, written[place + 1 :])
        if found.year is None and found.day is not None:
            found, cost = replace(found, year=_only_year(found.month, found.day, context)), WITHOUT_YEAR
        meaning = _meaning(found)
        if meaning is not None:
            yield Item(found.start, found.end, meaning, cost)


def numbers_of_days(tokens: tuple[Token, ...], lexicon: Lexicon) -> frozenset[int]:
    """Return where a number can only be a part of a day: "since 15 May" limits no amount to 15, "top 5 May" may."""
    found: set[int] = set()
    for one in _written(tokens, lexicon):
        before = lexicon.meanings(tokens[one.start - 1].lower) if one.start else ()
        of_time = any(isinstance(meaning, m.TimeSide | m.Between | m.WhereWord | m.To) for meaning in before)
        joined = any(isinstance(meaning, m.And) for meaning in before) and one.start - 2 in found
        if (of_time or joined) and all(_date(_LEAP_YEAR, one.month, day) for day in (one.since, one.day) if day):
            found.update(range(one.start, one.end))
    return frozenset(found)


def _written(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[_Written]:
    for place, token in enumerate(tokens):
        month = lexicon.months.get(token.lower) if token.kind is TokenKind.WORD else None
        if month is None:
            continue
        named = _Written(place, place + 1, month)
        ways = (_day_before(named, tokens, lexicon), _day_after(named, tokens, lexicon), named)
        dated = [_with_year(way, tokens) for way in ways if way is not None]
        found = next((way for way in dated if way.year is not None), dated[0])
        shortened = not any(isinstance(meaning, m.PartValue) for meaning in lexicon.meanings(token.lower))
        if found.day is not None or (found.year is not None and shortened):
            yield found


def _day_before(named: _Written, tokens: tuple[Token, ...], lexicon: Lexicon) -> _Written | None:
    """Read "12 May", "the 12th of May" and "1 to 12 May"."""
    place = named.start - 1
    while place >= 0 and _is_light(tokens[place], lexicon):
        place -= 1
    day = _day(tokens, place, lexicon)
    return None if day is None else _with_first_day(replace(named, start=place, day=day), tokens, lexicon)


def _day_after(named: _Written, tokens: tuple[Token, ...], lexicon: Lexicon) -> _Written | None:
    """Read "May 12", "May the 12th" and "May 1 to 12"."""
    place = named.end
    while place < len(tokens) and _is_light(tokens[place], lexicon):
        place += 1
    day = _day(tokens, place, lexicon)
    if day is None:
        return None
    link = _link(tokens, place + 1, lexicon)
    last = _day(tokens, place + 2, lexicon) if link is not None else None
    own_month = place + 3 < len(tokens) and tokens[place + 3].lower in lexicon.months
    if last is None or own_month:
        return replace(named, end=place + 1, day=day)
    return replace(named, end=place + 3, day=last, since=day, both=isinstance(link, m.And))


def _with_first_day(found: _Written, tokens: tuple[Token, ...], lexicon: Lexicon) -> _Written:
    """Look for the day that a stretch begins with: the 1 of "1 to 5 May"."""
    link = _link(tokens, found.start - 1, lexicon)
    first = _day(tokens, found.start - 2, lexicon) if link is not None else None
    own = found.start - 3  # the month of "March 1 to 5 May" has its own day
    if first is None or (own >= 0 and tokens[own].lower in lexicon.months):
        return found
    return replace(found, start=found.start - 2, since=first, both=isinstance(link, m.And))


def _with_year(found: _Written, tokens: tuple[Token, ...]) -> _Written:
    place = found.end
    if place < len(tokens) and tokens[place].text == ",":
        place += 1
    year = tokens[place].number if place < len(tokens) and tokens[place].kind is TokenKind.NUMBER else None
    return replace(found, end=place + 1, year=year) if isinstance(year, int) and year in YEARS else found


def _with_shared_year(found: _Written, later: list[_Written]) -> _Written:
    """Give a day the year of the day behind it, or the year before where that day is earlier in its year."""
    other = later[0] if later and later[0].start - found.end < NEAR else found
    if other.year is None or other.day is None or found.day is None:
        return found
    earlier = (found.month, found.day) <= (other.month, other.day)
    return replace(found, year=other.year if earlier else other.year - 1)


def days_without_year(tokens: tuple[Token, ...], context: Context) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return where days end that words say without a year, and the years in which the table has some of them."""
    written = list(_written(tokens, context.lexicon))
    shared = (_with_shared_year(found, written[place + 1 :]) for place, found in enumerate(written))
    found = [one for one in shared if one.year is None and one.day is not None]
    years = {year for one in found for day in (one.since, one.day) for year in _years_with(one.month, day, context)}
    return tuple(one.end for one in found), tuple(sorted(years))


def _only_year(month: int, day: int, context: Context) -> int | None:
    """Return the one year in which the dates of the table have a day; None where there are several, or none."""
    years = _years_with(month, day, context)
    return years.pop() if len(years) == 1 else None


def _years_with(month: int, day: int | None, context: Context) -> set[int]:
    """Return the years in which a day lies between the first and the last date of a column."""
    years: set[int] = set()
    for name in context.dates if day is not None else ():
        known = context.column(name)
        if day is not None and known.minimum is not None and known.maximum is not None:
            first, last = (dt.date.fromisoformat(str(end)[:10]) for end in (known.minimum, known.maximum))
            possible = (_date(year, month, day) for year in range(first.year, last.year + 1))
            years |= {date.year for date in possible if date is not None and first <= date <= last}
    return years


def _meaning(found: _Written) -> m.Span | m.SpanPair | None:
    if found.year is None:
        return None
    if found.day is None:
        return month_of(found.year, found.month)
    day = _day_span(found.year, found.month, found.day)
    first = _day_span(found.year, found.month, found.since) if found.since is not None else day
    if day is None or first is None or first == day:
        return day if found.since is None else None
    return m.SpanPair(first, day) if found.both else between_spans(first, day)


def _day_span(year: int, month: int, day: int) -> m.Span | None:
    date = _date(year, month, day)
    return m.Span(date.isoformat(), (date + dt.timedelta(days=1)).isoformat()) if date is not None else None


def _date(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None  # no calendar has this day


def _day(tokens: tuple[Token, ...], place: int, lexicon: Lexicon) -> int | None:
    """Return the day of a month that a word says: "5", "5th"."""
    if not 0 <= place < len(tokens):
        return None
    text = tokens[place].lower
    digits = next((text.removesuffix(end) for end in lexicon.day_endings if text.endswith(end)), text)
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 3):
        return None
    return int(digits) if 0 < int(digits) <= LAST_DAY else None


def _link(tokens: tuple[Token, ...], place: int, lexicon: Lexicon) -> m.And | m.To | None:
    """Return what a word joins two days by; a comma joins none."""
    if not 0 <= place < len(tokens) or tokens[place].text == ",":
        return None
    found = [meaning for meaning in lexicon.meanings(tokens[place].lower) if isinstance(meaning, m.And | m.To)]
    return found[0] if found else None


def _is_light(token: Token, lexicon: Lexicon) -> bool:
    return any(isinstance(meaning, m.Of | m.Determiner) for meaning in lexicon.meanings(token.lower))
