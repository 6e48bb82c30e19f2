"""Who does more, and what some choose most: "who tips better, men or women", "which line do women buy the most"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import measure_of_verb
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term


def who_did_better(said: Speech, table: Table) -> Speech | None:
    """Say "who tips better, men or women" as whether one tips more than the other, where a column tells how much."""
    for found in said.find_each(table.wording("who_did_better")):
        verb = table.context.lexicon.base(found.folded("verb"))
        column = columns.figure(verb, table) or measure_of_verb(found.folded("verb"), table)
        if column is not None:
            more = found.meant("more")
            note = f"“{found['verb']} {found['more']}” is taken to be about `{column}`."
            return said.put(found, found.said(verb=verb, more=more), note)
    return None


def chosen_most_by(said: Speech, table: Table) -> Speech | None:
    """Say "which line do women buy the most" as the most common one of theirs; of several pieces a row, ask."""
    found = said.find(table.wording("chosen_most_by"))
    group = columns.label(found["group"], table) if found else None
    if found is None or group is None:
        return None
    end = Term(found.meant("end"))
    counted = said.put(found, found.said(end, group=f"`{group}`"))
    pieces = table.context.pieces
    if found.folded("verb") not in table.words("buying") or len(pieces) != 1:
        note = f"“{found['verb']} the {found['end']}” is taken to mean rows."
        return said.saying(counted.text, note)
    summed = said.put(found, found.said("pieces", group=f"`{group}`", end=end, column=pieces[0]))
    return said.asking_back(found.said("about", column=pieces[0]), counted.text, summed.text)
