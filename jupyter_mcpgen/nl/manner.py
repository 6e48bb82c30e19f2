"""Takes out of a question what only says how its answer is to be shown: chart, order, bins; the rest is the question.

A clause is taken out only when all of it was understood, so that no word disappears: "rank by the Y-axis in
descending order", "in a bar chart", "bin the start date by weekday".
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.linking import is_name, link
from jupyter_mcpgen.nl.parse import parse
from jupyter_mcpgen.nl.tokens import Token, TokenKind, tokenize
from jupyter_mcpgen.plan.expressions import DateUnit
from jupyter_mcpgen.plan.ops import ChartKind

LONGEST_TARGET = 9
"""How many words may say what to order by or what to bin."""
MOST_CLAUSES = 4
"""How many orders and bins are looked for, so that reading takes bounded time."""
WRITTEN = frozenset({"en"})
"""The languages that have the words of such clauses."""
_COMMA = Token(",", TokenKind.SYMBOL)

Target = m.Axis | m.Column | m.Measured | m.GroupKey


@dataclass(frozen=True)
class Wish:
    """An order that was asked for: of what, and whether the largest come first (None: not said)."""

    target: Target
    descending: bool | None
    axis: m.Axis | None = None
    """The axis that the words may stand for as well: "names" are a column's name, or the labels of the chart."""


@dataclass(frozen=True)
class Manner:
    """How an answer is to be shown."""

    chart: ChartKind | None = None
    purpose: ChartKind | None = None
    """The chart that suits what the answer is for, where none is named."""
    order: Wish | None = None
    key: m.GroupKey | None = None
    """The bins of a date that were asked for."""

    @property
    def is_plain(self) -> bool:
        """True when nothing was said about how to show the answer."""
        return self == PLAIN


PLAIN = Manner()


@dataclass(frozen=True)
class _Words:
    """The words of the clauses, from the language's data file."""

    tree: Mapping[str, Any]
    charts: Mapping[str, ChartKind]
    purposes: Mapping[str, ChartKind]
    directions: Mapping[str, bool]
    axes: Mapping[str, m.Axis]

    def phrases(self, key: str) -> frozenset[str]:
        """Return a list of phrases by its key."""
        return self._lists[key]

    @cached_property
    def _lists(self) -> Mapping[str, frozenset[str]]:
        return {key: frozenset(phrases) for key, phrases in self.tree.items() if isinstance(phrases, list)}


@lru_cache(maxsize=4)
def _words(language: str) -> _Words:
    path = files("jupyter_mcpgen.nl").joinpath(f"languages/{language}_charts.toml")
    tree = tomllib.loads(path.read_text(encoding="utf-8"))
    kinds = {key: {p: ChartKind(kind) for kind, ps in tree[key].items() for p in ps} for key in ("charts", "purposes")}
    sides = {"x_axis": m.Axis("x"), "y_axis": m.Axis("y"), "labels": m.Axis("x", said=False)}
    axes = {phrase: axis for key, axis in sides.items() for phrase in tree[key]}
    axes |= {phrase: m.Axis("y", said=False) for phrase in tree["figures"]}
    directions = {phrase: key == "descending" for key in ("ascending", "descending") for phrase in tree[key]}
    return _Words(tree, kinds["charts"], kinds["purposes"], directions, axes)


def take_manner(tokens: tuple[Token, ...], context: Context, language: str = "en") -> tuple[Manner, tuple[Token, ...]]:
    """Return how the answer is to be shown, and the question without the clauses that say so."""
    if language not in WRITTEN:
        return PLAIN, tokens
    clauses = _Clauses(tokens, context, _words(language))
    return clauses.manner, clauses.rest


def manner_of(question: str, context: Context, language: str = "en") -> Manner:
    """Return how a question says that its answer is to be shown."""
    return take_manner(tokenize(question), context, language)[0]


