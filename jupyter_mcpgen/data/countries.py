"""Tells a column of countries by its values, whatever it is called: names in English or German, or ISO codes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

_FEWEST_NAMES = 2
_FEWEST_CODES = 3
_PARTS_OF_COUNTRIES = frozenset(
    {
        *("AL", "AR", "AZ", "CA", "CO", "DE", "GA", "ID", "IL", "IN", "KY", "LA", "MA", "MD", "ME", "MN", "MO", "MS"),
        *("MT", "NC", "NE", "PA", "SC", "SD", "TN", "VA", "VI", "PR", "GU", "AS", "MP", "PE", "SK", "NL", "BC"),
    }
)
"""Codes of countries that are also those of states and provinces: a column of nothing else may hold either."""


class _Countries(NamedTuple):
    two_letters: frozenset[str]
    three_letters: frozenset[str]
    names: frozenset[str]


def are_countries(values: Sequence[object]) -> bool:
    """Tell whether the distinct words of a column are mostly names of countries, or all of them ISO codes."""
    words = {value.strip() for value in values if isinstance(value, str)}
    known = _countries()
    if len(words) >= _FEWEST_NAMES and 2 * sum(word.casefold() in known.names for word in words) > len(words):
        return True
    if len(words) < _FEWEST_CODES:
        return False
    return words <= known.three_letters or (words <= known.two_letters and not words <= _PARTS_OF_COUNTRIES)


@lru_cache(maxsize=1)
def _countries() -> _Countries:
    text = files("jupyter_mcpgen.data").joinpath("countries.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    return _Countries(
        frozenset(row[0] for row in rows),
        frozenset(row[1] for row in rows),
        frozenset(name.casefold() for row in rows for name in row[2:]),
    )
