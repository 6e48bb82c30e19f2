"""The words of everyday English, read from the language's data file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files


@dataclass(frozen=True)
class Quality:
    """Adjectives that rank, and the words of the columns that they may rank by."""

    highest: tuple[str, ...]
    lowest: tuple[str, ...]
    columns: tuple[str, ...]
    opposite: tuple[str, ...]


@dataclass(frozen=True)
class Vocabulary:
    """Qualities, verbs with the columns they name, and closed lists of words."""

    qualities: tuple[Quality, ...]
    verbs: Mapping[str, tuple[str, ...]]
    words: Mapping[str, frozenset[str]]
    ranked: Mapping[str, tuple[str, ...]]
    """Lists of which the order counts: the best first."""
    antonyms: Mapping[str, str]
    synonyms: tuple[frozenset[str], ...]
    """Groups of words for one measure or label."""
    same_event: tuple[frozenset[str], ...]
    """Groups of words for one event that a yes-or-no column may be called by."""


@lru_cache(maxsize=4)
def load_vocabulary(language: str) -> Vocabulary | None:
    """Return a language's everyday words, or None where it has none; read once per process."""
    path = files("jupyter_mcpgen.nl").joinpath(f"languages/{language}_everyday.toml")
    if not path.is_file():
        return None
    tree = tomllib.loads(path.read_text(encoding="utf-8"))
    return Vocabulary(
        qualities=tuple(
            Quality(tuple(q["highest"]), tuple(q["lowest"]), tuple(q["columns"]), tuple(q.get("opposite", ())))
            for q in tree["quality"]
        ),
        verbs={word: tuple(verb["columns"]) for verb in tree["verb"] for word in verb["words"]},
        words={key: frozenset(words) for key, words in tree["words"].items()},
        ranked={key: tuple(words) for key, words in tree["words"].items()},
        antonyms=tree["antonyms"],
        synonyms=tuple(frozenset(words) for words in tree["synonyms"]["groups"]),
        same_event=tuple(frozenset(words) for words in tree["same_event"]["groups"]),
    )
