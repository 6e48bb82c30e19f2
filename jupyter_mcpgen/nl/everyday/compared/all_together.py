"""Figures of all of some things together: "total cost across all sites" is one total, and not one of each site."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def across_all(said: Speech, table: Table) -> Speech | None:
    """Say "average energy across all sites" without the sites: "across sites" and "by site" ask for one of each."""
    for found in said.find_each(table.wording("across_all")):
        label = columns.label(found["group"], table)
        if label is not None and columns.is_plural(found["group"], table):
            return said.put(found, found.said(), f"All values of `{label}` are taken together; “by” asks for each.")
    return None
