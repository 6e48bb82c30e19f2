"""Finds numbers that stand in for a missing value, such as -999: nines, far from all the other values."""

from __future__ import annotations

import math
import re

import pandas as pd

from jupyter_mcpgen.model.profile import StandIn

_NINES = re.compile(r"-?9{3,}|-99")
_FAR = 2.0
"""How many times the range of the other values a stand-in lies beyond them, at least."""
_FEWEST_OTHERS = 3
_FREQUENT = 0.5
"""What stands in more rows than this share is no exception."""


def find_stand_ins(counts: pd.Series) -> tuple[StandIn, ...]:
    """Return the stand-ins among the values of a number column; `counts` says how often it has each value."""
    values = counts.index.to_series().astype("float64")
    values = values[values.abs() < math.inf]
    ends = {float(end) for end in (values.min(), values.max())} if len(values) else set()
    found = {end for end in ends if _NINES.fullmatch(f"{end:.0f}") and end == round(end)}
    others = values[~values.isin(found)]
    if (
        not found
        or len(others) < _FEWEST_OTHERS
        or counts[[value in found for value in counts.index]].sum() > _FREQUENT * counts.sum()
    ):
        return ()
    low, high = float(others.min()), float(others.max())
    reach = _FAR * (high - low)
    far = sorted(value for value in found if value < low - reach or value > high + reach)
    return tuple(StandIn(value=value, rows=int(counts[counts.index == value].sum())) for value in far)
