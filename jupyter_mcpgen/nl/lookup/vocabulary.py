"""The words of look-up questions, read from the language's data file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from jupyter_mcpgen.nl.words.forms import singular
from jupyter_mcpgen.plan.ops import AggregateFunction


@dataclass(frozen=True)
class Vocabulary:
    """Closed classes of words, cue words of functions and kinds, and words for the same thing."""

    light: frozenset[str]
    conditional: frozenset[str]
    clauses: frozenset[str]
    links: frozenset[str]
    links_after: frozenset[str]
    articles: frozenset[str]
    auxiliaries: frozenset[str]
    """The words of which one follows "when" and "where" in a question, and none where they begin a clause."""
    restricting: frozenset[str]
    doing: frozenset[str]
    """Verbs that hold between most things and so pick no rows."""
    count_phrases: tuple[tuple[str, ...], ...]
    distinct: frozenset[str]
    functions: Mapping[tuple[str, ...], AggregateFunction]
    more: frozenset[str]
    less: frozenset[str]
    asks: Mapping[str, str]
    kinds: Mapping[str, frozenset[str]]
    after: Mapping[str, frozenset[str]]
    ordinals: frozenset[str]
    measures: frozenset[str]
    """What is measured and never counted: "how many heights" asks how many of them there are."""
    not_agents: frozenset[str]
    organisations: frozenset[str]
    """Nouns for what acts like a person without being one."""
    sides: frozenset[str]
    """Nouns that say where something is only when they stand alone: a home team is no place."""
    rivals: frozenset[str]
    """Nouns for the other side of what a table is about."""
    facing: frozenset[str]
    """What stands before the name of that other side."""
    abbreviations: Mapping[str, str]
    letters: Mapping[str, str]
    groups: Mapping[str, frozenset[int]]
    """The groups of words for the same thing that a word belongs to."""


@lru_cache(maxsize=4)
def load_vocabulary(language: str = "en") -> Vocabulary:
    """Return a language's words of look-up questions; read once per process because the file never changes."""
    path = files("jupyter_mcpgen.nl").joinpath(f"languages/{language}_lookup.toml")
    tree = tomllib.loads(path.read_text(encoding="utf-8"))
    groups: dict[str, set[int]] = {}
    for number, group in enumerate(tree["synonyms"]["groups"]):
        for word in group:
            for form in (word, singular(word)):
                groups.setdefault(form, set()).add(number)
    functions = {
        tuple(phrase.split()): AggregateFunction(name)
        for name, phrases in tree["functions"].items()
        for phrase in phrases
    }
    return Vocabulary(
        light=frozenset(tree["light"]),
        conditional=frozenset(tree["conditional"]),
        clauses=frozenset(tree["clauses"]),
        links=frozenset(tree["links"]),
        links_after=frozenset(tree["links_after"]),
        articles=frozenset(tree["articles"]),
        auxiliaries=frozenset(tree["auxiliaries"]),
        restricting=frozenset(tree["restricting"]),
        doing=frozenset(tree["doing"]),
        count_phrases=tuple(tuple(phrase.split()) for phrase in tree["count"]["phrases"]),
        distinct=frozenset(tree["count"]["distinct"]),
        functions=functions,
        more=frozenset(tree["than"]["more"]),
        less=frozenset(tree["than"]["less"]),
        asks={word: kind for kind in tree["kinds"] for word in tree["asks"][kind]},
        kinds={kind: frozenset(words) for kind, words in tree["kinds"].items()},
        after={kind: frozenset(words) for kind, words in tree["after"].items()},
        not_agents=frozenset(tree["asks"]["not_agents"]),
        organisations=frozenset(tree["asks"]["organisations"]),
        sides=frozenset(tree["asks"]["sides"]),
        rivals=frozenset(tree["asks"]["rivals"]),
        facing=frozenset(tree["asks"]["facing"]),
        ordinals=frozenset(tree["count"]["ordinals"]),
        measures=frozenset(tree["count"]["measures"]),
        abbreviations=tree["abbreviations"],
        letters=tree["letters"],
        groups={word: frozenset(numbers) for word, numbers in groups.items()},
    )
