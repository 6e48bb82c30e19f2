"""Which values words name: "road bikes", "smoking guests", "third class"."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.mentions.naming import amount_of_the_table
from jupyter_mcpgen.nl.words.stored_values import value_words

FEW_NUMBERS = 20
"""A column with more numbers than this numbers no classes."""


def values_called(text: str, table: Table) -> list[tuple[str, str]]:
    """Return the columns and values that words may name, as they are said: a value, or a numbered class."""
    words = text.split()
    if len(words) > 1 and (label := columns.label(words[-1], table)) is not None:
        beside = values_called(" ".join(words[:-1]), table)
        return [found for found in beside if found[0] == label] or _named_values(words, table)
    return _named_values(words, table)


def _named_values(words: list[str], table: Table) -> list[tuple[str, str]]:
    """Return the values of some words, also without a last one for people: "road bikes", "smoking guests"."""
    found = _values_of(words, table)
    while not found and len(words) > 1 and columns.is_person(words[-1], table):
        words = words[:-1]
        found = _values_of(words, table)
    if not found and len(words) > 1:
        found = [known for known in _values_of(words[:-1], table) if _is_noun_of(words[-1], known[0], table)]
    folded = value_words(" ".join(words))
    return found or (_numbered(folded[0], folded[1], table) if len(folded) == 2 else [])


def _is_noun_of(noun: str, column: str, table: Table) -> bool:
    """Tell whether a noun is of the rows, or a word of a column's name: the "double rooms" of `room_type`."""
    plain = table.context.plain(noun.casefold())
    if plain in table.context.column_words[column]:
        return True
    return columns.is_row(noun, table) and not any(amount_of_the_table([plain], table.context))


def _values_of(words: list[str], table: Table) -> list[tuple[str, str]]:
    context = table.context
    folded = value_words(" ".join(words))
    plain = (*folded[:-1], context.lexicon.base(folded[-1])) if folded else ()
    keys = dict.fromkeys((" ".join(folded), " ".join(plain)))
    return [(v.column, f'"{v.value}"') for key in keys for v in context.values.get(key, ())]


def _numbered(place: str, noun: str, table: Table) -> list[tuple[str, str]]:
    """Return the column of numbers that "third class" names, and 3."""
    context = table.context
    number = next((o.number for o in context.lexicon.meanings(place) if isinstance(o, m.Ordinal)), None)
    column = columns.named(noun, table, SHORTENED)
    if number is None or column is None or not context.is_number(column) or not context.could_be(column, number):
        return []
    return [(column, str(number))] if context.column(column).distinct <= FEW_NUMBERS else []
