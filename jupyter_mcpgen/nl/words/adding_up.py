"""Whether the name of a column tells that its values add up, as amounts do, or do not, as rates and levels."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from jupyter_mcpgen.model.profile import ColumnProfile, Kind
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.words.concentrations import is_concentration
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.nl.words.lexicon import Lexicon

SUMMED_WORDS = frozenset({"total", "sum", "subtotal"})
"""A column with one of these in its name adds up, whatever else it is called."""


def told_to_add_up(name: str, own: Sequence[str], kind: Kind | None, unit: str, lexicon: Lexicon) -> bool | None:
    """Return true for amounts, false for rates and levels, None when the name, its `own` words and unit do not tell."""
    return _told_by_unit(_told_by_name(name, own, kind, lexicon), unit, lexicon)


def _told_by_name(name: str, own: Sequence[str], kind: Kind | None, lexicon: Lexicon) -> bool | None:
    parts, words = split_name(name), set(own)
    if len(parts) > 1 and parts[0] in lexicon.one_piece:
        return False
    if any(m.GroupWord(each=True) in lexicon.meanings(word) for word in parts[1:-1]):
        return False  # `cost_per_kg` is one of each
    if words & SUMMED_WORDS or tuple(own) in lexicon.put_in:
        return True
    if is_concentration(name, lexicon):
        return False
    if (
        kind in (Kind.DURATION, Kind.PERCENT)
        or (words | {" ".join(pair) for pair in pairwise(own)}) & lexicon.intensive
    ):
        return False
    if lexicon.levels_at_the_end & set(own[-1:]):
        return False
    return True if words & lexicon.additive else None


def _told_by_unit(told: bool | None, unit: str, lexicon: Lexicon) -> bool | None:
    """Return what a name told of its values, or what their unit tells: money adds up, and no hPa and no µg/m³ do.

    What is called an amount and measured in a ratio may be either.
    """
    if told is False or unit == "%":
        return False
    if "/" in unit.strip("/"):
        return None if told else False
    if told is None and unit.casefold() in lexicon.units_of_levels:
        return False
    return True if unit.casefold() in lexicon.currencies else told


def amounts_in(column: ColumnProfile, own: Sequence[str], lexicon: Lexicon) -> set[str]:
    """Return the nouns of amounts that a column of figures may hold, of its `own` words: `revenue_share` is of revenue.

    What is a number of other things is no amount of what these are of: `booking_changes` are no bookings.
    """
    amounts = lexicon.additive | lexicon.intensive
    return set(own[-1:] if counts_others(column, own, lexicon) else own) & amounts


def counts_others(column: ColumnProfile, own: Sequence[str], lexicon: Lexicon) -> bool:
    """Tell whether a name ends in things that are counted, and in no amount or unit: `total_of_special_requests`."""
    amounts = lexicon.additive | lexicon.intensive | lexicon.pieces | lexicon.nouns_of_money | lexicon.currencies
    last, end = split_name(column.name)[-1:], tuple(own[-1:])  # no word at all in a header such as "#"
    counted = last != end and not amounts & {*end, *last}
    return counted and not column.unit and column.kind is not Kind.MONEY
