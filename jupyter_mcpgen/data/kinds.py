"""Tells what the values of a column are about: money, years, places, words with an order of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from jupyter_mcpgen.data.countries import are_countries
from jupyter_mcpgen.data.scales import is_period, ordered
from jupyter_mcpgen.data.units import CURRENCIES, ORDINALS
from jupyter_mcpgen.model.profile import Kind, Written
from jupyter_mcpgen.plan.number_writing import NumberWriting
from jupyter_mcpgen.plan.schema import ColumnType, Field
from jupyter_mcpgen.plan.writings import TruthWriting

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
_PARTS_OF_MONEY = frozenset({"percent", "pct", "percentage", "ratio", "share", "growth", "hike"})
"""A column that is called by one of these is no amount, whatever it is a part or a change of."""


def kind_of(
    field: Field, values: Sequence[Any], distinct: int, written: tuple[Written, ...], given: tuple[str, ...] = ()
) -> tuple[Kind | None, tuple[str, ...]]:
    """Return the kind of a column, and the order of its values when they have one; a `given` order is that."""
    words = {word.lower() for word in _WORDS.findall(field.name)}
    if written:
        return _kind_of_writing(written[0]), ()
    if field.type is ColumnType.TEXT:
        order = given or ordered(values)
        if order:
            return Kind.ORDERED, order
        if values and all(is_period(str(value)) for value in values):
            return Kind.PERIOD, ()
        if distinct and not values:  # the profile keeps no value that is long
            return Kind.LONG_TEXT, ()
        if are_countries(values):
            return Kind.COUNTRY, ()
        return (Kind.PLACE, ()) if words & _PLACES else (None, ())
    whole = field.type is ColumnType.INTEGER or (values and all(_is_whole(value) for value in values))
    if field.type.is_number and whole and words & {"year", "yr"}:
        return Kind.YEAR, ()
    if field.type.is_number and words & _MONEY and not words & _PARTS_OF_MONEY:
        return Kind.MONEY, ()
    return (Kind.PLACE, ()) if field.type is ColumnType.REAL and words & _PLACES else (None, ())


def _is_whole(value: object) -> bool:
    """Tell whether a value is a whole number, which a table writes as a real one where others are missing."""
    return isinstance(value, int | float) and float(value).is_integer()


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
