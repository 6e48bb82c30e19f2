"""How much alike the words of a question and of a tool are; embeddings of a model could tell it in another way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Similarity(Protocol):
    """Compares one text with several."""

    def between(self, asked: str, told: Sequence[str]) -> Sequence[float | None]:
        """Return for each text how much it is like the first, from 0 to 1; None where that cannot be measured."""
        ...


class WordSimilarity:
    """Compares the words themselves, whatever their order; misspelled and inflected words count in part."""

    def between(self, asked: str, told: Sequence[str]) -> Sequence[float | None]:
        """Return the share of the words that both have, by rapidfuzz's ratio of sets of tokens."""
        from rapidfuzz import fuzz  # deferred: without a tool that may be near nothing is compared

        return [fuzz.token_set_ratio(asked, text) / 100 if asked and text else None for text in told]
