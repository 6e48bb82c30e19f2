"""How far values lie apart: "interquartile range", "range of ages", "coefficient of variation"."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.comparing.plans.spreads import Spread, spread
from jupyter_mcpgen.nl.comparing.question import Attempt, Question
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.text.tokens import TokenKind
from jupyter_mcpgen.plan.ops import AggregateFunction


def of_spreads(question: Question) -> Iterator[Attempt]:
    """Read "range of ages" as their median, and say how far they lie apart instead; beside a median, as another."""
    said = {token.lower for token in question.tokens}
    words = question.tree["spread_words"]
    instead = next((key for key, word in words.items() if word not in said), None)
    if instead is None:
        return
    for kind in Spread:
        found = question.find(kind.value)
        if found is not None and not _is_width(question, found.end) and not _of_figures(question, found.end):
            complete = partial(spread, kind=kind, instead=AggregateFunction(instead))
            yield Attempt(question.without(found, words[instead]), complete)
            return


def _is_width(question: Question, place: int) -> bool:
    """Tell whether a number follows: a range of 10 is the width of a group."""
    return any(token.kind is TokenKind.NUMBER for token in question.tokens[place : place + 1])


def _of_figures(question: Question, place: int) -> bool:
    """Tell whether a figure follows, whose own values would be spread: "the highest and lowest average price"."""
    return any(isinstance(item.meaning, m.Function) for item in link(question.tokens[place:], question.context))
