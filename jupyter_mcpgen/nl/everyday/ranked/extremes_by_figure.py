"""The largest row or group by a figure that is named beside it: "the largest job in words", "highest revenue rep"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.ranks import Rank, noun_phrase, ranked_groups, ranked_rows
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


def extreme_of_whom(said: Speech, table: Table) -> Speech | None:
    """Say "highest revenue rep" as the one with the highest total, and "highest revenue orders" as such rows."""
    found = said.find(table.wording("extreme_of_whom"))
    column = columns.measured(found["what"], table) if found else None
    if found is None or column is None:
        return None
    noun, rest = found["noun"], found["rest"].strip(" ?.!")
    phrase = f"{found['what']} {noun}"
    if noun_phrase(phrase, table)[1] or columns.named(phrase, table) not in (None, column):
        return None  # "highest revenue of Harbor", or the name of a column
    rank = Rank(column, found.meant("end") == Term.HIGHEST, found["end"])
    rows = ranked_rows(said, "", noun, rest, rank, table)
    if rows is not None:
        return rows
    group = columns.label(noun, table) or columns.part_of_label(noun, table)
    if group is None:
        return None
    several = columns.is_plural(noun, table)
    return ranked_groups(said, f"`{group}`", rest, rank, table, count="", several=several)
