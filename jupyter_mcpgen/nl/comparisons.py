"""Finds what a question compares its figures with, and asks for the figures themselves without it.

"Running total of sales by month" asks for sales by month, and then for a total so far of each. The words of the
comparison are taken out, the rest is read like any question, and each of its plans is completed (`nl.compared`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.resources import files
from itertools import product
from typing import Any

from jupyter_mcpgen.nl import compared
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.linking import link
from jupyter_mcpgen.nl.tokens import Token, TokenKind
from jupyter_mcpgen.plan.expressions import DateUnit
from jupyter_mcpgen.plan.ops import WindowFunction
from jupyter_mcpgen.plan.plan import Plan

WRITTEN = frozenset({"en"})
"""The languages with words for comparisons."""
ADDED_PERIOD = 0.05
"""What a period that the question does not name costs."""
SURELY_A_NAME = 0.1
OTHER_WHOLE = 0.3
"""What another whole costs than the one that the words around a condition suggest."""


@dataclass(frozen=True)
class Attempt:
    """The question without the words of a comparison, and what completes each plan of its answer."""

    tokens: tuple[Token, ...]
    complete: Callable[[Plan], Plan]
    notes: tuple[str, ...] = ()
    cost: float = 0.0


@dataclass(frozen=True)
class _Found:
    """A phrase in the question, with the numbers and periods that it names."""

    start: int
    end: int
    numbers: tuple[int | float, ...] = ()
    units: tuple[DateUnit, ...] = ()


@lru_cache(maxsize=4)
def _tree(language: str) -> Mapping[str, Any]:
    path = files("jupyter_mcpgen.nl").joinpath(f"languages/{language}_compare.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


@lru_cache(maxsize=4)
def _units(language: str) -> Mapping[str, DateUnit]:
    return {word: DateUnit(unit) for unit, words in _tree(language)["periods"].items() for word in words}


@lru_cache(maxsize=64)
def _phrases(language: str, key: str) -> tuple[tuple[str, ...], ...]:
    """Return the phrases of a list, longest first."""
    phrases = [tuple(phrase.split()) for phrase in _tree(language)["phrases"][key]]
    return tuple(sorted(phrases, key=lambda phrase: -len(phrase)))


@lru_cache(maxsize=4)
def _signs(language: str) -> frozenset[str]:
    """Return the words that a comparison cannot do without, so that most questions are not looked at twice."""
    tree = _tree(language)
    phrases = [
        *(p for ps in tree["phrases"].values() for p in ps),
        *(p for ps in tree["fractions"].values() for p in ps),
    ]
    words = {word for phrase in (*phrases, *tree["percentiles"]["nouns"]) for word in phrase.split()}
    return frozenset(words - set(tree["light"]))


def attempts(tokens: tuple[Token, ...], context: Context, language: str = "en") -> tuple[Attempt, ...]:
    """Return the ways to take a comparison out of a question; none when it has no words of one."""
    if language not in WRITTEN:
        return ()
    written = _written_out(tokens, language)
    if not any(token.lower in _signs(language) for token in written):
        return ()
    question = _Question(written, context, language)
    for find in (_of_percentiles, _of_periods, _of_ranks, _of_tables, _of_shares, _of_intervals, _of_ratios):
        found = tuple(find(question))
        if found:
            return found
    return ()


def _written_out(tokens: tuple[Token, ...], language: str) -> tuple[Token, ...]:
    words = _tree(language)["written_out"]
    found: list[Token] = []
    for token in tokens:
        found += [_word(word) for word in words[token.lower].split()] if token.lower in words else [token]
    return tuple(found)


def _word(text: str) -> Token:
    return Token(text, TokenKind.WORD)


class _Question:
    """The words of a question, and where phrases stand among them."""

    def __init__(self, tokens: tuple[Token, ...], context: Context, language: str) -> None:
        self.tokens = tokens
        self.context = context
        self.language = language
        self.tree = _tree(language)
        self._words = {"#", "@", *(token.lower for token in tokens)}
        items = link(tokens, context)
        names = [i for i in items if isinstance(i.meaning, m.Column | m.Value) and i.cost <= SURELY_A_NAME]
        self.columns = [i for i in names if isinstance(i.meaning, m.Column)]
        self._named = {place for item in names for place in range(item.start, item.end)}
        self._longer = {i.start: i.end for i in items if isinstance(i.meaning, m.Unit) and i.end > i.start + 1}

    def find(self, key: str) -> _Found | None:
        """Return the first of the longest phrases of a list that stands in the question and is no name."""
        for phrase in _phrases(self.language, key):
            if not self._words.issuperset(phrase):
                continue
            for start in range(len(self.tokens) - len(phrase) + 1):
                found = self._matched(phrase, start)
                if found is not None:
                    return found
        return None

    def _matched(self, phrase: tuple[str, ...], start: int) -> _Found | None:
        numbers: list[int | float] = []
        units: list[DateUnit] = []
        for place, word in enumerate(phrase, start):
            token = self.tokens[place]
            number = self._number(token) if word == "#" else None
            if number is not None:
                numbers.append(number)
            elif word == "@" and token.lower in _units(self.language):
                units.append(_units(self.language)[token.lower])
            elif word != token.lower:
                return None
        end = start + len(phrase)
        own = {place for place, word in enumerate(phrase, start) if word not in ("#", "@")}
        if self._named & own or self._longer.get(start, 0) > end:
            return None
        return _Found(start, end, tuple(numbers), tuple(units))

    def _number(self, token: Token) -> int | float | None:
        if token.kind is TokenKind.NUMBER:
            return token.number
        meanings = self.context.lexicon.meanings(token.lower)
        return next((meaning.value for meaning in meanings if isinstance(meaning, m.Number)), None)

    def without(self, found: _Found, *words: str) -> tuple[Token, ...]:
        """Return the question with words in the place of a phrase."""
        return (*self.tokens[: found.start], *map(_word, words), *self.tokens[found.end :])

    def cut(self, key: str) -> tuple[_Question, _Found | None]:
        """Return the question without a phrase, and the phrase."""
        found = self.find(key)
        if found is None:
            return self, None
        return _Question(self.without(found), self.context, self.language), found

    @property
    def names_groups(self) -> bool:
        """Tell whether the question groups by anything."""
        return any(isinstance(item.meaning, m.GroupWord) for item in link(self.tokens, self.context))

    @property
    def names_a_period(self) -> bool:
        """Tell whether the question groups by time in any way."""
        meanings = [meaning for token in self.tokens for meaning in self.context.lexicon.meanings(token.lower)]
        phrases = [item.meaning for item in link(self.tokens, self.context)]
        named = [item.meaning.name for item in self.columns if isinstance(item.meaning, m.Column)]
        years = any(compared.holds_years(name, self.context) for name in named)
        return years or any(isinstance(meaning, m.Unit) for meaning in (*meanings, *phrases))


def _of_percentiles(question: _Question) -> Iterator[Attempt]:
    """Read "90th percentile of price" as its median, and take the other percentile."""
    nouns = [tuple(phrase.split()) for phrase in question.tree["percentiles"]["nouns"]]
    median = question.tree["words"]["median"]
    if any(token.lower == median for token in question.tokens):
        return
    for fraction, phrases in question.tree["fractions"].items():
        for phrase in sorted(phrases, key=len, reverse=True):
            words = tuple(phrase.split())
            for start in range(len(question.tokens)):
                if tuple(t.lower for t in question.tokens[start : start + len(words)]) == words:
                    found = _Found(start, start + len(words))
                    complete = partial(compared.at_fraction, fraction=float(fraction))
                    yield Attempt(question.without(found, median), complete)
                    return
    for start, token in enumerate(question.tokens[:-1]):
        percent = _ordinal(token, question)
        for words in sorted(nouns, key=len, reverse=True):
            after = tuple(t.lower for t in question.tokens[start + 1 : start + 1 + len(words)])
            if percent is not None and after == words:
                found = _Found(start, start + 1 + len(words))
                complete = partial(compared.at_fraction, fraction=percent / 100)
                yield Attempt(question.without(found, median), complete)
                return


def _ordinal(token: Token, question: _Question) -> float | None:
    """Return the number of "90th", between 0 and 100."""
    for ending in question.tree["percentiles"]["endings"]:
        digits = token.lower.removesuffix(ending)
        if digits != token.lower and digits.replace(".", "", 1).isdecimal() and digits.isascii():
            return float(digits) if 0 < float(digits) < 100 else None
    if token.kind is TokenKind.NUMBER and 0 < token.number < 100:
        return float(token.number)
    return None


def _of_periods(question: _Question) -> Iterator[Attempt]:
    """Read totals so far, moving averages and changes as the figures of each period, and compare these."""
    over: DateUnit | None = None
    size, unit = 1, None
    rest, found = question.cut("running_total")
    function = WindowFunction.RUNNING_TOTAL
    if found is None:
        rest, found = question.cut("moving_average")
        function = WindowFunction.MOVING_AVERAGE
        if found is not None:
            rest, span = (rest, found) if found.numbers else rest.cut("moving_average_over")
            if span is None or not span.numbers or int(span.numbers[0]) < 1:
                return  # an average over how many is for the person to say
            size, unit = int(span.numbers[0]), span.units[0]
    if found is None:
        rest, function, over, found = _of_changes(question)
    if found is None:
        return
    unit = over or unit
    complete = partial(compared.followed, function=function, size=size, over=over, context=question.context)
    if rest.names_a_period:
        yield Attempt(rest.tokens, complete)
        return
    if unit is None and rest.names_groups:
        return  # "change in revenue by region" may also mean from one region to the next
    by = question.tree["words"]["by"]
    names = {DateUnit(unit): words[0] for unit, words in question.tree["periods"].items()}
    wanted = unit or DateUnit.START_OF_MONTH
    note = () if unit else (f"Compared by {names[wanted]}, because the question names no period.",)
    yield Attempt((*rest.tokens, _word(by), _word(names[wanted])), complete, note, 0.0 if unit else ADDED_PERIOD)


def _of_changes(question: _Question) -> tuple[_Question, WindowFunction, DateUnit | None, _Found | None]:
    rest, found = question.cut("percent_change")
    function = WindowFunction.PERCENT_CHANGE
    if found is None:
        rest, found = question.cut("change")
        rest, percent = rest.cut("in_percent") if found is not None else (rest, None)
        function = WindowFunction.PERCENT_CHANGE if percent is not None else WindowFunction.CHANGE
    same = found is not None and len(found.units) == 2 and found.units[0] is found.units[1]
    over = found.units[0] if found is not None and same else None
    if over is None:
        tail, named = rest.cut("over")
        if named is not None and named.units[0] is named.units[1]:
            over = named.units[0]
            rest = tail
            if found is None:
                return rest, WindowFunction.PERCENT_CHANGE, over, named
    return rest, function, over, found


def _of_ranks(question: _Question) -> Iterator[Attempt]:
    """Read "rank regions by revenue" as revenue by region, and number the groups."""
    found = question.find("rank")
    by = question.tree["words"]["by"]
    if found is None or found.start > 1:
        return
    rest = (*question.tokens[: found.start], *question.tokens[found.end :])
    places = [place for place, token in enumerate(rest) if token.lower == by]
    if len(places) != 1:
        return
    who, what = rest[: places[0]], rest[places[0] + 1 :]
    if who and what:
        yield Attempt((*what, _word(by), *who), partial(compared.ranked, context=question.context))


def _of_tables(question: _Question) -> Iterator[Attempt]:
    """Read a cross table as the same figures in rows."""
    complete = partial(compared.widened, context=question.context)
    rest, found = question.cut("pivot")
    if found is not None:
        yield Attempt(rest.tokens, complete)
        return
    found = question.find("crosstab")
    if found is not None:
        counted = question.tree["words"]["counted"]
        yield Attempt(question.without(found, *counted, "rows", question.tree["words"]["by"]), complete)


def _of_shares(question: _Question) -> Iterator[Attempt]:
    """Read a share as the figures that it is the share of, or as a count of what meets a condition."""
    rest, ending = question.cut("of_total")
    found, percent = None, ending is not None
    if ending is None:
        found, percent = question.find("percent"), True
        if found is None:
            found, percent = question.find("share"), False
        if found is None:
            return
    cut, counted = (rest.tokens, None) if found is None else _both(question, found)
    narrowed = any(token.lower in question.tree["words"]["narrowing"] for token in question.tokens)
    for tokens, rate in product([each for each in (cut, counted) if each is not None], (True, False)):
        complete = partial(compared.shared, percent=percent, within=_within(rest), rate=rate, narrowed=narrowed)
        kept = _without_coming(tokens, question)
        again = _Question(kept, question.context, question.language)
        inner = again.find("within")
        asked = again.without(inner, question.tree["words"]["by"]) if inner is not None else kept
        yield Attempt(asked, complete, cost=OTHER_WHOLE if rate is narrowed else 0.0)


def _within(question: _Question) -> str | None:
    """Return the column whose values each are a whole of their own."""
    found = question.find("within")
    if found is None:
        return None
    after = [item for item in question.columns if item.start >= found.end]
    column = min(after, key=lambda item: item.start).meaning if after else None
    return column.name if isinstance(column, m.Column) else None


def _both(question: _Question, found: _Found) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
    return question.without(found), question.without(found, *question.tree["words"]["counted"])


def _without_coming(tokens: tuple[Token, ...], question: _Question) -> tuple[Token, ...]:
    """Leave out the verb of "comes from"."""
    words = question.tree["words"]
    return tuple(
        token
        for place, token in enumerate(tokens)
        if not (token.lower in words["comes"] and place + 1 < len(tokens) and tokens[place + 1].lower == words["from"])
    )


def _of_intervals(question: _Question) -> Iterator[Attempt]:
    """Read "by age group of 10" as by age, and cut the ages into intervals."""
    groups, nouns = _phrases(question.language, "groups"), _phrases(question.language, "group_nouns")
    tokens = question.tokens
    for start in range(len(tokens)):
        for words in groups:
            end = start + len(words)
            if tuple(t.lower for t in tokens[start:end]) == words and end < len(tokens):
                number = tokens[end]
                if number.kind is TokenKind.NUMBER and number.number > 0:
                    begin = start - 1 if start and tokens[start - 1].lower == "in" else start
                    last = end + 1
                    last += last < len(tokens) and tokens[last].lower in _units(question.language)
                    complete = partial(
                        compared.in_intervals, width=float(number.number), count=None, context=question.context
                    )
                    yield Attempt((*tokens[:begin], *tokens[last:]), complete)
                    return
    for start, token in enumerate(tokens):
        if token.kind is TokenKind.NUMBER and token.number > 0:
            yield from _named_intervals(start, token, nouns, question)


def _named_intervals(
    start: int, token: Token, nouns: tuple[tuple[str, ...], ...], question: _Question
) -> Iterator[Attempt]:
    """Read "10-year age groups" and "5 bins"."""
    tokens = question.tokens
    unit = start + 1 < len(tokens) and tokens[start + 1].lower in _units(question.language)
    first = start + 1 + unit
    noun = next((p for p in range(first, min(first + 3, len(tokens))) if (tokens[p].lower,) in nouns), None)
    if noun is None:
        return
    if noun == first and not unit:
        begin = start - 1 if start and tokens[start - 1].lower == "in" else start
        if isinstance(token.number, int):
            complete = partial(compared.in_intervals, width=None, count=token.number, context=question.context)
            yield Attempt((*tokens[:begin], *tokens[noun + 1 :]), complete)
    elif noun > first:
        complete = partial(compared.in_intervals, width=float(token.number), count=None, context=question.context)
        yield Attempt((*tokens[:start], *tokens[first:noun], *tokens[noun + 1 :]), complete)


def _of_ratios(question: _Question) -> Iterator[Attempt]:
    """Read "revenue per unit" as the sum of revenue, and divide it by the sum of units."""
    context = question.context
    for item in question.columns:
        column = item.meaning
        if not isinstance(column, m.Column) or not context.is_measure(column.name):
            continue
        for key in ("per", "divided"):
            for words in _phrases(question.language, key):
                start = item.start - len(words)
                before = tuple(token.lower for token in question.tokens[max(0, start) : item.start])
                if start > 0 and before == words and context.adds_up(column.name):
                    rest = (*question.tokens[:start], *question.tokens[item.end :])
                    yield Attempt(rest, partial(compared.divided, column=column.name))
                    return
    found = question.find("ratio")
    joined = _phrases(question.language, "joined")
    for item in question.columns if found is not None else ():
        column = item.meaning
        if found is not None and isinstance(column, m.Column) and (question.tokens[item.start - 1].lower,) in joined:
            kept = (*question.tokens[: found.start], *question.tokens[found.end : item.start - 1])
            yield Attempt((*kept, *question.tokens[item.end :]), partial(compared.divided, column=column.name))
            return
