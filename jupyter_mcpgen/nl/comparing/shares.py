"""Parts of a whole: "share of revenue by region", "percentage of orders that were returned"."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product

from jupyter_mcpgen.nl import compared
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.comparing.question import Attempt, Found, Question
from jupyter_mcpgen.nl.tokens import Token

OTHER_WHOLE = 0.3
"""What another whole costs than the one that the words around a condition suggest."""


def of_shares(question: Question) -> Iterator[Attempt]:
    """Read a share as the figures that it is the share of, or as a count of what meets a condition."""
    rest, ending = question.cut("of_total")
    if ending is None and question.find("share") is not None:
        question, in_percent = question.cut("in_percent")
        rest = question
    else:
        in_percent = None
    found, percent = None, ending is not None
    if ending is None:
        found, percent = question.find("percent"), True
        if found is None:
            found, percent = question.find("share"), in_percent is not None
        if found is None:
            return
    cut, counted = (rest.tokens, None) if found is None else _both(question, found)
    narrowed = any(token.lower in question.tree["words"]["narrowing"] for token in question.tokens)
    for tokens, rate in product([each for each in (cut, counted) if each is not None], (True, False)):
        complete = partial(compared.shared, percent=percent, within=_within(rest), rate=rate, narrowed=narrowed)
        kept = _without_coming(tokens, question)
        again = Question(kept, question.context, question.language)
        inner = again.find("within")
        asked = again.without(inner, question.tree["words"]["by"]) if inner is not None else kept
        empty = Question(cut, question.context, question.language).is_empty
        yield Attempt(asked, complete, cost=OTHER_WHOLE if rate is narrowed else 0.0, bare=empty)


def _within(question: Question) -> str | None:
    """Return the column whose values each are a whole of their own."""
    found = question.find("within")
    if found is None:
        return None
    after = [item for item in question.columns if item.start >= found.end]
    column = min(after, key=lambda item: item.start).meaning if after else None
    return column.name if isinstance(column, m.Column) else None


def _both(question: Question, found: Found) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
    return question.without(found), question.without(found, *question.tree["words"]["counted"])


def _without_coming(tokens: tuple[Token, ...], question: Question) -> tuple[Token, ...]:
    """Leave out the verb of "comes from"."""
    words = question.tree["words"]
    return tuple(
        token
        for place, token in enumerate(tokens)
        if not (token.lower in words["comes"] and place + 1 < len(tokens) and tokens[place + 1].lower == words["from"])
    )
