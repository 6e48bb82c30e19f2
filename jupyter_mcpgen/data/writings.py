"""Finds how the texts of a column write numbers, dates or truth, from its distinct words; never a guess.

A column counts as written in a way when four of five words are; words that spell a missing value count neither way.
Where day and month could be either, both ways are given, and a person is asked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime

import pandas as pd

from jupyter_mcpgen.plan.emit.pandas_writing import date_pattern, number_pattern
from jupyter_mcpgen.plan.expressions import DateFormat, DateWriting, NumberWriting, TruthWriting, Writing

MISSING_WORDS = frozenset(
    {
        *("", "-", "--", "—", "–", "−", ".", "..", "...", "?", "/", "*", "n/a", "n.a.", "na", "nan", "nil", "null"),
        *("none", "unknown", "missing", "tbd", "tba", "not available", "not applicable", "no data", "#n/a"),
    }
)
"""Words that many tables write where there is no value."""
CURRENCIES = frozenset(
    {
        *("$", "€", "£", "¥", "₹", "₽", "₩", "₺", "₪", "฿", "₫", "US$", "A$", "C$", "CA$", "AU$", "HK$", "NZ$", "R$"),
        *("USD", "EUR", "GBP", "CHF", "JPY", "CNY", "INR", "AUD", "CAD", "SEK", "NOK", "DKK", "PLN", "BRL", "kr", "zł"),
    }
)
ORDINALS = ("st", "nd", "rd", "th")
UNITS = frozenset(
    {
        *("kg", "g", "mg", "lb", "lbs", "oz", "t", "km", "m", "cm", "mm", "mi", "miles", "ft", "in", "yd", "km²", "m²"),
        *(
            "sqm",
            "sqft",
            "sq ft",
            "sq mi",
            "ha",
            "acres",
            "l",
            "ml",
            "L",
            "gal",
            "mph",
            "km/h",
            "kmh",
            "kW",
            "MW",
            "GW",
        ),
        *("kWh", "MWh", "GWh", "Hz", "kHz", "MHz", "GHz", "B", "KB", "MB", "GB", "TB", "kB", "s", "sec", "ms", "min"),
        *("h", "hr", "hrs", "hours", "minutes", "seconds", "days", "weeks", "months", "years", "yrs", "°", "°C", "°F"),
        *("°", "pts", "points", "pp", "bps", "ppm", "V", "A", "W", "J", "kJ", "cal", "kcal", "psi", "bar", "hPa"),
    }
)
_MOST_LOOKED_AT = 400
_READABLE = 0.8
_LONGEST_NUMBER = 15
"""More digits than a float holds are the digits of a name."""
_PARTS = re.compile(
    r"[-+]?(?P<prefix>[^\s\d.,'+-]{0,4})[\s\u00a0]*[-+]?(?P<number>[\d.,'](?:[\d.,'\s\u00a0]*\d)?)[\s\u00a0]*(?P<suffix>[^\d.,'+-]{0,12})"
)
_SEPARATORS: tuple[tuple[str, str], ...] = ((".", ","), (",", "."), (".", "'"), (",", " "), (".", " "))
_TRUTHS = (("yes", "no"), ("y", "n"), ("true", "false"), ("t", "f"))


def is_missing_word(word: str) -> bool:
    """Tell whether a text spells that there is no value."""
    return word.strip().casefold() in MISSING_WORDS


def find_writings(words: Sequence[str]) -> tuple[Writing, ...]:
    """Return how distinct words are written: nothing for plain text, two ways for dates that can be read in two."""
    present = [word.strip() for word in words if not is_missing_word(word)][:_MOST_LOOKED_AT]
    if not present:
        return ()
    truth = _truth(present)
    if truth is not None:
        return (truth,)
    number = _number(present)
    return (number,) if number is not None else _dates(present)


def read_words(words: pd.Series, writing: Writing) -> pd.Series:
    """Return what texts say, as the code and the query of a plan read them."""
    match writing:
        case NumberWriting():
            kept = f"[^-0-9{writing.decimal}]"
            digits = words.str.extract(number_pattern(writing), expand=False).str.replace(kept, "", regex=True)
            return digits.str.replace(",", ".").astype("float64")
        case DateWriting():
            found = words.str.extract(date_pattern(writing.format), expand=False)
            return pd.to_datetime(found, format=writing.format.value, errors="coerce")
        case TruthWriting():
            known = dict.fromkeys(writing.true, True) | dict.fromkeys(writing.false, False)
            return words.str.lower().map(known).astype("boolean")


def _truth(words: Sequence[str]) -> TruthWriting | None:
    folded = {word.lower() for word in words}
    pair = next((pair for pair in _TRUTHS if folded == set(pair)), None)
    return None if pair is None else TruthWriting(true=pair[:1], false=pair[1:])


def _number(words: Sequence[str]) -> NumberWriting | None:
    parts = [found for word in words if (found := _PARTS.fullmatch(word)) is not None]
    if len(parts) < _READABLE * len(words) or any(_is_a_code(found["number"]) for found in parts):
        return None
    prefixes, suffixes = (Counter(found[name].strip() for found in parts) for name in ("prefix", "suffix"))
    if not (
        _fit(prefixes, CURRENCIES) and (_fit(suffixes, CURRENCIES | UNITS | {"%"}) or set(suffixes) <= {*ORDINALS, ""})
    ):
        return None
    before = tuple(sorted(set(prefixes) - {""}))
    after = ORDINALS if set(suffixes) & {*ORDINALS} else tuple(sorted(set(suffixes) - {""}))
    marked = any(not found["number"].isdecimal() for found in parts)
    candidates = [
        NumberWriting.model_validate(
            {"decimal": d, "thousands": t if marked else "", "prefixes": before, "suffixes": after}
        )
        for d, t in _SEPARATORS
    ]
    read = [sum(re.match(number_pattern(one), word) is not None for word in words) for one in candidates]
    best = max(read)
    return candidates[read.index(best)] if best >= _READABLE * len(words) else None


def _fit(affixes: Counter[str], known: frozenset[str]) -> bool:
    """Tell whether at most one affix stands at the numbers, one that is known to: others make a code or mix units."""
    named = set(affixes) - {""}
    return len(named) <= 1 and named <= known


def _is_a_code(number: str) -> bool:
    """Tell whether digits are a name: a leading zero, or more of them than a number holds."""
    digits = re.sub(r"\D", "", number)
    return (len(number) > 1 and number[0] == "0" and number[1].isdigit()) or len(digits) > _LONGEST_NUMBER


def _dates(words: Sequence[str]) -> tuple[DateWriting, ...]:
    read = {format_: _readable(words, format_) for format_ in DateFormat}
    best = max(read.values())
    if best < max(1.0, _READABLE * len(words)):
        return ()
    fitting = [DateWriting(format=format_) for format_, count in read.items() if count == best]
    return tuple(fitting) if _differ(words, fitting) else tuple(fitting[:1])


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
