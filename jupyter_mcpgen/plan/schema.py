"""Columns and their types: what a plan is checked against."""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import Self

from pydantic import BaseModel, ConfigDict, model_validator

from jupyter_mcpgen.errors import PlanError, UnknownColumn


class Node(BaseModel):
    """A frozen, typed piece of a plan with a closed set of fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ColumnType(StrEnum):
    """The types a plan distinguishes; the engines' own types map onto these."""

    INTEGER = "integer"
    REAL = "real"
    TEXT = "text"
    BOOLEAN = "boolean"
    DATE = "date"
    """A calendar date or a timestamp."""

    @property
    def is_number(self) -> bool:
        """True for types that can be summed."""
        return self in (ColumnType.INTEGER, ColumnType.REAL)


class Field(Node):
    """One column: its exact name and its type."""

    name: str
    type: ColumnType


class Schema(Node):
    """The columns of a table, in order, with names that are unique."""

    model_config = ConfigDict(frozen=True, extra="forbid", ignored_types=(cached_property,))

    fields: tuple[Field, ...]

    def __copy__(self) -> Self:
        """Return a copy that has yet to find its types: `model_copy` may give it other fields."""
        copied = super().__copy__()
        vars(copied).pop("_types", None)
        return copied

    @model_validator(mode="after")
    def _unique_names(self) -> Schema:
        seen: set[str] = set()
        for field in self.fields:
            if field.name in seen:
                raise PlanError(f"Two columns are named `{field.name}`. Rename one of them first.")
            seen.add(field.name)
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """The column names, in order."""
        return tuple(field.name for field in self.fields)

    def type_of(self, name: str) -> ColumnType:
        """Return the type of a column; raises `UnknownColumn` with the nearest name."""
        found = self._types.get(name)
        if found is None:
            raise UnknownColumn(name, self.names)
        return found

    @cached_property
    def _types(self) -> dict[str, ColumnType]:
        return {field.name: field.type for field in self.fields}
