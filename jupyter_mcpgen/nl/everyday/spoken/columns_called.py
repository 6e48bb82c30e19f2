"""What analysts call columns: "which feature has the most missing values", "the numeric variables"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table

MOST_SAID = 4
"""How often a question says so, at most."""


def columns_called(said: Speech, table: Table) -> Speech | None:
    """Say "features" and "variables" as columns, where nothing in the table is called so."""
    changed = said
    for _ in range(MOST_SAID):
        found = changed.find(table.wording("columns_called"))
        noun = found.folded("noun") if found else ""
        known = noun in table.context.values or bool(table.context.columns_with(table.context.plain(noun)))
        if found is None or known or columns.is_row(noun, table):
            break
        changed = changed.put(found, found.said("several" if columns.is_plural(noun, table) else "one"))
    return changed if changed is not said else None


def degree_held(said: Speech, table: Table) -> Speech | None:
    """Say "a master's degree" as the value `Master` of the column that tells the education."""
    for found in said.find_all(table.wording("degree_held")):
        held = table.context.values.get(found.folded("word"), ())
        if len(held) == 1 and not columns.is_of_the_data("degree", table):
            return said.put(found, str(held[0].value), f"“{found.text}” is taken to mean {held[0].value}.")
    return None
