"""A word for going that is one for staying and for a side, too: "left"; where nothing tells which, it is refused."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def went_or_stayed(said: Speech, table: Table) -> Speech | None:
    """Refuse "how many employees are left", which asks for those who did not leave."""
    found = said.find(table.wording("went_or_stayed"))
    flag = columns.flag_of_event(found.folded("word"), table) if found else None
    if found is None or flag is None or _is_other_data(found.folded("word"), flag, table):
        return None
    return said.refusing(found.said(flag=flag))


def went_or_side(said: Speech, table: Table) -> Speech | None:
    """Refuse "left" where a column tells who went, and another one has it as a value that nothing else names."""
    found = said.find(table.wording("went_or_side"))
    flag = columns.flag_of_event(found.folded("word"), table) if found else None
    if found is None or flag is None or found["verb"]:
        return None
    spoken = {table.context.plain(word) for word in said.text.casefold().replace("-", " ").split()}
    values = table.context.values.get(found.folded("word"), ())
    others = [value.column for value in values if value.column != flag]
    unnamed = [name for name in others if not spoken & set(table.context.column_words[name])]
    return said.refusing(found.said(flag=flag, other=unnamed[0])) if unnamed and unnamed == others else None


def _is_other_data(word: str, flag: str, table: Table) -> bool:
    """Tell whether a word is a value, or the whole name of another column than the one that tells who went."""
    named = (name for name, words in table.context.column_words.items() if words == (word,))
    return word in table.context.values or any(name != flag for name in named)
