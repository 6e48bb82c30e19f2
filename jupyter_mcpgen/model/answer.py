"""What one checked, sandboxed call of a promoted tool gives back."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from jupyter_mcpgen.model.figure import Figure
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.run import Table


class ToolAnswer(Record):
    """The text a person reads, the structured result a program reads, the figures; a failed call has only the text."""

    text: str
    structured: dict[str, Any] = Field(default_factory=dict)
    failed: bool = False
    figures: tuple[Figure, ...] = ()


class RowsBehind(Record):
    """The rows of the data behind a figure, at most a screenful of them, and in words which ones they are."""

    reading: str
    table: Table
