"""Known words that are one edit away from a word that nobody knows."""

from __future__ import annotations

from collections.abc import Container, Iterator

SHORTEST = 5
"""Shorter words are one edit away from too many others."""
_LETTERS = "abcdefghijklmnopqrstuvwxyzäöüßéèñç"


def one_edit_away(word: str, known: Container[str]) -> tuple[str, ...]:
    """Return the known words that a word becomes by one letter more, less, changed or two swapped; the first stays."""
    if len(word) < SHORTEST or not word.isalpha():
        return ()
    return tuple(dict.fromkeys(edited for edited in _edits(word) if edited in known and len(edited) >= SHORTEST - 1))


def _edits(word: str) -> Iterator[str]:
    for place in range(1, len(word) + 1):
        before, after = word[:place], word[place:]
        if after:
            yield before + after[1:]
            yield from (before + letter + after[1:] for letter in _LETTERS)
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]
        yield from (before + letter + after for letter in _LETTERS)
