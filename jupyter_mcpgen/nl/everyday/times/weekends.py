"""Weekends beside the other days, with a verb or before a noun: "do we sell more on weekends", "weekend takings"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import measure_of_verb
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.everyday.times.periods import has_dates
from jupyter_mcpgen.nl.tables.own_dates import own_date


def more_on_weekends(said: Speech, table: Table) -> Speech | None:
    """Say "do we sell more on weekends" as what is sold on a day, on average, on either part of the week."""
    for found in said.find_each(table.wording("more_on_weekends")) if has_dates(table) else ():
        noun = found.folded("what")
        if len(table.context.dates) > 1 and own_date(table.context) is None:
            continue  # whose days are meant is not known
        if table.is_data(found["week"]) or (noun and table.is_data(f"{found['week']} {noun}")):
            continue
        if noun and (columns.is_row(noun, table) or columns.date_of(noun, table) is not None):
            return said.put(found, found.said("rows"))
        column = columns.measured(noun, table) if noun else _of_verb(found, table)
        if column is not None:
            taken = not noun and found.folded("verb") in table.words("taking_in")
            way = "daily" if taken or columns.is_summed(column, table) else "each"
            return said.put(found, found.said(way, column=column))
        amounts = [name for name in table.context.column_words if columns.is_summed(name, table)]
        amounts = [name for name in amounts if table.context.is_measure(name)]
        if not noun and len(amounts) > 1:
            listed = ", ".join(f"`{name}`" for name in amounts)
            return said.refusing(found.said("which", said=found.text, columns=listed, column=amounts[0]))
        if not noun and amounts:
            note = f"“{found['verb']}” is taken to be about `{amounts[0]}`."
            return said.put(found, found.said("daily", column=amounts[0]), note)
    return None


def weekend_figure(said: Speech, table: Table) -> Speech | None:
    """Say "weekend takings by shop" as takings on weekends by shop."""
    for found in said.find_each(table.wording("weekend_figure")) if has_dates(table) else ():
        what, before = found["what"], said.word_before(found)
        if table.is_data(found["week"]) or table.is_data(found.text) or before in table.words("each_or_by"):
            continue
        if columns.is_row(what, table) or columns.measured(what, table) is not None:
            return said.put(found, found.said(found.meant("week")))
    return None


def _of_verb(found: Found, table: Table) -> str | None:
    """Return the column of what a verb is done with: what is earned, what is sold."""
    column = measure_of_verb(found.folded("verb"), table)
    if column is not None or found.folded("verb") not in table.words("taking_in"):
        return column
    return columns.money((*table.vocabulary.ranked["gross"], *table.vocabulary.ranked["money_owed"]), table)
