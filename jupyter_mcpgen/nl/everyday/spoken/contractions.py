"""Contracted denials in full: "users who didn't convert" did not."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def not_in_full(said: Speech, table: Table) -> Speech | None:
    """Say "didn't" as "did not", unless a value of the table is written so."""
    found = said.find(table.wording("not_in_full"))
    if found is None or found.folded("denial") in table.context.value_parts:
        return None
    return said.put(found, found.meant("denial"))
