"""Deeds that only some rows know, and that a meaning does not heed: "bikes sold" beside a `sold_on` with gaps."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Refused, Understanding
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.ops import Aggregate


def refusing_unheard_deeds(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Refuse where rows are counted or listed, and the question says of them what a date with gaps is called after.

    A deed that a note tells of, or that the plan names, was heard.
    """
    if not isinstance(meant, Answered):
        return meant
    reading = meant.winner
    steps = reading.plan.steps
    if any(one.column is not None for step in steps if isinstance(step, Aggregate) for one in step.measures):
        return meant
    heard = f"{say_plan(reading.plan)} {' '.join(reading.assumptions)}".casefold()
    deeds = load_vocabulary(language).words("trading")
    for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma):
        word = token.lower
        dates = [name for name in context.dates if word in deeds and word in context.column_words[name]]
        if len(dates) == 1 and context.column(dates[0]).nulls and word not in heard:
            return Refused(_UNHEARD.format(word, dates[0]), words=(word,))
    return meant


_UNHEARD = (
    "“{0}” can mean only rows with a `{1}`, which is missing in some of them, and I could not read it. Ask with the "
    "column, for example: rows where `{1}` is not missing."
)
