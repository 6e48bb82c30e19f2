"""Phrases that ask for something: figures, what they are grouped by, values listed, and what is drawn."""

from __future__ import annotations

from dataclasses import dataclass, field

from jupyter_mcpgen.nl.meanings.things import Column
from jupyter_mcpgen.plan.expressions import DateUnit, Predicate
from jupyter_mcpgen.plan.ops import AggregateFunction


@dataclass(frozen=True)
class Measured:
    """A number asked for: a function of a column, or with no column a count of rows."""

    function: AggregateFunction
    column: str | None
    noun: str | None = None
    """The word that was taken to mean one row, when only its place in the question says so."""
    implied: bool = field(default=False, compare=False)
    """True where nothing says that different values are counted, but that a label is."""


@dataclass(frozen=True)
class ColumnList:
    """Columns listed one after another: "name, salary and department"."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class CountedPeriods:
    """How many periods of a date column there are: "how many days"."""

    column: str
    unit: DateUnit


@dataclass(frozen=True)
class Several:
    """Several numbers asked for in one breath: "mean and median salary"."""

    measures: tuple[Measured, ...]


@dataclass(frozen=True)
class RowsAnd:
    """A count of rows beside a column: "orders and revenue"."""

    column: str


@dataclass(frozen=True)
class LabelAnd:
    """A label with figures listed beside it: "the region and the average price"."""

    column: str
    measures: tuple[Measured, ...]


@dataclass(frozen=True)
class CountWhere:
    """A count of what meets a condition, still without its noun: "how many gas …"."""

    predicate: Predicate


@dataclass(frozen=True)
class MeasuredWhere:
    """A number asked for over some rows only."""

    measured: Measured
    predicate: Predicate


@dataclass(frozen=True)
class GroupKey:
    """A column to group by, or a period of a date column."""

    column: str
    unit: DateUnit | None = None


@dataclass(frozen=True)
class BarePeriod:
    """A period named as a noun of its own, such as the month in "which month"."""

    column: str
    unit: DateUnit


@dataclass(frozen=True)
class Grouped:
    """What to group by, in order."""

    keys: tuple[GroupKey, ...]
    each: bool = False


@dataclass(frozen=True)
class Listed:
    """The different values of a column."""

    column: str


@dataclass(frozen=True)
class Pair:
    """Two number columns set against each other."""

    up: str
    across: str


@dataclass(frozen=True)
class OnAxis:
    """What an axis of a chart is to show."""

    side: str
    shown: Column | Measured | GroupKey


@dataclass(frozen=True)
class OfEach:
    """Stands for "of each" without a noun: of each group that was named before."""
