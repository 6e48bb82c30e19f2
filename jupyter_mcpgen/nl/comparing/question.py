"""The words of a question that compares figures, and where the phrases of a comparison stand among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.comparing.plans.periods import holds_years
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.items import Item
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.expressions import DateUnit
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.precomputed import words_of

SURELY_A_NAME = 0.1
"""A column or value named at most this uncertainly is no word of a comparison."""


@dataclass(frozen=True)
class Attempt:
    """The question without the words of a comparison, and what completes each plan of its answer."""

    tokens: tuple[Token, ...]
    complete: Callable[[Plan], Plan]
    notes: tuple[str, ...] = ()
    cost: float = 0.0
    bare: bool = False
    """True where nothing else is said: the figures to compare are those of the answer before."""


@dataclass(frozen=True)
class Found:
    """A phrase in the question, with the numbers and periods that it names."""

    start: int
    end: int
    numbers: tuple[int | float, ...] = ()
    units: tuple[DateUnit, ...] = ()


@lru_cache(maxsize=4)
def tree_of(language: str) -> Mapping[str, Any]:
    """Return a language's words for comparisons; read once per process."""
    return words_of(f"{language}_compare")


@lru_cache(maxsize=4)
def units_of(language: str) -> Mapping[str, DateUnit]:
    """Return the periods by the words for them."""
    return {word: DateUnit(unit) for unit, words in tree_of(language)["periods"].items() for word in words}


@lru_cache(maxsize=64)
def phrases_of(language: str, key: str) -> tuple[tuple[str, ...], ...]:
    """Return the phrases of a list, longest first."""
    phrases = [tuple(phrase.split()) for phrase in tree_of(language)["phrases"].get(key, ())]
    return tuple(sorted(phrases, key=lambda phrase: -len(phrase)))


def as_word(text: str) -> Token:
    """Return a word of our own, to stand in a question."""
    return Token(text, TokenKind.WORD)


class Question:
    """The words of a question, and where phrases stand among them."""

    def __init__(self, tokens: tuple[Token, ...], context: Context, language: str) -> None:
        self.tokens = tokens
        self.context = context
        self.language = language
        self.tree = tree_of(language)
        self._words = {"#", "@", *(token.lower for token in tokens)}
        items = link(tokens, context)
        names = [i for i in items if isinstance(i.meaning, m.Column | m.Value) and i.cost <= SURELY_A_NAME]
        names = [item for item in names if not self._is_a_calculation(item)]
        self.columns = [i for i in names if isinstance(i.meaning, m.Column)]
        self._named = {place for item in names for place in range(item.start, item.end)}
        self._longer = {i.start: i.end for i in items if isinstance(i.meaning, m.Unit) and i.end > i.start + 1}

    def _is_a_calculation(self, item: Item) -> bool:
        """Tell whether a single word says how to calculate, and is only a part of a column's name: `avg_rating`."""
        if not isinstance(item.meaning, m.Column) or item.end > item.start + 1:
            return False
        said = self.tokens[item.start].lower
        function = any(isinstance(meaning, m.Function) for meaning in self.context.lexicon.meanings(said))
        return function and len(split_name(item.meaning.name)) > 1

    def find(self, key: str) -> Found | None:
        """Return the first of the longest phrases of a list that stands in the question and is no name."""
        for phrase in phrases_of(self.language, key):
            if not self._words.issuperset(phrase):
                continue
            for start in range(len(self.tokens) - len(phrase) + 1):
                found = self._matched(phrase, start)
                if found is not None:
                    return found
        return None

    def _matched(self, phrase: tuple[str, ...], start: int) -> Found | None:
        numbers: list[int | float] = []
        units: list[DateUnit] = []
        for place, word in enumerate(phrase, start):
            token = self.tokens[place]
            number = self._number(token) if word == "#" else None
            if number is not None:
                numbers.append(number)
            elif word == "@" and token.lower in units_of(self.language):
                units.append(units_of(self.language)[token.lower])
            elif word != token.lower:
                return None
        end = start + len(phrase)
        own = {place for place, word in enumerate(phrase, start) if word not in ("#", "@")}
        if self._named & own or self._longer.get(start, 0) > end:
            return None
        return Found(start, end, tuple(numbers), tuple(units))

    def _number(self, token: Token) -> int | float | None:
        if token.kind is TokenKind.NUMBER:
            return token.number
        meanings = self.context.lexicon.meanings(token.lower)
        return next((meaning.value for meaning in meanings if isinstance(meaning, m.Number)), None)

    def without(self, found: Found, *words: str) -> tuple[Token, ...]:
        """Return the question with words in the place of a phrase."""
        return (*self.tokens[: found.start], *map(as_word, words), *self.tokens[found.end :])

    def cut(self, key: str) -> tuple[Question, Found | None]:
        """Return the question without a phrase, and the phrase."""
        found = self.find(key)
        if found is None:
            return self, None
        return Question(self.without(found), self.context, self.language), found

    @property
    def lacking(self) -> frozenset[str]:
        """The columns of the table that have no value in some rows."""
        return frozenset(column.name for column in self.context.profile.columns if column.nulls)

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing is left that says anything."""
        return all(self.context.lexicon.is_filler(token.lower) for token in self.tokens)

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
        years = any(holds_years(name, self.context) for name in named)
        return years or any(isinstance(meaning, m.Unit) for meaning in (*meanings, *phrases))
