"""Who has the most of what has several rows: "which department has the most patients" counts each patient once."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term


def most_things(said: Speech, table: Table) -> Speech | None:
    """Say "which department has the most patients" by the number of different patients, where their rows repeat."""
    found = said.find(table.wording("most_things"))
    key = columns.repeated_key(found["noun"], table) if found else None
    group = columns.entity(found["group"], table) if found else None
    if found is None or key is None or group in (None, key):
        return None
    if not found["with"] and found.folded("verb") not in table.words("holding") | table.words("making"):
        return None  # who lost the most is not who has the most
    highest = found.meant("end") == Term.HIGHEST
    return said.put(found, found.said("most" if highest else "fewest", column=key, group=group))
