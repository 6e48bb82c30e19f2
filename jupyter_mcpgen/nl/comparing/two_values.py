"""The difference of two groups that are named: "difference in sales between West and East", "gap between A and B"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.comparing.plans.two_values import apart
from jupyter_mcpgen.nl.comparing.question import Attempt, Question, as_word
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind

_SURE = 0.1
"""What a value costs at most that is one of the two."""


def of_two_values(question: Question) -> Iterator[Attempt]:
    """Read a difference between two values as the figures of both, and take the second off the first."""
    words = question.tree.get("apart")
    said = _said(question, words) if words is not None else None
    relative = bool(words is not None and _relative_place(question, words) is not None)
    both = _both(said[1], question) if said is not None else None
    if words is None or said is None or both is None:
        return
    (what, start), (first, second, end) = said, both
    values, rest = question.tokens[start:end], question.tokens[end:]
    if not what:
        what, rest = rest, ()  # "gap between West and East sales"
    if not what:
        return
    by, name = as_word(question.tree["words"]["by"]), Token(first.column, TokenKind.QUOTED)
    part = f", as a part of what “{second.value}” has" if relative else ""
    note = f"The difference is what “{first.value}” has more than “{second.value}”{part}; below 0 it has less."
    complete = partial(apart, column=first.column, first=first.value, second=second.value, relative=relative)
    yield Attempt((*what, *map(as_word, words["for"]), *values, by, name, *rest), complete, (note,))


def _said(question: Question, words: Mapping[str, Any]) -> tuple[tuple[Token, ...], int] | None:
    """Return what lies apart, which may stand before "gap" or behind "difference in", and where the two begin."""
    said = [token.lower for token in question.tokens]
    noun = next((place for place, word in enumerate(said) if word in words["nouns"]), None)
    if noun is None or words["between"] not in said[noun:]:
        return None
    between = said.index(words["between"], noun)
    named = question.tokens[noun + 1 : between]
    lead = next((place for place in range(noun) if said[place] not in words["opening"]), noun)
    if named:
        # "which year had the biggest difference in sales" and "percent difference in sales" ask for something else
        bare = lead == noun or lead == _relative_place(question, words)
        return (named[1:], between + 1) if named[0].lower in words["of"] and bare else None
    return question.tokens[lead:noun], between + 1


def _relative_place(question: Question, words: Mapping[str, Any]) -> int | None:
    """Return where "relative" stands that says how a difference is taken; None where it does not."""
    said = [token.lower for token in question.tokens]
    places = (place for place, word in enumerate(said[:-1]) if word in words["relative"])
    return next((place for place in places if said[place + 1] in words["nouns"]), None)


def _both(start: int, question: Question) -> tuple[m.Value, m.Value, int] | None:
    """Return the two values of one column that stand at a place, joined by "and", and where they end."""
    tokens, joining = question.tokens, question.tree["words"]["joining"][0]
    sure = [item for item in link(tokens, question.context) if item.cost <= _SURE]
    for first in sure:
        if first.start != start or not isinstance(first.meaning, m.Value):
            continue
        if first.end == len(tokens) or tokens[first.end].lower != joining:
            continue
        for second in sure:
            if second.start != first.end + 1 or not isinstance(second.meaning, m.Value):
                continue
            if second.meaning.column == first.meaning.column and second.meaning.value != first.meaning.value:
                return first.meaning, second.meaning, second.end
    return None
