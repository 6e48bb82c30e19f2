"""Figures over the figures of smaller groups: "average number of orders per customer by region", "highest daily total".

What is said of the smaller groups is taken out, the rest is read over the larger ones, and its plan completed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.comparing.plans.nested import Inner, nested
from jupyter_mcpgen.nl.comparing.question import Attempt, Question, as_word
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.schema import ColumnType

OVER_GROUPS = ("mean", "median", "max", "min")
"""The functions of groups' figures, as the words for them are listed."""
_AVERAGES = (F.MEAN, F.MEDIAN)
"""What is never asked of the figures of all groups only to find the one with most."""
NEAR = 5
"""The word for the smaller groups' period stands among so many words behind the function."""


@dataclass(frozen=True)
class _Smaller:
    """The words for the smaller groups, and what they are."""

    start: int
    end: int
    key: Inner


def of_nested(question: Question) -> Iterator[Attempt]:
    """Read "average number of orders per customer by region" as their number by region, and go one level down."""
    function, place = _outer(question)
    if function is None:
        return
    items = [item for item in link(question.tokens, question.context) if item.start >= place]
    smaller = _adjective(items, place, question)
    total = _total(items, place, question, smaller)
    by_word = smaller is None
    if smaller is None and total is not None:
        smaller = _group(items, total, question)
    if smaller is None or _goes_on(smaller.end, items):
        return
    rest = (*question.tokens[: place - 1], *question.tokens[place : smaller.start], *question.tokens[smaller.end :])
    larger = any(isinstance(item.meaning, m.GroupWord) for item in link(rest, question.context))
    if not larger and by_word and function not in _AVERAGES:
        return  # "the highest number of orders per region" asks for the region
    if not larger and smaller.key.column is not None and _counts_amounts(items, question):
        return  # "average number of visitors per coast" is of the visitors in each row
    if total is None:
        made = _made_of(items, question) if larger or function is not F.MEAN else ()
        if not made:
            return
        rest = (*rest[: place - 1], *map(as_word, made), *rest[place - 1 :])
    note = question.tree["nested"]["note"].format(smaller=smaller.key.words)
    yield Attempt(rest, partial(nested, function=function, inner=smaller.key, context=question.context), (note,))


def _outer(question: Question) -> tuple[F | None, int]:
    """Return the function that a question begins with, and where it ends."""
    words = question.tree["nested"]
    opening = set(words["opening"])
    for place, token in enumerate(question.tokens):
        found = next((F(key) for key in OVER_GROUPS if token.lower in words[key]), None)
        if found is not None:
            return found, place + 1
        if token.lower not in opening and not _is_before_figure(question, place):
            return None, 0
    return None, 0


def _goes_on(place: int, items: list[Item]) -> bool:
    """Tell whether the smaller groups are of several things: "per month and country"."""
    return any(item.start == place and isinstance(item.meaning, m.And) for item in items)


def _counts_amounts(items: list[Item], question: Question) -> bool:
    """Tell whether what is numbered is a column of numbers, not rows or labels."""
    ends = {item.end for item in items if isinstance(item.meaning, m.CountWord)}
    named = [item for item in items if item.start in ends and isinstance(item.meaning, m.Column)]
    return any(isinstance(i.meaning, m.Column) and question.context.is_measure(i.meaning.name) for i in named)


def _is_before_figure(question: Question, place: int) -> bool:
    """Tell whether a word stands in the groups that a question opens with: "for each region, …"."""
    commas = [at for at, token in enumerate(question.tokens) if token.text in (",", ":")]
    first = question.tokens[0].lower in question.tree["nested"]["grouping"]
    return first and bool(commas) and place <= commas[0]


def _total(items: list[Item], place: int, question: Question, smaller: _Smaller | None) -> int | None:
    """Return where the words near the function end that say how the figures of the smaller groups are made."""
    functions = (F.SUM, F.COUNT_DISTINCT, F.MEAN) if smaller is not None else (F.SUM, F.COUNT_DISTINCT)
    named = {at for column in question.columns for at in range(column.start, column.end)}
    if smaller is not None and any(_adds_up_from(smaller.end, column, question) for column in question.columns):
        named.discard(smaller.end)  # a "monthly total usd" is one of `total_usd` in a month, and never of a row
    makes = [
        item.end
        for item in items
        if item.start <= place + NEAR
        and item.start not in named
        and (
            isinstance(item.meaning, m.CountWord)
            or (isinstance(item.meaning, m.Function) and item.meaning.function in functions)
        )
    ]
    parting = (m.GroupWord, m.And)
    parted = min((item.start for item in items if isinstance(item.meaning, parting)), default=len(question.tokens))
    return min((end for end in makes if end <= parted), default=None)


