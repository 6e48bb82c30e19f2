"""A plan with what it was derived from: the answer, the words, and which phrase read which of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jupyter_mcpgen.nl.assembly.answers import Answer
from jupyter_mcpgen.nl.assembly.query import Query
from jupyter_mcpgen.nl.grammar.meanings import Column
from jupyter_mcpgen.nl.search.covers import Cover
from jupyter_mcpgen.nl.search.phrase import Phrase
from jupyter_mcpgen.plan.plan import Plan


@dataclass(frozen=True)
class Derivation:
    """A plan with what it was derived from."""

    plan: Plan
    answer: Answer
    query: Query
    cost: float
    cover: Cover
    looked_up: bool
    """True where words were left unread that can only say more of the row which was named."""
    unread: tuple[str, ...] = ()
    """The words that no phrase reads, in lower case."""
    notes: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    """The words of the question, in lower case."""

    def phrases(self) -> Iterator[Phrase]:
        """Yield the phrases that read the question, and everything they were made of."""
        for phrase in self.cover.phrases:
            yield from phrase.walk()

    def names(self, column: str) -> bool:
        """Tell whether the question names a column."""
        return any(one.rule == "column" and one.meaning == Column(column) for one in self.phrases())
