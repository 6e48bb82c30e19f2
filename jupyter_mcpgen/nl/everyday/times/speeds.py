"""Orders by how fast something was: "from fastest to slowest" beside a time is the shortest first."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term


def fastest_first(said: Speech, table: Table) -> Speech | None:
    """Say "fastest first" as lowest first beside a time, and as highest first beside a speed."""
    found = said.find(table.wording("fastest_first"))
    column = columns.last_figure(said.before(found), table) if found else None
    if found is None or column is None:
        return None
    own = set(table.context.column_words[column])
    unit = table.meaning("units_of_measure", (table.context.column(column).unit or "").casefold())
    takes_time = bool(own & table.words("taking_time")) or unit in table.words("units_of_time")
    if takes_time == bool(own & table.words("speeds")):
        return None
    fast = found.meant("end") == Term.HIGHEST
    end = Term.LOWEST if fast == takes_time else Term.HIGHEST
    note = f"“{found.text.strip(', ')}” is taken to mean the {end} `{column}` first."
    return said.put(found, found.said(end=end), note)


def quality_first(said: Speech, table: Table) -> Speech | None:
    """Say "cheapest first" beside a price as the lowest first."""
    found = said.find(table.wording("quality_first"))
    column = columns.last_figure(said.before(found), table) if found else None
    if found is None or column is None or table.is_data(found["word"]):
        return None
    quality, highest = table.vocabulary.by_adjective[found.folded("word")]
    own = set(table.context.column_words[column])
    if not own & set(quality.columns) or own & set(quality.opposite):
        return None
    end = Term.HIGHEST if highest else Term.LOWEST
    return said.put(found, found.said(end=end), f"“{found['word']}” is taken to mean the {end} `{column}`.")
