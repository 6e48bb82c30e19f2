"""The chart: every phrase that the rules make of the edges of a question, each at its lowest cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.nl.grammar.categories import Category
from jupyter_mcpgen.nl.grammar.meanings import Costed
from jupyter_mcpgen.nl.grammar.rule import Rule
from jupyter_mcpgen.nl.search.phrase import Phrase
from jupyter_mcpgen.nl.text.tokens import Token

if TYPE_CHECKING:
    from jupyter_mcpgen.nl.grammar.table import Table

Starts = Mapping[Category, Sequence[tuple[Rule, int]]]
"""The rules by the category that one of their first parts may have, with the place of that part."""
MOST_PHRASES = 2_500
"""Bound on the chart, so that reading takes bounded time whatever was typed."""
MOST_ALIKE = 6
"""How many phrases of one category are kept over the same words, the cheapest."""
DEAREST = 1.2
"""A phrase that costs more than this is not kept."""
MOST_SKIPPED = 2
"""How many words may stand unread between two parts of a phrase."""
SKIPPED_INSIDE = 0.11
"""A word that costs more than this to leave out is not left out inside of a phrase."""


@dataclass(frozen=True, slots=True)
class _Open:
    """A rule of which the first parts were found; `place` is the part that it waits for."""

    rule: Rule
    place: int
    first: int
    parts: tuple[Phrase | None, ...]
    cost: float
    unread: tuple[int, ...]


class Chart:
    """All phrases over all spans; `complete` is false where the bound was reached."""

    def __init__(
        self,
        edges: Iterable[Phrase],
        skips: Sequence[float],
        rules: Sequence[Rule],
        schema: Table,
        tokens: Sequence[Token],
    ) -> None:
        self.complete = True
        self._schema = schema
        self._skips = skips
        self._words = [token.text for token in tokens]
        self._starts = _by_first(tuple(rules))
        self._kept: dict[tuple[int, int, Category], dict[Any, Phrase]] = defaultdict(dict)
        self._from: dict[int, list[Phrase]] = defaultdict(list)
        self._waiting: dict[int, list[_Open]] = defaultdict(list)
        self._count = 0
        self._gaps = [tuple(self._gap(position)) for position in range(len(skips) + 1)]
        self._agenda = sorted(edges, key=lambda edge: -edge.cost)
        self._grow()

    def starting(self, position: int) -> list[Phrase]:
        """Return the phrases that begin with a word."""
        kept = self._kept
        return [one for one in self._from[position] if kept[one.first, one.last, one.category].get(one.meaning) is one]

    def _gap(self, position: int) -> Iterable[tuple[int, float, tuple[int, ...]]]:
        """Yield where the next part of a phrase that ends at a position may begin, and what lies between costs."""
        yield position, 0.0, ()
        cost, skipped = 0.0, 0
        for at in range(position, min(position + MOST_SKIPPED, len(self._skips))):
            if self._skips[at] > SKIPPED_INSIDE:
                return
            cost, skipped = cost + self._skips[at], skipped + 1
            yield at + 1, cost, tuple(range(position, at + 1))

    def _grow(self) -> None:
        while self._agenda:
            phrase = self._agenda.pop()
            if not self._keep(phrase):
                continue
            if self._count > MOST_PHRASES:
                self.complete = False
                return
            for rule, place in self._starts.get(phrase.category, ()):
                if rule.parts[place].fits(phrase.category, phrase.meaning):
                    self._advance(_Open(rule, place, phrase.first, (None,) * place, 0.0, ()), phrase, 0.0, ())
            for waiting in tuple(self._waiting[phrase.first]):
                if waiting.rule.parts[waiting.place].fits(phrase.category, phrase.meaning):
                    self._advance(waiting, phrase, 0.0, ())

    def _keep(self, phrase: Phrase) -> bool:
        if phrase.cost > DEAREST:
            return False
        alike = self._kept[phrase.first, phrase.last, phrase.category]
        before = alike.get(phrase.meaning)
        if before is not None and before.cost <= phrase.cost:
            return False
        if before is None and len(alike) >= MOST_ALIKE:
            dearest = max(alike, key=lambda meaning: alike[meaning].cost)
            if alike[dearest].cost <= phrase.cost:
                return False
            del alike[dearest]
        alike[phrase.meaning] = phrase
        self._from[phrase.first].append(phrase)
        self._count += 1
        return True

    def _advance(self, open_: _Open, phrase: Phrase, gap: float, unread: tuple[int, ...]) -> None:
        """Put a phrase in the place that a rule waits for, and make what follows."""
        parts = (*open_.parts, phrase)
        cost = open_.cost + phrase.cost + gap
        between = (*open_.unread, *unread, *phrase.unread)
        rule = open_.rule
        for place in rule.after(open_.place + 1):
            filled = parts + (None,) * (place - open_.place - 1)
            if place == len(rule.parts):
                self._complete(rule, open_.first, filled, cost, between)
                continue
            for start, skipped, words in self._gaps[phrase.last][: 1 if rule.tight else None]:
                waiting = _Open(rule, place, open_.first, filled, cost + skipped, (*between, *words))
                self._waiting[start].append(waiting)
                for following in tuple(self._from[start]):
                    if rule.parts[place].fits(following.category, following.meaning) and following is not phrase:
                        self._advance(waiting, following, 0.0, ())

    def _complete(
        self, rule: Rule, first: int, parts: tuple[Phrase | None, ...], cost: float, unread: tuple[int, ...]
    ) -> None:
        meanings = [part.meaning if part is not None else None for part in parts]
        if rule.spoken:
            said = tuple(tuple(self._words[part.first : part.last]) if part is not None else () for part in parts)
            made = rule.compose(self._schema, said, *meanings)
        else:
            made = rule.compose(self._schema, *meanings)
        if made is None:
            return
        for one in made if isinstance(made, list) else [made]:
            meaning, extra = (one.meaning, one.cost) if isinstance(one, Costed) else (one, 0.0)
            found = tuple(part for part in parts if part is not None)
            total = cost + rule.cost + extra
            self._agenda.append(Phrase(first, found[-1].last, rule.result, meaning, total, rule.name, found, unread))


@lru_cache(maxsize=16)
def _by_first(rules: tuple[Rule, ...]) -> Starts:
    """Return the rules by the category that one of their first parts may have."""
    found: dict[Category, list[tuple[Rule, int]]] = defaultdict(list)
    for rule in rules:
        for place in rule.after(0):
            if place < len(rule.parts):
                for category in rule.parts[place].categories:
                    found[category].append((rule, place))
    return found
