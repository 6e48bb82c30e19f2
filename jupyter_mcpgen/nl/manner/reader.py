"""Takes out of a question what only says how its answer is to be shown: chart, order, bins; the rest is the question.

A clause is taken out only when all of it was understood, so that no word disappears: "rank by the Y-axis in
descending order", "in a bar chart", "bin the start date by weekday".
"""

from __future__ import annotations

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.manner.bins import take_bins
from jupyter_mcpgen.nl.manner.charts import add_time, take_chart, take_purpose
from jupyter_mcpgen.nl.manner.orders import take_order
from jupyter_mcpgen.nl.manner.remainder import Remainder
from jupyter_mcpgen.nl.manner.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.manner.wishes import PLAIN, Manner
from jupyter_mcpgen.nl.text.tokens import Token, tokenize


def take_manner(tokens: tuple[Token, ...], context: Context, language: str = "en") -> tuple[Manner, tuple[Token, ...]]:
    """Return how the answer is to be shown, and the question without the clauses that say so."""
    words = load_vocabulary(language)
    if words is None:
        return PLAIN, tokens
    left = Remainder(tokens, context, words)
    add_time(left)
    chart = take_chart(left)
    key = take_bins(left)
    order = take_order(left)
    purpose = take_purpose(left, chart)
    manner = Manner(chart, purpose, order, key)
    if not manner.is_plain:
        left.drop_loose_end()
    return manner, left.tokens


def manner_of(question: str, context: Context, language: str = "en") -> Manner:
    """Return how a question says that its answer is to be shown."""
    return take_manner(tokenize(question), context, language)[0]
