"""How often something happened that a value tells: "how often does it snow" counts the rows with snow."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying.named_values import values_called
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.words.forms import stem


def how_often_it(said: Speech, table: Table) -> Speech | None:
    """Say "how often does it snow" as the number of rows whose weather is snow, in a column of a few values."""
    found = said.find(table.wording("how_often_it"))
    if found is None:
        return None
    values = values_called(found["what"], table) or _of_the_same_stem(found.folded("what"), table)
    if len(values) != 1:
        return None
    column, value = values[0]
    note = found.said("note", column=column, value=value)
    return said.put(found, found.said("value", column=column, value=value), note)


def _of_the_same_stem(word: str, table: Table) -> list[tuple[str, str]]:
    """Return the values that a verb is made of: "snowing" and `snow`."""
    language = table.context.lexicon.language
    same = [key for key in table.context.values if " " not in key and stem(key, language) == stem(word, language)]
    return [(value.column, f'"{value.value}"') for key in same for value in table.context.values[key]]
