"""Which of several dates is the rows' own: in a table of orders `order_date`, not `ship_date`."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import Context

OTHER_THAN_OWN = 0.1
"""What taking a period of another date costs, so that it is offered beside the rows' own and not asked about."""
_PLAIN = frozenset({"date", "time", "day", "on", "at", "datetime", "timestamp"})


def own_date(context: Context) -> str | None:
    """Return the one date that is called after what a row is, by its identifier or the table's name; None for none."""
    if len(context.dates) < 2:
        return None
    identified = {own[0] for own in context.column_words.values() if len(own) == 2 and own[1] == "identifier"}
    nouns = identified | context.row_nouns
    said_of = {name: set(context.column_words[name]) - _PLAIN for name in context.dates}
    fitting = [name for name, words in said_of.items() if words and words <= nouns]
    return fitting[0] if len(fitting) == 1 else None


def other_date_cost(name: str, context: Context) -> float:
    """Return what it costs to take a period that names no date to be of this one."""
    own = own_date(context)
    return OTHER_THAN_OWN if own is not None and name != own else 0.0
