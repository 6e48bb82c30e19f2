"""The kinds of faults that are planted in a plan, and what a fault at one place is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from jupyter_mcpgen.plan.schema import ColumnType, Node, Schema

MOST_COLUMNS = 3
"""How many other columns are tried in the place of one."""


class Operator(StrEnum):
    """What is wrong, as a sentence names it."""

    STATISTIC = "another statistic"
    FRACTION = "another quantile"
    METHOD = "another method"
    SCALE = "a wrong scale"
    DENOMINATOR = "another denominator"
    COLUMN = "a wrong column"
    GROUP_COLUMN = "a wrong group column"
    GROUP_DROPPED = "a dropped group"
    MEASURE_DROPPED = "a dropped measure"
    CONDITION_DROPPED = "a dropped condition"
    NEGATED = "a negated condition"
    BOUND = "a shifted comparison"
    CONSTANT = "a constant that is off by one"
    AND_OR = "`or` for `and`"
    VALUE_DROPPED = "a dropped value of a list"
    TEXT_MATCH = "another text match"
    MISSING_COUNTED = "missing values counted"
    MISSING_KEPT = "missing values kept"
    MISSING_AS_ZERO = "missing values taken as zero"
    LIMIT = "an off-by-one limit"
    LIMIT_DROPPED = "a dropped limit"
    ORDER = "another order"
    ORDER_DROPPED = "a dropped order"
    DISTINCT_DROPPED = "repeated rows kept"
    WINDOW_SIZE = "an off-by-one window"
    DATE_PART = "another date part"
    TIME_UNIT = "another unit of time"
    EMPTY_PERIODS = "empty periods left out"
    ARITHMETIC = "another operation of arithmetic"
    EXCHANGED = "exchanged sides"
    BRANCH = "a wrong branch"
    TEXT_FUNCTION = "another text function"
    INTERVALS = "other intervals"
    PERIOD_DROPPED = "a column left out"
    LISTS_KEPT = "lists counted as they are"
    JOIN_KIND = "another kind of join"
    JOIN_KEY = "a wrong key"


STATISTICS = frozenset({Operator.STATISTIC, Operator.FRACTION, Operator.METHOD, Operator.SCALE, Operator.DENOMINATOR})
"""Faults that change nothing but the statistic that is computed."""


@dataclass(frozen=True)
class Scope:
    """The columns that a node sees, those of them that the plan reads or makes, and those without a missing value."""

    schema: Schema
    read: frozenset[str]
    present: frozenset[str] = frozenset()
    """The columns of which a step before has made sure that no value is missing."""

    def others(self, name: str, *besides: str) -> Iterator[str]:
        """Yield a few columns that could be taken for one: of its type, read by the plan, else one that is not."""
        type_ = self.schema.type_of(name)
        alike = [f.name for f in self.schema.fields if _is_alike(f.type, type_) and f.name not in (name, *besides)]
        read = [other for other in alike if other in self.read]
        yield from read[:MOST_COLUMNS] or alike[:1]

    def names_beside(self, name: str) -> Iterator[str]:
        """Yield a few other columns of any type that the plan reads."""
        yield from [other for other in self.schema.names if other != name and other in self.read][:MOST_COLUMNS]

    def first_number(self) -> str | None:
        """Return the first number column that the plan reads, or else the first one."""
        numbers = [field.name for field in self.schema.fields if field.type.is_number]
        return next((name for name in numbers if name in self.read), next(iter(numbers), None))

    def is_number(self, name: str) -> bool:
        """Tell whether a column holds numbers."""
        return self.schema.type_of(name).is_number


def _is_alike(one: ColumnType, other: ColumnType) -> bool:
    return one is other or (one.is_number and other.is_number)


@dataclass(frozen=True)
class Change:
    """A node with one fault in it, and where below the node it is."""

    operator: Operator
    node: Node
    site: str = ""

    def below(self, name: str, node: Node) -> Change:
        """Return the change as one of a node that holds the changed one under a name."""
        return Change(self.operator, node, f"{name}, {self.site}" if self.site else name)
