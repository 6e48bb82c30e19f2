"""Two dates of a row in one period: "how many joined and cancelled in the same year" asks for no groups by year."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def in_the_same_period(said: Speech, table: Table) -> Speech | None:
    """Refuse what asks for rows whose two dates are in the same year, and say what can be asked of the two instead."""
    for found in said.find_each(table.wording("in_the_same_period")):
        first, second = (columns.date_of(found.folded(name), table) for name in ("a", "b"))
        if first is not None and second is not None and first != second:
            return said.refusing(found.said(first=first, second=second, unit=found.meant("unit")))
    return None


def two_dated_deeds(said: Speech, table: Table) -> Speech | None:
    """Refuse "how many joined and cancelled in 2023", which may ask for two numbers, or for those of both."""
    found = said.find(table.wording("two_dated_deeds"))
    first, second = (columns.date_of(found.folded(name), table) for name in ("a", "b")) if found else (None, None)
    if found is None or first is None or second is None or first == second:
        return None
    told = f"{found['a']} and {found['b']}"
    return said.refusing(found.said(said=told, a=found["a"], b=found["b"], first=first, second=second))
