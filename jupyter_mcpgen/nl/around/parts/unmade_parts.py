"""Parts that were not made: "what part of passengers travel when it storms" is answered by no list of rows."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Refused, Understanding
from jupyter_mcpgen.plan.ops import Aggregate, Derive, Window


def refusing_unmade_parts(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Refuse an answer that lists rows where a part of them is asked for, unless a column is called so."""
    vocabulary = load_vocabulary(language)
    if vocabulary is None or not isinstance(meant, Answered):
        return meant
    if any(isinstance(step, Aggregate | Window | Derive) for step in meant.winner.plan.steps):
        return meant
    table = Table(context, vocabulary)
    found = Speech(question).find(table.wording("asked_part"))
    if found is None or context.columns_with(found.folded("part")):
        return meant
    return Refused(
        f"“{found.text}” asks for a part of a whole, and the rest could only be read as a list of rows, so nothing was "
        "computed. Ask in this way, with your own columns: “share of sales by region”.",
        words=(found["part"],),
    )
