"""Columns set equal by "is" and "were" alone: "how many fines were paid" asks for no fine that equals what was paid."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.vocabulary import load_vocabulary
from jupyter_mcpgen.nl.reading import Answered, Reading, Refused, Understanding
from jupyter_mcpgen.nl.words.tokens import tokenize
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp, terms_of
from jupyter_mcpgen.plan.ops import Filter


def refusing_equal_columns(meant: Understanding, question: str, context: Context, language: str) -> Understanding:
    """Return a meaning, or a refusal where rows of two equal amounts are taken and no word says that they are equal."""
    if isinstance(meant, Refused):
        return meant
    own = frozenset(context.column_words)
    ways = (meant.winner,) if isinstance(meant, Answered) else meant.options
    both = next((found for way in ways if (found := _equal(way, own)) is not None), None)
    words = [token.lower for token in tokenize(question, decimal_comma=context.lexicon.decimal_comma)]
    if both is None or {context.plain(word) for word in words} & load_vocabulary(language).words("saying_equal"):
        return meant
    first, second = both
    if not (context.is_measure(first) or context.column(first).written):
        return meant
    return Refused(
        f"A `{first}` that equals the `{second}` does not say whether something was done. "
        f"Ask for rows with a `{second}`, for rows where `{second}` is missing, or where it equals `{first}`."
    )


def _equal(reading: Reading, own: frozenset[str]) -> tuple[str, str] | None:
    """Return two columns of the table that rows are chosen by because they hold the same."""
    terms = (t for step in reading.plan.steps if isinstance(step, Filter) for t in terms_of(step.predicate))
    for term in terms:
        match term:
            case Compare(op=CompareOp.EQ, left=Col(name=first), right=Col(name=second)) if {first, second} <= own:
                return first, second
            case _:
                pass
    return None
