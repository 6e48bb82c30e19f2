"""Promoters, passives and detractors by a score from 0 to 10."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table

LOWEST, HIGHEST = 0, 10
LEAST_HIGHEST = 9
"""A score that nobody gives 9 or more may as well end lower."""


def promoters(said: Speech, table: Table) -> Speech | None:
    """Say "promoters" as the rows with a score of at least 9, where one column has scores from 0 to 10."""
    found = said.find(table.wording("promoters"))
    score = _score(table) if found and not columns.is_of_the_data(found["who"], table) else None
    if found is None or score is None:
        return None
    limits = found.said(found.meant("who"), column=score)
    return said.put(found, f"{table.say('rows')} {limits}", f"“{found['who']}” are taken to be those {limits}.")


def _score(table: Table) -> str | None:
    """Return the one column of whole-number scores from 0 to 10."""
    context, called = table.context, table.words("scores_of_promoters")
    fitting = []
    for name, own in context.column_words.items():
        known = context.column(name)
        low, high = known.minimum, known.maximum
        whole = isinstance(low, int) and isinstance(high, int)
        if set(own) & called and whole and low >= LOWEST and LEAST_HIGHEST <= high <= HIGHEST:
            fitting.append(name)
    return fitting[0] if len(fitting) == 1 else None
