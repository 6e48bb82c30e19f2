"""Which value most rows have, said behind its noun: "which species is the most common", "which color is rarest"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term


def commonest(said: Speech, table: Table) -> Speech | None:
    """Say "which species is the most common" as "the most common species", the rarest one as that with fewest rows."""
    found = said.find(table.wording("commonest"))
    if found is None:
        return None
    end = Term(found.meant("end"))
    if end is Term.HIGHEST:
        return said.put(found, found.said(end))
    if columns.entity(found["np"], table) is None:
        return None
    return said.put(found, found.said(end), f"“{found['end']}” is taken to mean the fewest rows.")
