"""Which columns tell rows apart, and which tell the values of others, as far as a profile keeps who has what."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from jupyter_mcpgen.model.profile import FIRST_PLACE, ColumnProfile

LEAST_CHANCE = 1e-4
"""Values that would agree in all rows of each as rarely as this do so for a reason."""
MOST_DETERMINANTS = 40
"""So many columns are looked at for what they tell; the time goes with their number squared."""
_MOST_IN_KEYS = 12
_GLANCE = 200
_MISSING = chr(FIRST_PLACE)


@dataclass(frozen=True, slots=True)
class Dependency:
    """A column whose value is the same in all rows with the same value of another, and not by chance."""

    column: str
    on: str


def find_keys(columns: Sequence[ColumnProfile], rows: int) -> tuple[tuple[str, ...], ...]:
    """Return the columns of which each tells rows apart, else the pairs that do so together.

    `columns` are those that may name rows: a measure is different in every row by chance.
    """
    single = tuple((column.name,) for column in columns if rows and column.distinct == rows and not column.nulls)
    if single:
        return single
    known = [column for column in columns if _letters(column) and not column.nulls][:_MOST_IN_KEYS]
    return tuple(
        (one.name, other.name)
        for one, other in combinations(known, 2)
        if one.distinct * other.distinct >= rows > 1 and len(set(zip(one.places, other.places, strict=True))) == rows
    )


def find_dependencies(
    determinants: Sequence[ColumnProfile], columns: Sequence[ColumnProfile]
) -> tuple[Dependency, ...]:
    """Return which columns the determinants tell; a determinant that names each row tells nothing by it."""
    return tuple(_dependencies(determinants[:MOST_DETERMINANTS], columns[: 2 * MOST_DETERMINANTS]))


def _dependencies(determinants: Sequence[ColumnProfile], columns: Sequence[ColumnProfile]) -> Iterator[Dependency]:
    for key in determinants:
        letters = _letters(key)
        if not letters or key.distinct + key.nulls >= len(letters):
            continue
        for column in columns:
            own = _letters(column)
            if own and column.name != key.name and 1 < column.distinct <= key.distinct and _is_told(own, letters):
                yield Dependency(column.name, key.name)


def _is_told(letters: str, keys: str) -> bool:
    """Tell whether rows of the same key always have the same letter, which chance would hardly do."""
    glance = {row for row in zip(keys[:_GLANCE], letters[:_GLANCE], strict=True) if row[0] != _MISSING}
    if len(glance) > len({key for key, _ in glance}):
        return False
    rows = {row for row in zip(keys, letters, strict=True) if row[0] != _MISSING}
    return len(rows) == len({key for key, _ in rows}) and _chance(letters, keys) <= LEAST_CHANCE


def _chance(letters: str, keys: str) -> float:
    """Return how likely the rows of each key would agree if the values were dealt out to all rows."""
    there = Counter(letter for letter, key in zip(letters, keys, strict=True) if key != _MISSING)
    parts = [count / there.total() for count in there.values()]
    sizes = Counter(Counter(key for key in keys if key != _MISSING).values())
    return math.prod(sum(part**size for part in parts) ** number for size, number in sizes.items())


def _letters(column: ColumnProfile) -> str:
    """Return a letter for the value of each row; nothing where some values have none."""
    return column.places if len(column.values) + len(column.more) == column.distinct else ""
