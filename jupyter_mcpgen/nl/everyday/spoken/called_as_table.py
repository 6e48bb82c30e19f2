"""Things that a table is called after and a column by another word: the "stocks" of `stock_prices`, its `Symbol`."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.words.forms import split_name


def called_as_table(said: Speech, table: Table) -> Speech | None:
    """Say "each stock" as each `Symbol`, where a stock has several rows and no row is one."""
    context = table.context
    of_the_table = {context.plain(own) for own in split_name(context.profile.name)}
    for found in said.find_all(table.wording("called_as_table")):
        word = context.plain(found.folded("word"))
        if word not in of_the_table or word in context.row_nouns or table.is_data(found["word"]):
            continue
        if context.columns_with(word):
            continue
        groups = (group for group in table.vocabulary.synonyms if found.folded("word") in group)
        same = {context.plain(other) for group in groups for other in group}
        fitting = [name for name, own in context.column_words.items() if set(own) <= same]
        if len(fitting) == 1 and columns.label(fitting[0], table) == fitting[0]:
            return said.put(found, f"`{fitting[0]}`", f"“{found['word']}” is taken to mean `{fitting[0]}`.")
    return None
