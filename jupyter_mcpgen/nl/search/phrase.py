"""Some words of a question as one thing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from jupyter_mcpgen.nl.grammar.categories import Category


@dataclass(frozen=True, slots=True, eq=False)
class Phrase:
    """Where some words stand, what they mean, how sure that is, and what it was made of.

    `rule` is the rule that made it, or where an edge came from; `unread` are words inside that nothing read.
    """

    first: int
    last: int
    category: Category
    meaning: Any
    cost: float
    rule: str
    parts: tuple[Phrase, ...] = ()
    unread: tuple[int, ...] = ()

    def walk(self) -> Iterator[Phrase]:
        """Yield the phrase and everything it was made of."""
        yield self
        for part in self.parts:
            yield from part.walk()
