"""Rows that have a value somewhere: "hills that have a hut", "employees who have a manager", "visits with a score"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.everyday.things.having_any import given_or_not, has_a_limit


def having_some(said: Speech, table: Table) -> Speech | None:
    """Say "that have a hut" as the rows where `hut` is not missing; refuse where 0, or no row, may be without one."""
    for found in said.find_each(table.wording("having_some")):
        column = columns.named(found["what"], table) or _dated(found["what"], table)
        if column is None or has_a_limit(said, found, table) or not _ends_in_name(found["what"], column, table):
            continue
        return _having(said, found, column, table)
    return None


def gave_a_figure(said: Speech, table: Table) -> Speech | None:
    """Say "guests who left a rating of 5" as those that have it."""
    for found in said.find_each(table.wording("gave_a_figure")):
        if columns.figure(found["what"], table) is not None:
            return said.put(found, found.said("no" if found["no"] else "some"))
    return None


def _dated(text: str, table: Table) -> str | None:
    """Return the date, empty in some rows, of what rows may have: `return date` for "a return"."""
    column = columns.date_of(text.casefold(), table) if " " not in text and not table.is_data(text) else None
    return column if column is not None and table.context.column(column).nulls else None


def _ends_in_name(text: str, column: str, table: Table) -> bool:
    """Tell whether words end in a column's name, not in a value of it: "a lift of no", "a rating of 5" out of 5."""
    *before, word = text.casefold().split()
    if word.isdigit() and before and columns.named(before[0], table) == column:
        return False
    return column in table.context.columns_with(table.context.plain(word)) or len(text.split()) == 1


def _having(said: Speech, found: Found, column: str, table: Table) -> Speech | None:
    known, number = table.context.column(column), table.context.is_number(column)
    if column in set(columns.flags(table)):
        return said.put(found, found.said("flag", column=column)) if found["have"] else None
    if columns.may_be_lacking(column, table):
        note = f"“{found.text}” is taken to mean that `{column}` is not missing."
        return said.put(found, found.said("present", column=column), note) if known.nulls else None
    if not found["have"] or (number and known.minimum is None):
        return None
    if number and given_or_not(found["what"], table) == column:
        note = f"“{found.text}” is taken to mean `{column}` above 0."
        return said.put(found, found.said("above", column=column), note)
    return said.refusing(found.said("all" if number and not known.nulls else "open", said=found.text, column=column))
