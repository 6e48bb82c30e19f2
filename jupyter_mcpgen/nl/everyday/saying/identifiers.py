"""What an identifier tells apart: the "order" of `order_id`, and of `OrderNo`."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import FIRST_PLACE, Role
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.tables.dependencies import agrees_by_chance, has_one_value, is_known_by_row
from jupyter_mcpgen.plan.schema import ColumnType


def told_apart(name: str, table: Table) -> tuple[str, ...] | None:
    """Return the words for what a column tells apart: nothing for a bare `id`, and None for no identifier."""
    return table.context.column_words[name][:-1] if _is_identifier(name, table) or _is_number(name, table) else None


def identifiers_of(noun: str, table: Table) -> list[str]:
    """Return the columns that are called the identifier of a noun, or its number where they hold identifiers."""
    plain = (table.context.plain(noun.casefold()),)
    return [name for name in table.context.column_words if told_apart(name, table) == plain]


def repeats(name: str, table: Table) -> bool:
    """Tell whether several rows share an identifier; a number that few share is one of rows, some of them double."""
    context = table.context
    return not context.is_key(name) and (_is_identifier(name, table) or not context.names_rows(name))


def is_studied(name: str, table: Table) -> bool:
    """Tell whether labels are those of the persons of a study: each `Subject` has one age, and Math has none."""
    context, own = table.context, table.context.column_words
    if not set(own[name][-1:]) & table.words("studied") or context.type_of(name) is not ColumnType.TEXT:
        return False
    told = [one for one in own if own[one][-1] in table.words("of_a_person") and context.column(one).distinct > 1]
    return any(has_one_value(one, name, context) and agrees_by_chance(one, name, context) < BY_CHANCE for one in told)


def _is_identifier(name: str, table: Table) -> bool:
    own = table.context.column_words[name]
    return bool(set(own[-1:]) & set(table.vocabulary.ranked.get("identifier", ())))


def _is_number(name: str, table: Table) -> bool:
    """Tell whether what is called a number is a name of its kind, written as a number or as a text."""
    context = table.context
    numbering = {context.plain(word) for word in table.vocabulary.ranked.get("numbering", ())}
    if not set(context.column_words[name][-1:]) & numbering or is_given_again(name, context):
        return False
    if set(context.column_words[name]) & table.words("timetabled") and goes_again(name, context):
        return False
    known = context.column(name)
    return known.role is Role.IDENTIFIER or (context.type_of(name) is ColumnType.TEXT and not known.written)


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
