"""Verbs of the column that holds when something happens, before a time of the day: "departing after 17:00"."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.text.tokens import tokenize

NEAR = 6
"""A time of the day stands among so many words behind its verb."""


NOON = 12


def hours_of_a_half(said: Speech, table: Table) -> Speech | None:
    """Say "between 9 and 11 am" by the hours of the clock; a later first hour is of the other half: "10 to 2 pm"."""
    for found in said.find_each(table.wording("hours_of_a_half")) if table.context.clocks else ():
        first, last = int(found.meant("first")), int(found.meant("last"))
        if not (1 <= first <= NOON and 1 <= last <= NOON and first != last):
            continue
        end = last % NOON + (NOON if found.meant("half") == "after" else 0)
        start = first % NOON + (NOON if (found.meant("half") == "after") is (first % NOON < last % NOON) else 0)
        if start < end:
            return said.put(found, found.said(first=str(start), last=str(end)))
    return None


def said_of_a_clock(said: Speech, table: Table) -> Speech | None:
    """Say "leave after 17:00" of the one column of times that the verb is of."""
    for found in said.find_all(table.wording("said_of_a_clock")):
        fitting = [name for name in table.context.clocks if _is_of(found.folded("verb"), name, table)]
        if len(fitting) == 1 and _is_of_the_day(said.behind(found), table):
            return said.put(found, found.said(column=fitting[0]))
    return None


def _is_of(verb: str, name: str, table: Table) -> bool:
    same = {word for group in table.vocabulary.same_event if verb in group for word in group}
    return any(own in same or table.akin(verb, own) for own in table.context.column_words[name])


def _is_of_the_day(text: str, table: Table) -> bool:
    tokens = tokenize(text, decimal_comma=table.context.lexicon.decimal_comma)[:NEAR]
    return any(isinstance(item.meaning, m.Clock | m.HalfDay | m.Hours) for item in link(tokens, table.context))
