"""A rule of the grammar: a row of categories, the category they make, and what that means."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from jupyter_mcpgen.nl.grammar.categories import Category

_C = TypeVar("_C", bound=Callable[..., Any])
Compose = Callable[..., Any]
"""Gets the table and the meanings of the parts in their order (None for an optional part that is not there)."""


@dataclass(frozen=True)
class Part:
    """A place in a pattern: the categories that fit, the meanings of words that fit, and whether it may be missing."""

    categories: tuple[Category, ...]
    words: frozenset[str] = frozenset()
    optional: bool = False

    def fits(self, category: Category, meaning: Any) -> bool:
        """Tell whether a phrase may stand here."""
        return category in self.categories and (not self.words or getattr(meaning, "meaning", None) in self.words)


@dataclass(frozen=True, eq=False)
class Rule:
    """One way to make a phrase of others; `reads` must be read by it and `never` must not."""

    name: str
    result: Category
    parts: tuple[Part, ...]
    compose: Compose
    cost: float = 0.0
    reads: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    tight: bool = False
    """True where no word may stand between its parts, not even an article."""
    spoken: bool = False
    """True where it needs the words of its parts as well, which come first."""

    def after(self, place: int) -> Iterator[int]:
        """Yield the places that may come next after a place was filled; `len(parts)` for the end."""
        for at in range(place, len(self.parts)):
            yield at
            if not self.parts[at].optional:
                return
        yield len(self.parts)


def a(*categories: Category, words: str = "", optional: bool = False) -> Part:
    """Return a place in a pattern; `words` are the meanings that fit, parted by spaces."""
    return Part(categories, frozenset(words.split()), optional)


def maybe(*categories: Category, words: str = "") -> Part:
    """Return a place in a pattern that may stay empty."""
    return a(*categories, words=words, optional=True)


@dataclass
class Family:
    """The rules of one kind, in the order in which they were written."""

    name: str
    rules: list[Rule] = field(default_factory=list)

    def rule(
        self,
        result: Category,
        *parts: Part | Category,
        cost: float = 0.0,
        reads: tuple[str, ...] = (),
        never: tuple[str, ...] = (),
        tight: bool = False,
        spoken: bool = False,
    ) -> Callable[[_C], _C]:
        """Register what a function makes of a row of phrases."""

        def register(compose: _C) -> _C:
            places = tuple(part if isinstance(part, Part) else Part((part,)) for part in parts)
            name = f"{self.name}.{compose.__name__.strip('_')}"
            self.rules.append(Rule(name, result, places, compose, cost, reads, never, tight, spoken))
            return compose

        return register
