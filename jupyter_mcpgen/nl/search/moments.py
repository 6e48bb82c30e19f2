"""Dates, periods and seasons that are written in a question."""

from __future__ import annotations

import calendar
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from jupyter_mcpgen.nl.grammar.meanings import Period, Season
from jupyter_mcpgen.nl.grammar.stretches import month_of, quarter_of, year_of
from jupyter_mcpgen.nl.lexicon.lexicon import Lexicon
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.plan.expressions import DateUnit

FIRST_YEAR, LAST_YEAR = 1500, 2200
_WEEKEND = (6, 7)
_YEARS_OF_DECADE = 10
_ISO_DAY, _ISO_MONTH = 10, 7


def moments_at(tokens: Sequence[Token], place: int, lexicon: Lexicon) -> Iterator[tuple[int, Period | Season]]:
    """Yield the end and the meaning of each date, period or season that begins at a place."""
    token = tokens[place]
    rest = tokens[place + 1 :]
    if token.kind is TokenKind.DATE:
        yield place + 1, _iso(token.text)
        return
    year, month, quarter = year_in(token), lexicon.month(token.lower), _quarter(token)
    if year is not None:
        yield place + 1, year_of(year)
        if rest and (later := _quarter(rest[0])) is not None:
            yield place + 2, quarter_of(year, later)
        if rest and (named := lexicon.month(rest[0].lower)) is not None:
            yield place + 2, month_of(year, named)
    decade = token.lower.removesuffix("s")
    if decade != token.lower and decade.isdecimal() and len(decade) == 4 and int(decade) % _YEARS_OF_DECADE == 0:
        yield place + 1, Period(f"{int(decade):04}-01-01", f"{int(decade) + _YEARS_OF_DECADE:04}-01-01")
    if quarter is not None:
        yield place + 1, Season(DateUnit.QUARTER, (quarter,))
        at = _after_small(rest)
        if len(rest) > at and (year := year_in(rest[at])) is not None:
            yield place + 2 + at, quarter_of(year, quarter)
    half = _half(token)
    if half is not None:
        yield place + 1, Season(DateUnit.MONTH, tuple(range(6 * half - 5, 6 * half + 1)))
        at = _after_small(rest)
        if len(rest) > at and (year := year_in(rest[at])) is not None:
            yield place + 2 + at, Period(month_of(year, 6 * half - 5).start, month_of(year, 6 * half).end)
    if month is not None:
        yield place + 1, Season(DateUnit.MONTH, (month,))
        yield from _month_and_more(rest, place, month)
    day = _day(token, lexicon)
    if day is not None:
        yield from _day_and_month(rest, place, day, lexicon)
    weekday = lexicon.weekday(token.lower)
    if weekday is not None:
        yield place + 1, Season(DateUnit.WEEKDAY, (weekday,))


def _month_and_more(rest: Sequence[Token], place: int, month: int) -> Iterator[tuple[int, Period]]:
    at = _after_small(rest)
    if len(rest) > at and (year := year_in(rest[at])) is not None:
        yield place + 2 + at, month_of(year, month)
    if rest and (day := _day(rest[0], None)) is not None:
        comma = 1 if len(rest) > 1 and rest[1].text == "," else 0
        if len(rest) > 1 + comma and (year := year_in(rest[1 + comma])) is not None:
            found = _day_of(year, month, day)
            if found is not None:
                yield place + 3 + comma, found


def _day_and_month(rest: Sequence[Token], place: int, day: int, lexicon: Lexicon) -> Iterator[tuple[int, Period]]:
    at = 1 if rest and rest[0].lower == "of" else 0
    if len(rest) > at and (month := lexicon.month(rest[at].lower)) is not None:
        comma = 1 if len(rest) > at + 1 and rest[at + 1].text == "," else 0
        if len(rest) > at + 1 + comma and (year := year_in(rest[at + 1 + comma])) is not None:
            found = _day_of(year, month, day)
            if found is not None:
                yield place + 3 + at + comma, found


def _after_small(rest: Sequence[Token]) -> int:
    return 1 if rest and (rest[0].text == "," or rest[0].lower == "of") else 0


def _iso(text: str) -> Period:
    text = text.replace("/", "-")
    if len(text) == _ISO_MONTH:
        return month_of(int(text[:4]), int(text[5:7]))
    found = _day_of(int(text[:4]), int(text[5:7]), int(text[8:10]))
    return found if found is not None else Period(text, text, DateUnit.START_OF_DAY)


def _day_of(year: int, month: int, day: int) -> Period | None:
    if not 1 <= month <= 12 or not 1 <= day <= calendar.monthrange(year, month)[1]:
        return None
    start = date(year, month, day)
    if start == date.max:
        return None  # no day comes after it
    return Period(start.isoformat(), (start + timedelta(days=1)).isoformat(), DateUnit.START_OF_DAY)


def year_in(token: Token) -> int | None:
    """Return the year that a number may be."""
    if token.kind is not TokenKind.NUMBER or not token.text.isdecimal() or len(token.text) != 4:
        return None
    return int(token.text) if FIRST_YEAR <= int(token.text) <= LAST_YEAR else None


def _quarter(token: Token) -> int | None:
    lower = token.lower
    known = len(lower) == 2 and lower[0] == "q" and lower[1] in "1234"
    return int(lower[1]) if known else None


def _half(token: Token) -> int | None:
    lower = token.lower
    return int(lower[1]) if lower in ("h1", "h2") else None


def _day(token: Token, lexicon: Lexicon | None) -> int | None:
    if token.kind is TokenKind.NUMBER and token.text.isdecimal():
        value = int(token.text)
    else:
        found = lexicon.ordinal(token.lower) if lexicon is not None else None
        digits = token.lower[:-2]
        value = found if found is not None else int(digits) if digits.isdecimal() else 0
    return value if 1 <= value <= 31 else None


WEEKEND = Season(DateUnit.WEEKDAY, _WEEKEND)
WORKDAYS = Season(DateUnit.WEEKDAY, (1, 2, 3, 4, 5))
