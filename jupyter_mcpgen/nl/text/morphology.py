"""Word forms: the lemmas that a form may belong to, by the endings of a language and a table of irregular forms.

A form often has several possible lemmas ("rated" may be of "rate" and of "rat"); all are returned, and the lexicon and
the table show which is meant. The endings are data, so that each language brings its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

SHORTEST_INFLECTED = 4
"""No ending is cut from shorter words."""
SHORTEST_DENIED = 4
"""No shorter word is denied by what stands before it: "under" denies nothing."""


class Form(Enum):
    """What a form of a word says beside its lemma."""

    PLAIN = "plain"
    """The lemma itself, or another spelling of it: "colour"."""
    POSSESSIVE = "possessive"
    PLURAL = "plural"
    """Also the third person of a verb, which English writes alike."""
    PAST = "past"
    PROGRESSIVE = "progressive"
    COMPARATIVE = "comparative"
    SUPERLATIVE = "superlative"
    ADVERB = "adverb"
    QUALITY = "quality"
    """The noun of an adjective: "calmness"."""


OF_NOUNS = frozenset({Form.PLAIN, Form.POSSESSIVE, Form.PLURAL})
_OF_ADJECTIVES = frozenset({Form.COMPARATIVE, Form.SUPERLATIVE})
_INNER: Mapping[Form, frozenset[Form]] = {
    Form.POSSESSIVE: frozenset({Form.PLAIN, Form.PLURAL, Form.PAST, Form.PROGRESSIVE}),
    Form.PLURAL: frozenset({Form.PLAIN, Form.PAST, Form.PROGRESSIVE}),
    Form.PLAIN: frozenset(),
}
"""What a form may itself be made of: "earnings" of "earning"; of the others only another spelling of their lemma."""
_SPELLING = frozenset({Form.PLAIN})


class Analysis(NamedTuple):
    """One lemma that a form may belong to, and which form of it."""

    lemma: str
    form: Form


@dataclass(frozen=True)
class Ending:
    """An ending: what is cut off, what the lemma has in its place, and what the rest must look like."""

    form: Form
    cut: str
    put: tuple[str, ...]
    behind: re.Pattern[str]
    undouble: bool = False
    """The ending doubles the last letter of the lemma: "hottest"."""

    def lemmas(self, word: str) -> Iterator[str]:
        """Yield the lemmas that a word with this ending may have."""
        rest = word.removesuffix(self.cut)
        if rest == word or not self.behind.search(rest):
            return
        if self.undouble:
            rest = rest[:-1]
        for letters in self.put:
            yield rest + letters


@dataclass(frozen=True, eq=False)
class Morphology:
    """How a language inflects its words."""

    endings: tuple[Ending, ...]
    denials: tuple[str, ...]
    """Beginnings that deny the rest of a word: "unpaid", "non-smoker"."""
    irregular: Mapping[str, tuple[Analysis, ...]]
    whole: frozenset[str]
    """Words that end like a form and are none: "series", "speed"."""
    gradable: frozenset[str]
    """Adjectives that have degrees; "customer" is no more of "custom"."""

    def analyses(self, word: str) -> tuple[Analysis, ...]:
        """Return the lemmas that a lower-case word may belong to, itself first."""
        return _analyses(self, word)

    def lemmas(self, word: str) -> tuple[str, ...]:
        """Return the same without the forms."""
        return _lemmas(self, word)

    def is_plural(self, word: str) -> bool:
        """Tell whether a word looks like the plural of a noun."""
        return any(form is Form.PLURAL for _, form in self.analyses(word))

    def denied(self, word: str) -> tuple[Analysis, ...]:
        """Return the analyses of what a word denies, if it looks like a denial; the table shows whether it is one."""
        for beginning in self.denials:
            rest = word.removeprefix(beginning)
            if rest != word and len(rest) >= SHORTEST_DENIED:
                return self.analyses(rest)
        return ()


@lru_cache(maxsize=20_000)
def _analyses(morphology: Morphology, word: str) -> tuple[Analysis, ...]:
    found: dict[str, Analysis] = {word: Analysis(word, Form.PLAIN)}
    for analysis in _of(morphology, word, frozenset(Form)):
        found.setdefault(analysis.lemma, analysis)
    return tuple(found.values())


@lru_cache(maxsize=20_000)
def _lemmas(morphology: Morphology, word: str) -> tuple[str, ...]:
    return tuple(analysis.lemma for analysis in _analyses(morphology, word))


def _of(morphology: Morphology, word: str, forms: frozenset[Form]) -> Iterator[Analysis]:
    """Yield the analyses of a word as some forms."""
    yield from (analysis for analysis in morphology.irregular.get(word, ()) if analysis.form in forms)
    if word in morphology.whole or len(word) < SHORTEST_INFLECTED:
        return
    for ending in morphology.endings:
        if ending.form not in forms:
            continue
        for lemma in ending.lemmas(word):
            if ending.form in _OF_ADJECTIVES and lemma not in morphology.gradable:
                continue
            yield Analysis(lemma, ending.form)
            for inner in _of(morphology, lemma, _INNER.get(ending.form, _SPELLING)):
                yield Analysis(inner.lemma, ending.form if inner.form is Form.PLAIN else inner.form)
