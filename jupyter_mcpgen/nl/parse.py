"""The chart parser: grows phrases from leaves, then finds the cheapest ways to cover a question with them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.grammar import PIECE, Links, combine, promote
from jupyter_mcpgen.nl.linking import Item, is_name, link
from jupyter_mcpgen.nl.tokens import Token, TokenKind

MAX_ITEMS = 1_500
"""Bound on the chart, so that reading takes bounded time whatever was typed."""
BEAM = 40
"""How many partial covers are kept at each position."""
STRUCTURE_COST = 0.4
"""What leaving out a word like "where" or "with" costs."""
STRAY_COMPARISON = 0.6
"""What leaving out the "is" between a column and a condition on another column costs."""
CONTENT_COST = 1.0
"""What leaving out a word that means something costs."""

_SEPARATORS = frozenset({",", ";"})
_STRUCTURE = (m.WhereWord, m.SortWord, m.ListRows)
_LINKS = (m.And, m.Or, m.To, m.Versus)


@dataclass(frozen=True)
class Cover:
    """A reading of the whole question as a row of phrases, with the positions of the words that none explains."""

    items: tuple[Item, ...]
    uncovered: tuple[int, ...]
    cost: float


@dataclass(frozen=True)
class Parsed:
    """The cheapest covers of a question, cheapest first; `complete` is false when the chart was cut."""

    covers: tuple[Cover, ...]
    complete: bool


def parse(tokens: tuple[Token, ...], context: Context) -> Parsed:
    """Return the cheapest covers of a question."""
    chart = _Chart(tokens, context)
    beams: list[list[Cover]] = [[] for _ in range(len(tokens) + 1)]
    beams[0] = [Cover((), (), 0.0)]
    for position in range(len(tokens)):
        for cover in sorted(beams[position], key=lambda c: c.cost)[:BEAM]:
            beams[position + 1].append(_skip(cover, position, tokens[position], context))
            for item in chart.starting[position]:
                cost = cover.cost + item.cost + PIECE
                beams[item.end].append(Cover((*cover.items, item), cover.uncovered, cost))
    covers = sorted(beams[len(tokens)], key=lambda c: c.cost)[:BEAM]
    return Parsed(tuple(covers), chart.complete)


def _skip(cover: Cover, position: int, token: Token, context: Context) -> Cover:
    cost = _skipping_cost(cover, position, token, context)
    uncovered = (*cover.uncovered, position) if cost == CONTENT_COST else cover.uncovered
    return Cover(cover.items, uncovered, cover.cost + cost)


def _skipping_cost(cover: Cover, position: int, token: Token, context: Context) -> float:
    if token.lower in _SEPARATORS:
        return 0.0
    if token.kind not in (TokenKind.WORD, TokenKind.SYMBOL):
        return CONTENT_COST
    meanings = context.lexicon.meanings(token.lower)
    if context.lexicon.is_filler(token.lower):
        if is_name(token, context) and (position or token.text.isupper()) and len(token.text) > 1:
            return CONTENT_COST
        compares = any(isinstance(meaning, m.Comparison) for meaning in meanings)
        after_column = cover.items and cover.items[-1].end == position and isinstance(cover.items[-1].meaning, m.Column)
        if context.plain(token.lower) in context.full_names:
            return STRUCTURE_COST  # in a table with a column `to`, "to" is more than filler
        return STRAY_COMPARISON if compares and after_column else 0.0
    if token.lower == "%" and any(column.unit == "%" for column in context.profile.columns):
        return 0.0
    structural = any(isinstance(meaning, _STRUCTURE) for meaning in meanings)
    return STRUCTURE_COST if structural else CONTENT_COST


class _Chart:
    """All phrases over all spans, each at its lowest cost."""

    def __init__(self, tokens: tuple[Token, ...], context: Context) -> None:
        self.complete = True
        self.starting: dict[int, list[Item]] = defaultdict(list)
        self._ending: dict[int, list[Item]] = defaultdict(list)
        self._context = context
        self._forward = [_gaps(tokens, position, 1, context) for position in range(len(tokens) + 1)]
        self._backward = [_gaps(tokens, position, -1, context) for position in range(len(tokens) + 1)]
        best = self._grow(sorted(link(tokens, context), key=lambda item: (item.start, item.end)))
        self.starting = defaultdict(list)
        for (start, end, meaning), cost in best.items():
            self.starting[start].append(Item(start, end, meaning, cost))

    def _grow(self, agenda: list[Item]) -> dict[tuple[int, int, m.Meaning], float]:
        best: dict[tuple[int, int, m.Meaning], float] = {}
        while agenda:
            item = agenda.pop()
            key = (item.start, item.end, item.meaning)
            if best.get(key, 9.0) <= item.cost:
                continue
            if len(best) >= MAX_ITEMS:
                self.complete = False
                break
            best[key] = item.cost
            self.starting[item.start].append(item)
            self._ending[item.end].append(item)
            agenda += self._grown(item)
        return best

    def _grown(self, item: Item) -> list[Item]:
        grown = [
            Item(item.start, item.end, meaning, item.cost + cost)
            for meaning, cost in promote(item.meaning, self._context)
        ]
        for position, between in self._forward[item.end]:
            for right in self.starting[position]:
                grown += self._combined(item, right, between)
        for position, between in self._backward[item.start]:
            for left in self._ending[position]:
                grown += self._combined(left, item, between)
        return grown

    def _combined(self, left: Item, right: Item, between: Links) -> list[Item]:
        cost = max(left.cost, 0.0) + max(right.cost, 0.0)
        return [
            Item(left.start, right.end, meaning, cost + extra)
            for meaning, extra in combine(left.meaning, right.meaning, between, self._context)
        ]


def _gaps(tokens: tuple[Token, ...], position: int, step: int, context: Context) -> list[tuple[int, Links]]:
    """Return where a neighbour may begin (or end), with the kinds of linking words that lie between."""
    gaps: list[tuple[int, Links]] = [(position, frozenset())]
    linking: Links = frozenset()
    while 0 <= (at := position if step > 0 else position - 1) < len(tokens):
        meanings = context.lexicon.meanings(tokens[at].lower)
        links = frozenset(type(meaning) for meaning in meanings if isinstance(meaning, _LINKS))
        if tokens[at].kind in (TokenKind.QUOTED, TokenKind.NUMBER, TokenKind.DATE):
            break
        if not links and not context.lexicon.is_filler(tokens[at].lower):
            break
        linking |= links
        position += step
        gaps.append((position, linking))
    return gaps
