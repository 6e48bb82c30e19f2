"""The last or first row of each of some things, and those whose last one is old: "last row of each sensor by ts"."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from jupyter_mcpgen.nl.comparing.plans.latest import figures_of_first, first_of_each, last_before
from jupyter_mcpgen.nl.comparing.question import Attempt, Found, Question, as_word
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind

_ENDS = (("last_of_each", True), ("first_of_each", False))
_AMONG = (("among_first_of_each", False), ("among_last_of_each", True))


def of_latest(question: Question) -> Iterator[Attempt]:
    """Read "last row of each `sensor` by `ts`" as the rows, and keep the one with the latest date of each."""
    for key, last in _ENDS:
        found = question.find(key)
        named = _names(question, found) if found is not None else None
        if found is not None and named is not None:
            group, date, end = named
            rows = map(as_word, question.tree["words"]["rows"])
            rest = (*question.tokens[: found.start], *rows, *question.tokens[end:])
            yield Attempt(rest, partial(first_of_each, group=group.text, date=date.text, last=last))
            return


def of_first_rows(question: Question) -> Iterator[Attempt]:
    """Read "number of rows by year among the first row of each `donor` by `day`" as figures of those rows only."""
    for key, last in _AMONG:
        found = question.find(key)
        named = _names(question, found) if found is not None else None
        if found is not None and named is not None:
            group, date, end = named
            rest = (*question.tokens[: found.start], *question.tokens[end:])
            yield Attempt(rest, partial(figures_of_first, group=group.text, date=date.text, last=last))
            return


def of_last_before(question: Question) -> Iterator[Attempt]:
    """Read "`customer` last dated by `order_date` before 2024-06-01" as their last dates, and keep the older ones."""
    found = question.find("last_dated")
    if found is None or not found.start > 0 or found.end + 2 >= len(question.tokens):
        return
    tokens, words = question.tokens, question.tree["words"]
    group, date, day = tokens[found.start - 1], tokens[found.end], tokens[found.end + 2]
    if (group.kind, date.kind, day.kind) != (TokenKind.QUOTED, TokenKind.QUOTED, TokenKind.DATE):
        return
    side = tokens[found.end + 1].lower
    if side not in (words["before"], words["since"]):
        return
    asked = (as_word(words["latest"]), date, as_word(words["by"]), group)
    before = tokens[: found.start - 1]
    counting = len(words["counted"])
    counted = [token.lower for token in before[-counting:]] == words["counted"]
    rest = (*(before[:-counting] if counted else before), *asked, *tokens[found.end + 3 :])
    yield Attempt(rest, partial(last_before, day=day.text, counted=counted, since=side == words["since"]))


def _names(question: Question, found: Found) -> tuple[Token, Token, int] | None:
    """Return the group and the date behind a phrase, and where the rest begins."""
    tokens, place = question.tokens, found.end
    if place + 2 >= len(tokens) or tokens[place + 1].lower != question.tree["words"]["by"]:
        return None
    group, date = tokens[place], tokens[place + 2]
    return (group, date, place + 3) if group.kind is date.kind is TokenKind.QUOTED else None
