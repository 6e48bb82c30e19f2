"""Words that many tables write in a text where there is no value."""

from __future__ import annotations

MISSING_WORDS = frozenset(
    {
        *("", "-", "--", "—", "–", "−", ".", "..", "...", "?", "/", "*", "n/a", "n.a.", "na", "nan", "nil", "null"),
        *("none", "unknown", "missing", "tbd", "tba", "not available", "not applicable", "no data", "#n/a"),
    }
)
"""In lower case, without blanks around them."""


def is_missing_word(word: str) -> bool:
    """Tell whether a text spells that there is no value."""
    return word.strip().casefold() in MISSING_WORDS
