"""Finds the format in which a column writes its dates: formats are made from its words, and one has to fit them all.

A format is kept where every word that is a date in any of them is one in it. So a single day above 12 settles the order
of day and month, and a column that mixes two orders has none. Where several are left that give different dates, all are
returned, and a person is asked; the other dates of the file may know.
"""

from __future__ import annotations

import calendar
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

import pandas as pd

from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.emit.pandas_writing import PYTHON
from jupyter_mcpgen.plan.moments import OFFSET, ZONE, Clock
from jupyter_mcpgen.plan.month_names import GERMAN_MONTHS

_READABLE = 0.8
_LOOKED_AT = 20
"""So many words make formats, which are then tried on the others."""
_LONGEST = 60
_MONTHS = 12
_MOST_YEARS = 15
_FEWEST_OF_DIGITS = 3
"""Fewer words of eight digits may be anything."""
_SEASON = re.compile(r"[0-9]{2}([0-9]{2})[-/]([0-9]{2})$")
_FRACTION = re.compile(r"([0-9]{1,2})/(16|32|64)")
"""A size in parts of an inch, or a month of a year."""
_YEAR_ASIDE = re.compile(r"[(\[]%y[)\]]")
"""Two digits in brackets are no year: "13.8 (86)" is a score."""
_NO_WRITING = re.compile(r"[%\x00-\x1f\x7f-\x9f]")
"""A sign that no format can have between the parts of a date."""
_TIME = re.compile(r"(?<![0-9:])([0-9]{1,2})(:[0-5][0-9])(:[0-5][0-9])?(\.[0-9]{1,6})?( ?[AaPp][Mm]\b)?(?![0-9:])")
_ZONE_BEHIND = re.compile(rf"(?<=[0-9Mm])( ?)(?:{OFFSET}|{ZONE})$")
_TOKENS = re.compile(r"[0-9]+|[^\W\d_]+|[\W_]")
_ORDERS = frozenset({"dmY", "mdY", "Ymd", "mY", "Ym", "dmy", "mdy", "ymd", "my"})
_NAMES = (
    ("%B", calendar.month_name),
    ("%b", calendar.month_abbr),
    ("%A", calendar.day_name),
    ("%a", calendar.day_abbr),
)
_PART = re.compile("%[a-zA-Z]")
_GLUED = re.compile("(?<=\0)(?![T年月日])[^\\W\\d_]|[^\\W\\d_](?<![T年月日])(?=\0)")
"""A letter right beside a part of a date, as in 2024Q1."""
_OF_DIGITS = {4: ("%Y",), 8: ("%Y%m%d", "%d%m%Y", "%m%d%Y"), 1: ("%d", "%m"), 2: ("%d", "%m", "%y")}
"""What a number of so many digits may be in a date."""
_COMPACT = re.compile("(%[dmY]){3}")
_UNUSUAL = re.compile(r"^%y|%m\.%d\.")
"""Formats that few people write: looked for where no other fits."""
_SAME_PLACE = (
    *({"CET", "CEST"}, {"MEZ", "MESZ"}, {"EST", "EDT"}, {"CST", "CDT"}, {"MST", "MDT"}, {"PST", "PDT"}),
    *({"GMT", "BST"}, {"WET", "WEST"}, {"EET", "EEST"}, {"AEST", "AEDT"}, {"NZST", "NZDT"}),
)
"""The winter and the summer time of one place."""
_ZONE = re.compile(r"([+-]\d\d:?\d\d|[A-Za-z][A-Za-z_/]*)?\s*$")


def find_dates(words: Sequence[str]) -> tuple[DateWriting, ...]:
    """Return how distinct words write dates: nothing where they do not, several ways where these differ."""
    formats = list(dict.fromkeys(one for word in words[:_LOOKED_AT] for one in _formats_of(word)))
    usual = [one for one in formats if not _UNUSUAL.search(one.format)]
    kept = _fitting(words, usual) or _fitting(words, formats)
    ways = kept if _differ(words, kept) else kept[:1]
    return tuple(way for one in ways for way in by_clocks(one, words))


