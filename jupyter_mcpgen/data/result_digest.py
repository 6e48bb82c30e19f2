"""A digest of a result that does not change with the last digits of its real numbers, which libraries round apart."""

from __future__ import annotations

import hashlib

import numpy as np
import pandas as pd

from jupyter_mcpgen.data.fingerprint import fingerprint_frame

_BITS = 36
"""How many bits of a real number count: about eleven decimal digits.

Steps of powers of two are no ends of decimal fractions, so that a sum such as 0.15 does not lie between two of them.
"""
_TINY = 1e-12
"""A number nearer to zero is zero: where amounts cancel out, what is left of them is rounding."""
_MISSING, _INFINITE = 10_000, 10_001
"""Exponents that no number has."""
_LARGEST_EXACT = 2**53


def result_digest(table: pd.DataFrame, *, is_ordered: bool) -> str:
    """SHA-256 over names and rows of a result, in hex; without an order, equal rows in any order give the same."""
    parts = [part for place in range(table.shape[1]) for part in _parts(table.iloc[:, place])]
    plain = pd.DataFrame(dict(enumerate(parts)), index=pd.RangeIndex(len(table)))
    if not is_ordered and len(parts):
        plain = plain.sort_values(list(plain.columns), kind="stable", ignore_index=True)
    return hashlib.sha256(f"{list(map(str, table.columns))} {fingerprint_frame(plain)}".encode()).hexdigest()


def _parts(column: pd.Series) -> list[pd.Series]:
    """Return a column as columns of whole numbers and texts, without an index."""
    from pandas.api.types import is_bool_dtype, is_datetime64_any_dtype, is_integer_dtype, is_numeric_dtype

    column, missing = column.reset_index(drop=True), column.isna().to_numpy()
    if is_datetime64_any_dtype(column.dtype):
        clock = column.dt.tz_localize(None) if column.dt.tz is not None else column
        return [pd.Series(clock.astype("datetime64[us]").astype("int64").where(~missing, 0)), pd.Series(missing)]
    if is_bool_dtype(column.dtype):
        return [column.astype("boolean").astype("object").map(str).astype("str")]
    if is_integer_dtype(column.dtype) and column.abs().max() > _LARGEST_EXACT:
        return [column.astype("Int64").fillna(0).astype("int64"), pd.Series(missing)]
    if is_numeric_dtype(column.dtype):
        return _rounded(column.astype("Float64").to_numpy(dtype="float64", na_value=np.nan))
    return [column.astype("object").map(str).where(~missing, "").astype("str"), pd.Series(missing)]


def _rounded(numbers: np.ndarray) -> list[pd.Series]:
    """Return the numbers as rounded mantissa and exponent."""
    finite = np.isfinite(numbers)
    kept = np.where(finite & (np.abs(numbers) >= _TINY), numbers, 0.0)
    mantissa, exponent = np.frexp(kept)
    whole = np.rint(mantissa * 2.0**_BITS).astype("int64")
    carried = np.abs(whole) == 2**_BITS  # rounded up to the next power of two, which is written one way only
    whole, exponent = np.where(carried, whole // 2, whole), np.where(carried, exponent + 1, exponent)
    infinite = np.isinf(numbers)
    whole = np.where(infinite, np.sign(numbers, where=infinite, out=np.zeros_like(numbers)), whole)
    exponent = np.where(finite, exponent, np.where(infinite, _INFINITE, _MISSING))
    return [pd.Series(whole.astype("int64")), pd.Series(exponent.astype("int64"))]
