"""Finds numbers that stand in for a missing value, such as -999: far from all the other values of their column.

A number that programs write for nothing counts from nearer on than any other. Which of them is one a person has to say.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import pandas as pd

from jupyter_mcpgen.model.profile import StandIn

_FOR_NOTHING = re.compile(r"-?(9{3,}|8{3,}|7{3,})|-(99|88|77)|-[1-9]0{2,}")
"""Repeated digits, and round numbers below zero."""
_LIMITS = frozenset({float(end) for bits in (15, 16, 31, 32) for end in (-(2**bits), 2**bits - 1)})
"""The ends of what whole numbers of so many bits hold."""
_FAR, _AS_FAR = 2.0, 1.0
"""How many times the range of the others such a number lies beyond them; less is enough where it is repeated, or alone
below zero."""
_FARTHER, _FARTHEST = 1.5, 10.0
"""The same for any number that is repeated: where it alone is below zero, and elsewhere."""
_FEWEST_OTHERS, _MANY_OTHERS = 3, 10
_FREQUENT = 0.5
"""What stands in more rows than this share is no exception."""


def find_stand_ins(counts: pd.Series) -> tuple[StandIn, ...]:
    """Return the stand-ins among the values of a number column; `counts` says how often it has each value."""
    rows = dict(zip(map(float, counts.index.tolist()), counts.tolist(), strict=True))
    known = sorted(value for value in rows if math.isfinite(value) and not _is_for_nothing(value))
    if len(known) > _MANY_OTHERS:
        apart = {end for end in (known[0], known[-1]) if rows[end] > 1 and _is_apart(end, known)}
        known = [value for value in known if value not in apart]
    if len(known) < _FEWEST_OTHERS:
        return ()
    low, high = known[0], known[-1]
    doubtful = sorted(value for value in {*rows} - {*known} if math.isfinite(value))
    near = {value: _AS_FAR if rows[value] > 1 or value < 0 <= low else _FAR for value in doubtful}
    far = [value for value in doubtful if _beyond(value, low, high) >= near[value]]
    if sum(rows[value] for value in far) > _FREQUENT * sum(rows.values()):
        return ()
    return tuple(StandIn(value=value, rows=rows[value]) for value in far)


def _is_for_nothing(value: float) -> bool:
    return value in _LIMITS or (value == round(value) and _FOR_NOTHING.fullmatch(f"{value:.0f}") is not None)


def _is_apart(end: float, known: Sequence[float]) -> bool:
    """Tell whether the smallest or largest of values is far from all the others."""
    others = [value for value in known if value != end]
    return _beyond(end, others[0], others[-1]) >= (_FARTHER if end < 0 <= others[0] else _FARTHEST)


def _beyond(value: float, low: float, high: float) -> float:
    """Return how many times the range of other values a value lies outside it."""
    return max(low - value, value - high) / (high - low)
