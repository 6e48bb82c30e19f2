"""Pieces beside rows: "items per size" counts rows, also where a column says how many pieces a row is about."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Understanding
from jupyter_mcpgen.nl.words.tokens import tokenize
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction


def noting_pieces(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning that says that rows were counted, where a word for pieces stands in the question."""
    if not isinstance(meant, Answered) or len(context.pieces) != 1:
        return meant
    pieces, winner = context.pieces[0], meant.winner
    aggregates = [step for step in winner.plan.steps if isinstance(step, Aggregate)]
    counted = any(
        measure.function is AggregateFunction.COUNT and measure.column is None and measure.where is None
        for step in aggregates[:1]
        for measure in step.measures
    )
    used = any(pieces in names_in(step) for step in winner.plan.steps)
    if not counted or used or not _says_pieces(question, context, load_vocabulary(language).words("quantity")):
        return meant
    note = f"Rows are counted. How many pieces each is about says `{pieces}`: for these ask for the total `{pieces}`."
    return replace(meant, winner=replace(winner, assumptions=(*winner.assumptions, note)))


def _says_pieces(question: str, context: Context, pieces: frozenset[str]) -> bool:
    """Tell whether a question names pieces by a general word, and not by the name of anything in the table."""
    words = [token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
    said = [word for word in words if context.plain(word) in pieces]
    return any(word not in context.values and not context.columns_with(context.plain(word)) for word in said)
