"""A second computation beside an answer, in SQL, or why there is none."""

from __future__ import annotations

from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.plan.ops import SortKey
from jupyter_mcpgen.plan.shape import Shape


class Second(Record):
    """A computation in DuckDB SQL over the tables by their names, written by somebody else than the code."""

    sql: str
    is_ordered: bool = False
    """True where the query puts its rows in an order."""
    ordered_by: tuple[SortKey, ...] = ()
    """What that order is, by the columns of the plan that was read from the query, if one was."""
    reading: str = ""
    """What it computes, in the words of who wrote it, if they said it."""


class PlannedSecond(Record):
    """The plan that code was made of before a person edited it, with its parameters: what the code has to compute."""

    shape: Shape


class NoSecond(Record):
    """Why nothing computes the answer a second time."""

    reason: str
