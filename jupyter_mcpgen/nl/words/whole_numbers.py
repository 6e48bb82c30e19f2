"""Whether a column holds whole numbers, which a table writes as real ones where some are missing: 3.0 of `pages`."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import ColumnProfile
from jupyter_mcpgen.plan.schema import ColumnType


def holds_whole_numbers(column: ColumnProfile, type_: ColumnType) -> bool:
    """Tell whether all known values of a column are whole numbers."""
    if type_ is not ColumnType.REAL or not column.nulls:
        return type_ is ColumnType.INTEGER
    numbers = (*column.values, column.minimum, column.maximum)
    return all(isinstance(number, int | float) and float(number).is_integer() for number in numbers)
