"""Table values as JSON values, the one way they leave a tool."""

from __future__ import annotations

import datetime
import math
from typing import Any

import numpy as np
import pandas as pd


def json_value(value: Any) -> Any:
    """Turn one value into what JSON can hold: missing is null, dates are ISO 8601, infinity is a word."""
    if value is None or value is pd.NaT or value is pd.NA:
        return None
    if isinstance(value, np.generic):
        value = value.item() if not isinstance(value, np.datetime64 | np.timedelta64) else pd.Series([value]).iloc[0]
    if isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        if math.isnan(value):
            return None
        return value if math.isfinite(value) else ("Infinity" if value > 0 else "-Infinity")
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key): json_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset | np.ndarray):
        return [json_value(item) for item in value]
    return str(value)


def json_rows(table: pd.DataFrame, most: int) -> list[dict[str, Any]]:
    """Return the first rows as objects of JSON values."""
    head = table.head(most)
    columns = [[json_value(value) for value in head.iloc[:, i].astype(object)] for i in range(head.shape[1])]
    names = [str(name) for name in head.columns]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
