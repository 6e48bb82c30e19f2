"""The words of a column's name: what each may stand for, and how much of the name it carries."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from jupyter_mcpgen.nl.lexicon.lexicon import Lexicon
from jupyter_mcpgen.nl.schema.vocabulary import Vocabulary
from jupyter_mcpgen.nl.text.morphology import Form

HEAVY = 0.3
"""A word of at least this weight has to be matched before a column is mentioned without a doubt."""
_LIGHT = 0.1
_SHORT_UNIT = 3
"""A unit at the end of a header of at most so many letters is one: the `min` of `delay_min`."""
_FUNCTION = 0.02
_DIGITS_OF_YEAR = 4
_SIDE = 0.5
"""The weight of a function word that tells two columns apart, as in `from_city` and `to_city`."""

_BRACKETS = re.compile(r"[(\[]([^)\]]*)[)\]]")
_PIECE = re.compile(
    r"(?<![^\W\d_])(?:[kMGT]?W|[kMGT]?Wh|mAh|[kMG]?Hz|k[VN]|pH|dB|m[LVAW])(?![^\W\d_])"  # units are one word
    r"|%|[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-zß-öø-ÿ]+|[A-Z]+|\d+|[^\W\d_]+"
)


@dataclass(frozen=True, slots=True)
class HeaderWord:
    """One word of a header in lower case, with all that it may stand for."""

    text: str
    base: str
    """The noun that it is the plural of, or the word itself."""
    lemmas: tuple[str, ...]
    full: tuple[str, ...]
    """The words that it may be short for."""
    concepts: frozenset[str]
    function: bool
    weight: float
    aside: bool = False
    """True for words in brackets and for those of the unit."""

    @property
    def known(self) -> frozenset[str]:
        """The word, its lemmas and what it is short for."""
        return frozenset((self.text, *self.lemmas, *self.full))

    @property
    def heavy(self) -> bool:
        """True for words without which the header is hardly meant."""
        return self.weight >= HEAVY


@lru_cache(maxsize=16_384)
def split_words(text: str) -> tuple[str, ...]:
    """Return the words of a name in lower case: snake_case, camelCase, spaces and digits are boundaries."""
    return tuple(piece.casefold() for piece in _PIECE.findall(text))


def read_header(name: str, unit: str | None, lexicon: Lexicon, vocabulary: Vocabulary) -> tuple[HeaderWord, ...]:
    """Return the words of a header, at least one; those in brackets and a unit at the end weigh little."""
    aside = [word for inside in _BRACKETS.findall(name) for word in split_words(inside) if _tells(word)]
    own = list(split_words(_BRACKETS.sub(" ", name)))
    if not own:
        own, aside = aside or [name.strip().casefold()], []
    units = _words_of_unit(own, unit, lexicon)
    return (
        *(_word(word, lexicon, vocabulary) for word in own[: len(own) - units]),
        *(_aside(_word(word, lexicon, vocabulary)) for word in (*own[len(own) - units :], *aside)),
    )


def _tells(word: str) -> bool:
    """Tell whether a word in brackets says something: a word, or a year."""
    return not word.isdecimal() or len(word) == _DIGITS_OF_YEAR


def weigh_words(headers: Sequence[tuple[HeaderWord, ...]]) -> tuple[tuple[HeaderWord, ...], ...]:
    """Return the headers of a table with words weighing less that many of its columns have."""
    columns = Counter(base for words in headers for base in {word.base for word in words})
    scale = math.log(len(headers) + 1)
    return tuple(
        tuple(replace(word, weight=word.weight * (1 - math.log(columns[word.base]) / scale)) for word in words)
        for words in headers
    )


def _words_of_unit(words: Sequence[str], unit: str | None, lexicon: Lexicon) -> int:
    """Return how many words at the end of a name say its unit, which is not the whole name."""
    if unit is None:
        return 0
    own, meant = frozenset(split_words(unit)), lexicon.unit(unit.casefold())
    said = [word in own or (meant is not None and lexicon.unit(word) == meant) for word in reversed(words)]
    return said.index(False) if False in said else 0


def _word(text: str, lexicon: Lexicon, vocabulary: Vocabulary) -> HeaderWord:
    lemmas = lexicon.lemmas(text)
    base = _singular(text, lexicon)
    full = tuple(one for one in lexicon.abbreviations(text) if one != text)
    meanings = (*lemmas, *full)
    if lexicon.is_function(text):
        sided = any(text in pair for pair in vocabulary.relations.opposites)
        return HeaderWord(text, base, lemmas, full, frozenset(), function=True, weight=_SIDE if sided else _FUNCTION)
    concepts = frozenset(concept for one in meanings for concept in lexicon.concepts(one))
    is_light = not vocabulary.words.light.isdisjoint(meanings)
    return HeaderWord(text, base, lemmas, full, concepts, function=False, weight=_LIGHT if is_light else 1.0)


def _singular(word: str, lexicon: Lexicon) -> str:
    """Return the noun that a word is the plural of, the one that is known if it may be of several; else the word."""
    nouns = [lemma for lemma, form in lexicon.morphology.analyses(word) if form is Form.PLURAL]
    return next((noun for noun in nouns if lexicon.knows(noun)), nouns[0] if nouns else word)


def _aside(word: HeaderWord) -> HeaderWord:
    return replace(word, weight=min(word.weight, _LIGHT), aside=True)
