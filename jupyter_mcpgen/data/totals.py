"""Finds rows that add up the other rows, as sheets have them at the bottom: counted with the rest, all doubles."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

import pandas as pd

from jupyter_mcpgen.model.profile import Totals

_LABEL = re.compile(
    r"(grand |sub-? ?|overall )?totals?\b.*|.*\b(sub-?)?totals?|overall|sum"
    r"|all( [\w&. -]+)?|combined|\*|summe\b.*|(gesamt|zwischen)summe\b.*|gesamt|insgesamt|alle( [\w&. -]+)?",
    re.IGNORECASE,
)
_FEWEST_ROWS = 3
_MOST_LABELS = 50


def find_totals(texts: Mapping[str, pd.Series], numbers: Mapping[str, pd.Series]) -> Totals | None:
    """Return the rows that add up the others, which figures prove; `numbers` are the columns that can be added up.

    Such a row is called so in one of the `texts`, or is the last one and has no name at all.
    """
    if not numbers or len(next(iter(numbers.values()))) < _FEWEST_ROWS:
        return None
    for name, words in texts.items():
        labels = [word for word in words.dropna().unique() if _LABEL.fullmatch(word.strip())]
        if 0 < len(labels) <= _MOST_LABELS and _adds_up(words.isin(labels), numbers):
            return Totals(column=name, labels=tuple(labels), rows=int(words.isin(labels).sum()))
    return _unnamed(texts, numbers)


def _adds_up(total: pd.Series, numbers: Mapping[str, pd.Series]) -> bool:
    """Tell whether one of the rows, or all of them together, add up the rest of a column."""
    for column in numbers.values():
        said, rest = column[total].dropna(), column[~total].dropna()
        whole = float(rest.sum())
        if len(rest) > 1 and whole and any(_equal(whole, float(one)) for one in (*said, said.sum())):
            return True
    return False


def _unnamed(texts: Mapping[str, pd.Series], numbers: Mapping[str, pd.Series]) -> Totals | None:
    """Return the last row when it lacks what names every other row, and adds up all of their figures."""
    named = (name for name, words in texts.items() if words.iloc[:-1].notna().all() and pd.isna(words.iloc[-1]))
    name = next(named, None)
    sums = [(float(column.iloc[:-1].sum()), column.iloc[-1]) for column in numbers.values()]
    said = [(whole, last) for whole, last in sums if not pd.isna(last)]
    if name is None or not said or not all(whole and _equal(whole, float(last)) for whole, last in said):
        return None
    return Totals(column=name, labels=(), rows=1)


def _equal(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=0.005)
