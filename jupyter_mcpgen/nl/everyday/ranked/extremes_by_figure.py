"""The largest row by a figure that is named behind it: "the largest job in words", "smallest event by guests"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term


def extreme_by_figure(said: Speech, table: Table) -> Speech | None:
    """Say "the largest job in words" as the row with the highest number of words."""
    for found in said.find_each(table.wording("extreme_by_figure")):
        column = columns.figure(found["what"], table)
        if column is None or not columns.is_row(found["noun"], table, table.words("one_row")):
            continue
        placed = columns.is_place(said.word_before(found), table)
        way = "figure" if placed else "row"
        note = found.said("note", said=found["end"], meant=found.meant("end"), column=column)
        return said.put(found, found.said(way, column=column, end=Term(found.meant("end"))), note)
    return None
