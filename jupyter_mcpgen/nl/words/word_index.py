"""Which columns have a word in their names, as an index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def inverted(pairs: Iterable[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    """Return the names by each of their words, for pairs of a name and a word."""
    found: dict[str, dict[str, None]] = {}
    for name, word in pairs:
        found.setdefault(word, {})[name] = None
    return {word: tuple(names) for word, names in found.items()}
