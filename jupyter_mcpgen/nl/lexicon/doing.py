"""What words do in a question, by the part `words` of a language: found by the lemmas of the words there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from jupyter_mcpgen.nl.lexicon.reading import parts


@dataclass(frozen=True, slots=True)
class Doing:
    """A phrase that does something: its words as lemmas, its category, its meaning, and the phrase as written."""

    lemmas: tuple[str, ...]
    category: str
    meaning: str
    said: str


_LISTS = "lists"
_ITSELF = "!"
"""Marks a word that stands for itself alone."""


@lru_cache(maxsize=4)
def _tables(language: str) -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = parts(language)["words"]
    return found


@lru_cache(maxsize=64)
def listed(name: str, language: str) -> frozenset[str]:
    """Return the words of a list: what sets some words apart from others of the same meaning."""
    return frozenset(_tables(language)[_LISTS][name])


@lru_cache(maxsize=4)
def phrases_of(language: str) -> dict[str, tuple[Doing, ...]]:
    """Return the phrases of a language by their first lemma."""
    found: dict[str, list[Doing]] = {}
    for category, meanings in _tables(language).items():
        if category == _LISTS:
            continue
        for meaning, phrases in meanings.items():
            for phrase in dict.fromkeys(phrases):
                lemmas = tuple(phrase.split())
                found.setdefault(lemmas[0], []).append(Doing(lemmas, category, meaning, phrase))
    return {first: tuple(several) for first, several in found.items()}


def doings_at(forms: Sequence[tuple[str, ...]], place: int, language: str) -> Iterator[tuple[int, Doing]]:
    """Yield where each phrase that begins at a place ends, and what it does; `forms` are the lemmas of each word."""
    known = phrases_of(language)
    for first in (f"{forms[place][0]}{_ITSELF}", *forms[place]):
        for doing in known.get(first, ()):
            end = place + len(doing.lemmas)
            if end <= len(forms) and all(map(_is_said, doing.lemmas, forms[place:end])):
                yield end, doing


def _is_said(lemma: str, forms: tuple[str, ...]) -> bool:
    """Tell whether a word is one of a phrase, by its lemmas, or itself where the phrase says so."""
    return lemma in forms or lemma == f"{forms[0]}{_ITSELF}"
