"""Rates of counted parts: "crack rate by kiln" of `cracked` and `pieces`, "percentage of emails opened"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.tables.part_and_whole import wholes_of
from jupyter_mcpgen.nl.words.forms import split_name


def rate_of_part(said: Speech, table: Table) -> Speech | None:
    """Say "crack rate" as the cracked pieces divided by all pieces, where one column counts what they are part of."""
    for found in said.find_each(table.wording("rate_of_part")):
        part = part_called(found.folded("what"), table)
        wholes = wholes_of(part, table.context) if part is not None else ()
        if part is not None and len(wholes) == 1:
            note = f"“{found['what']} rate” is taken to be `{part}` divided by `{wholes[0]}`, of which it is a part."
            return said.put(found, found.said(part=part, whole=wholes[0]), note)
    return None


def percentage_of_whole(said: Speech, table: Table) -> Speech | None:
    """Say "percentage of pieces that cracked" as the cracked ones divided by all, where each has a column."""
    for found in said.find_each(table.wording("percentage_of_whole")):
        part, whole = part_called(found.folded("verb"), table), columns.measured(found["whole"], table)
        wholes = wholes_of(part, table.context) if part is not None else ()
        called = {table.context.plain(word) for word in split_name(found["whole"])}
        fitting = [name for name in wholes if called <= set(table.context.column_words[name])]
        whole = whole or (fitting[0] if len(fitting) == 1 else None)
        if part is not None and whole is not None and whole in wholes:
            return said.put(found, found.said(part=part, whole=whole))
    return None


def percentage_of_part(said: Speech, table: Table) -> Speech | None:
    """Say "percentage spoiled by crop" as the spoiled part of the one amount that it is a part of."""
    for found in said.find_each(table.wording("percentage_of_part")):
        part = part_called(found.folded("verb"), table)
        wholes = wholes_of(part, table.context) if part is not None else ()
        if part is not None and len(wholes) == 1 and not table.is_data(found["verb"]):
            note = f"“{found.text}” is taken to be `{part}` as a part of `{wholes[0]}`, which is never less."
            return said.put(found, found.said(part=part, whole=wholes[0]), note)
    return None


def part_called(word: str, table: Table) -> str | None:
    """Return the one number that is called after a deed."""
    context = table.context
    named = [
        name
        for name, own in context.column_words.items()
        if context.is_measure(name) and any(table.akin(word, one) for one in own)
    ]
    return named[0] if len(named) == 1 else None
