"""What is done to the rows of a table before anything is computed, and the words that ask for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from jupyter_mcpgen.nl.text.tokens import Token
from jupyter_mcpgen.plan.ops import Step
from jupyter_mcpgen.precomputed import words_of

SURELY_A_NAME = 0.1
"""A column that is named at most this uncertainly is the one that is meant."""


@dataclass(frozen=True)
class Preparation:
    """What is done to the rows before anything is computed."""

    steps: tuple[Step, ...]
    notes: tuple[str, ...] = ()
    column: str | None = None
    """The column whose gaps are filled: a figure that is asked for behind it may leave it out."""
    clauses: int = 1
    """How many steps of the question say it."""
    plain: bool = False
    """True for rows that are kept or dropped by a condition, which any question can say as well."""


@lru_cache(maxsize=4)
def words_of_steps(language: str) -> Mapping[str, Any] | None:
    """Return a language's words for preparations, or None where it has none; read once per process."""
    return words_of(f"{language}_steps") or None


def any_of(phrases: Iterable[str]) -> str:
    """Return the pattern of one of some phrases, the longest first."""
    return "|".join(re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True))


def behind(tokens: tuple[Token, ...], phrases: list[str]) -> tuple[Token, ...] | None:
    """Return what follows the longest of some phrases that a clause begins with."""
    said = tuple(token.lower for token in tokens)
    for phrase in sorted(phrases, key=len, reverse=True):
        words = tuple(phrase.split())
        if said[: len(words)] == words:
            return tokens[len(words) :]
    return None
