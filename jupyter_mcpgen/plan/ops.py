"""The steps of a plan.

Every step maps one table to one table. The order of rows is part of a table's meaning: a source has its own order,
groups come in the order of their keys, a sort is stable.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from jupyter_mcpgen.plan.expressions import Col, Columns, Expression, Predicate
from jupyter_mcpgen.plan.schema import Node


class AggregateFunction(StrEnum):
    """How many values become one. Missing values are left out; `COUNT` counts rows."""

    COUNT = "count"
    COUNT_DISTINCT = "count_distinct"
    SUM = "sum"
    """Zero for no values."""
    MEAN = "mean"
    MEDIAN = "median"
    MIN = "min"
    MAX = "max"
    STD = "std"
    """Sample standard deviation (n - 1); missing for fewer than two values."""
    VAR = "var"
    """Sample variance (n - 1); missing for fewer than two values."""


class Measure(Node):
    """One aggregated column; its name follows from function and column."""

    function: AggregateFunction
    column: Col | None = None

    @property
    def name(self) -> str:
        """The name of the result column."""
        return self.function.value if self.column is None else f"{self.function.value}_{self.column.name}"


class Filter(Node):
    """Keep the rows for which a condition holds."""

    kind: Literal["filter"] = "filter"
    predicate: Predicate


class Derive(Node):
    """Add a column, or replace the one of that name."""

    kind: Literal["derive"] = "derive"
    name: str
    expression: Expression


class Select(Node):
    """Keep some columns, in the given order."""

    kind: Literal["select"] = "select"
    columns: Columns


class Aggregate(Node):
    """One row per combination of group values, ordered by them; without groups one row in all.

    Rows in which a group value is missing belong to no group and are left out.
    """

    kind: Literal["aggregate"] = "aggregate"
    by: Columns = Columns(names=())
    measures: tuple[Measure, ...] = Field(min_length=1)


class SortKey(Node):
    """One column to order by; missing values come last either way."""

    column: str
    descending: bool = False
    parameter: str | None = None


class Sort(Node):
    """Order the rows; rows that are equal in every key keep their order."""

    kind: Literal["sort"] = "sort"
    keys: tuple[SortKey, ...] = Field(min_length=1)


class Limit(Node):
    """Keep the first rows. `parameter` names the tool parameter it became, if any."""

    kind: Literal["limit"] = "limit"
    count: int = Field(ge=1)
    parameter: str | None = None


class Describe(Node):
    """One row per number column: count, missing, mean, std, min, quartiles (linear interpolation) and max."""

    kind: Literal["describe"] = "describe"
    columns: Columns


Step = Annotated[Filter | Derive | Select | Aggregate | Sort | Limit | Describe, Field(discriminator="kind")]


class ChartKind(StrEnum):
    """The charts that a result can be drawn as."""

    BAR = "bar"
    LINE = "line"
    SCATTER = "scatter"
    PIE = "pie"
    HISTOGRAM = "histogram"


class Chart(Node):
    """How to draw the result table: columns of the result by name."""

    kind: ChartKind
    x: str
    y: str | None = None
    color: str | None = None
