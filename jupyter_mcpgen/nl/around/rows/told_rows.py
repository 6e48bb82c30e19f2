"""What a row is taken for where several columns tell it together: "requests" of a table with a status and a path."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Understanding
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.nl.words.things_of_rows import told_by_several


def noting_rows_told(meant: Understanding, question: str, context: Context) -> Understanding:
    """Return an answer that says so where a noun of the question is taken for a row of the table."""
    if not isinstance(meant, Answered):
        return meant
    named = {context.lexicon.base(word) for word in split_name(context.profile.name)}
    nouns = told_by_several(context.profile, context.lexicon, context.values) - named
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    called = next((token.text for token in tokens if context.lexicon.base(token.lower) in nouns), None)
    if called is None or any(f"“{called}”" in note for note in meant.winner.assumptions):
        return meant
    note = f"Each row is taken to be one of the “{called}”."
    return replace(meant, winner=replace(meant.winner, assumptions=(*meant.winner.assumptions, note)))
