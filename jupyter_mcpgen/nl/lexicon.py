"""The words of a language, read from its data file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.meanings import Meaning
from jupyter_mcpgen.nl.words import singular
from jupyter_mcpgen.plan.expressions import CompareOp, DateUnit, MatchMode
from jupyter_mcpgen.plan.ops import AggregateFunction, ChartKind

MAX_PHRASE_WORDS = 6


@dataclass(frozen=True)
class Lexicon:
    """Phrases with their meanings, the words that carry none, and nouns by how their numbers combine.

    `generic` holds nouns that a question may add to a column's name, `abbreviations` short forms in column names.
    """

    language: str
    phrases: Mapping[str, tuple[Meaning, ...]]
    filler: frozenset[str]
    table_nouns: frozenset[str]
    additive: frozenset[str]
    intensive: frozenset[str]
    generic: frozenset[str]
    abbreviations: Mapping[str, str]

    def meanings(self, phrase: str) -> tuple[Meaning, ...]:
        """Return what a lower-case phrase may mean."""
        return self.phrases.get(phrase, ())


@lru_cache(maxsize=4)
def load_lexicon(language: str = "en") -> Lexicon:
    """Return a language's lexicon; read once per process because the file never changes under us."""
    text = files("jupyter_mcpgen.nl").joinpath(f"languages/{language}.toml").read_text(encoding="utf-8")
    return _build(tomllib.loads(text))


def _build(tree: Mapping[str, Any]) -> Lexicon:
    phrases: dict[str, list[Meaning]] = {}

    def add(words: list[str], meaning: Meaning) -> None:
        for phrase in words:
            phrases.setdefault(phrase, []).append(meaning)

    for key, meaning in _SIMPLE.items():
        add(tree[key], meaning)
    for name, words in tree["functions"].items():
        add(words, m.Function(AggregateFunction(name)))
    for name, words in tree["comparisons"].items():
        add(words, m.Comparison(CompareOp(name)))
    for name, words in tree["times"].items():
        add(words, m.TimeSide(CompareOp(name)))
    for name, words in tree["matches"].items():
        add(words, m.Matching(MatchMode(name)))
    for name, words in tree["units"].items():
        add(words, m.Unit(DateUnit(name)))
    for name, words in tree["charts"].items():
        add(words, m.ChartWord(ChartKind(name)))
    for name, words in tree["unsupported"].items():
        add(words, m.Unsupported(name))
    return Lexicon(
        language=tree["stemmer"],
        phrases={phrase: tuple(found) for phrase, found in phrases.items()},
        filler=frozenset(tree["filler"]),
        table_nouns=frozenset(tree["table"]),
        additive=frozenset(singular(word) for word in tree["additive"]),
        intensive=frozenset(singular(word) for word in tree["intensive"]),
        generic=frozenset(singular(word) for word in tree["generic"]),
        abbreviations=tree["abbreviations"],
    )


_SIMPLE: Mapping[str, Meaning] = {
    "rows": m.RowNoun("rows"),
    "list_rows": m.ListRows(),
    "group": m.GroupWord(),
    "where": m.WhereWord(),
    "conjunction": m.And(),
    "disjunction": m.Or(),
    "negation": m.Not(),
    "count": m.CountWord(),
    "missing": m.MissingWord(),
    "overview": m.Overview(),
    "no_chart": m.NoChart(),
    "top": m.Extreme(descending=True),
    "bottom": m.Extreme(descending=False),
    "most_common": m.MostCommon(descending=True),
    "least_common": m.MostCommon(descending=False),
    "descending": m.Direction(descending=True),
    "ascending": m.Direction(descending=False),
    "sort": m.SortWord(),
    "between": m.Between(),
    "how_much": m.HowMuch(),
    "relation": m.Relation(),
}
