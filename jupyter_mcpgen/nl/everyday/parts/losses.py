"""Amounts that went with what happened to a row: "revenue lost to cancellations"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.parts.named_rates import outcome_called
from jupyter_mcpgen.nl.everyday.parts.sides import side_of
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Term


def lost_to(said: Speech, table: Table) -> Speech | None:
    """Say "revenue lost to cancellations" as the revenue of the rows that were cancelled."""
    found = said.find(table.wording("lost_to"))
    side = _side(found["flag"], table) if found else None
    amount = columns.last_figure(said.before(found), table) if found else None
    if found is None or side is None or not side[1] or amount is None or columns.flag_of(amount, table) == amount:
        return None
    note = f"What was lost is taken to be the `{amount}` of the rows where `{side[0]}` is true."
    return said.put(found, found.said(column=side[0], holds=Term.TRUE), note)


def lost_to_outcomes(said: Speech, table: Table) -> Speech | None:
    """Say "fees lost to no-shows and cancellations" as the fees of the rows with those outcomes."""
    for found in said.find_each(table.wording("lost_to_outcomes")):
        amount = columns.last_figure(said.before(found), table)
        named = [found.folded(name) for name in ("a", "b") if found[name]]
        if amount is None or any(outcome_called(word, table) is None for word in named):
            continue
        if not columns.is_summed(amount, table) or any(found[name][:1].isupper() for name in ("a", "b")):
            continue  # matches are lost to the Owls, who are no outcome
        note = f"What was lost is taken to be the `{amount}` of those rows."
        return said.put(found, found.said("both" if found["b"] else "one"), note)
    return None


def _side(noun: str, table: Table) -> tuple[str, bool] | None:
    flag = columns.flag_named(noun, table, columns.STEMMED)
    return (flag, True) if flag is not None else side_of(noun, table)
