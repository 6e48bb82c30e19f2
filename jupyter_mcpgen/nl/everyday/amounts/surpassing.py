"""One figure of a row above another: "units made beat target units", "shifts that exceeded the plan"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def surpassed(said: Speech, table: Table) -> Speech | None:
    """Say "where sales beat the forecast" as the one column greater than the other."""
    found = said.find(table.wording("surpassed"))
    if found is None or table.is_data(found["verb"]):
        return None
    before, behind = said.before(found).split(), said.behind(found).strip(" ?.!").split()
    widths = range(columns.MOST_WORDS, 0, -1)
    first = next((c for c in (columns.figure(" ".join(before[-w:]), table) for w in widths) if c), None)
    other = next((c for c in (columns.figure(" ".join(behind[:w]), table) for w in widths) if c), None)
    if first is None or other is None or first == other:
        return None
    note = f"“{found['verb']}” is taken to mean `{first}` {found.said(found.meant('verb'))} `{other}`."
    return said.put(found, found.said(found.meant("verb")), note)
