"""How much was used of a kind: "electricity use" is the `Consumption` of those rows, and not how many they are."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def use_of_a_kind(said: Speech, table: Table) -> Speech | None:
    """Say "electricity use by year" as the one column of what was used, in the rows of that value."""
    found = said.find(table.wording("use_of_a_kind"))
    if found is None or not _is_value(found.folded("what"), table) or _is_named(found.folded("word"), table):
        return None
    own = table.context.column_words
    fitting = [name for name in own if set(own[name]) & table.words("used_up") and columns.is_figure(name, table)]
    if len(fitting) != 1:
        return said.refusing(found.said("unknown", said=found.text.strip(), word=found["word"]))
    if len([one for one in said.find_all(table.wording("use_of_a_kind")) if _is_value(one.folded("what"), table)]) > 1:
        return said.refusing(found.said("several", column=fitting[0], group=_group(found.folded("what"), table)))
    note = f"“{found['word']}” is taken to mean `{fitting[0]}`."
    return said.put(found, found.said("of", what=found["what"], column=fitting[0]), note)


def _is_value(text: str, table: Table) -> bool:
    return bool(table.context.values.get(text))


def _group(value: str, table: Table) -> str:
    return table.context.values[value][0].column


def _is_named(word: str, table: Table) -> bool:
    """Tell whether a column or a value has a word."""
    context = table.context
    return bool(context.columns_with(context.plain(word))) or word in context.value_parts
