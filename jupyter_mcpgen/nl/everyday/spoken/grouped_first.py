"""Groups that are asked for before what is computed of each: "group the rows by shop and compute the mean price"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def grouped_first(said: Speech, table: Table) -> Speech | None:
    """Say "group the visits by clinic and compute the average cost" as the average cost by clinic.

    What is grouped are the rows, so nothing else may be named: to group shops by region is no figure of each shop.
    """
    found = said.find(table.wording("grouped_first"))
    rows = table.words("one_row") | table.context.lexicon.table_nouns
    if found is None or (found["noun"] and not columns.is_row(found["noun"], table, rows)):
        return None
    return said.put(found, found.said())
