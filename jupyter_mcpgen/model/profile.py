"""What is known about a table before a question is read."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.plan.schema import Schema


class Role(StrEnum):
    """What a column is good for in a question, beyond its type."""

    MEASURE = "measure"
    """A number that can be summed or averaged."""
    CATEGORY = "category"
    """Few distinct values; good to group by."""
    IDENTIFIER = "identifier"
    """Names a row; counting makes sense, adding up does not."""
    TIME = "time"
    """A date or timestamp."""
    TEXT = "text"
    """Free text with many distinct values."""


class ColumnProfile(Record):
    """One column: counts over all rows, and values to link words of a question to.

    `values` holds the distinct values of a column, most frequent first, when there are few enough to keep
    (see `data.profile`), otherwise a sample; `complete` says which.
    """

    name: str
    role: Role
    nulls: int
    distinct: int
    values: tuple[Any, ...] = ()
    complete: bool = False
    minimum: Any = None
    maximum: Any = None
    unit: str | None = None


class Profile(Record):
    """A table's schema with a profile per column, in the schema's order."""

    name: str
    schema_: Schema
    rows: int
    columns: tuple[ColumnProfile, ...]

    def column(self, name: str) -> ColumnProfile:
        """Return one column's profile; raises `KeyError` for a name that the schema does not have."""
        return {column.name: column for column in self.columns}[name]
