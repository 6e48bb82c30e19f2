"""The difference of two groups that are named: "difference in sales between West and East", "gap between A and B"."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.comparing.plans.two_values import apart
from jupyter_mcpgen.nl.comparing.question import Attempt, Question, as_word
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.words.tokens import Token, TokenKind

_SURE = 0.1
"""What a value costs at most that is one of the two."""


def of_two_values(question: Question) -> Iterator[Attempt]:
    """Read a difference between two values as the figures of both, and take the second off the first."""
    words = question.tree.get("apart")
    tokens = question.tokens
    said = [token.lower for token in tokens]
    if words is None:
        return
    noun = next((place for place, word in enumerate(said) if word in words["nouns"]), None)
    between = next((p for p in range(noun + 1, len(said)) if said[p] == words["between"]), None) if noun else None
    between = said.index(words["between"]) if noun == 0 and words["between"] in said else between
    if noun is None or between is None:
        return
    named = tokens[noun + 1 : between]
    behind = tuple(token for token in named[1:]) if named and named[0].lower in words["of"] else None
    lead = next((place for place in range(noun) if said[place] not in words["opening"]), noun)
    both = _both(between + 1, question)
    if both is None:
        return
    first, second, end = both
    rest, what = tokens[end:], behind or (tokens[lead:noun] if not named else ())
    if not what and not named and lead == noun:
        rest, what = (), rest  # "gap between West and East sales"
    if not what:
        return
    by, name = as_word(question.tree["words"]["by"]), Token(first.column, TokenKind.QUOTED)
    asked = (*what, *map(as_word, words["for"]), *tokens[between + 1 : end], by, name, *rest)
    yield Attempt(asked, partial(apart, column=first.column, first=str(first.value), second=str(second.value)))


def _both(start: int, question: Question) -> tuple[m.Value, m.Value, int] | None:
    """Return the two values of one column that stand at a place, joined by "and", and where they end."""
    joining = question.tree["words"]["joining"][0]
    values = [item for item in link(question.tokens, question.context) if item.cost <= _SURE]
    for left in values:
        if not isinstance(left.meaning, m.Value) or left.start != start or left.end >= len(question.tokens):
            continue
        if question.tokens[left.end].lower != joining:
            continue
        for right in values:
            if isinstance(right.meaning, m.Value) and right.start == left.end + 1:
                same = right.meaning.column == left.meaning.column and right.meaning.value != left.meaning.value
                if same and isinstance(left.meaning.value, str):
                    return left.meaning, right.meaning, right.end
    return None
