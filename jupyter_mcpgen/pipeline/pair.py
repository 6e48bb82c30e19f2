"""Two tables that are joined, and how many of their rows have a match."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.plan.expressions import AnyOf, Col, IsMissing
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Measure, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.sources import Join, JoinKind, KeyPair

ROWS = (Aggregate(measures=(Measure(function=AggregateFunction.COUNT),)),)
"""The steps that count rows."""


@dataclass(frozen=True)
class Pair:
    """Two tables that are joined, and the engines that count their rows: one as they are, one the other way round."""

    source: str
    join: Join
    engine: Engine
    engine_swapped: Engine

    @cached_property
    def swapped(self) -> Pair:
        """The same tables the other way round."""
        keys = tuple(KeyPair(first=plain(pair.second), second=plain(pair.first)) for pair in self.join.keys)
        join = Join(
            other=self.source,
            first_schema=self.join.other_schema,
            other_schema=self.join.first_schema,
            keys=keys,
            how=self.join.how,
        )
        return Pair(self.join.other, join, self.engine_swapped, self.engine)

    @cached_property
    def rows(self) -> int:
        """How many rows the first table has."""
        return int(self.of_first(ROWS))

    @cached_property
    def without_match(self) -> int:
        """How many of them have no match."""
        return int(self.of(JoinKind.ANTI, ROWS))

    @cached_property
    def without_key(self) -> int:
        """How many of them have no key."""
        missing = AnyOf(terms=tuple(IsMissing(operand=plain(pair.first)) for pair in self.join.keys))
        return int(self.of_first((Filter(predicate=missing), *ROWS)))

    @cached_property
    def pairs(self) -> int:
        """How many pairs of rows match."""
        return int(self.of(JoinKind.INNER, ROWS))

    @cached_property
    def repeated(self) -> int:
        """How often a row of the first table is there again in the joined one."""
        return self.pairs - (self.rows - self.without_match)

    def of_first(self, steps: tuple[Step, ...]) -> float:
        """Return the figure that some steps give over the first table alone."""
        return self.engine.figure(Plan(source=self.source, source_schema=self.join.first_schema, steps=steps))

    def of(self, how: JoinKind, steps: tuple[Step, ...]) -> float:
        """Return the figure that some steps give over the table joined in a way."""
        second = _rejoined(self.join, how)
        return self.engine.figure(Plan(source=self.source, source_schema=second.schema_, second=second, steps=steps))


def plain(column: Col) -> Col:
    """Return a column without the parameter that it became."""
    return Col(name=column.name)


def _rejoined(join: Join, how: JoinKind) -> Join:
    return Join(
        other=join.other, first_schema=join.first_schema, other_schema=join.other_schema, keys=join.keys, how=how
    )
