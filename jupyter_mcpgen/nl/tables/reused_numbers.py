"""Numbers that are given again: a flight's number, which other airlines and other days use too, tells no row apart."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import FIRST_PLACE
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.tables.dependencies import agrees_by_chance, has_one_value, is_known_by_row
from jupyter_mcpgen.plan.schema import ColumnType

BY_CHANCE = 0.05
"""What more rows would share as likely as this says nothing: most flights are not cancelled."""
_MISSING = chr(FIRST_PLACE)


def is_given_again(name: str, context: Context) -> bool:
    """Tell whether the rows of a number share the value of no other column, as all lines of one order would.

    False where that cannot be looked at: too many rows, or no number that repeats.
    """
    known = context.column(name)
    if not is_known_by_row(name, context=context) or known.distinct + known.nulls >= context.profile.rows:
        return False
    others = [one for one in context.column_words if one != name and context.column(one).distinct > 1]
    looked_at = [one for one in others if is_known_by_row(one, context=context)]
    return bool(looked_at) and not any(_is_shared(one, name, context) for one in looked_at)


def goes_again(name: str, context: Context) -> bool:
    """Tell whether what has a number goes on several days: no date of the table is that of each number."""
    dates = [
        one.name
        for one in context.profile.columns
        if context.type_of(one.name) is ColumnType.DATE or any(way.type is ColumnType.DATE for way in one.written)
    ]
    return bool(dates) and not any(has_one_value(date, name, context) for date in dates)


def _is_shared(name: str, number: str, context: Context) -> bool:
    """Tell whether all rows of each number have the same value of a column, and would not by chance."""
    values: dict[str, str] = {}
    for one, value in zip(context.column(number).places, context.column(name).places, strict=True):
        if one != _MISSING and value != _MISSING and values.setdefault(one, value) != value:
            return False
    return agrees_by_chance(name, number, context) < BY_CHANCE
