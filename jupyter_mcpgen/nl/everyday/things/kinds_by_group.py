"""Kinds by groups where no figure is named: "faults by brand", "drivers by zone", "condition of oaks by district"."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Role
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.named_values import values_called
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.tables.dependencies import has_one_value
from jupyter_mcpgen.plan.schema import ColumnType

FEW_KINDS = 20
"""A column of more labels tells no kinds of which each group has a number."""
OFTEN_MISSING = 0.5
"""A column that is empty in so many rows says that there was something: a `complaint`."""
MOST_WORDS_OF_A_GROUP = 3


def kinds_by_group(said: Speech, table: Table) -> Speech | None:
    """Say "faults by brand" as the number of rows by fault and brand, "drivers by zone" as how many there are."""
    for found in said.find_each(table.wording("kinds_by_group")):
        column = columns.label(found["what"], table)
        if column is None or column == _group(found["groups"], table) or not _groups(found["groups"], table):
            continue
        whom = found["whom"] or table.say("rows")
        plural = columns.is_plural(found["what"], table)
        group = _group(found["groups"], table)
        within = group is not None and has_one_value(group, column, table.context)  # each site is in one basin
        if plural and not found["whom"] and (within or _tells_things_apart(found["what"], column, table)):
            return said.put(found, found.said("different", column=column))
        known = table.context.column(column)
        if plural and not found["whom"] and known.nulls > OFTEN_MISSING * table.context.profile.rows:
            note = found.said("note_had", what=found["what"], column=column)
            return said.put(found, found.said("had", column=column), note)
        if known.distinct <= FEW_KINDS and table.context.type_of(column) in (ColumnType.TEXT, ColumnType.BOOLEAN):
            return said.put(found, found.said("rows", column=column, whom=whom), found.said("note"))
    return None


def rows_of_some(said: Speech, table: Table) -> Speech | None:
    """Say "jobs of pharma clients" as the jobs of that sector, where the rows say of whom they are."""
    for found in said.find_all(table.wording("rows_of_some")):
        whose = columns.label(found["noun"], table)
        told = {column for column, _ in values_called(found["value"], table)}
        if whose is None or len(told) != 1 or whose in told or not columns.is_person(found["noun"], table):
            continue
        if columns.is_row(found["head"], table, table.words("one_row")):
            note = found.said("note", said=f"{found['value']} {found['noun']}", column=told.pop())
            return said.put(found, found.said("rows"), note)
    return None


def _groups(text: str, table: Table) -> bool:
    """Tell whether rows are grouped by labels, a yes or no, or a period: by an amount they would be scattered."""
    words = text.split()
    starts = [" ".join(words[:size]).strip(" ,?.") for size in range(1, MOST_WORDS_OF_A_GROUP + 1)]
    flags = set(columns.flags(table))
    named = any(columns.label(start, table) is not None or columns.named(start, table) in flags for start in starts)
    return named or any(columns.is_period(start, table) for start in starts)


def _group(text: str, table: Table) -> str | None:
    return columns.label(text.strip(" ?."), table)


def _tells_things_apart(noun: str, column: str, table: Table) -> bool:
    """Tell whether a column names persons or other things, by its noun or by values that are numbered: `T-11`."""
    known = table.context.column(column)
    numbered = bool(known.values) and all(any(sign.isdigit() for sign in str(value)) for value in known.values)
    return columns.is_person(noun, table) or known.role is Role.IDENTIFIER or (numbered and not known.order)
