"""Whole numbers with gaps in a variable: pandas makes decimal fractions of them where a file has an empty cell."""

from __future__ import annotations

import numpy as np
import pandas as pd

_MOST_EXACT = 2**53
"""From here on decimal fractions leave out whole numbers, so what was read may not be what was written."""


def whole_numbers_with_gaps(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with the columns of whole numbers that are decimal only for their gaps as whole ones.

    A file read with types gives them so; without it `1915.0` of a variable would be no year. Columns without a gap stay
    as they are: there pandas would have kept whole numbers whole, so the fractions are meant.
    """
    whole = frame.copy(deep=False)
    for position in range(frame.shape[1]):
        column = frame.iloc[:, position]
        if column.dtype == np.float64 and _is_whole_but_for_gaps(column.to_numpy()):
            whole.isetitem(position, column.astype("Int64").array)
    return whole


def _is_whole_but_for_gaps(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> bool:
    missing = np.isnan(values)
    if not missing.any() or missing.all():
        return False
    present = values[~missing]
    return bool((np.abs(present) < _MOST_EXACT).all() and (present == np.floor(present)).all())
