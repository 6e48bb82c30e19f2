"""Phrases that say what comes first, and how much of it is kept."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.nl.meanings.figures import Measured
from jupyter_mcpgen.nl.meanings.things import Column
from jupyter_mcpgen.plan.expressions import Predicate


@dataclass(frozen=True)
class Best:
    """How many to keep (None: as many as are usual), from which end; with a column, that many of its values."""

    count: int | None
    descending: bool
    of: str | None = None
    rows: bool = False
    """True where rows are what is kept: "top 2 cars"."""


@dataclass(frozen=True)
class First:
    """How many rows to keep, in the order of the table."""

    count: int


@dataclass(frozen=True)
class Superlative:
    """The one with most or least of something, over the rows that meet `where`."""

    by: Measured | Column
    descending: bool
    where: Predicate | None = None


@dataclass(frozen=True)
class SomeOf:
    """So many of a label, or of the rows (None), waiting for what they have most of: "three shops"."""

    count: int
    of: str | None


@dataclass(frozen=True)
class BestBy:
    """How many to keep, and by what they are the best."""

    best: Best
    ordered: Ordered


@dataclass(frozen=True)
class TopRow:
    """The row with the largest or smallest value of a column."""

    column: str
    descending: bool


@dataclass(frozen=True)
class Commonest:
    """The most or least frequent value of a column."""

    column: str
    descending: bool


@dataclass(frozen=True)
class Ordered:
    """What to order by; a measure is computed if it was not asked for already.

    `hinted` marks a "by" that means an order only beside a limit.
    """

    by: Measured | Column
    descending: bool | None
    hinted: bool = False
    then: tuple[str, ...] = ()
    """Columns that decide between equals."""
