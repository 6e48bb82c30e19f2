"""Limits in percent before the column that they are of: "more than 20% discount" over fractions, or over percents."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.amounts import of_percents
from jupyter_mcpgen.nl.everyday.speech import Speech, Table


def percents_of_it(said: Speech, table: Table) -> Speech | None:
    """Say "more than 20 % discount" as `discount` above 0.2, where the column holds fractions."""
    for found in said.find_all(table.wording("percents_of_it")):
        column = columns.figure(found["what"], table)
        percents = found.meant("part") if found["part"] else found["n"]
        limit = of_percents(percents, column, table) if column is not None else None
        if column is None or limit is None:
            continue
        if not found["low"]:
            parts = {"column": column, "side": found.meant("side"), "n": limit[0]}
            return said.put(found, found.said("limit", **parts), limit[1])
        low = of_percents(found["low"], column, table)
        if low is not None:
            return said.put(found, found.said("range", column=column, low=low[0], n=limit[0]), low[1], limit[1])
    return None


def holds_parts(text: str, table: Table) -> bool:
    """Tell whether words name a column of fractions or percents, whose limit in percent is one of its values."""
    column = columns.figure(text, table)
    return column is not None and of_percents(str(USUAL), column, table) is not None


USUAL = 20
"""A percentage that any column of percents can be compared with."""
