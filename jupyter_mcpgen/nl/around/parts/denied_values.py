"""Rows without a value beside "not", "without" and "excluding": nobody knows what they are, so they are left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.reading import Answered, Understanding
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp, IsIn, IsMissing, Predicate, TextMatch, terms_of
from jupyter_mcpgen.plan.ops import Filter


def noting_rows_without_value(meant: Understanding, context: Context) -> Understanding:
    """Return a meaning that says how many rows are left out because they lack the value that a condition denies."""
    if not isinstance(meant, Answered):
        return meant
    terms = [term for step in meant.winner.plan.steps if isinstance(step, Filter) for term in terms_of(step.predicate)]
    told = {term.operand.name for term in terms if isinstance(term, IsMissing)}
    denied = [name for name in dict.fromkeys(_denied(terms)) if name in context.column_words and name not in told]
    notes = tuple(
        f"Rows without a `{name}` ({context.column(name).nulls:,} of {context.profile.rows:,} in the table) are left "
        "out, as what they are is not known."
        for name in denied
        if context.column(name).nulls
    )
    if not notes:
        return meant
    winner = meant.winner
    return replace(meant, winner=replace(winner, assumptions=(*winner.assumptions, *notes)))


def _denied(terms: list[Predicate]) -> Iterator[str]:
    """Yield the columns of which a condition says what they are not."""
    for term in terms:
        match term:
            case Compare(op=CompareOp.NE, left=Col(name=name)):
                yield name
            case IsIn(operand=Col(name=name), negated=True) | TextMatch(operand=Col(name=name), negated=True):
                yield name
            case _:
                pass
