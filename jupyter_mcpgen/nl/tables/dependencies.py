"""Functional dependencies that the rows of a table show: a town's population is told by the town and the year."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from jupyter_mcpgen.model.profile import FIRST_PLACE
from jupyter_mcpgen.nl.context import Context

LEAST_CHANCE = 1e-4
"""Figures that would be the same in all rows of each as rarely as this are so for a reason."""
_MISSING = chr(FIRST_PLACE)
MOSTLY = 0.6
"""A column is said to repeat where at least this part of what tells it has several rows."""


def repeats_within(name: str, keys: tuple[str, ...], context: Context) -> bool:
    """Tell whether a column has one value for all rows of the same keys, most of which have several rows.

    Every row is looked at; false where a table is too long for its profile to keep which row has which value.
    """
    columns = [_letters(one, context) for one in (*keys, name)]
    if not all(columns):
        return False
    rows = [row for row in zip(*columns, strict=True) if _MISSING not in row]
    counts = Counter(row[:-1] for row in rows)
    several = sum(1 for count in counts.values() if count > 1)
    return len(set(rows)) == len(counts) and several >= max(1, MOSTLY * len(counts))


def has_one_value(name: str, key: str, context: Context) -> bool:
    """Tell whether a column has one value, or none, for all rows of the same key; false where it is not known."""
    columns = [_letters(one, context) for one in (key, name)]
    rows = {row for row in zip(*columns, strict=True) if row[0] != _MISSING} if all(columns) else set()
    return bool(rows) and len(rows) == len({row[0] for row in rows})


def is_known_by_row(*names: str, context: Context) -> bool:
    """Tell whether the profile of a table keeps which row has which value of some columns."""
    return all(_letters(name, context) for name in names)


def tell_rows_apart(names: tuple[str, ...], context: Context) -> bool:
    """Tell whether no two rows have the same values in all of some columns; false where it is not known."""
    columns = [_letters(name, context) for name in names]
    return all(columns) and len(set(zip(*columns, strict=True))) == context.profile.rows


def keys_of_value(value: Any, name: str, key: str, context: Context) -> int:
    """Return how many values of a key have rows with a value in another column; 0 where it is not known."""
    letters, keys = _letters(name, context), _letters(key, context)
    known = context.column(name)
    places = [place for place, one in enumerate((*known.values, *known.more)) if one == value]
    if not letters or not keys or len(places) != 1:
        return 0
    own = chr(FIRST_PLACE + 1 + places[0])
    return len({one for letter, one in zip(letters, keys, strict=True) if letter == own and one != _MISSING})


def agrees_by_chance(name: str, key: str, context: Context) -> float:
    """Return how likely the rows of each key would share a column's value, if the values were dealt out to all rows.

    It is 1 where it is not known which row has which value.
    """
    letters, keys = _letters(name, context), _letters(key, context)
    if not letters or not keys:
        return 1.0
    there = [letter for letter, one in zip(letters, keys, strict=True) if one != _MISSING]
    parts = [count / len(there) for count in Counter(there).values()]
    sizes = Counter(Counter(letter for letter in keys if letter != _MISSING).values())
    agreeing = {size: sum(part**size for part in parts) for size in sizes}
    return math.prod(agreeing[size] ** number for size, number in sizes.items())


def is_told_of_each(name: str, key: str, context: Context) -> bool:
    """Tell whether all rows of the same key share a column's value, and not by chance: the members of a household."""
    return has_one_value(name, key, context) and agrees_by_chance(name, key, context) <= LEAST_CHANCE


def may_be_told_of_each(name: str, key: str, context: Context) -> bool:
    """Tell whether rows of the same key share a column's value where this may be by chance: nobody knows which."""
    known, keys = context.column(name), context.column(key)
    repeats = keys.distinct + keys.nulls < context.profile.rows and known.distinct > 1
    return repeats and has_one_value(name, key, context) and agrees_by_chance(name, key, context) > LEAST_CHANCE


def _letters(name: str, context: Context) -> str:
    """Return a letter for the value of each row; nothing where some values have none."""
    known = context.column(name)
    return known.places if len(known.values) + len(known.more) == known.distinct else ""
