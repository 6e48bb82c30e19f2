"""What a row has that a superlative picks, said with a possessive: "the oldest passenger's fare"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def owner_of_the_extreme(said: Speech, table: Table) -> Speech | None:
    """Say "the oldest passenger's fare" as the fare of the oldest passenger."""
    found = said.find(table.wording("owner_of_the_extreme"))
    if found is None or not columns.is_row(found["noun"], table, table.words("one_row")):
        return None
    return said.put(found, found.said()) if columns.named(found["what"], table, columns.STEMMED) else None


def paid_the_extreme(said: Speech, table: Table) -> Speech | None:
    """Say "which passengers paid the highest fare" as the rows with it: the verb says no more than that."""
    found = said.find(table.wording("paid_the_extreme"))
    noun = found.folded("noun") if found else ""
    if found is None or not columns.is_row(noun, table, table.words("one_row")):
        return None
    figure = columns.figure(found["what"], table)
    return said.put(found, found.said(column=figure)) if figure is not None else None


def earners(said: Speech, table: Table) -> Speech | None:
    """Say "top 5 earners in IT" as the rows with the highest pay."""
    found = said.find(table.wording("earners"))
    if found is None or columns.is_of_the_data(found["doer"], table):
        return None
    column = columns.ranking(table.vocabulary.verbs[found.meant("doer")], table)
    if column is None:
        return None
    note = f"“{found['doer']}” is taken to be about `{column}`."
    return said.put(found, found.said("several" if found["n"] else "all", column=column, n=found.meant("n")), note)
