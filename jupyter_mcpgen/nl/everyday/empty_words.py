"""Words that change nothing of an answer: "the only year in …", "over all seasons"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.speech import Speech, Table


def the_only(said: Speech, table: Table) -> Speech | None:
    """Leave out "only" where a question expects one answer; it shows whether there are more."""
    found = said.find(table.wording("the_only"))
    return (
        said.put(found, found.said(), "“only” was not taken for a condition: all that fit are shown.")
        if found
        else None
    )


def over_all_rows(said: Speech, table: Table) -> Speech | None:
    """Leave out "over all seasons" where the rows are the seasons: nothing else would be computed without it."""
    found = said.find(table.wording("over_all_rows"))
    if found is None or not (columns.is_row(found["noun"], table) or _names_every_row(found["noun"], table)):
        return None
    return said.put(found, "")


def _names_every_row(noun: str, table: Table) -> bool:
    column = columns.named(noun, table)
    return column is not None and table.context.is_key(column)
