"""Days on which something fell: "rainy days", "days without snow", "how often did it rain", "how much rain fell"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found


def fallen(said: Speech, table: Table) -> Speech | None:
    """Say "rainy days" as those with more than 0 in the one column of rain, and "dry days" as those with 0."""
    for found in said.find_all(table.wording("fallen")):
        column = _measured(found, table)
        if column is None or table.is_data(found.text):
            continue
        if found["unit"] and not (columns.is_period(found["unit"], table) or columns.is_row(found["unit"], table)):
            continue
        way = "amount" if found["fell"] else "none" if found["none"] else "some"
        text = found.said(way, column=column)
        if not said.before(found).strip() and table.groups(said.behind(found)):
            text = table.say("number_of", what=text)  # "rainy days per month" are counted
        return said.put(found, text, f"“{found.text}” is taken to be told by `{column}`.")
    return None


def _measured(found: Found, table: Table) -> str | None:
    """Return the one column that says how much fell, which is 0 where nothing did; no value says the same."""
    kind = found.meant("kind") or found.meant("none")
    if any(word in table.context.values for word in table.choices("falling").get(kind, ())):
        return None
    named = table.choices("columns_of_weather").get(kind, frozenset())
    own = table.context.column_words
    fitting = [name for name, words in own.items() if named & set(words) and columns.is_figure(name, table)]
    return fitting[0] if len(fitting) == 1 and table.context.column(fitting[0]).minimum == 0 else None
