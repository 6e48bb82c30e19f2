"""Whose share of some rows is asked for: the "DE share of enterprise accounts" is of these accounts."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def share_among_some(said: Speech, table: Table) -> Speech | None:
    """Say "DE share of enterprise accounts" as the share of DE among these, where both are conditions."""
    found = said.find(table.wording("share_among_some"))
    values = table.context.values.get(found.folded("value"), ()) if found is not None else ()
    if found is None or len(values) != 1:
        return None
    words = [word.strip("?,.!") for word in found["rest"].split()]
    others = {value.column for word in words for value in table.context.values.get(word.casefold(), ())}
    flagged = any(columns.flag_named(word, table) is not None for word in words)
    if not flagged and not others - {values[0].column}:
        return None  # the "DE share of revenue" is of a figure
    return said.put(found, found.said(value=values[0].value))
