"""Peoples for the country that a table has: "japanese cars" where `origin` is Japan."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def peoples(said: Speech, table: Table) -> Speech | None:
    """Say "french" as the one value of the table that is called after the country; a word of the data stays."""
    for found in said.find_all(table.wording("peoples")):
        word = found.folded("word")
        names = table.vocabulary.peoples[word]
        places = [value for name in names for value in table.context.values.get(name, ())]
        if table.is_data(found["word"]) or len({(place.column, place.value) for place in places}) != 1:
            continue
        place = places[0]
        note = f"“{found['word']}” is taken to mean that `{place.column}` is {place.value}."
        return said.put(found, found.said(value=f'"{place.value}"'), note)
    return None
