"""The chart parser: grows phrases from leaves, then finds the cheapest ways to cover a question with them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.grammar import PAIRS, promote
from jupyter_mcpgen.nl.linking import Context, Item, link
from jupyter_mcpgen.nl.tokens import Token, TokenKind

MAX_ITEMS = 1_500
"""Bound on the chart, so that reading takes bounded time whatever was typed."""
BEAM = 40
"""How many partial covers are kept at each position."""
PIECE_COST = 0.03
"""What every phrase costs: fewer, longer phrases explain a question better."""
STRUCTURE_COST = 0.2
"""What leaving out a word like "by" costs."""
CONTENT_COST = 1.0
"""What leaving out a word that means something costs."""

_STRUCTURE = (m.GroupWord, m.WhereWord, m.And, m.Or, m.SortWord, m.Between, m.Comparison, m.TimeSide, m.ListRows)


@dataclass(frozen=True)
class Cover:
    """A reading of the whole question as a row of phrases, with the content words that none of them explains."""

    items: tuple[Item, ...]
    uncovered: tuple[str, ...]
    cost: float


def parse(tokens: tuple[Token, ...], context: Context) -> tuple[Cover, ...]:
    """Return the cheapest covers of a question, cheapest first."""
    chart = _grow(tokens, context)
    starting: dict[int, list[Item]] = defaultdict(list)
    for item in chart:
        starting[item.start].append(item)
    beams: list[list[Cover]] = [[] for _ in range(len(tokens) + 1)]
    beams[0] = [Cover((), (), 0.0)]
    for position, token in enumerate(tokens):
        for cover in sorted(beams[position], key=lambda c: c.cost)[:BEAM]:
            beams[position + 1].append(_skip(cover, token, context))
            for item in starting[position]:
                cost = cover.cost + item.cost + PIECE_COST
                beams[item.end].append(Cover((*cover.items, item), cover.uncovered, cost))
    return tuple(sorted(beams[len(tokens)], key=lambda c: c.cost)[:BEAM])


def _skip(cover: Cover, token: Token, context: Context) -> Cover:
    if token.lower in context.lexicon.filler or token.kind is TokenKind.SYMBOL:
        return cover
    meanings = context.lexicon.meanings(token.lower)
    if meanings and all(isinstance(meaning, _STRUCTURE) for meaning in meanings):
        return Cover(cover.items, cover.uncovered, cover.cost + STRUCTURE_COST)
    return Cover(cover.items, (*cover.uncovered, token.text), cover.cost + CONTENT_COST)


def _grow(tokens: tuple[Token, ...], context: Context) -> tuple[Item, ...]:
    chart: dict[tuple[int, int, m.Meaning], float] = {}
    ending: dict[int, list[Item]] = defaultdict(list)
    starting: dict[int, list[Item]] = defaultdict(list)
    agenda = sorted(link(tokens, context), key=lambda item: (item.start, item.end))
    while agenda and len(chart) < MAX_ITEMS:
        item = agenda.pop()
        key = (item.start, item.end, item.meaning)
        if chart.get(key, 9.0) <= item.cost:
            continue
        chart[key] = item.cost
        starting[item.start].append(item)
        ending[item.end].append(item)
        agenda += [Item(item.start, item.end, meaning, item.cost + c) for meaning, c in promote(item.meaning, context)]
        for gap_end, between in _gaps_after(item.end, tokens, context):
            for right in starting[gap_end]:
                agenda += _combine(item, right, between, context)
        for gap_start, between in _gaps_before(item.start, tokens, context):
            for left in ending[gap_start]:
                agenda += _combine(left, item, between, context)
    return tuple(Item(start, end, meaning, cost) for (start, end, meaning), cost in chart.items())


def _combine(left: Item, right: Item, between: frozenset[str], context: Context) -> list[Item]:
    cost = max(left.cost, 0.0) + max(right.cost, 0.0)
    return [
        Item(left.start, right.end, meaning, cost + extra)
        for rule in PAIRS
        for meaning, extra in rule(left.meaning, right.meaning, between, context)
    ]


def _gaps_after(position: int, tokens: tuple[Token, ...], context: Context) -> list[tuple[int, frozenset[str]]]:
    gaps = [(position, frozenset[str]())]
    words: set[str] = set()
    while position < len(tokens) and _bridges(tokens[position], context):
        words.add(tokens[position].lower)
        position += 1
        gaps.append((position, frozenset(words)))
    return gaps


def _gaps_before(position: int, tokens: tuple[Token, ...], context: Context) -> list[tuple[int, frozenset[str]]]:
    gaps = [(position, frozenset[str]())]
    words: set[str] = set()
    while position > 0 and _bridges(tokens[position - 1], context):
        position -= 1
        words.add(tokens[position].lower)
        gaps.append((position, frozenset(words)))
    return gaps


def _bridges(token: Token, context: Context) -> bool:
    if token.lower in context.lexicon.filler:
        return True
    return any(isinstance(meaning, m.And | m.Or) for meaning in context.lexicon.meanings(token.lower))
