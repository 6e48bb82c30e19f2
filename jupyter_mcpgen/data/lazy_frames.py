"""Lazy tables: which values are some, told without loading their library, and how much of one a run takes."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.errors import LazyTooLarge


@dataclass(frozen=True)
class Most:
    """How large a lazy table may become that is computed for a question."""

    rows: int = 10_000_000
    bytes: int = 2 * 1024**3


USUAL = Most()
"""What the settings allow where nobody changed them."""


@dataclass
class Coming:
    """What came of a table so far; a part that makes it too large is refused."""

    name: str
    most: Most
    rows: int = 0
    bytes: int = 0

    def add(self, rows: int, size: int) -> None:
        """Count one more part; raises `LazyTooLarge`."""
        self.rows += rows
        self.bytes += size
        if self.rows > self.most.rows or self.bytes > self.most.bytes:
            raise LazyTooLarge(self.name, self.rows, self.bytes, self.most.rows, self.most.bytes)


def is_lazy(value: object) -> bool:
    """Tell whether a value is a table whose rows are computed when somebody wants them."""
    kind = type(value).__name__
    return kind == "LazyFrame" or (kind == "DataFrame" and is_dask(value))


def is_dask(value: object) -> bool:
    """Tell whether a value is a frame, or a column, of Dask."""
    kind = type(value)
    return kind.__module__.startswith("dask.dataframe.") and kind.__name__ in ("DataFrame", "Series")
