"""A table with some columns changed, whatever they are called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def with_columns(table: pd.DataFrame, columns: Mapping[Any, Any]) -> pd.DataFrame:
    """Return the table with these columns in the place of those of their names, new ones behind the others.

    `DataFrame.assign` cannot do so for a column that is called `self`, or by no text.
    """
    changed = table.copy(deep=False)
    for name, values in columns.items():
        changed[name] = values
    return changed
