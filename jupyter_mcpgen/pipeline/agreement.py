"""Whether two computations gave the same table: same columns, same rows, same order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

RELATIVE_TOLERANCE = 1e-9
ABSOLUTE_TOLERANCE = 1e-12
"""Two engines add floating-point numbers in different orders; anything beyond this is a difference."""


def first_difference(left: pd.DataFrame, right: pd.DataFrame) -> str | None:
    """Return the first difference in words, or None when the tables agree."""
    if list(left.columns) != list(right.columns):
        return f"columns {list(left.columns)} against {list(right.columns)}"
    if len(left) != len(right):
        return f"{len(left):,} rows against {len(right):,}"
    for name in left.columns:
        row = _first_unequal_row(left[name], right[name])
        if row is not None:
            return f"row {row + 1} of `{name}`: {_value(left[name], row)!r} against {_value(right[name], row)!r}"
    return None


def _value(column: pd.Series[Any], row: int) -> Any:
    """Return a value as Python says it, without numpy's name of its type."""
    return column.iloc[row : row + 1].tolist()[0]


def _first_unequal_row(left: pd.Series[Any], right: pd.Series[Any]) -> int | None:
    import numpy as np  # deferred: comes with pandas

    if len(left) == 0:
        return None
    missing = left.isna().to_numpy(), right.isna().to_numpy()
    unequal = missing[0] != missing[1]
    present = ~(missing[0] | missing[1])
    unequal[present] = _unequal(left[present].reset_index(drop=True), right[present].reset_index(drop=True))
    rows = np.flatnonzero(unequal)
    return int(rows[0]) if len(rows) else None


def _unequal(left: pd.Series[Any], right: pd.Series[Any]) -> Any:
    import numpy as np
    from pandas.api.types import is_datetime64_any_dtype, is_integer_dtype, is_numeric_dtype

    if _kind(left) != _kind(right):
        return np.ones(len(left), dtype=bool)
    if _kind(left) == "boolean":
        return left.astype(bool).to_numpy() != right.astype(bool).to_numpy()
    if is_integer_dtype(left) and is_integer_dtype(right):
        return left.astype("int64").to_numpy() != right.astype("int64").to_numpy()
    if is_numeric_dtype(left) and is_numeric_dtype(right):
        close = np.isclose(left.astype(float), right.astype(float), rtol=RELATIVE_TOLERANCE, atol=ABSOLUTE_TOLERANCE)
        return ~close
    if is_datetime64_any_dtype(left) and is_datetime64_any_dtype(right):
        return _wall_clock(left) != _wall_clock(right)
    return left.astype(object).astype(str).to_numpy() != right.astype(object).astype(str).to_numpy()


def _kind(column: pd.Series[Any]) -> str:
    """Tell what a column without missing values holds; `1` and `"1"` and `True` are three things."""
    from pandas.api.types import infer_dtype

    kind = infer_dtype(column)
    return {"floating": "number", "integer": "number", "mixed-integer-float": "number"}.get(kind, kind)


def _wall_clock(series: pd.Series[Any]) -> Any:
    plain = series.dt.tz_localize(None) if series.dt.tz is not None else series
    return plain.astype("datetime64[us]").to_numpy()
