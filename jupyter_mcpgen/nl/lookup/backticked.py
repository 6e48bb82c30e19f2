"""Finds names of columns between backticks, of which no word is a value, a number or quoted text."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from jupyter_mcpgen.nl.lookup.words import Word


def without_quotes_of_names(
    question: str, words: tuple[Word, ...], columns: Collection[str]
) -> tuple[tuple[Word, ...], frozenset[int]]:
    """Return the words with those of columns between backticks as plain ones, and where these stand."""
    spans = [
        (start, start + len(column) + 2)
        for column in columns
        for start in range(len(question))
        if question.startswith(f"`{column}`", start)
    ]
    within = frozenset(
        i for i, word in enumerate(words) if any(start < word.start and word.end < end for start, end in spans)
    )
    return tuple(replace(word, quoted=False) if i in within else word for i, word in enumerate(words)), within
