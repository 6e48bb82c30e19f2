"""Tells what the values of a column are about: money, years, places, words with an order of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from jupyter_mcpgen.data.writings import CURRENCIES, ORDINALS
from jupyter_mcpgen.model.profile import Kind, Written
from jupyter_mcpgen.plan.expressions import NumberWriting, TruthWriting
from jupyter_mcpgen.plan.schema import ColumnType, Field

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_PLACES = frozenset(
    {
        *("country", "nation", "state", "province", "region", "county", "city", "town", "municipality", "district"),
        *(
            "continent",
            "latitude",
            "longitude",
            "lat",
            "lon",
            "lng",
            "location",
            "place",
            "address",
            "street",
            "island",
        ),
    }
)
_MONEY = frozenset(
    {"price", "cost", "revenue", "salary", "wage", "income", "budget", "fee", "usd", "eur", "gbp", "chf"}
)
_SCALES: tuple[tuple[str, ...], ...] = (
    ("very low", "low", "medium", "high", "very high"),
    ("low", "moderate", "high", "severe", "critical"),
    ("none", "minor", "moderate", "major", "severe", "fatal"),
    ("xxs", "xs", "s", "m", "l", "xl", "xxl", "xxxl"),
    ("tiny", "small", "medium", "large", "extra large", "huge"),
    ("never", "rarely", "sometimes", "often", "always"),
    ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
    ("very dissatisfied", "dissatisfied", "neutral", "satisfied", "very satisfied"),
    ("poor", "fair", "good", "very good", "excellent"),
    ("bronze", "silver", "gold", "platinum"),
    ("beginner", "intermediate", "advanced", "expert"),
    ("junior", "mid", "senior", "lead"),
    ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    ("mon", "tue", "wed", "thu", "fri", "sat", "sun"),
    (
        *("january", "february", "march", "april", "may", "june"),
        *("july", "august", "september", "october", "november", "december"),
    ),
    ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
    ("q1", "q2", "q3", "q4"),
)
"""Words with an order that everybody gives them; a column of such words is in that order."""


def kind_of(
    field: Field, values: Sequence[Any], distinct: int, written: tuple[Written, ...]
) -> tuple[Kind | None, tuple[str, ...]]:
    """Return the kind of a column, and the order of its values when they have one."""
    words = {word.lower() for word in _WORDS.findall(field.name)}
    if written:
        return _kind_of_writing(written[0]), ()
    if field.type is ColumnType.TEXT:
        order = ordered(values)
        if order:
            return Kind.ORDERED, order
        if distinct and not values:  # the profile keeps no value that is long
            return Kind.LONG_TEXT, ()
        return (Kind.PLACE, ()) if words & _PLACES else (None, ())
    if field.type is ColumnType.INTEGER and words & {"year", "yr"}:
        return Kind.YEAR, ()
    if field.type.is_number and words & _MONEY:
        return Kind.MONEY, ()
    return (Kind.PLACE, ()) if field.type is ColumnType.REAL and words & _PLACES else (None, ())


def ordered(values: Sequence[Any]) -> tuple[str, ...]:
    """Return the values in the order that their words have, or nothing when there is none, or fewer than two."""
    by_word = {str(value).strip().casefold(): str(value) for value in values}
    if len(by_word) < 2 or len(by_word) < len(values):
        return ()
    scale = next((scale for scale in _SCALES if set(by_word) <= set(scale)), ())
    return tuple(by_word[word] for word in scale if word in by_word)


def _kind_of_writing(written: Written) -> Kind | None:
    writing = written.writing
    if isinstance(writing, TruthWriting):
        return Kind.TRUTH
    if not isinstance(writing, NumberWriting):
        return None
    affixes = {*writing.prefixes, *writing.suffixes}
    if affixes & CURRENCIES:
        return Kind.MONEY
    if "%" in affixes:
        return Kind.PERCENT
    if affixes & set(ORDINALS):
        return Kind.ORDINAL
    return Kind.QUANTITY if affixes else None
