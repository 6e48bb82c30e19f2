"""Times beside money that is called alike: "average shipping time" is no average of what the shipping costs."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.times.lasting import time_of_doing


def time_beside_money(said: Speech, table: Table) -> Speech | None:
    """Say "shipping time" by the dates that tell it, or refuse it where only the money is called so."""
    found = said.find(table.wording("time_beside_money"))
    named = columns.figure(found["what"], table) if found else None
    if found is None or named is None or not _is_money(named, table):
        return None
    if columns.named(found.text, table, SHORTENED) not in (None, named):
        return None
    by_dates = time_of_doing(said, table)
    if by_dates is not None and f"`{named}`" not in by_dates.text:
        return by_dates
    dates = [name for name in table.context.column_words if columns.holds_dates(name, table)]
    listed = ", ".join(f"`{name}`" for name in dates) or "no column"
    return said.refusing(found.said(said=found.text, column=named, dates=listed))


def _is_money(name: str, table: Table) -> bool:
    """Tell whether a column holds money, by its unit, also a sign such as €, or by its name."""
    return table.context.is_of_money(name) or table.context.column(name).unit in table.words("signs_of_money")


def half_of_a_price(said: Speech, table: Table) -> Speech | None:
    """Refuse "half price sales", which are rows with a discount and no half of the price of each."""
    found = said.find(table.wording("half_of_a_price"))
    if found is None or not columns.is_row(found["noun"], table, table.words("rows_of")):
        return None
    return said.refusing(found.said(said=found.text))
