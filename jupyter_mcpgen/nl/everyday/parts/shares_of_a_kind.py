"""Whose share of some rows is asked for: the "DE share of enterprise accounts" is of these, or of what they come to."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.named_values import values_called
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def share_among_some(said: Speech, table: Table) -> Speech | None:
    """Say "DE share of enterprise accounts" as the share of DE among these, where both are conditions.

    The "DE share of revenue from enterprise accounts" is of their revenue.
    """
    found = said.find(table.wording("share_among_some"))
    values = values_called(found["value"], table) if found is not None else []
    if found is None or len(values) != 1:
        return None
    words = [word.strip("?,.!") for word in found["rest"].split()]
    others = {value.column for word in words for value in table.context.values.get(word.casefold(), ())}
    flagged = any(columns.flag_named(word, table) is not None for word in words)
    if not flagged and not others - {values[0][0]}:
        return None  # the "DE share of revenue" is of all rows
    is_amount = any(_names_a_figure(word, table) for word in words if not columns.is_row(word, table))
    return said.put(found, found.said("amount" if is_amount else "rows", value=values[0][1]))


def _names_a_figure(word: str, table: Table) -> bool:
    money = table.context.lexicon.nouns_of_money
    return columns.measured(word, table) is not None or table.context.plain(word.casefold()) in money
