"""Finds how the texts of a column write numbers, dates or truth, from its distinct words; never a guess.

A column counts as written in a way when four of five words are; words that spell a missing value count neither way.
Where day and month could be either, both ways are given, and a person is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

import pandas as pd

from jupyter_mcpgen.data.headers import words_of
from jupyter_mcpgen.data.written_moments import find_moments, read_moments
from jupyter_mcpgen.data.written_numbers import find_numbers, read_numbers
from jupyter_mcpgen.plan.emit.pandas_writing import date_pattern
from jupyter_mcpgen.plan.missing_words import is_missing_word
from jupyter_mcpgen.plan.moments import ClockWriting, CountedWriting, DigitsWriting, ZonedWriting
from jupyter_mcpgen.plan.month_names import GERMAN_MONTHS
from jupyter_mcpgen.plan.writings import DateFormat, DateWriting, NumberWriting, TruthWriting, Writing

_MOST_LOOKED_AT = 400
_READABLE = 0.8
_TRUTHS = (
    (("yes", "y", "true", "t"), ("no", "n", "false", "f")),
    (("ja", "j", "wahr"), ("nein", "n", "falsch")),
    (("oui", "vrai"), ("non", "faux")),
    (("si", "verdadero"), ("no", "falso")),
    (("on",), ("off",)),
)
"""Words for true and for false, language by language; a column has some of each."""
_AUXILIARIES = frozenset({"is", "are", "was", "were", "has", "have", "had", "ist", "sind", "war", "wurde", "hat"})
"""Words before a state that leave it what it is."""
_NO_STATES = _AUXILIARIES | {
    *("no", "not", "non", "none", "never", "without", "nein", "nicht", "kein", "keine", "nie", "ohne"),
}
"""Words that name no state when they stand alone."""
_BETWEEN_WORDS = re.compile(r"[\s_?-]+")


def find_writings(words: Sequence[str], decimal: str | None = None, name: str = "") -> tuple[Writing, ...]:
    """Return how distinct words are written: nothing for plain text, two ways where they can be read in two.

    `decimal` is the mark before decimals in the rest of the table, where that is known; the `name` of the column tells
    durations from times of the day.
    """
    present = [word.strip() for word in words if not is_missing_word(word)][:_MOST_LOOKED_AT]
    if not present:
        return ()
    truth = _truth(present) or _truth_of_name(present, name)
    if truth is not None:
        return (truth,)
    numbers = find_numbers(present, decimal)
    return numbers if numbers or not _may_be_moments(present) else _dates(present) or find_moments(name, present)


def read_words(words: pd.Series, writing: Writing) -> pd.Series:
    """Return what texts say, or numbers that count moments, as the code and the query of a plan read them."""
    match writing:
        case NumberWriting():
            return read_numbers(words, writing)
        case DateWriting():
            english = words.str.replace(writing.months, regex=False) if writing.months else words
            found = english.str.extract(date_pattern(writing.format), expand=False)
            return pd.to_datetime(found, format=writing.format.value, errors="coerce")
        case TruthWriting():
            known = dict.fromkeys(writing.true, True) | dict.fromkeys(writing.false, False)
            return words.str.lower().map(known).astype("boolean")
        case CountedWriting() | DigitsWriting() | ZonedWriting() | ClockWriting():
            return read_moments(words, writing)


def _may_be_moments(words: Sequence[str]) -> bool:
    """Tell whether enough words hold a figure: no date and no time is written without one."""
    return sum(any(map(str.isdigit, word)) for word in words) >= max(1.0, _READABLE * len(words))


def _truth(words: Sequence[str]) -> TruthWriting | None:
    folded = {word.lower() for word in words}
    for true, false in _TRUTHS:
        said = tuple(word for word in true if word in folded), tuple(word for word in false if word in folded)
        if all(said) and len(folded) == len(said[0]) + len(said[1]):
            return TruthWriting(true=said[0], false=said[1])
    return None


def _truth_of_name(words: Sequence[str], name: str) -> TruthWriting | None:
    """Return what a column of two words says, of which one is its whole name: "Churned" and "Active" in `is_churned`.

    Any other word in the name may turn it round, as in `not_returned`, or make it the name of something else.
    """
    folded = sorted({word.lower() for word in words})
    others = [word for word in folded if word != _named_state(name)]
    if len(folded) != 2 or len(others) != 1 or not "".join(folded).isascii():
        return None
    (said,) = {*folded} - {*others}
    return TruthWriting(true=(said,), false=(others[0],))


def _named_state(name: str) -> str | None:
    """Return the one word that a name has, in lower case, whether or not an auxiliary stands before it."""
    parts = words_of(name)
    if not parts or "".join(parts) != _BETWEEN_WORDS.sub("", name).lower():
        return None
    *before, state = parts
    return state if {*before} <= _AUXILIARIES and len(before) < 2 and state not in _NO_STATES else None


def _dates(words: Sequence[str]) -> tuple[DateWriting, ...]:
    read = {DateWriting(format=format_): _readable(words, format_) for format_ in DateFormat if not format_.is_clock}
    read |= {one: 0 for one, count in read.items() if _is_of_digits(one) and not _are_months(words, count)}
    read |= {one: 0 for one in read if one.format.is_of_short_months and not _are_few_years(words)}
    if any(name in word for word in words for names in GERMAN_MONTHS.values() for name in names):
        read |= {written: _readable(_in_english(words, written), written.format) for written in _GERMAN}
    best = max(read.values())
    if best < max(1.0, _READABLE * len(words)):
        return ()
    fitting = [written for written, count in read.items() if count == best]
    return tuple(fitting) if _differ(words, fitting) else tuple(fitting[:1])


def _is_of_digits(writing: DateWriting) -> bool:
    return writing.format.is_of_months and writing.format.is_of_digits


def _are_months(words: Sequence[str], readable: int) -> bool:
    """Tell whether digits are months of years: each can be one, and they are no seasons such as 2010-11, 2011-12."""
    ends = [_SEASON.match(word) for word in words]
    seasons = [end for end in ends if end is not None and (int(end[1]) + 1) % 100 == int(end[2])]
    return readable == len(words) > len(seasons)


def _are_few_years(words: Sequence[str]) -> bool:
    """Tell whether the numbers behind months, as in "Jan-24", are too few for the days of months."""
    return len({word[-2:] for word in words}) <= _MOST_YEARS


_MOST_YEARS = 15
_SEASON = re.compile(r"[0-9]{2}([0-9]{2})[-/]([0-9]{2})$")
_GERMAN = tuple(
    DateWriting(format=format_, german=True) for format_ in DateFormat if any(p in format_ for p in GERMAN_MONTHS)
)


def _in_english(words: Sequence[str], writing: DateWriting) -> list[str]:
    """Return words with the German names of months in English."""
    english = list(words)
    for german, name in writing.months.items():
        english = [word.replace(german, name) for word in english]
    return english


def _readable(words: Sequence[str], format_: DateFormat) -> int:
    pattern = re.compile(date_pattern(format_))
    return sum(1 for word in words if pattern.match(word) is not None and _is_date(word, format_))


def _is_date(word: str, format_: DateFormat) -> bool:
    try:
        datetime.strptime(word, format_.value)
    except ValueError:
        return False
    return True


def _differ(words: Sequence[str], writings: Sequence[DateWriting]) -> bool:
    """Tell whether two ways to read dates give different ones: "May 3, 2024" is the same by either of its names."""
    column = pd.Series(list(words), dtype="str")
    first, *others = (read_words(column, writing) for writing in writings)
    return any(not other.equals(first) for other in others)


def missing_words_of(words: Sequence[str]) -> Iterator[str]:
    """Yield the words that spell a missing value."""
    return (word for word in words if is_missing_word(word))