class _Clauses:
    """Takes one kind of clause after another out of a question."""

    def __init__(self, tokens: tuple[Token, ...], context: Context, words: _Words) -> None:
        self.manner = Manner()
        self.rest = tokens
        self._context = context
        self._words = words
        self._take_chart()
        self._take_bins()
        self._take_order()
        self._take_purpose()
        if not self.manner.is_plain:
            self._drop_loose_end()

    # charts -----------------------------------------------------------------------------------------------------

    def _take_chart(self) -> None:
        found = [self._phrase(at, self._words.charts) for at in range(len(self.rest))]
        spans = [(at, end) for at, end in enumerate(found) if end and not self._is_named(at, end)]
        kinds = {self._words.charts[self._text(at, end)] for at, end in spans}
        if len(kinds) != 1:
            return
        for at, end in reversed(spans):
            self._cut(self._before(at), self._after(end))
        self.manner = replace(self.manner, chart=kinds.pop())

    def _before(self, at: int) -> int:
        leads = self._words.phrases("chart_leads")
        start = at
        while start > 0 and self.rest[start - 1].lower in leads and not self._is_named(start - 1, start):
            start -= 1
        return start

    def _after(self, end: int) -> int:
        longest = self._phrase(end, self._words.phrases("chart_tails"))
        return longest or end

    def _take_purpose(self) -> None:
        words = self._words.purposes
        for at in range(len(self.rest)):
            end = self._phrase(at, words)
            if end and not self._is_named(at, end) and self._suits(words[self._text(at, end)], at, end):
                self.manner = replace(self.manner, purpose=words[self._text(at, end)])
                self._cut(at, end, _COMMA if at else None)
                return

    def _suits(self, purpose: ChartKind, at: int, end: int) -> bool:
        """Tell whether a purpose asks for a chart: one is named, or the purpose can be served by nothing else."""
        if self.manner.chart is not None and end > at + 1:
            return True
        alone = end == len(self.rest)
        words = {token.lower for token in self.rest[end:]}
        if purpose is ChartKind.PIE:
            return alone or bool(words & {"number", "sum", "total", "count", "amount", "average", "many", "amounts"})
        if purpose is ChartKind.SCATTER:
            return alone
        if end == at + 1:
            return bool(words) and self.rest[end].lower in {"over", "across"}
        over = bool(words & {"over", "across"})
        return over and (purpose is ChartKind.BAR or purpose is ChartKind.LINE)

    # orders -----------------------------------------------------------------------------------------------------

    def _take_order(self) -> None:
        tries = 0
        backwards = range(len(self.rest) - 1, -1, -1)
        for at, led in ((at, led) for led in (True, False) for at in backwards):
            if tries >= MOST_CLAUSES or at >= len(self.rest):
                return
            for end, spans, descending in self._order_clauses(at, led=led):
                tries += 1
                target = self._target(*spans)
                if target is not None:
                    self.manner = replace(self.manner, order=Wish(target, descending, self._axis(*spans)))
                    at = self._with_verb(at)
                    sorting = self._sorting(at)
                    self._cut(at, end, _COMMA if at else None)
                    if sorting is not None:
                        self._cut(sorting, sorting + 1)
                    return

    def _with_verb(self, at: int) -> int:
        """Return where an order begins, with the verb that stands before "in ascending order by …"."""
        verbs = self._words.phrases("sort_verbs") | self._words.phrases("show_verbs")
        for start in range(max(at - 3, 0), at):
            if self.rest[start].lower in verbs and self._skip(start + 1, "objects") == at:
                return start
        return at

    def _sorting(self, at: int) -> int | None:
        """Return where the verb stands that an order a few words behind belongs to: "sort the ports by depth"."""
        for verb in range(at - 1, max(at - LONGEST_TARGET, 0) - 1, -1):
            if self._is_boundary(verb):
                return None
            word = self.rest[verb].lower
            noun = self._context.columns_with(self._context.plain(word)) or word in self._context.row_nouns
            if word in self._words.phrases("sort_verbs_of_things") and not noun and not self._is_tail(verb):
                return verb
        return None

    def _order_clauses(self, at: int, *, led: bool) -> Iterator[tuple[int, tuple[int, int], bool | None]]:
        """Yield the clauses that may begin at a word: where they end, what they order by, in which direction."""
        verb = self.rest[at].lower
        sorts, shows = verb in self._words.phrases("sort_verbs"), verb in self._words.phrases("show_verbs")
        noun = self._is_named(at, at + 1) or self._context.plain(verb) in self._context.row_nouns
        if not led:
            yield from self._clauses_without_verb(at)
        if not led or not (sorts or shows) or self._is_tail(at):
            return
        start = self._skip(at + 1, "objects")
        direction = self._direction(start)
        if direction is not None:
            yield from self._directed(direction, alphabetical=self._is_alphabetical(start, direction[0]))
        named = self._skip(start, "by")
        yield from self._named_clauses(start, named, verbal=sorts and not noun)

    def _named_clauses(
        self, start: int, named: int, *, verbal: bool
    ) -> Iterator[tuple[int, tuple[int, int], bool | None]]:
        """Yield the clause that names what to order by; one that is not `verbal` has to say a direction."""
        for stop in range(named + 1, min(named + LONGEST_TARGET, len(self.rest)) + 1):
            if stop < len(self.rest) and (found := self._direction(stop)) is not None:
                if named == start and self._skip(found[0], "of_what") > found[0]:
                    return  # "list the ports in ascending order of their depth" orders by the depth
                yield self._polite(found[0]), (named, stop), found[1]
                return
            if stop == len(self.rest) or self._is_boundary(stop):
                if verbal and named > start:  # in a table of orders, "order by" is seldom a verb
                    yield self._polite(stop), (named, stop), None
                return

    def _clauses_without_verb(self, at: int) -> Iterator[tuple[int, tuple[int, int], bool | None]]:
        """Yield "in descending order of the price", "in alphabetical order" and "the y axis from low to high"."""
        before = at > 0 and self._direction(at - 1) is not None
        alphabetical = self.rest[at].lower in self._words.phrases("alphabetical") and not before
        direction = self._direction(at, bare=alphabetical)
        if direction is not None:
            yield from self._directed(direction, alphabetical=self._is_alphabetical(at, direction[0]))
            return
        named = self._skip(at, "of_what")
        if named > at and self.rest[at].lower != "of" and self._sorting(at) is not None:
            yield from self._named_clauses(at, named, verbal=True)
        end = self._phrase(at, self._words.axes)
        behind = self._direction(end) if end and self._words.axes[self._text(at, end)].said else None
        if behind is not None:
            yield self._polite(behind[0]), (at, end), behind[1]

    def _is_tail(self, at: int) -> bool:
        """Tell whether "order" only ends a direction, as in "in descending order of"."""
        starts = range(max(at - 5, 0), at)
        return any((found := self._direction(start)) is not None and found[0] == at + 1 for start in starts)

    def _directed(
        self, direction: tuple[int, bool], *, alphabetical: bool
    ) -> Iterator[tuple[int, tuple[int, int], bool | None]]:
        end, descending = direction
        named = self._skip(end, "by")
        if named == end:
            if alphabetical:
                yield self._polite(end), (end, end), descending
            return
        for stop in range(min(named + LONGEST_TARGET, len(self.rest)), named, -1):
            if not any(self._is_boundary(inner) for inner in range(named, stop)):
                yield self._polite(stop), (named, stop), descending

    def _direction(self, at: int, *, bare: bool = True) -> tuple[int, bool] | None:
        """Return where a direction ends that begins at a word; `bare` ones need no "in" or "from" before them."""
        start = at
        leads = self._words.phrases("direction_leads")
        while start < len(self.rest) and self.rest[start].lower in leads:
            start += 1
        if start == at and not bare:
            return None
        end = self._phrase(start, self._words.directions)
        if not end:
            return None
        descending = self._words.directions[self._text(start, end)]
        tail = end < len(self.rest) and self.rest[end].lower in self._words.phrases("direction_tails")
        return (end + 1 if tail else end), descending

    def _is_alphabetical(self, start: int, end: int) -> bool:
        phrases = self._words.phrases("alphabetical")
        return any(self._phrase(at, phrases) for at in range(start, end))

    def _polite(self, end: int) -> int:
        return end + 1 if end < len(self.rest) and self.rest[end].lower == "please" else end

    def _is_boundary(self, at: int) -> bool:
        word = self.rest[at].lower
        return word in {",", ";", "please", "whose", "where", "and", "using", "with"} or self.rest[at].kind in (
            TokenKind.NUMBER,
            TokenKind.QUOTED,
        )

    def _axis(self, start: int, stop: int) -> m.Axis | None:
        while start < stop and self.rest[start].lower in {"the", "their", "its", "a", "each"}:
            start += 1
        return self._words.axes.get(self._text(start, stop))

    def _target(self, start: int, stop: int) -> Target | None:
        if start == stop:
            return m.Axis("x")
        while start < stop and self.rest[start].lower in {"the", "their", "its", "a", "each"}:
            start += 1
        text = self._text(start, stop)
        whole = _single(self.rest[start:stop], self._context)
        axis = self._words.axes.get(text)
        if axis is not None and (axis.said or self._context.plain(text) not in self._context.full_names):
            return axis
        return whole[0] if whole else None

    # bins -------------------------------------------------------------------------------------------------------

    def _take_bins(self) -> None:
        bins = self._words.tree["bins"]
        for at, token in enumerate(self.rest):
            if token.lower not in bins["verbs"]:
                continue
            for stop in range(at + 1, min(at + 1 + LONGEST_TARGET, len(self.rest))):
                if self.rest[stop].lower in bins["by"]:
                    unit = self._unit(stop + 1, bins)
                    key = self._binned(at + 1, stop, unit[1]) if unit is not None else None
                    if unit is not None and key is not None:
                        self.manner = replace(self.manner, key=key)
                        self._cut(at, unit[0], _COMMA if at else None)
                        return

    def _unit(self, at: int, bins: Mapping[str, list[str]]) -> tuple[int, DateUnit] | None:
        while at < len(self.rest) and self.rest[at].lower in bins["leads"]:
            at += 1
        for end in range(min(at + 4, len(self.rest)), at, -1):
            units = [u.unit for u in self._context.lexicon.meanings(self._text(at, end)) if isinstance(u, m.Unit)]
            if units:
                while end < len(self.rest) and self.rest[end].lower in bins["tails"]:
                    end += 1
                return end, _BINS.get(units[0], units[0])
        return None

    def _binned(self, start: int, stop: int, unit: DateUnit) -> m.GroupKey | None:
        dates = self._context.dates
        while start < stop and self.rest[start].lower in {"the", "their", "each", "of", "a"}:
            start += 1
        if start == stop or self._text(start, stop) in self._words.axes:
            named = {item.meaning.name for item in link(self.rest, self._context) if isinstance(item.meaning, m.Column)}
            meant = [name for name in dates if name in named] or dates
            return m.GroupKey(meant[0], unit) if len(meant) == 1 else None
        for found in _single(self.rest[start:stop], self._context):
            name = found.name if isinstance(found, m.Column) else found.column if isinstance(found, m.GroupKey) else ""
            if name in dates:
                return m.GroupKey(str(name), unit)
        return None

    # tokens -----------------------------------------------------------------------------------------------------

    def _text(self, start: int, end: int) -> str:
        return " ".join([token.lower for token in self.rest[start:end]])

    def _phrase(self, at: int, phrases: Mapping[str, object] | frozenset[str]) -> int:
        """Return where the longest known phrase ends that begins at a word, or 0."""
        found, text = 0, ""
        for end in range(at + 1, min(at + 6, len(self.rest)) + 1):
            text = f"{text} {self.rest[end - 1].lower}" if text else self.rest[at].lower
            if text in phrases:
                found = end
        return found

    def _skip(self, at: int, key: str) -> int:
        return self._phrase(at, self._words.phrases(key)) or at

    def _is_named(self, start: int, end: int) -> bool:
        """Tell whether words are the name of a column or a value as it is written."""
        span = self.rest[start:end]
        plain = [self._context.plain(token.lower) for token in span]
        full = tuple(plain) in set(self._context.column_words.values())
        return full or any(is_name(token, self._context) for token in span)

    def _cut(self, start: int, end: int, mark: Token | None = None) -> None:
        between = (mark,) if mark is not None else ()
        self.rest = (*self.rest[:start], *between, *self.rest[end:])

    def _drop_loose_end(self) -> None:
        """Drop a connecting word that the end of the question left without anything to connect."""
        loose = {"for", "with", "and", ",", "in", "by", "as", "then", "please", "them", "to", "show", "list", "of"}
        while self.rest and self.rest[-1].lower in loose:
            self.rest = self.rest[:-1]


_BINS = {DateUnit.START_OF_YEAR: DateUnit.YEAR}
"""Bins are labelled: a year by its number."""


def _is_row(meaning: m.Meaning) -> bool:
    """Tell whether a phrase only says whose rows are meant, such as the "company" in "order of company name"."""
    return isinstance(meaning, m.RowNoun) and not meaning.assumed


def _single(tokens: tuple[Token, ...], context: Context) -> list[m.Column | m.Measured | m.GroupKey]:
    """Return what a few words name when all of them name one thing, the surest first."""
    if not tokens:
        return []
    found: list[m.Column | m.Measured | m.GroupKey] = []
    for cover in parse(tokens, context).covers:
        items = [i for i in cover.items if not isinstance(i.meaning, m.Filler) and not _is_row(i.meaning)]
        if not cover.uncovered and len(items) == 1:
            meaning = items[0].meaning
            if isinstance(meaning, m.Column | m.Measured | m.GroupKey):
                found.append(meaning)
            elif isinstance(meaning, m.BarePeriod):
                found.append(m.GroupKey(meaning.column, meaning.unit))
            elif isinstance(meaning, m.Listed):
                found.append(m.Column(meaning.column))
    return found
