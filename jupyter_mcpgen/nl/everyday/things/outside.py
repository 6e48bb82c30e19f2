"""What lies outside a place: "orders outside the UK", "customers outside of Oslo"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying.named_values import values_called
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def outside(said: Speech, table: Table) -> Speech | None:
    """Say "orders outside Oslo" as those where the one column that has Oslo says something else."""
    for found in said.find_all(table.wording("outside")):
        held = dict(values_called(found["a"].strip("?.,!"), table))
        if len(held) == 1:
            ((column, value),) = held.items()
            part = not table.words("nouns_of_parts").isdisjoint(said.before(found).casefold().split())
            return said.put(found, found.said("of_a_part" if part else "rows", column=column, a=value))
    return None
