"""Columns that say yes or no, and what a yes in them means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jupyter_mcpgen.model.profile import ColumnProfile
from jupyter_mcpgen.nl.lexicon.lexicon import Lexicon
from jupyter_mcpgen.nl.schema.headers import HeaderWord, split_words
from jupyter_mcpgen.nl.schema.vocabulary import Vocabulary
from jupyter_mcpgen.plan.schema import ColumnType

FEWEST_ROWS = 5
"""In fewer rows a column of 0 and 1 may as well count something."""
_TWO = 2


@dataclass(frozen=True, slots=True)
class Truth:
    """The values for yes and no, and the words of the header that hold where it says yes."""

    yes: Any
    no: Any
    words: tuple[str, ...]
    denied: bool
    """True where the header itself says no, as in `not_paid`."""


def find_truth(
    column: ColumnProfile,
    type_: ColumnType,
    words: Sequence[HeaderWord],
    rows: int,
    lexicon: Lexicon,
    vocabulary: Vocabulary,
) -> Truth | None:
    """Return what yes and no are in a column, or None for one that says something else."""
    values = _two_values(column, type_, words, rows, vocabulary) or _denied_value(column, type_, lexicon, vocabulary)
    if values is None:
        return None
    told = vocabulary.truth
    around = told.auxiliaries | told.flags | told.negations
    said = tuple(word.text for word in words if not word.known & around)
    denied = bool(words[0].known & told.negations) or any(word.text in told.negations for word in words[1:])
    return Truth(*values, said or tuple(word.text for word in words), denied)


def _two_values(
    column: ColumnProfile, type_: ColumnType, words: Sequence[HeaderWord], rows: int, vocabulary: Vocabulary
) -> tuple[Any, Any] | None:
    if type_ is ColumnType.BOOLEAN:
        return True, False
    if not column.complete or len(column.values) != _TWO:
        return None
    if type_.is_number:
        plural = next((word for word in reversed(words) if word.heavy), words[-1])
        counted = plural.base != plural.text or any(word.known & vocabulary.additivity.additive for word in words)
        return (1, 0) if set(column.values) == {0, 1} and rows >= FEWEST_ROWS and not counted else None
    return None


def _denied_value(
    column: ColumnProfile, type_: ColumnType, lexicon: Lexicon, vocabulary: Vocabulary
) -> tuple[Any, Any] | None:
    """Return two texts of which the second denies the first: "member" and "non-member", "paid" and "unpaid"."""
    if type_ is not ColumnType.TEXT or not column.complete or len(column.values) != _TWO:
        return None
    one, other = column.values
    if _denies(one, other, lexicon, vocabulary):
        return other, one
    return (one, other) if _denies(other, one, lexicon, vocabulary) else None


def _denies(value: str, other: str, lexicon: Lexicon, vocabulary: Vocabulary) -> bool:
    words, plain = split_words(value), split_words(other)
    if words[:1] and words[0] in vocabulary.truth.negations:
        return words[1:] == plain
    return len(words) == len(plain) == 1 and plain[0] in lexicon.denied(words[0])
