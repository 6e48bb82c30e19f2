"""Limits in percent before the column that they are of: "more than 20% discount" over fractions, or over percents."""

from __future__ import annotations

from decimal import Decimal

from jupyter_mcpgen.nl.everyday.amounts.amounts import of_percents
from jupyter_mcpgen.nl.everyday.parts.sides import side_of
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table

MOST_WORDS = 4
"""Of how many words the name of a figure is."""


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


def percents_of_another(said: Speech, table: Table) -> Speech | None:
    """Say "cost above 75 % of fee" as above 0.75 times the fee, where another figure is compared with it."""
    for found in said.find_all(table.wording("percents_of_another")):
        column = columns.measured(found["what"], table)
        before = said.before(found).split()
        while before and before[-1].casefold() in table.words("be"):
            before.pop()
        sizes = range(min(MOST_WORDS, len(before)), 0, -1)
        named = (columns.measured(" ".join(before[-size:]).strip("`"), table) for size in sizes)
        compared = next((name for name in named if name is not None), None)
        if column is None or compared is None or compared == column:
            continue
        part = str(Decimal(found["n"]) / 100)
        note = f"{found['n']} % of `{column}` are {part} times `{column}`."
        return said.put(found, found.said(side=found.meant("side"), n=part, column=column), note)
    return None


def percent_first(said: Speech, table: Table) -> Speech | None:
    """Say "% unpaid by ward" as the percentage, where a condition follows."""
    found = said.find(table.wording("percent_first"))
    first = found.folded("rest").split()[0] if found else ""
    if found is None:
        return None
    plain = [first.removeprefix(prefix) for prefix in ("", *table.vocabulary.ranked["denying"])]
    told = side_of(first, table) is not None or any(columns.date_of(word, table) for word in plain)
    return said.put(found, found.said()) if told or first in table.context.values else None
