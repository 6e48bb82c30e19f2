"""Fingerprints of answers, so that two answers can be compared without keeping their rows.

Two answers are alike by the rules of the requests' scorer: the rows in any order, further columns do no harm, and a
share is as good as its percentage.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

import pandas as pd

MOST_CHOICES = 2_000
"""So many choices of columns are compared at most."""
_PERCENT = (1.0, 100.0, 0.01)
_MIDNIGHT = " 00:00:00"


@dataclass(frozen=True)
class Fingerprint:
    """What is kept of an answer: its number of rows, the sum of their hashes, and the sum of each column's."""

    rows: int
    whole: int
    columns: tuple[int, ...]


def fingerprint(answer: pd.DataFrame) -> Fingerprint:
    """Return the fingerprint of an answer."""
    columns = _cells(answer)
    return Fingerprint(len(answer), _of_rows(columns), tuple(map(_of_column, columns)))


def is_alike(answer: pd.DataFrame, expected: Fingerprint) -> bool:
    """Tell whether an answer holds the columns of another one, row by row."""
    if len(answer) != expected.rows:
        return False
    if not expected.rows:
        return True
    own = [(place, column) for place, cells in enumerate(_cells(answer)) for column in _scaled(cells)]
    hashes = [_of_column(column) for _, column in own]
    choices = [[one for one, known in zip(own, hashes, strict=True) if known == column] for column in expected.columns]
    for chosen in islice(product(*choices), MOST_CHOICES):
        apart = len({place for place, _ in chosen}) == len(chosen)
        if apart and _of_rows([column for _, column in chosen]) == expected.whole:
            return True
    return False


def _cells(answer: pd.DataFrame) -> list[list[str]]:
    return [[_text(value) for value in answer.iloc[:, place]] for place in range(answer.shape[1])]


def _text(value: Any) -> str:
    """Return the form in which two cells that count as equal are the same text: numbers to six digits."""
    if pd.isna(value):
        return ""
    if isinstance(value, bool):
        return str(value)
    try:
        return f"{float(value):.6g}"
    except (TypeError, ValueError):
        return str(value).removesuffix(_MIDNIGHT)


def _scaled(column: list[str]) -> list[list[str]]:
    """Return a column as it is, and where it holds numbers also as percentages and as parts of one."""
    try:
        numbers = [float(cell) if cell else None for cell in column]
    except ValueError:
        return [column]
    return [["" if one is None else f"{one * times:.6g}" for one in numbers] for times in _PERCENT]


def _of_column(column: Iterable[str]) -> int:
    return sum(map(_hash, column)) % 2**64


def _of_rows(columns: Sequence[Sequence[str]]) -> int:
    return sum(_hash("\x1f".join(row)) for row in zip(*columns, strict=True)) % 2**64


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
