"""Both columns of a pair set equal: "stayed in the same zone" over `from_zone` and `to_zone`."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def in_the_same(said: Speech, table: Table) -> Speech | None:
    """Say "in the same zone" of a table with a zone at each of two ends as the one being the other."""
    found = said.find(table.wording("in_the_same"))
    if found is None:
        return None
    context = table.context
    plain = context.plain(found.folded("noun"))
    ends = [name for name, own in context.column_words.items() if len(own) > 1 and own[-1] == plain]
    whole = [name for name, own in context.column_words.items() if own == (plain,)]
    if len(ends) != 2 or whole or context.type_of(ends[0]) is not context.type_of(ends[1]):
        return None
    note = f"“{found.text}” is taken to mean that `{ends[0]}` and `{ends[1]}` are equal."
    return said.put(found, found.said(first=ends[0], second=ends[1]), note)
