"""Columns that number the rows of each thing: the `line` of an order, from 1 on."""

from __future__ import annotations

from collections import defaultdict

from jupyter_mcpgen.model.profile import FIRST_PLACE
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.plan.schema import ColumnType

FEWEST = 3
"""Of how many things with several rows a number of rows is told."""


def numbers_rows(name: str, key: str, context: Context) -> bool:
    """Tell whether a column numbers the rows of each value of a key from 1 on; false where it is not known.

    A few values of a key with several rows each have to show it: that one has 1 and 2 may be chance.
    """
    known, of = context.column(name), context.column(key)
    whole = context.type_of(name) is ColumnType.INTEGER and known.minimum == 1 and known.nulls == 0
    if not whole or known.maximum == known.minimum or not (known.places and of.places) or context.is_key(key):
        return False
    numbers = dict(enumerate((*known.values, *known.more), FIRST_PLACE + 1))
    rows: dict[str, set[object]] = defaultdict(set)
    for letter, place in zip(of.places, known.places, strict=True):
        number = numbers.get(ord(place))
        if number in rows[letter] and letter != chr(FIRST_PLACE):
            return False  # told by the first few rows, however many there are
        rows[letter].add(number)
    rows.pop(chr(FIRST_PLACE), None)
    several = sum(1 for found in rows.values() if len(found) > 1)
    return several >= FEWEST and all(found == set(range(1, len(found) + 1)) for found in rows.values())