def read_dates(words: pd.Series, writing: DateWriting) -> pd.Series:
    """Return the dates that texts write, as the code and the query of a plan read them."""
    english = words.str.replace(writing.months, regex=False) if writing.months else words
    found = english.str.extract(writing.pattern(PYTHON), expand=False)
    counts = writing.clock is Clock.UTC
    dates = pd.to_datetime(found, format=writing.read, errors="coerce", utc=counts)
    return dates.dt.tz_localize(None) if counts else dates


def order_of_days(columns: Iterable[Sequence[str]]) -> bool | None:
    """Tell whether the dates of columns have the day first, where one above 12 settles it and no column differs."""
    orders: set[bool | None] = set()
    for words in columns:
        ways = find_dates(words)
        if len(ways) == 1 and (read_dates(pd.Series(list(words), dtype="str"), ways[0]).dt.day > _MONTHS).any():
            orders.add(is_day_first(ways[0]))
    orders -= {None}
    return orders.pop() if len(orders) == 1 else None


def is_day_first(writing: DateWriting) -> bool | None:
    """Tell whether numbers of days stand before those of months; None where no one could take one for the other."""
    places = [writing.format.find(part) for part in ("%d", "%m")]
    return None if -1 in places or writing.format.startswith("%Y") else places[0] < places[1]


def by_clocks(writing: DateWriting, words: Sequence[str]) -> tuple[DateWriting, ...]:
    """Return the ways to read dates with a zone: by the clock written, and in UTC too where several are named."""
    if not writing.has_zone or are_of_one_place(words):
        return (writing,)
    in_utc = writing.model_copy(update={"clock": Clock.UTC})
    column = pd.Series(list(words), dtype="str")
    if read_dates(column, in_utc).notna().sum() < read_dates(column, writing).notna().sum():
        return ()  # names of zones tell no distance from UTC
    return writing, in_utc


def are_of_one_place(words: Iterable[str]) -> bool:
    """Tell whether the moments of words name one zone at most, or the winter and the summer time of one place."""
    zones = {_zone_of(word) for word in words}
    return len(zones - {""}) <= 1 or any(zones <= place for place in _SAME_PLACE)


def _zone_of(word: str) -> str:
    """Return what a moment says of its zone; the several ways to write UTC are one."""
    found = _ZONE.search(word.strip())
    zone = found[1] or "" if found else ""
    return "Z" if zone in ("UTC", "GMT") or re.fullmatch(r"[+-]00:?00", zone) else zone.replace(":", "")


# ── formats from words ───────────────────────────────────────────────────────


def _formats_of(word: str) -> Iterator[DateWriting]:
    """Yield the formats in which a word may be a date, those with the day first before the others."""
    if _NO_WRITING.search(word) or len(word) > _LONGEST:
        return
    yield from (DateWriting(format=one) for one in _spelled(word))
    for part, names in GERMAN_MONTHS.items():
        english = _replaced(word, names)
        if english != word:
            yield from (DateWriting(format=one, german=True) for one in _spelled(english) if part in one)


def _spelled(word: str) -> Iterator[str]:
    """Yield the formats of a word whose months are English; what writes the year first and a zone is ISO's matter."""
    clock = _TIME.search(word)
    zone = None if clock is None else _ZONE_BEHIND.search(word)
    body = word[: zone.start()] if zone is not None else word
    ends = f"{zone[1]}%z" if zone is not None else ""
    pieces = [_options(token) for token in _TOKENS.findall(body if clock is None else body[: clock.start()])]
    if clock is not None:
        pieces += [(_clock_format(clock),), *(_options(token) for token in _TOKENS.findall(body[clock.end() :]))]
    for choice in itertools.product(*pieces):
        written = "".join(choice)
        order = "".join(re.findall("%([dmbByY])", written)).replace("B", "m").replace("b", "m")
        is_date = order in _ORDERS and not (zone is not None and order == "Ymd") and not _YEAR_ASIDE.search(written)
        if is_date and _may_be_literal(_PART.sub("\0", written), has_day="d" in order):
            yield written + ends


