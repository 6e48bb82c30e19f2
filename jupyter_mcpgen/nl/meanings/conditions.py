"""Phrases that say which rows or groups count, whole or still waiting for their column."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from jupyter_mcpgen.nl.meanings.figures import Measured
from jupyter_mcpgen.nl.meanings.things import Span
from jupyter_mcpgen.plan.expressions import CompareOp, MatchMode, Predicate
from jupyter_mcpgen.plan.schema import ColumnType


class Denied(Enum):
    """How a condition is denied."""

    NOT = "not"
    LEFT_OUT = "left out"
    """By a word that leaves out all that is joined behind it: "excluding A and B"."""


@dataclass(frozen=True)
class NeitherOf:
    """Conditions joined by "nor", which mean something only behind a negation."""

    predicates: tuple[Predicate, ...]


@dataclass(frozen=True)
class OnDays:
    """A condition said of days, such as "on rainy days": it narrows rows and counts none."""

    predicate: Predicate


@dataclass(frozen=True)
class SideOfNumber:
    """After or before a number that is no year of our time, waiting for a column: "founded after 1850"."""

    op: CompareOp
    value: int | float


@dataclass(frozen=True)
class Letters:
    """Letters of which one may be looked for."""

    texts: tuple[str, ...]
    said: bool = False


@dataclass(frozen=True)
class LetterMatch:
    """A search for one of some letters, waiting for a column."""

    mode: MatchMode
    texts: tuple[str, ...]
    negated: bool = False


@dataclass(frozen=True)
class InColumn:
    """A column named as the place to look in: "in the first name"."""

    name: str


@dataclass(frozen=True)
class Condition:
    """Which rows count."""

    predicate: Predicate
    denied: Denied | None = None
    """How the last of its words are denied."""
    led: bool = False
    """True where words like "in" or "is" lead to it, or lead to what is denied: "not in A"."""
    named: bool = False
    """True where its own column stands before it: "the stand is A"."""


@dataclass(frozen=True)
class Contrast:
    """Two values of a column set against each other: a condition that is also a grouping."""

    predicate: Predicate
    column: str
    between: bool = False
    """True for "between A and B", which sets them against each other only where something is compared."""


@dataclass(frozen=True)
class HalfComparison:
    """An operator with its constant, waiting for a column."""

    op: CompareOp
    value: int | float | str
    type: ColumnType
    of: str | None = None
    """What alone the operator compares, such as the age in "younger than 30"."""

    @property
    def in_time(self) -> CompareOp:
        """The operator between days or years: what is older was earlier."""
        return self.op if self.of is None else self.op.turned


@dataclass(frozen=True)
class HalfOfTwo:
    """An operator with the column behind it, waiting for the column that is compared."""

    op: CompareOp
    than: str


@dataclass(frozen=True)
class Choice:
    """Several numbers of which one may apply, waiting for a column."""

    values: tuple[int | float, ...]


@dataclass(frozen=True)
class Pending:
    """Two numbers with "and" between them, waiting for "between"."""

    low: int | float
    high: int | float


@dataclass(frozen=True)
class Range:
    """Two constants, waiting for a column."""

    low: int | float
    high: int | float


@dataclass(frozen=True)
class SpanPair:
    """Two stretches of time with "and" between them."""

    first: Span
    second: Span


@dataclass(frozen=True)
class HalfMatch:
    """A text search, waiting for a column."""

    mode: MatchMode
    text: str


@dataclass(frozen=True)
class Having:
    """Which groups count."""

    measured: Measured
    op: CompareOp
    value: int | float


@dataclass(frozen=True)
class NotedCondition:
    """Which rows count, with the assumption behind the words that say it."""

    predicate: Predicate
    note: str


@dataclass(frozen=True)
class ColumnWhere:
    """A label said of some rows only, such as the "discontinued items" of a column that says yes or no."""

    name: str
    predicate: Predicate


@dataclass(frozen=True)
class Lacks:
    """Which groups count by having no row of a kind."""

    predicate: Predicate


@dataclass(frozen=True)
class HavingSuch:
    """Which groups count by how many rows of a kind they have."""

    having: Having
    predicate: Predicate
