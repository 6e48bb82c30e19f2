"""What was done, without a noun for the rows: "how many sold" beside a date with gaps."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.words.forms import is_irregular_past


def how_many_done(said: Speech, table: Table) -> Speech | None:
    """Say "how many sold" as the rows with the date of that, never as the number of its days."""
    found = said.find(table.wording("how_many_done"))
    verb, lexicon = (found.folded("verb") if found else ""), table.context.lexicon
    done = verb.endswith(lexicon.participles) or is_irregular_past(verb, lexicon.language)
    date = columns.date_of(verb, table) if done else None
    if found is None or date is None or table.is_data(verb) or not table.context.column(date).nulls:
        return None
    return said.put(found, found.said(column=date), f"“{verb}” is taken to mean that `{date}` is not missing.")
