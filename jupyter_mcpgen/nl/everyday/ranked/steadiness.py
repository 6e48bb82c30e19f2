"""How far the values of each lie apart, said of who they are of: "the most consistent agent in resolution hours"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term


def most_consistent(said: Speech, table: Table) -> Speech | None:
    """Say "most consistent" as having the smallest standard deviation of the figure that is named."""
    for found in said.find_each(table.wording("most_consistent")):
        group = columns.entity(found["group"], table)
        column = columns.measured(found["what"], table)
        if group is not None and column is not None:
            end = Term(found.meant("end"))
            note = f"“{found['end']}” is taken to mean the {end} standard deviation of `{column}`."
            return said.put(found, found.said(group=group, column=column, end=end), note)
    return None
