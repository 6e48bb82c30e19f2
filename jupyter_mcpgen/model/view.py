"""How a person looks at a result: in which order, and which of its rows."""

from __future__ import annotations

from enum import StrEnum

from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.run import Table


class Comparison(StrEnum):
    """How a cell is held against what a person typed; text is compared without regard to case."""

    CONTAINS = "contains"
    EQUALS = "equals"
    AT_LEAST = "at least"
    AT_MOST = "at most"
    MISSING = "is missing"
    PRESENT = "is not missing"


class Condition(Record):
    """What the cells of one column meet; `value` is as it was typed, and says nothing where none is needed."""

    column: str
    comparison: Comparison
    value: str = ""


class Order(Record):
    """The column that rows are ordered by; missing values come last either way."""

    column: str
    descending: bool = False


class View(Record):
    """The rows that meet every condition, in an order or in that of the result."""

    order: Order | None = None
    conditions: tuple[Condition, ...] = ()


class Page(Record):
    """Some rows of a view from row `first` on, counted from 0; `total_rows` of `table` counts all of the view.

    `numbers` are the places of the rows in the result itself, counted from 1.
    """

    first: int
    numbers: tuple[int, ...]
    table: Table
