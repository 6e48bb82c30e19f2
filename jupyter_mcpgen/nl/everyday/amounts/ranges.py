"""Ranges between two columns of one figure: "temperature range" beside `temp_max` and `temp_min`."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def between_two_ends_of_it(said: Speech, table: Table) -> Speech | None:
    """Say "temperature range" as the highest less the lowest, where each row has both in columns of their own."""
    for found in said.find_each(table.wording("between_two_ends_of_it")):
        if columns.named(found.text, table) is not None:
            continue
        ends = two_ends(found["what"], table)
        if ends is not None:
            note = f"“{found.text}” is taken to be `{ends[1]}` minus `{ends[0]}`."
            return said.put(found, found.said(low=ends[0], high=ends[1]), note)
    return None


def two_ends(text: str, table: Table) -> tuple[str, str] | None:
    """Return the columns of the lowest and of the highest of a figure that words name; None where there are no two."""
    wanted = {table.context.plain(word) for word in text.casefold().split()}
    low, high = ends_of(wanted, "lowest", table), ends_of(wanted, "highest", table)
    return (low[0], high[0]) if len(low) == len(high) == 1 and wanted else None


def ends_of(wanted: set[str], end: str, table: Table) -> list[str]:
    """Return the columns of figures that are called by some words and one for an end: `temp_max`."""
    said = table.vocabulary.lists.choices.get("ends_in_names", {}).get(end, frozenset())
    own = ((name, set(words)) for name, words in table.context.column_words.items() if columns.is_figure(name, table))
    return [name for name, words in own if wanted < words and words - wanted <= said]
