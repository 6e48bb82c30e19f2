"""What words say of the columns of yes and no: that they hold, or that they do not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from jupyter_mcpgen.nl.lexicon.lexicon import Lexicon
from jupyter_mcpgen.nl.schema.headers import HeaderWord
from jupyter_mcpgen.nl.schema.truths import Truth
from jupyter_mcpgen.nl.text.morphology import Form

OWN, RELATED, OTHER = 0.05, 0.1, 0.1
"""What it costs to take a word for yes: one of the header, or one of its family; and to take an opposite for no."""
_OF_VERBS = frozenset({Form.PAST, Form.PROGRESSIVE})


@dataclass(frozen=True, slots=True)
class Saying:
    """A column and the value that a word says of it; `denied` is the value where the word is denied."""

    column: str
    value: Any
    denied: Any
    cost: float


class TruthIndex:
    """What words say of the columns of yes and no, built once per table."""

    def __init__(self, columns: Iterable[tuple[str, Sequence[HeaderWord], Truth]], lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._sayings: dict[str, dict[str, Saying]] = defaultdict(dict)
        for name, words, truth in columns:
            for word in _predicates(words, truth, lexicon):
                self._add(name, truth, word)
            for opposite in lexicon.opposites("".join(word.text for word in words)):
                no, yes = (truth.yes, truth.no) if truth.denied else (truth.no, truth.yes)
                self._sayings[opposite].setdefault(name, Saying(name, no, yes, OTHER))

    def said(self, word: str) -> Iterator[Saying]:
        """Yield what a word says, or what follows from what it denies."""
        if self._lexicon.is_function(word):
            return
        for lemma in self._lexicon.lemmas(word):
            yield from self._sayings.get(lemma, {}).values()
        for lemma in self._lexicon.denied(word):
            for one in self._sayings.get(lemma, {}).values():
                yield Saying(one.column, one.denied, one.value, max(one.cost, OTHER))

    def _add(self, column: str, truth: Truth, word: HeaderWord) -> None:
        lexicon = self._lexicon
        yes, no = (truth.no, truth.yes) if truth.denied else (truth.yes, truth.no)
        related = {relative for lemma in word.known for relative in lexicon.derived(lemma)}
        for words, cost in ((word.known, OWN), (related, RELATED)):
            for one in words:
                self._sayings[one].setdefault(column, Saying(column, yes, no, cost))
        for opposite in {other for one in (*word.known, *related) for other in lexicon.opposites(one)}:
            self._sayings[opposite].setdefault(column, Saying(column, no, yes, OTHER))


def _predicates(words: Sequence[HeaderWord], truth: Truth, lexicon: Lexicon) -> Iterator[HeaderWord]:
    """Yield the words that say what holds: the only one, or of several the forms of verbs, as in `left_company`."""
    said = [word for word in words if word.text in truth.words and word.heavy]
    if len(said) == 1:
        yield said[0]
        return
    analyses = lexicon.morphology.analyses
    yield from (word for word in said if any(one.form in _OF_VERBS for one in analyses(word.text)))