def _may_be_literal(text: str, *, has_day: bool) -> bool:
    """Tell whether what stands beside the parts of a format, each a NUL here, makes no quarters or weeks of numbers."""
    if not has_day:
        return not any(map(str.isalpha, text))
    return _GLUED.search(text) is None


def _clock_format(clock: re.Match[str]) -> str:
    hour, seconds = ("%H" if clock[5] is None else "%I"), ("" if clock[3] is None else ":%S")
    fraction = "" if clock[4] is None else ".%f"
    noon = "" if clock[5] is None else f"{clock[5][:-2]}%p"
    return f"{hour}:%M{seconds}{fraction}{noon}"


def _options(token: str) -> tuple[str, ...]:
    """Return what a part of a word may stand for in a format; nothing for a number that is in no date."""
    if token.isdecimal():
        return _OF_DIGITS.get(len(token), ()) if token.isascii() else ()
    named = tuple(part for part, names in _NAMES if token.capitalize() in [*names][-12:])
    return named or (token,)


# ── formats that fit ─────────────────────────────────────────────────────────


def _fitting(words: Sequence[str], formats: Sequence[DateWriting]) -> list[DateWriting]:
    """Return the formats in which every word is a date that is one in any of them, where these are most words."""
    dates = {one: _dates_of(words, one) for one in formats}
    every = frozenset[int]().union(*dates.values())
    if len(every) < max(1.0, _READABLE * len(words)):
        return []
    return [one for one, read in dates.items() if read == every and _is_likely(words, one, len(read))]


def _is_likely(words: Sequence[str], writing: DateWriting, readable: int) -> bool:
    """Tell whether words that can be dates are not more likely seasons, days of months, or codes."""
    if writing.is_of_months and writing.is_of_digits:
        ends = [_SEASON.match(word) for word in words]
        seasons = [end for end in ends if end is not None and (int(end[1]) + 1) % 100 == int(end[2])]
        return readable == len(words) > len(seasons) and not _are_fractions(words)
    if writing.is_of_short_months:
        return len({word[-2:] for word in words}) <= _MOST_YEARS
    return not _COMPACT.fullmatch(writing.format) or readable == len(words) >= _FEWEST_OF_DIGITS


def _are_fractions(words: Sequence[str]) -> bool:
    """Tell whether words are fractions in their lowest terms, as sizes are written and not all months of a year are."""
    found = [_FRACTION.fullmatch(word) for word in words]
    return all(each is not None and int(each[1]) % 2 == 1 for each in found) and any(map(_has_one_digit, words))


def _has_one_digit(word: str) -> bool:
    return word.find("/") == 1


def _dates_of(words: Sequence[str], writing: DateWriting) -> frozenset[int]:
    """Return the places of the words that are dates in a format."""
    pattern = re.compile(writing.pattern(PYTHON))
    found = ((place, pattern.match(_replaced(word, writing.months))) for place, word in enumerate(words))
    return frozenset(place for place, match in found if match is not None and _is_date(match[1], writing.shown))


def _is_date(text: str, format_: str) -> bool:
    try:
        datetime.strptime(text, format_)
    except ValueError:
        return False
    return True


def _replaced(word: str, names: Mapping[str, str]) -> str:
    for name, english in names.items():
        word = word.replace(name, english)
    return word


def _differ(words: Sequence[str], writings: Sequence[DateWriting]) -> bool:
    """Tell whether ways to read dates give different ones: "May 3, 2024" is the same by either of its names."""
    column = pd.Series(list(words), dtype="str")
    read = [read_dates(column, writing) for writing in writings]
    return any(not other.equals(read[0]) for other in read[1:])
