"""The row or group that a superlative picks, and its cells: "highest revenue rep", "salary of the longest tenure"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.ranks import Rank, noun_phrase, ranked_groups, ranked_rows
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term
from jupyter_mcpgen.plan.schema import ColumnType


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


def cell_of_the_extreme(said: Speech, table: Table) -> Speech | None:
    """Say "cost of the longest wait" as the row with the highest `wait`, and not as a sum over all rows."""
    found = said.find(table.wording("cell_of_the_extreme"))
    shown = columns.named(found["what"], table, columns.STEMMED) if found else None
    if found is None or shown is None:
        return None
    phrase, rest = noun_phrase(found["by"].strip(" ?.!"), table)
    words = phrase.split()
    of_a_row = bool(words) and columns.is_row(words[-1], table, table.words("one_row"))
    whole = columns.named(phrase, table, columns.STEMMED)
    compared = whole or (columns.named(" ".join(words[:-1]), table, columns.STEMMED) if of_a_row else None)
    if compared is None or compared == shown or not columns.is_figure(compared, table):
        return None
    if not (of_a_row and whole is None) and not _is_of_one_row(shown, table):
        return None  # "ward of the longest wait" may be that with the longest in all
    highest = found["high"] != ""
    if found["word"]:
        quality, highest = table.vocabulary.by_adjective[found.folded("word")]
        highest = highest is not bool(set(table.context.column_words[compared]) & set(quality.opposite))
    end = Term.HIGHEST if highest else Term.LOWEST
    note = f"The whole row with the {end.value} `{compared}` is shown, with its `{shown}`."
    return said.saying(found.said(end=end, column=compared, rest=rest), note)


def _is_of_one_row(name: str, table: Table) -> bool:
    """Tell whether a column is a figure or a date, which groups are not called by."""
    return columns.is_figure(name, table) or table.context.type_of(name) is ColumnType.DATE


def owner_of_the_extreme(said: Speech, table: Table) -> Speech | None:
    """Say "the oldest passenger's fare" as the fare of the oldest passenger."""
    found = said.find(table.wording("owner_of_the_extreme"))
    if found is None or not columns.is_row(found["noun"], table, table.words("one_row")):
        return None
    return said.put(found, found.said()) if columns.named(found["what"], table, columns.STEMMED) else None


def paid_the_extreme(said: Speech, table: Table) -> Speech | None:
    """Say "which passengers paid the highest fare" as the rows with it: the verb says no more than that."""
    found = said.find(table.wording("paid_the_extreme"))
    noun = found.folded("noun") if found else ""
    if found is None or not columns.is_row(noun, table, table.words("one_row")):
        return None
    figure = columns.figure(found["what"], table)
    return said.put(found, found.said(column=figure)) if figure is not None else None


def earners(said: Speech, table: Table) -> Speech | None:
    """Say "top 5 earners in IT" as the rows with the highest pay."""
    found = said.find(table.wording("earners"))
    if found is None or columns.is_of_the_data(found["doer"], table):
        return None
    column = columns.ranking(table.vocabulary.verbs[found.meant("doer")], table)
    if column is None:
        return None
    note = f"“{found['doer']}” is taken to be about `{column}`."
    return said.put(found, found.said("several" if found["n"] else "all", column=column, n=found.meant("n")), note)
