"""Limits in percent before the column that they are of: "more than 20% discount" over fractions, or over percents."""

from __future__ import annotations

from decimal import Decimal

from jupyter_mcpgen.nl.everyday.amounts.amounts import of_percents
from jupyter_mcpgen.nl.everyday.amounts.budgets import came_to
from jupyter_mcpgen.nl.everyday.parts.parts_of_counts import part_called
from jupyter_mcpgen.nl.everyday.parts.sides import side_of
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.tables.part_and_whole import wholes_of
from jupyter_mcpgen.plan.expressions import CompareOp

MOST_WORDS = 4
"""Of how many words the name of a figure is."""


def percents_of_it(said: Speech, table: Table) -> Speech | None:
    """Say "more than 20 % discount" as `discount` above 0.2, where the column holds fractions."""
    for found in said.find_all(table.wording("percents_of_it")):
        column = columns.figure(found["what"], table)
        percents = found.meant("part") if found["part"] else found["n"]
        limit = of_percents(percents, column, table) if column is not None else None
        if limit is None and (of_whole := _part_of_whole(found, percents, table)) is not None:
            return said.put(found, *of_whole)
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
        compared = _compared(said.before(found), table)
        if column is None or compared is None or compared == column:
            continue
        part = str(Decimal(found["n"]) / 100)
        note = f"{found['n']} % of `{column}` are {part} times `{column}`."
        return said.put(found, found.said(side=found.meant("side"), n=part, column=column), note)
    return None


def times_of_the_plan(said: Speech, table: Table) -> Speech | None:
    """Say "more than 50 % above the fee" as above 1.5 times the fee, and "cost more than double the plan" likewise.

    Beside what was planned, what it came to is compared with it, where the table has one column of that.
    """
    for found in said.find_all(table.wording("times_of_the_plan")):
        column = columns.measured(found["what"], table)
        compared, own = _compared_by(said, found, table)
        planned = came_to(found.folded("what"), column, table)
        if planned is not None and (compared in (None, planned[0]) or own):
            return _so_many_times(said, found, planned[1], planned[0], "beside_plan")
        if found["n"] and None not in (column, compared) and compared != column:
            return _so_many_times(said, found, str(compared), str(column), "beside_plan" if own else "times")
    return None


def times_of_another(said: Speech, table: Table) -> Speech | None:
    """Say "cost more than double the fee" as above 2 times the fee."""
    for found in said.find_all(table.wording("times_of_another")):
        column = columns.measured(found["what"], table)
        compared, own = _compared_by(said, found, table)
        if column is not None and compared is not None and compared != column:
            return _so_many_times(said, found, compared, column, "beside_plan" if own else "times")
    return None


def _compared_by(said: Speech, found: Found, table: Table) -> tuple[str | None, bool]:
    """Return the column that is compared, and whether a verb such as "cost" names it alone, and ends no longer name."""
    compared = _compared(f"{said.before(found)} {found['verb']}", table)
    own = table.context.column_words[compared] if compared is not None else ()
    return compared, bool(found["verb"]) and table.context.plain(said.word_before(found)) not in own


def _so_many_times(said: Speech, found: Found, compared: str, column: str, way: str) -> Speech:
    """Say that one column is on a side of so many times another; a verb that is no name is left out."""
    side = found.meant("side")
    side = CompareOp(side).turned if found.meant("way") == "<" else side
    factor = _factor(found)
    note = f"“{found.text}” is taken to mean `{compared}` {side} {factor} times `{column}`."
    words = found.said(way, side=side, n=str(factor), column=column, actual=compared)
    return said.put(found, words if way == "beside_plan" else f"{found['verb']} {words}", note)


def _factor(found: Found) -> Decimal:
    """Return how many times another figure a limit is."""
    if found["factor"]:
        return Decimal(found.meant("factor"))
    part = Decimal(found["n"]) / 100
    return 1 - part if found.meant("way") == "<" else 1 + part


def _compared(before: str, table: Table) -> str | None:
    """Return the column of figures that stands at the end of some words, before a verb such as "is"."""
    words = before.split()
    while words and words[-1].casefold() in table.words("be"):
        words.pop()
    sizes = range(min(MOST_WORDS, len(words)), 0, -1)
    named = (columns.measured(" ".join(words[-size:]).strip("`"), table) for size in sizes)
    return next((name for name in named if name is not None), None)


def _part_of_whole(found: Found, percents: str, table: Table) -> tuple[str, str] | None:
    """Return the limit of a part of the one amount that it is a part of, and what was assumed: "20% spoiled"."""
    part = part_called(found.folded("what"), table)
    wholes = wholes_of(part, table.context) if part is not None else ()
    if part is None or len(wholes) != 1 or found["low"]:
        return None
    n = str(Decimal(percents) / 100)
    note = f"{percents}% are taken to be {n} times `{wholes[0]}`, of which `{part}` is a part."
    return found.said("of_whole", column=part, side=found.meant("side"), n=n, whole=wholes[0]), note


def percent_first(said: Speech, table: Table) -> Speech | None:
    """Say "% unpaid by ward" as the percentage, where a condition follows."""
    found = said.find(table.wording("percent_first"))
    first = found.folded("rest").split()[0] if found else ""
    if found is None:
        return None
    plain = [first.removeprefix(prefix) for prefix in ("", *table.vocabulary.ranked["denying"])]
    told = side_of(first, table) is not None or any(columns.date_of(word, table) for word in plain)
    return said.put(found, found.said()) if told or first in table.context.values else None
