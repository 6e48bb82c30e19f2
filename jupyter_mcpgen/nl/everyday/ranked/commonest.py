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


def commonest_kind(said: Speech, table: Table) -> Speech | None:
    """Say "most common complaint" by `Complaint Type`, where each row is a complaint and has a kind."""
    for found in said.find_all(table.wording("commonest_kind")):
        noun = table.context.plain(found.folded("noun"))
        kinds = [
            name
            for name, own in table.context.column_words.items()
            if own[:-1] == (noun,) and own[-1] in table.words("nouns_of_kinds")
        ]
        if len(kinds) == 1 and noun in table.context.row_nouns:
            words = found.text.rstrip().removesuffix(found["noun"])
            note = f"“{found['noun']}” is taken to be the kinds in `{kinds[0]}`."
            notes = () if columns.is_plural(found["noun"], table) else (note,)  # of several, the groups say it
            return said.put(found, f"{words}`{kinds[0]}`", *notes)
    return None


def several_commonest(said: Speech, table: Table) -> Speech | None:
    """Say "the 3 most common faults" as the top 3 of them."""
    found = said.find(table.wording("several_commonest"))
    if (
        found is None
        or found.meant("end") != Term.HIGHEST
        or said.word_before(found) in table.words("ends_of_an_order")
    ):
        return None
    return said.put(found, found.said())
