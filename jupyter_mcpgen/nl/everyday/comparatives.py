"""Comparatives that name no column, "heavier than 1000 kg"; groups before their figure, "age bands of 10: …"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.speech import Speech, Table
from jupyter_mcpgen.nl.words import split_name


def than_a_number(said: Speech, table: Table) -> Speech | None:
    """Say "heavier than 1000 kg" by the one column that the adjective is about."""
    found = said.find(r"\b(?P<word>[a-z]{3,}er)\s+than\s+(?P<n>\d[\d.,]*\d|\d)(?:\s+(?P<unit>[a-z]+)\b)?")
    if found is None or table.is_data(found["word"]):
        return None
    best = f"{found['word'].casefold()[:-2]}est"
    for quality in table.vocabulary.qualities:
        if best not in (*quality.highest, *quality.lowest):
            continue
        column = columns.ranking(quality.columns, table.context)
        if column is None:
            return None
        side = "more than" if best in quality.highest else "less than"
        unit = (found["unit"] or "").casefold()
        known = (table.context.column(column).unit or "").casefold()
        named = unit and (
            unit == known or unit in split_name(column) or table.context.plain(unit) in split_name(column)
        )
        kept = "" if not unit or named else f" {found['unit']}"
        note = f"“{found['word']}” is taken to be about `{column}`."
        return said.put(found, f"with `{column}` {side} {found['n']}{kept}", note)
    return None


def groups_first(said: Speech, table: Table) -> Speech | None:
    """Say "age bands of 10: average cost" with the figure first."""
    found = said.find(
        r"^(?P<groups>[\w\s]+?\b(?:groups|bands|buckets|bins|classes|intervals)\b[\w\s]*?)\s*:\s*(?P<what>[^:]+?)[?.]?$"
    )
    return said.saying(f"{found['what']} by {found['groups']}") if found is not None else None
