"""The chart parser: grows phrases from leaves, then finds the cheapest ways to cover a question with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from operator import itemgetter

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.mentions.values import is_name
from jupyter_mcpgen.nl.parsing import rules as _rules  # noqa: F401  fills the register that `combine` reads
from jupyter_mcpgen.nl.parsing.denials import leaves_out
from jupyter_mcpgen.nl.parsing.grammar import FEW_VALUES, PIECE, Links, combine, promote
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.predicates import about
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind

MAX_ITEMS = 1_500
"""Bound on the chart, so that reading takes bounded time whatever was typed."""
MAX_PAIRS = 20_000
"""Bound on the neighbours that are tried, many times what any question needs; a long row of values needs the most."""
BEAM = 40
"""How many partial covers are kept at each position."""
LOOSE_BEAM = 4
"""How many are kept where the phrases need not fit into an answer."""
STRUCTURE_COST = 0.6
"""What leaving out a word like "where" or "with" costs."""
STRAY_COMPARISON = 0.6
"""What leaving out the "is" between a column and a condition on another column costs."""
PARTED_GROUPS = 0.15
"""What it costs to take a number of few values for a figure behind "by sex and": it makes groups as well."""
CONTENT_COST = 1.0
"""What leaving out a word that means something costs."""

PLACED = (
    m.Measured, m.CountedPeriods, m.Several, m.MeasuredWhere, m.RowsAnd, m.LabelAnd, m.Function, m.Column,
    m.ColumnWhere, m.ColumnList, m.Grouped, m.GroupKey, m.BarePeriod, m.Listed, m.Having, m.HavingSuch, m.Lacks,
    m.Condition, m.NotedCondition, m.OnDays, m.Contrast, m.Best, m.BestBy, m.First, m.Superlative, m.TopRow,
    m.Commonest, m.Ordered, m.Direction, m.ChartWord, m.Pair, m.NoChart, m.ListRows, m.RowNoun, m.TableNoun,
    m.NamedTable, m.Overview, m.Relation, m.Varies, m.Filler, m.OnAxis, m.OfEach, m.Describing,
)  # fmt: skip
"""The phrases that have a place in an answer (see `parts`)."""
_MOST_WORDS_OF_DOERS = 3
"""How many words those have at most who did something, between "did" and its verb."""
_SEPARATORS = frozenset({",", ";"})
_BRACKETS = frozenset({"(", ")"})
_STRUCTURE = (m.WhereWord, m.SortWord, m.ListRows)
_BEFORE_NOUNS = (m.Determiner, m.WhereWord, m.Of, m.And, m.Or, m.Not, m.Comparison)
_LINKS = (m.And, m.Or, m.Nor, m.To, m.Of, m.Determiner, m.Then, m.Versus)


@dataclass(frozen=True)
class Cover:
    """A reading of the whole question as a row of phrases, with the positions of the words that none explains."""

    items: tuple[Item, ...]
    uncovered: tuple[int, ...]
    cost: float

    @property
    def said(self) -> tuple[object, ...]:
        """What the phrases mean, and which of them touch."""
        touching = (left.end == right.start for left, right in pairwise(self.items))
        return (tuple(item.meaning for item in self.items), tuple(touching), self.uncovered)


@dataclass(frozen=True)
class Parsed:
    """The cheapest covers of a question, cheapest first; `complete` is false when the chart was cut."""

    covers: tuple[Cover, ...]
    """Those of phrases that have a place in an answer."""
    complete: bool
    _chart: _Chart

    @cached_property
    def loose(self) -> tuple[Cover, ...]:
        """The covers of any phrases, which show what could not be connected; only a refusal looks at them."""
        return self._chart.covers(self._chart.starting, LOOSE_BEAM)


def parse(tokens: tuple[Token, ...], context: Context) -> Parsed:
    """Return the cheapest covers of a question."""
    chart = _Chart(tokens, context)
    placed = {
        start: [item for item in items if isinstance(item.meaning, PLACED)] for start, items in chart.starting.items()
    }
    return Parsed(chart.covers(placed, BEAM), chart.complete, chart)


_Step = tuple[float, Cover, Item | None, int | None]
"""What a cover would cost with one more phrase, or without the word at a place that has to be explained."""


def _taken(steps: list[_Step], beam: int) -> list[Cover]:
    """Return the cheapest covers; of the many steps to a position, only these are written out."""
    return [
        Cover(
            (*before.items, item) if item is not None else before.items,
            (*before.uncovered, skipped) if skipped is not None else before.uncovered,
            cost,
        )
        for cost, before, item, skipped in sorted(steps, key=itemgetter(0))[:beam]
    ]


def _joins_conditions(between: tuple[Token, ...], context: Context) -> bool:
    """Tell whether nothing but what joins two conditions stands between them."""
    parting = (m.Or, m.Nor, m.To, m.Then, m.Versus)
    meant = [(token, context.lexicon.meanings(token.lower)) for token in between]
    return all(
        (context.lexicon.is_filler(token.lower) or m.And() in meanings)
        and not any(isinstance(meaning, parting) for meaning in meanings)
        for token, meanings in meant
    )


def _skipping_cost(position: int, tokens: tuple[Token, ...], context: Context, *, after_column: bool) -> float:
    token = tokens[position]
    if token.lower in _SEPARATORS:
        return 0.0
    if token.text in _BRACKETS:
        return CONTENT_COST if any(_alters(other, context) for other in tokens) else 0.0
    if token.kind not in (TokenKind.WORD, TokenKind.SYMBOL):
        return CONTENT_COST
    meanings = context.lexicon.meanings(token.lower)
    if context.lexicon.is_filler(token.lower):
        own = _is_of_another(position, tokens, context) or _is_a_thing(position, tokens, context)
        if own or _is_written_as_a_name(token, position, tokens, context):
            return CONTENT_COST
        compares = any(isinstance(meaning, m.Comparison) for meaning in meanings)
        if context.plain(token.lower) in context.full_names:
            return STRUCTURE_COST  # in a table with a column `to`, "to" is more than filler
        return STRAY_COMPARISON if compares and after_column else 0.0
    if token.lower == "%" and any(column.unit == "%" for column in context.profile.columns):
        return 0.0
    structural = any(isinstance(meaning, _STRUCTURE) for meaning in meanings)
    return STRUCTURE_COST if structural else CONTENT_COST


def _is_of_another(position: int, tokens: tuple[Token, ...], context: Context) -> bool:
    """Tell whether a verb is what somebody else did, and nothing that is asked of us: "did they draw"."""
    lexicon = context.lexicon
    if tokens[position].lower not in lexicon.deeds:
        return False
    before = [token.lower for token in tokens[max(0, position - 1 - _MOST_WORDS_OF_DOERS) : position]]
    at = next((place for place in reversed(range(len(before))) if before[place] in lexicon.doing), None)
    if before and any(isinstance(meaning, m.Determiner) for meaning in lexicon.meanings(before[-1])):
        return False  # "do a plot"
    return at is not None and at < len(before) - 1 and before[at + 1] not in lexicon.asking


def _is_a_thing(position: int, tokens: tuple[Token, ...], context: Context) -> bool:
    """Tell whether a verb stands as a noun that columns or values are: "that had a return" beside `return date`."""
    word = tokens[position].lower
    if not position or word not in context.lexicon.deeds:
        return False
    before = context.lexicon.meanings(tokens[position - 1].lower)
    if word in context.values:
        return any(isinstance(meaning, _BEFORE_NOUNS) for meaning in before)
    after_article = any(isinstance(meaning, m.Determiner) for meaning in before)
    return after_article and bool(context.columns_with(context.plain(word)))


def _is_written_as_a_name(token: Token, position: int, tokens: tuple[Token, ...], context: Context) -> bool:
    """Tell whether capitals make a name of a word: "IT" is not "it", unless everything is in capitals."""
    if len(token.text) < 2:  # "A" is a value of `ward` where it does not begin the question
        return position > 0 and is_name(token, context) and any(other.text.islower() for other in tokens)
    if token.text.isupper():
        return any(other.text.islower() for other in tokens) or is_name(token, context)
    return position > 0 and is_name(token, context)


def _alters(token: Token, context: Context) -> bool:
    """Tell whether a word makes brackets matter: what "not (a and b)" means depends on them."""
    return any(isinstance(meaning, m.Or | m.Nor | m.Not) for meaning in context.lexicon.meanings(token.lower))


class _Chart:
    """All phrases over all spans, each at its lowest cost."""

    def __init__(self, tokens: tuple[Token, ...], context: Context) -> None:
        self.complete = True
        self._pairs = 0
        self._skips: dict[tuple[int, bool], float] = {}
        self._joined: dict[tuple[int, int], bool] = {}
        self.starting: dict[int, list[Item]] = defaultdict(list)
        self._ending: dict[int, list[Item]] = defaultdict(list)
        self._tokens = tokens
        self._context = context
        self._forward = [_gaps(tokens, position, 1, context) for position in range(len(tokens) + 1)]
        self._backward = [_gaps(tokens, position, -1, context) for position in range(len(tokens) + 1)]
        best = self._grow(sorted(link(tokens, context), key=lambda item: (item.start, item.end)))
        self.starting = defaultdict(list)
        for (start, end, meaning), cost in best.items():
            self.starting[start].append(Item(start, end, meaning, cost))

    def covers(self, starting: Mapping[int, list[Item]], beam: int) -> tuple[Cover, ...]:
        """Return the cheapest ways to cover the whole question with some of the phrases, cheapest first."""
        beams: list[list[_Step]] = [[] for _ in range(len(self._tokens) + 1)]
        beams[0] = [(0.0, Cover((), (), 0.0), None, None)]
        for position in range(len(self._tokens)):
            steps, beams[position] = beams[position], []
            for cover in _taken(steps, beam):
                before = cover.items[-1] if cover.items else None
                skipping = self._skipping(position, before)
                unread = position if skipping == CONTENT_COST else None
                beams[position + 1].append((cover.cost + skipping, cover, None, unread))
                condition = before if before is not None and isinstance(before.meaning, m.Condition) else None
                for item in starting.get(position, ()):
                    if condition is None or not self._is_told_as_one(condition, item):
                        parting = PARTED_GROUPS if self._parts_groups(before, item) else 0.0
                        beams[item.end].append((cover.cost + item.cost + PIECE + parting, cover, item, None))
        return tuple(_taken(beams[len(self._tokens)], beam))

    def _skipping(self, position: int, before: Item | None) -> float:
        after_column = before is not None and before.end == position and isinstance(before.meaning, m.Column)
        key = (position, after_column)
        cost = self._skips.get(key)
        if cost is None:
            cost = _skipping_cost(position, self._tokens, self._context, after_column=after_column)
            self._skips[key] = cost
        return cost

    def _is_told_as_one(self, before: Item, item: Item) -> bool:
        """Tell whether a condition, or a column left out, follows so closely that the grammar has joined the two."""
        if not isinstance(before.meaning, m.Condition) or not isinstance(item.meaning, m.Condition | m.Column):
            return False
        gap = (before.end, item.start)
        if gap not in self._joined:
            self._joined[gap] = _joins_conditions(self._tokens[before.end : item.start], self._context)
        if isinstance(item.meaning, m.Column):
            return self._joined[gap] and gap[0] < gap[1] and leaves_out(before.meaning, item.meaning, self._context)
        return self._joined[gap] and about(before.meaning.predicate) != about(item.meaning.predicate)

    def _parts_groups(self, before: Item | None, item: Item) -> bool:
        """Tell whether a column behind groups and "and" could be one more of them, by its few values."""
        if before is None or not isinstance(before.meaning, m.Grouped) or not isinstance(item.meaning, m.Column):
            return False
        few = self._context.column(item.meaning.name).distinct <= FEW_VALUES
        return few and any(m.And in links for at, links in self._forward[before.end] if at == item.start)

    def _grow(self, agenda: list[Item]) -> dict[tuple[int, int, m.Meaning], float]:
        best: dict[tuple[int, int, m.Meaning], float] = {}
        while agenda:
            item = agenda.pop()
            key = (item.start, item.end, item.meaning)
            if best.get(key, 9.0) <= item.cost:
                continue
            if len(best) >= MAX_ITEMS or self._pairs >= MAX_PAIRS:
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
        self._pairs += 1
        if isinstance(right.meaning, m.MissingWord) and self._is_of_the_next(left, right):
            return []
        cost = max(left.cost, 0.0) + max(right.cost, 0.0)
        return [
            Item(left.start, right.end, meaning, cost + extra)
            for meaning, extra in combine(left.meaning, right.meaning, between, self._context)
        ]

    def _is_of_the_next(self, left: Item, missing: Item) -> bool:
        """Tell whether what is missing is named behind that word: in "probes have an empty battery" it is no probe."""
        gap = [self._context.lexicon.meanings(token.lower) for token in self._tokens[left.end : missing.start]]
        if not gap or any(isinstance(meaning, m.Comparison) for meanings in gap for meaning in meanings):
            return False  # "the battery is missing"
        after_article = any(isinstance(meaning, m.Determiner) for meaning in gap[-1])
        return after_article or any(isinstance(item.meaning, m.Column) for item in self.starting[missing.end])


def _gaps(tokens: tuple[Token, ...], position: int, step: int, context: Context) -> list[tuple[int, Links]]:
    """Return where a neighbour may begin (or end), with the kinds of linking words that lie between."""
    gaps: list[tuple[int, Links]] = [(position, frozenset())]
    linking: Links = frozenset()
    while 0 <= (at := position if step > 0 else position - 1) < len(tokens):
        meanings = context.lexicon.meanings(tokens[at].lower)
        links = frozenset(type(meaning) for meaning in meanings if isinstance(meaning, _LINKS))
        if tokens[at].kind in (TokenKind.QUOTED, TokenKind.NUMBER, TokenKind.DATE, TokenKind.CLOCK):
            break
        if not links and not context.lexicon.is_filler(tokens[at].lower) and tokens[at].text not in _BRACKETS:
            break
        linking |= links
        position += step
        gaps.append((position, linking))
    return gaps
