"""Which words of a column of numbers or dates stand where there is no value."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from jupyter_mcpgen.toolkit.missing_words import LONGEST_MISSING_WORD, is_missing_word


def words_for_nothing(words: Iterable[str], repeated: Collection[str]) -> frozenset[str]:
    """Return the words that spell a missing value in a column of numbers or dates; `repeated` stand in several rows.

    Beside those that spell it anywhere, it is the only other word without a figure, where it is short and repeated.
    """
    words = list(words)
    known = frozenset(filter(is_missing_word, words))
    others = {word for word in words if word not in known and not any(map(str.isdigit, word))}
    short = {word for word in others if len(word) <= LONGEST_MISSING_WORD and word in repeated}
    return known | (short if len(others) == 1 else frozenset())
