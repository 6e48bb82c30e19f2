"""Prizes that a column tells, which is missing where there was none: who won medals, and how many."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns, persons
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.plan.schema import ColumnType


def prizes_won(said: Speech, table: Table) -> Speech | None:
    """Say "how many gold medals did Norway win" and "who won the most medals" by the rows that have such a prize."""
    column = _prizes(table)
    for found in said.find_each(table.wording("prizes_won")) if column is not None else ():
        kept = None if column is None else _rows_with(found, column, table)
        way = _way(found, table)
        if kept is not None and way is not None:
            return said.put(found, found.said(way, kept=kept, **_whose(found, table)), _note(column, table))
    return None


def prizes_counted(said: Speech, table: Table) -> Speech | None:
    """Say "medals by country" as the number of rows with a medal, and not as the kinds of medals."""
    column = _prizes(table)
    for found in said.find_each(table.wording("prizes_counted")) if column is not None else ():
        kept = None if column is None else _rows_with(found, column, table)
        if kept is not None and (found["tally"] or columns.is_plural(found["what"], table)):
            way = "number" if found.start == 0 else "by"
            return said.put(found, found.said(way, kept=kept), _note(column, table))
    return None


def _prizes(table: Table) -> str | None:
    """Return the one column of prizes, which is missing where there was none."""
    context, prizes = table.context, table.words("prizes")
    named = [name for name, own in context.column_words.items() if len(own) == 1 and own[0] in prizes]
    texts = [name for name in named if context.type_of(name) is ColumnType.TEXT and context.column(name).nulls]
    return texts[0] if len(texts) == 1 else None


def _rows_with(found: Found, column: str, table: Table) -> str | None:
    """Return the condition that words lay down for a prize: any, or one that is said; None for another thing."""
    context, words = table.context, found.folded("what").split()
    kinds = [word for word in words if context.plain(word) not in context.column_words[column]]
    if not kinds and words:
        return table.say("rows_with_a_prize", column=column)
    values = context.values.get(kinds[0], ()) or context.values.get(context.plain(kinds[0]), ()) if kinds else ()
    held = [str(value.value) for value in values if value.column == column]
    return table.say("rows_with_this_prize", column=column, value=held[0]) if len(kinds) == len(held) == 1 else None


def _way(found: Found, table: Table) -> str | None:
    """Tell how it is asked: how many, who has the most of them, or which rows; None where nobody tells whose."""
    if not found["most"]:
        return "number" if found["who"] else "counted" if found["noun"] else "rows"
    return "most" if _whose(found, table)["group"] else None


def _whose(found: Found, table: Table) -> dict[str, str]:
    """Return the column of those who have several rows, or the noun that was said for them."""
    named = [name for name in table.context.column_words if persons.names_persons(name, table)]
    texts = [name for name in named if table.context.type_of(name) is ColumnType.TEXT]
    person = f"`{texts[0]}`" if len(texts) == 1 and not table.context.names_rows(texts[0]) else ""
    noun = found["noun"]
    of_persons = not noun or table.context.plain(noun.casefold()) in table.words("persons")
    return {"group": person if of_persons else noun}


def _note(column: str | None, table: Table) -> str:
    return table.say("counted_prizes", column=column or "")
