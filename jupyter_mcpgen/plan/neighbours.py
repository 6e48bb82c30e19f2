"""What is next to a constant: where code that is off by one goes wrong."""

from __future__ import annotations

from datetime import datetime, timedelta

from jupyter_mcpgen.plan.schema import ColumnType

_EARLIEST, _LATEST = datetime(1678, 1, 2), datetime(2262, 4, 10)
"""Between these the tables of every engine hold a day more and a day less."""


def neighbours(value: bool | int | float | str, type_: ColumnType) -> tuple[int | float | str, ...]:
    """Return one more and one less of a number, or the day after and the day before; nothing for other values."""
    match value:
        case bool():
            return ()
        case int() | float():
            return (value + 1, value - 1)
        case str() if type_ is ColumnType.DATE:
            day = datetime.fromisoformat(value)
            if not _EARLIEST <= day <= _LATEST:
                return ()
            moved = (day + timedelta(days=step) for step in (1, -1))
            return tuple(near.isoformat(sep=" ")[: len(value)] for near in moved)  # written as exactly as before
        case _:
            return ()
