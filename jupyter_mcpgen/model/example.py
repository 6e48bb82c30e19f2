"""A small table with the result that it must give, written by somebody who did not see the code."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from jupyter_mcpgen.model.record import Record


class Example(Record):
    """One call of a tool on a table given as CSV, and what must come out.

    `expected` is CSV for a table and JSON for any other value. `rows` is how many rows there must be, `within` says by
    CSV between which values columns must lie. What is None is not looked at.
    """

    table: str
    other: str | None = None
    arguments: dict[str, Any] = Field(default_factory=dict)
    expected: str | None = None
    rows: int | None = None
    within: str | None = None
