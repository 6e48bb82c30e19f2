"""What some rows are of a figure of all: "share of North in all revenue by month", "what part comes from the top 3"."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.comparing.plans.shares import portion, portion_of_first
from jupyter_mcpgen.nl.comparing.question import Attempt, Found, Question, as_word
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.predicates import equals

LONGEST_PART = 6
"""How many words may name the rows that are a part."""


def of_portions(question: Question) -> Iterator[Attempt]:
    """Read "share of North in all revenue" as revenue, of which one value has a part in each of the groups."""
    percent = True
    found = question.find("percent")
    if found is None:
        found, percent = question.find("share"), False
    if found is None:
        return
    rest, in_percent = question.cut("in_percent")
    if in_percent is not None:
        question, found = rest, rest.find("share") or found
    percent = percent or in_percent is not None
    yield from _of_a_value(question, found, percent)
    yield from _from_the_first(question, found, percent)


def _of_a_value(question: Question, found: Found, percent: bool) -> Iterator[Attempt]:
    """Read "share of North in …": the value stands right behind the share."""
    tokens, context = question.tokens, question.context
    items = [item for item in link(tokens, context) if item.start >= found.end]
    light = question.tree["portions"]["light"]
    start = found.end
    while start < len(tokens) and tokens[start].lower in light:
        start += 1
    values = [item for item in items if item.start == start and isinstance(item.meaning, m.Value)]
    for value in sorted(values, key=lambda item: (item.cost, -item.end)):
        end = _behind_noun(value.end, items)
        whole = _behind_whole(end, question)
        if whole is not None and isinstance(value.meaning, m.Value):
            met = equals(value.meaning.column, value.meaning.value)
            bare = any(i.start == whole and isinstance(i.meaning, m.RowNoun) and not i.meaning.assumed for i in items)
            counted = map(as_word, question.tree["words"]["counted"] if bare else ())
            rest = (*tokens[: found.start], *counted, *tokens[whole:])
            yield Attempt(rest, partial(portion, met=met, percent=percent, lacking=question.lacking))
            return


def _behind_noun(place: int, items: list[Item]) -> int:
    """Return the place behind a noun for rows that stands beside a value: "North orders"."""
    nouns = [i.end for i in items if i.start == place and isinstance(i.meaning, m.RowNoun) and not i.meaning.assumed]
    return max(nouns, default=place)


def _behind_whole(place: int, question: Question) -> int | None:
    """Return the place behind "in all", where the figure begins that a value has a part in."""
    texts = [token.lower for token in question.tokens[place : place + LONGEST_PART]]
    phrases = (phrase.split() for phrase in question.tree["portions"]["in"])
    ends = [len(phrase) for phrase in phrases if texts[: len(phrase)] == phrase]
    return place + max(ends) if ends and place + max(ends) < len(question.tokens) else None


def _from_the_first(question: Question, found: Found, percent: bool) -> Iterator[Attempt]:
    """Read "what share of revenue comes from the top 3 customers" as the part that they have together."""
    tokens, words = question.tokens, question.tree["words"]
    best = min(
        (item.start for item in link(tokens, question.context) if isinstance(item.meaning, m.Extreme)),
        default=len(tokens),
    )
    before = [place for place in range(found.end, best) if tokens[place].lower == words["from"]]
    if best == len(tokens):
        return
    if not before:
        yield from _of_the_first(question, found, best, percent)
        return
    start = before[-1]
    verb = start - 1 if tokens[start - 1].lower in words["comes"] else start
    rest = (
        *tokens[: found.start],
        *tokens[found.end : verb],
        as_word(question.tree["portions"]["of"]),
        *tokens[start + 1 :],
    )
    yield Attempt(rest, partial(portion_of_first, percent=percent))


def _of_the_first(question: Question, found: Found, best: int, percent: bool) -> Iterator[Attempt]:
    """Read "share of the top 3 customers in total revenue" as the part that they have together."""
    tokens, light = question.tokens, question.tree["portions"]["light"]
    if any(token.lower not in light for token in tokens[found.end : best]):
        return
    wholes = ((place, _behind_whole(place, question)) for place in range(best + 1, len(tokens)))
    ends = [(place, end) for place, end in wholes if end is not None]
    if ends:
        place, end = ends[0]
        of = as_word(question.tree["portions"]["of"])
        rest = (*tokens[: found.start], *tokens[end:], of, *tokens[best:place])
        yield Attempt(rest, partial(portion_of_first, percent=percent))
