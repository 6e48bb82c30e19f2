"""Hours of rows whose time of the day stands in a column of its own: "sales by hour" over a `Date` and a `Time`.

The question is read over a table in which the texts of that column may be read as times.
"""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.mentions.clocks import clocks_in
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Understanding
from jupyter_mcpgen.nl.tables.clock_beside_day import clock_beside_day, with_clock
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import DateUnit


def read_clock_beside_day(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question about hours means by the column of times, where the dates have none; else as it is read.

    "How many sales were there" is about no hour, and so it stays as it is.
    """
    context = context_of(profile, language)
    clock = clock_beside_day(context) if _asks_for_hours(question, context) else None
    if clock is None:
        return read(question, profile, language)
    name, _ = clock
    meant = read(question, with_clock(profile, *clock), language)
    readings = (meant.winner,) if isinstance(meant, Answered) else meant.options if isinstance(meant, Asked) else ()
    if readings and all(any(name in names_in(step) for step in one.plan.steps) for one in readings):
        return meant
    return read(question, profile, language)


def _asks_for_hours(question: str, context: Context) -> bool:
    tokens = tokenize(question)
    hour = m.Unit(DateUnit.HOUR)
    said = [meaning for token in tokens for meaning in context.lexicon.meanings(token.lower)]
    clocks = (m.Hours, m.Clock, m.HalfDay)
    return hour in said or any(isinstance(one, clocks) for one in said) or any(clocks_in(tokens, context.lexicon))
