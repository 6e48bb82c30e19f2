"""One row by its key: "status of ticket 40123", "details of order 17", "who handled ticket 40123"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns, persons
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.plan.schema import ColumnType


def who_dealt_with(said: Speech, table: Table) -> Speech | None:
    """Say "who handled ticket 40123" as the agent of that row, and never as a team."""
    found = said.find(table.wording("who_dealt_with"))
    column = _key(found, table) if found else None
    person = persons.only_person(table)
    if found is None or column is None or person is None:
        return None
    note = f"Who “{found['verb']}” it is taken to be its `{person}`."
    return said.put(found, found.said(person=person, column=column), note)


def all_of_a_row(said: Speech, table: Table) -> Speech | None:
    """Say "details of ticket 40123" and "everything about S10017" as the row with that key."""
    for found in said.find_each(table.wording("all_of_a_row")):
        column = _key(found, table) or _repeated(found, table)
        if column is not None:
            return said.put(found, found.said(column=column))
    return None


def deed_of_a_row(said: Speech, table: Table) -> Speech | None:
    """Say "when was ticket 40123 resolved" and "was ticket 40123 escalated" as the cell of that row."""
    found = said.find(table.wording("deed_of_a_row"))
    column = _key(found, table) if found else None
    if found is None or column is None:
        return None
    verb = found.folded("verb")
    cell = columns.date_of(verb, table) if found["when"] else columns.flag_of(verb, table)
    return said.put(found, found.said(cell=cell, column=column)) if cell is not None else None


def when_of_a_row(said: Speech, table: Table) -> Speech | None:
    """Say "when was order 17 delivered" as `delivery date` of its rows, also where a kind of order is called so."""
    found = said.find(table.wording("when_of_a_row"))
    cell = columns.date_of(found.folded("verb"), table) if found else None
    column = (_key(found, table) or _repeated(found, table)) if found else None
    return said.put(found, found.said(cell=cell, column=column)) if found and cell and column else None


def date_of_a_row(said: Speech, table: Table) -> Speech | None:
    """Say "ship date of order 17" as that cell of its rows, and not as a number of rows by month."""
    found = said.find(table.wording("date_of_a_row"))
    cell = columns.named(found["what"], table) if found else None
    column = (_key(found, table) or _repeated(found, table)) if found else None
    if found is None or cell is None or column is None or not columns.holds_dates(cell, table):
        return None
    return said.put(found, found.said(cell=cell, column=column))


def row_by_key(said: Speech, table: Table) -> Speech | None:
    """Say "ticket 40123" as the rows where its number is 40123."""
    for found in said.find_all(table.wording("row_by_key")):
        column = _key(found, table)
        if column is not None and table.context.is_number(column):
            return said.put(found, found.said(column=column))
    return None


def _key(found: Found, table: Table) -> str | None:
    """Return the one column that tells rows apart and holds what is said to be the number of one."""
    context, noun = table.context, found["noun"]
    if noun and (columns.is_plural(noun, table) or not columns.is_row(noun, table, table.words("one_row"))):
        return None
    number = _number(found["key"])
    keys = [name for name in context.column_words if context.is_key(name)]
    if number is None:
        held = {value.column for value in context.values.get(found.folded("key"), ())}
        fitting = [name for name in keys if name in held]
    else:
        whole = [name for name in keys if context.type_of(name) is ColumnType.INTEGER]
        fitting = [name for name in whole if context.could_be(name, number)]
    return fitting[0] if len(fitting) == 1 else None


def _repeated(found: Found, table: Table) -> str | None:
    """Return the identifier that a noun names, where several rows have what is said to be one: "user u017"."""
    column = columns.repeated_key(found["noun"], table) if found["noun"] else None
    number = _number(found["key"])
    if column is not None and number is not None and table.context.type_of(column) is ColumnType.INTEGER:
        return column if table.context.could_be(column, number) else None
    held = {value.column for value in table.context.values.get(found.folded("key"), ())}
    return column if column in held else None


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() else None
