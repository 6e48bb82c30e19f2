"""Orders that name no figure: "income by region, sorted" is in the order of the income."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def sorted_alone(said: Speech, table: Table) -> Speech | None:
    """Leave out the "sorted" of groups, which stand in the order of their figures anyway."""
    found = said.find(table.wording("sorted_alone"))
    if found is None or not table.groups(said.before(found)):
        return None
    return said.saying(said.before(found).rstrip(" ,"))
