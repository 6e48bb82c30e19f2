"""The cheapest ways to cover a question with phrases that have a place in an answer, and words left unread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

from jupyter_mcpgen.nl.grammar.categories import Category
from jupyter_mcpgen.nl.search.chart import Chart
from jupyter_mcpgen.nl.search.phrase import Phrase

BEAM = 40
"""How many partial covers are kept at each position."""
PIECE = 0.08
"""What each phrase costs, so that longer ones win."""
PLACED = frozenset(
    {
        Category.FIGURE, Category.FIGURES, Category.KEYS, Category.TEST, Category.LIMIT, Category.EXTREME,
        Category.SORTED, Category.WINDOW, Category.ENTITY, Category.DRAWN, Category.STATISTIC_OF, Category.TERM,
        Category.PAIR, Category.SPAN, Category.HOW_MUCH, Category.ASKING, Category.AGGREGATE, Category.LIST,
        Category.DIRECTION, Category.COMPARE_VERB, Category.EDIT, Category.SIDES, Category.GAP,
    }
)  # fmt: skip
"""The phrases that have a place in an answer."""


@dataclass(frozen=True, slots=True)
class Cover:
    """A reading of the whole question as a row of phrases, with the words that none of them reads."""

    phrases: tuple[Phrase, ...]
    unread: tuple[int, ...]
    cost: float


def covers(chart: Chart, skips: Sequence[float]) -> tuple[Cover, ...]:
    """Return the cheapest covers, cheapest first."""
    size = len(skips)
    beams: list[list[tuple[float, tuple[Phrase, ...], tuple[int, ...]]]] = [[] for _ in range(size + 1)]
    beams[0] = [(0.0, (), ())]
    for position in range(size):
        placed = [phrase for phrase in chart.starting(position) if phrase.category in PLACED]
        for cost, phrases, unread in sorted(beams[position], key=itemgetter(0))[:BEAM]:
            beams[position + 1].append((cost + skips[position], phrases, (*unread, position)))
            for phrase in placed:
                beams[phrase.last].append((cost + phrase.cost + PIECE, (*phrases, phrase), (*unread, *phrase.unread)))
        beams[position] = []
    return tuple(
        Cover(phrases, unread, cost) for cost, phrases, unread in sorted(beams[size], key=itemgetter(0))[:BEAM]
    )
