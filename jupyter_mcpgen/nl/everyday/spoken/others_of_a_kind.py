"""Others of a kind, each once: "countries except US and NO", "owners other than May Lee"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.words.stored_values import value_words


def others_of_a_kind(said: Speech, table: Table) -> Speech | None:
    """Say "countries except US and NO" as the different ones, each once: no rows are asked for, but names."""
    found = said.find(table.wording("others_of_a_kind"))
    column = (
        columns.label(found["kind"], table) if found is not None and columns.is_plural(found["kind"], table) else None
    )
    if found is None or column is None or columns.is_row(found["kind"], table):
        return None
    own = {part for value in table.context.column(column).values for part in value_words(str(value))}
    named = set(value_words(found["rest"].replace('"', " "))) - table.words("joining_values")
    return said.put(found, found.said()) if named and named <= own else None
