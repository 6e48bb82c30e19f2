"""Numbers with their unit: "over 1000 meters" where the column is in m, "at least 20 m deep"."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def spelled_units(said: Speech, table: Table) -> Speech | None:
    """Say "1000 meters" in the unit's letters that a column is headed with: "1000 m"."""
    changed = said
    for found in said.find_all(table.wording("spelled_units")):
        letters = _letters_of(found.folded("unit"), table)
        if letters is not None and letters.casefold() != found.folded("unit"):
            changed = changed.saying(changed.text.replace(found.text, found.said(unit=letters)))
    return changed if changed is not said else None


def unit_in_brackets(said: Speech, table: Table) -> Speech | None:
    """Say "total spend (in USD)" without the unit, where what is asked for is in it: nothing is converted."""
    for found in said.find_each(table.wording("unit_in_brackets")):
        column, unit = columns.last_figure(said.before(found), table), found.folded("unit")
        if column is not None:
            fits = is_unit_of(unit, column, table) or columns.figure(unit, table) == column
        else:
            money = [one.name for one in table.context.profile.columns if one.kind is Kind.MONEY]
            called = columns.figure(unit, table) is not None
            fits = called or bool(money and all(is_unit_of(unit, name, table) for name in money))
        if fits:
            return said.put(found, found.said())
    return None


def so_many_deep(said: Speech, table: Table) -> Speech | None:
    """Say "at least 20 m deep" by the one column that the adjective is about."""
    found = said.find(table.wording("so_many_deep"))
    if found is None or table.is_data(found["adjective"]):
        return None
    quality, _ = table.vocabulary.by_adjective[found.meant("adjective")]
    column = columns.ranking(quality.columns, table)
    if column is None or (found["unit"] and not is_unit_of(found.folded("unit"), column, table)):
        return None
    note = f"“{found['adjective']}” is taken to be about `{column}`."
    return said.put(found, found.said(column=column, limit=found.meant("limit")), note)


def is_unit_of(unit: str, column: str, table: Table) -> bool:
    """Tell whether a unit, however it is spelled, is the one that a column is headed with."""
    return _letters_of(unit, table, column) is not None


def _letters_of(unit: str, table: Table, column: str | None = None) -> str | None:
    """Return how a column is headed with a unit, or any column where none is given; None where none is."""
    for own in table.context.profile.columns:
        if own.unit is not None and column in (None, own.name) and _is_same(unit, own.unit, table):
            return own.unit
    return None


def _is_same(unit: str, other: str, table: Table) -> bool:
    first, second = (table.meaning("units_of_measure", one.casefold().strip("°.")) for one in (unit, other))
    return first == second