def _adds_up_from(place: int, column: Item, question: Question) -> bool:
    """Tell whether a column that is said from a place on is added up where no figure of it is asked for."""
    named = column.meaning.name if isinstance(column.meaning, m.Column) else None
    return named is not None and column.start == place and question.context.adds_up(named) is True


def _adjective(items: list[Item], place: int, question: Question) -> _Smaller | None:
    """Return the period that a word such as "daily" names near the function."""
    for item in sorted(items, key=lambda item: (item.start, item.start - item.end)):
        match item.meaning:
            case m.Unit(unit, adjective=True) if unit.is_period and item.end == item.start + 1 <= place + NEAR:
                if _names_a_column(item, question):
                    continue  # the "monthly" of `monthly_fee`
                word = question.tokens[item.start].text
                return _Smaller(item.start, item.end, Inner(unit=unit, words=word))
    return None


def _names_a_column(item: Item, question: Question) -> bool:
    """Tell whether a word is one of several that are the whole name of a column."""
    words = question.context.column_words
    for column in question.columns:
        if isinstance(column.meaning, m.Column) and column.start <= item.start < item.end < column.end:
            said = [question.context.plain(token.lower) for token in question.tokens[column.start : column.end]]
            if tuple(said) == words[column.meaning.name]:
                return True
    return False


def _group(items: list[Item], total: int, question: Question) -> _Smaller | None:
    """Return the first group behind a figure: "per customer", "in a day"."""
    openings = [(item.start, item.end) for item in items if item.meaning == m.GroupWord(each=True)]
    openings += [
        (at, at + len(phrase))
        for phrase in (tuple(text.split()) for text in question.tree["nested"]["one"])
        for at in range(total, len(question.tokens))
        if tuple(token.lower for token in question.tokens[at : at + len(phrase)]) == phrase
    ]
    grouping = [item.start for item in items if isinstance(item.meaning, m.GroupWord) and not item.meaning.each]
    for start, opened in sorted(openings, key=lambda pair: (pair[0], -pair[1])):
        if start <= total or any(total <= at < start for at in grouping):
            continue
        key = _key_at(opened, items, question)
        if key is not None:
            return _Smaller(start, key[0], key[1])
    return None


def _key_at(place: int, items: list[Item], question: Question) -> tuple[int, Inner] | None:
    """Return what names the groups at a place: a period, or a column of labels, and where it ends."""
    found = []
    context = question.context
    for item in items:
        if item.start != place:
            continue
        text = " ".join(token.text for token in question.tokens[item.start : item.end])
        match item.meaning:
            case m.Unit(unit, adjective=False) if unit.is_period:
                found.append((item.end, item.cost, Inner(unit=unit, words=text)))
            case m.Column(name) if not context.is_measure(name) and context.type_of(name) is not ColumnType.DATE:
                found.append((item.end, item.cost, Inner(column=name, words=text)))
    if not found:
        return None
    end, _, key = min(found, key=lambda each: (-each[0], each[1]))
    return end, key


def _made_of(items: list[Item], question: Question) -> tuple[str, ...]:
    """Return the words for how the figures of the smaller groups are made: amounts are added up, rows are counted."""
    named = [item for item in items if isinstance(item.meaning, m.Column) and item in question.columns]
    nouns = [item for item in items if isinstance(item.meaning, m.RowNoun) and not item.meaning.assumed]
    first = min((*named, *nouns), key=lambda item: (item.start, -item.end), default=None)
    match first.meaning if first is not None else None:
        case m.RowNoun(amount=False):
            return tuple(question.tree["words"]["counted"])
        case m.Column(name) if question.context.adds_up(name) or question.context.counts_things(name):
            return (question.tree["nested"]["total"],)
        case _:
            return ()
