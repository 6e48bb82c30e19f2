"""What something ended in: "thefts that led to an arrest", "calls that resulted in a sale"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.named_values import values_called
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def leading_to(said: Speech, table: Table) -> Speech | None:
    """Say "led to an arrest" as where the column that tells it says yes, or has that value."""
    for found in said.find_each(table.wording("leading_to")):
        what = found["what"]
        flag = columns.flag_named(what, table) or columns.flag_of(what.casefold(), table)
        if flag is not None:
            note = f"“{found.text.strip()}” is taken to mean that `{flag}` is true."
            return said.put(found, found.said("flag", column=flag), note)
        values = values_called(what, table)
        if len(values) == 1:
            column, value = values[0]
            return said.put(found, found.said("value", column=column, value=value))
    return None
