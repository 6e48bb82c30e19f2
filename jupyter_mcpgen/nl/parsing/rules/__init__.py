"""The rules of the grammar; importing them enters them into its register."""

from jupyter_mcpgen.nl.parsing.rules import (
    alone,
    charts,
    clock,
    conditions,
    coordination,
    groups,
    having,
    letters,
    manner,
    numbers,
    orders,
    times,
    two_columns,
)

__all__ = [
    "alone",
    "charts",
    "clock",
    "conditions",
    "coordination",
    "groups",
    "having",
    "letters",
    "manner",
    "numbers",
    "orders",
    "times",
    "two_columns",
]
