import math
from collections.abc import Sequence

import pandas as pd


def plot_correlation_heatmap(
    df: pd.DataFrame, columns: Sequence[str] = ("units", "price", "delivery_days", "rating")
) -> pd.DataFrame:
    """Correlate each pair of the number columns (Pearson), over the rows that have both values."""
    numbers = df[list(columns)].astype("float64")
    numbers = numbers.where(numbers.abs() < math.inf)
    rows = []
    for first in columns:
        for second in columns:
            both = pd.DataFrame({"x": numbers[first], "y": numbers[second]}).dropna()
            varies = len(both) > 1 and both["x"].nunique() > 1 and both["y"].nunique() > 1
            rows.append((first, second, len(both), both["x"].corr(both["y"]) if varies else None))
    found = pd.DataFrame(rows, columns=["first", "second", "rows_used", "correlation"])
    return found.astype({"correlation": "float64"})
