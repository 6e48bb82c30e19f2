"""Orders that words have by themselves: scales that everybody knows, periods of years, and intervals of numbers."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from typing import Any

_MONTHS = (
    (
        *("january", "february", "march", "april", "may", "june"),
        *("july", "august", "september", "october", "november", "december"),
    ),
    ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
)
_SCALES: tuple[tuple[str, ...], ...] = (
    ("very low", "low", "medium", "high", "very high"),
    ("low", "moderate", "high", "severe", "critical"),
    ("very low", "low", "normal", "medium", "high", "very high", "urgent", "critical", "emergency"),
    ("none", "cosmetic", "minor", "moderate", "major", "severe", "critical", "fatal"),
    ("trivial", "minor", "normal", "major", "critical", "blocker"),
    ("xxs", "xs", "s", "m", "l", "xl", "xxl", "xxxl"),
    ("tiny", "small", "medium", "large", "extra large", "huge"),
    ("never", "rarely", "sometimes", "often", "always"),
    ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
    ("very dissatisfied", "dissatisfied", "neutral", "satisfied", "very satisfied"),
    ("dead", "very poor", "poor", "fair", "good", "very good", "excellent"),
    ("none", "mild", "moderate", "severe", "very severe"),
    ("none", "mild", "medium", "hot", "very hot", "extra hot"),
    ("empty", "quarter", "half", "full"),
    ("bronze", "silver", "gold", "platinum"),
    ("beginner", "intermediate", "advanced", "expert"),
    ("junior", "mid", "senior", "lead"),
    ("freshman", "sophomore", "junior", "senior"),
    ("cold", "warm", "hot"),
    ("debug", "info", "warning", "error", "critical"),
    ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    ("mon", "tue", "wed", "thu", "fri", "sat", "sun"),
    *_MONTHS,
    ("q1", "q2", "q3", "q4"),
)
"""Words with an order that everybody gives them; a column of such words is in that order."""
_MOST_IN_ORDER = 60
"""More periods or intervals than this are not written into a plan."""
_PERIOD = re.compile(r"(19|20)\d\d([-/ ]?(Q[1-4]|H[12])|-?W[0-5]\d|[-/](0[1-9]|1[0-2]))")
_PERIOD_BEFORE_YEAR = re.compile(r"(?P<part>q[1-4]|h[12]|[a-z]{3,9})[-/ ]?(?P<year>(19|20)\d\d)")
_NUMBER = r"[$€£]?(-?\d[\d,]*(?:\.\d+)?)\s*[a-z%€]{0,5}"
_BETWEEN = re.compile(rf"[(\[]?{_NUMBER}\s*(?:-|–|—|to|,)\s*{_NUMBER}[)\]]?")
_BELOW = re.compile(rf"(?:under|below|less than|up to|<=?|≤)\s*{_NUMBER}")
_ABOVE = re.compile(rf"(?:over|above|more than|at least|>=?|≥)\s*{_NUMBER}")
_AND_MORE = re.compile(rf"{_NUMBER}\s*(?:\+|(?:and|or) (?:over|above|older|more|up))")
_ALONE = re.compile(r"\d+")


def ordered(values: Sequence[Any]) -> tuple[str, ...]:
    """Return the values in the order that their words have, or nothing when there is none, or fewer than two."""
    by_word = {str(value).strip().casefold(): str(value) for value in values}
    if len(by_word) < 2 or len(by_word) < len(values):
        return ()
    scale = next((scale for scale in _SCALES if set(by_word) <= set(scale)), ())
    known = scale or _periods(by_word) or _intervals(by_word)
    return tuple(by_word[word] for word in known if word in by_word)


def is_period(word: str) -> bool:
    """Tell whether a text names a period with the year first, so that letters order it: 2024Q1, 2024-W05, 2024-03."""
    return _PERIOD.fullmatch(word) is not None


def _periods(words: dict[str, str]) -> tuple[str, ...]:
    """Return texts that name periods with the year last, such as `q1 2024`, in the order of time."""
    places = {word: _place_of(word) for word in words}
    return _in_order({word: place for word, place in places.items() if place is not None}, len(places))


def _place_of(word: str) -> tuple[float, float] | None:
    found = _PERIOD_BEFORE_YEAR.fullmatch(word)
    if found is None:
        return None
    year, part = int(found["year"]), found["part"]
    if part[1].isdigit():
        return year, int(part[1])
    months = next((names for names in _MONTHS if part in names), ())
    return (year, months.index(part)) if part in months else None


def _intervals(words: dict[str, str]) -> tuple[str, ...]:
    """Return texts that name intervals, such as `18-25` and `65+`, from the lowest; nothing when two overlap."""
    ends = {word: _ends_of(word) for word in words}
    found = {word: pair for word, pair in ends.items() if pair is not None}
    known = _in_order(found, len(ends))
    apart = all(found[one][1] <= found[next_][0] for one, next_ in itertools.pairwise(known))
    return known if apart and any(low < high for low, high in found.values()) else ()


def _ends_of(word: str) -> tuple[float, float] | None:
    if between := _BETWEEN.fullmatch(word):
        low, high = _number(between[1]), _number(between[2])
        return (low, high) if low < high else None
    if below := _BELOW.fullmatch(word):
        return -math.inf, _number(below[1])
    if above := _ABOVE.fullmatch(word) or _AND_MORE.fullmatch(word):
        return _number(above[1]), math.inf
    return (_number(word), _number(word)) if _ALONE.fullmatch(word) else None


def _number(digits: str) -> float:
    return float(digits.replace(",", ""))


def _in_order(places: dict[str, tuple[float, float]], wanted: int) -> tuple[str, ...]:
    """Return the words by their places when all of them have one of their own."""
    if not len(places) == len(set(places.values())) == wanted <= _MOST_IN_ORDER:
        return ()
    return tuple(sorted(places, key=lambda word: places[word]))
