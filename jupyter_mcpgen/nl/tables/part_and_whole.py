"""Columns that count a part of what another one counts: `cracked` of `pieces`, `opens` of `emails_sent`."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import FIRST_PLACE
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.plan.schema import ColumnType


def wholes_of(part: str, context: Context) -> tuple[str, ...]:
    """Return the columns of whole numbers that are at least as large as one in every row, and larger in some.

    An amount with a unit, and no money, is a part of those in the same unit. None where the profile of a table does
    not keep which row has which value.
    """
    largest = context.column(part).maximum
    if _is_amount(part, context) and context.adds_up(part) is not False:
        unit = context.column(part).unit
        alike = (name for name in context.profile.schema_.names if name != part and _is_amount(name, context))
        return tuple(name for name in alike if context.column(name).unit == unit and _is_within(part, name, context))
    if not _is_whole_number(part, context) or not isinstance(largest, int | float) or largest <= 1:
        return ()  # a column of 0 and 1 says yes or no
    others = (name for name in context.profile.schema_.names if name != part and _counts_things(name, context))
    return tuple(name for name in others if _is_within(part, name, context))


def _is_whole_number(name: str, context: Context) -> bool:
    whole = context.type_of(name) is ColumnType.INTEGER and context.column(name).unit is None
    return whole and context.is_measure(name)


def _is_amount(name: str, context: Context) -> bool:
    """Tell whether a column says how much there was, in a unit that is no currency."""
    unit = context.column(name).unit
    return unit is not None and not context.is_of_money(name) and context.is_measure(name)


def _counts_things(name: str, context: Context) -> bool:
    """Tell whether a column says how many there were, and is no money."""
    money = set(context.column_words[name]) & context.lexicon.nouns_of_money
    counts = context.adds_up(name) is True or context.counts_things(name)
    return _is_whole_number(name, context) and counts and not money


def _is_within(part: str, whole: str, context: Context) -> bool:
    pairs = [
        (some, all_)
        for some, all_ in zip(_numbers(part, context), _numbers(whole, context), strict=False)
        if some is not None and all_ is not None
    ]
    return all(0 <= some <= all_ for some, all_ in pairs) and any(some < all_ for some, all_ in pairs)


def _numbers(name: str, context: Context) -> list[float | None]:
    """Return the number of each row; nothing where the profile does not know all of them."""
    known = context.column(name)
    values = (*known.values, *known.more)
    numbers = [float(value) for value in values if isinstance(value, int | float)]
    if len(numbers) != known.distinct or len(numbers) != len(values):
        return []
    return [numbers[ord(letter) - FIRST_PLACE - 1] if ord(letter) > FIRST_PLACE else None for letter in known.places]
