"""What one thing was done to and another was not: "fees invoiced but not paid" have one date without the other."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def done_but_not(said: Speech, table: Table) -> Speech | None:
    """Say "invoiced but not paid" as with the date of the first verb and without that of the second."""
    for found in said.find_each(table.wording("done_but_not")):
        first, last = columns.date_of(found.folded("done"), table), columns.date_of(found.folded("verb"), table)
        if first is None or last is None or first == last or not table.context.column(last).nulls:
            continue
        way = "both" if table.context.column(first).nulls else "last"
        there = f"`{first}` is there and " if way == "both" else ""
        note = f"“{found.text.strip()}” is taken to mean that {there}`{last}` is missing."
        return said.put(found, found.said(way, first=first, last=last), note)
    return None
