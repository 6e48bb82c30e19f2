"""Limits that stand before what they are of: "more than 3 hours of labour", "between 50 and 100 guests"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.amounts.conversions import in_unit_of, measures_alike, unit_of
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found

_DIGITS_OF_A_YEAR = 4
_CENTURIES = ("18", "19", "20")


def limit_of_what(said: Speech, table: Table) -> Speech | None:
    """Say "more than 3 hours of labour" by the column of labour, in its own unit."""
    for found in said.find_each(table.wording("limit_of_what")):
        column = columns.measured(found["what"], table)
        number = "0.5" if found["half"] else "1" if found["one"] else found["n"]
        limit = in_unit_of(number, found["unit"], column, table) if column is not None else None
        if column is not None and limit is not None:
            return said.put(found, found.said(column=column, side=found.meant("side"), by=limit[0]), limit[1])
    return None


def range_before_figure(said: Speech, table: Table) -> Speech | None:
    """Say "events between 50 and 100 guests" by the column of guests, and "10 to 20 m deep" by that of depths."""
    for found in said.find_each(table.wording("range_before_figure")):
        if _stands_behind_its_figure(said, found, table) or _may_be_years(found, table):
            continue
        column = _ranged(found, table)
        ends = _ends(found, column, table) if column is not None else None
        if column is not None and ends is not None:
            low, high, note = ends
            return said.put(found, found.said(column=column, low=low, n=high), note)
    return None


def _stands_behind_its_figure(said: Speech, found: Found, table: Table) -> bool:
    """Tell whether a range is of the figure right before it: "guests between 50 and 100 by menu"."""
    words = said.before(found).split()
    return any(columns.measured(" ".join(words[-size:]), table) is not None for size in (1, 2) if len(words) >= size)


def _may_be_years(found: Found, table: Table) -> bool:
    """Tell whether both ends may be years that rows are of: "between 2020 and 2023 revenue" limits no revenue."""
    told = bool(found["unit"] or found["adjective"])
    ends = (found["low"], found["n"])
    return not told and all(len(end) == _DIGITS_OF_A_YEAR and end[:2] in _CENTURIES for end in ends)


def _ranged(found: Found, table: Table) -> str | None:
    """Return the column of figures that a range is of, by the words behind its numbers."""
    if found["adjective"]:
        quality, _ = table.vocabulary.by_adjective[found.meant("adjective")]
        return columns.ranking(quality.columns, table)
    if found["what"]:
        unit = found.folded("what") in table.words("units_of_measure")
        return None if unit else columns.measured(found["what"], table)
    fitting = [name for name in table.context.column_words if measures_alike(name, found.meant("unit"), table)]
    own = table.meaning("units_of_measure", unit_of(fitting[0], table).casefold()) if len(fitting) == 1 else ""
    return fitting[0] if own not in ("", found.meant("unit")) else None


def _ends(found: Found, column: str, table: Table) -> tuple[str, str, str] | None:
    """Return both ends in the unit of a column, and what was assumed; None where the unit is of other things."""
    if not found["unit"]:
        return found["low"], found["n"], ""
    low, high = (in_unit_of(found[name], found["unit"], column, table) for name in ("low", "n"))
    return (low[0], high[0], high[1]) if low is not None and high is not None else None
