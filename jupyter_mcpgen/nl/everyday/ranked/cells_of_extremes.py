"""A cell of the row that a superlative picks: "salary of the longest tenure", "employee of the biggest gross line"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.ranks import noun_phrase
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term
from jupyter_mcpgen.plan.schema import ColumnType


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
