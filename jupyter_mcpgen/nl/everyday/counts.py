"""Nouns for what one column counts, in a table whose rows are sums already: "riders" where the column is `cnt`."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.speech import Speech, Table
from jupyter_mcpgen.plan.schema import ColumnType


def counting_column(table: Table) -> str | None:
    """Return the one column of whole numbers that is called nothing but a count."""
    context, called = table.context, table.words("a_count")
    found = [name for name, own in context.column_words.items() if own and set(own) <= called]
    found = [name for name in found if context.is_measure(name) and context.type_of(name) is ColumnType.INTEGER]
    return found[0] if len(found) == 1 else None


def what_is_counted(said: Speech, table: Table) -> Speech | None:
    """Say "riders by station" as the counts by station, where nothing else is called so.

    Only of what such columns count in general: any other noun may be what the table knows nothing of.
    """
    column = counting_column(table)
    if column is None:
        return None
    for found in said.find_all(table.wording("what_is_counted")):
        noun = found.folded("noun")
        if noun not in table.words("countables") or columns.is_known(noun, table):
            continue
        if columns.figure(said.word_before(found), table) is not None:
            return said.put(found, "", f"“{noun}” is taken to say nothing more.")  # "casual riders" are `casual`
        if columns.named(noun, table, columns.PERHAPS) is None:
            return said.put(found, found.said(column=column), f"“{noun}” is taken to be what `{column}` counts.")
    return None
