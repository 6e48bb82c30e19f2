"""The steps of a plan.

Every step maps one table to one table. The order of rows is part of a table's meaning: a source has its own order,
groups come in the order of their keys, a sort is stable.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, get_args

from pydantic import Field

from jupyter_mcpgen.plan.expressions import Col, Columns, DateUnit, Expression, Lit, Predicate
from jupyter_mcpgen.plan.looks import PLAIN_LOOK, Look
from jupyter_mcpgen.plan.reshaping import Reshaping
from jupyter_mcpgen.plan.schema import Node
from jupyter_mcpgen.plan.statistics import FigureStatistic, Statistic


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
    SKEW = "skew"
    """Sample skewness, corrected for bias (G1 of Joanes and Gill); missing below three values, or for equal ones."""
    KURT = "kurt"
    """Sample excess kurtosis, corrected for bias (G2), 0 for a normal distribution; missing below four values."""
    QUANTILE = "quantile"
    """The value below which `fraction` of the values lie, interpolated linearly."""
    MODE = "mode"
    """The most frequent value; of several, the smallest."""
    FIRST = "first"
    """The first value that is there, in the order of the rows."""
    LAST = "last"
    RATE = "rate"
    """The part of the rows that meet `where`, from 0 to 1; a row that cannot be decided does not meet it."""
    PERCENT = "percent"
    """The same from 0 to 100."""


class Measure(Node):
    """One aggregated column; its name follows from function and column, unless it has a `label`.

    `where` counts only the rows that meet a condition, and says which of them a rate is the part of.
    """

    function: AggregateFunction
    column: Col | None = None
    fraction: float | None = Field(default=None, gt=0, lt=1)
    where: Predicate | None = None
    label: str | None = None

    @property
    def name(self) -> str:
        """The name of the result column."""
        if self.label is not None:
            return self.label
        return self.stem if self.column is None else f"{self.stem}_{self.column.name}"

    @property
    def stem(self) -> str:
        """The part of the name that says the function, such as `p90`."""
        if self.fraction is not None:
            return f"p{self.fraction * 100:g}"
        counted = self.function is AggregateFunction.COUNT and self.where is not None
        return "count_where" if counted else self.function.value


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
    """One column to order by; missing values come last either way.

    `order` lists the texts of a column from the lowest to the highest, where they do not sort by their letters; a text
    that is not listed comes last, as a missing value does.
    """

    column: str
    descending: bool = False
    order: tuple[str, ...] = ()
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
    """One row per number column: count, missing, mean, std, min, quartiles (linear interpolation) and max.

    With groups there is such a row for each of them, ordered by the groups; rows that lack a group value are left out.
    """

    kind: Literal["describe"] = "describe"
    columns: Columns
    by: Columns = Columns(names=())


class Distinct(Node):
    """Each combination of some columns once, in the order of its first row; missing values count as one value."""

    kind: Literal["distinct"] = "distinct"
    columns: Columns


class TopPerGroup(Node):
    """The first rows of each group in an order, group by group; rows that lack a group value are left out."""

    kind: Literal["top_per_group"] = "top_per_group"
    by: Columns
    keys: tuple[SortKey, ...] = Field(min_length=1)
    count: int = Field(ge=1)
    parameter: str | None = None


class WindowFunction(StrEnum):
    """What a row's value is among the rows before it, or among all of its group."""

    RANK = "rank"
    """1 for the largest value (with `descending`) or the smallest; equals share a rank and the next one is left out."""
    RUNNING_TOTAL = "running_total"
    MOVING_AVERAGE = "moving_average"
    """The mean of the last `size` rows; missing where there are fewer or a value is missing."""
    LAG = "lag"
    """The value `size` rows before."""
    CHANGE = "change"
    PERCENT_CHANGE = "percent_change"
    """From 0 to 100 or more; missing after a zero."""
    SHARE = "share"
    """The part of the total, from 0 to 1; missing where the total is zero."""
    PERCENT = "percent"
    """The same from 0 to 100."""
    MEAN = "mean"
    MEDIAN = "median"
    STD = "std"
    MIN = "min"
    MAX = "max"
    QUANTILE = "quantile"
    """A figure of all the values, beside each of them: the row's own value where the two agree to nine digits."""

    @property
    def is_figure(self) -> bool:
        """True for functions that are one figure of all the rows."""
        return self in _FIGURES_OF_ALL

    @property
    def is_ordered(self) -> bool:
        """True for functions that look at the rows before."""
        return self not in (WindowFunction.RANK, WindowFunction.SHARE, WindowFunction.PERCENT, *_FIGURES_OF_ALL)

    @property
    def has_size(self) -> bool:
        """True for functions that look back a number of rows."""
        return self.is_ordered and self is not WindowFunction.RUNNING_TOTAL


_FIGURES_OF_ALL = frozenset(
    {
        WindowFunction.MEAN, WindowFunction.MEDIAN, WindowFunction.STD, WindowFunction.MIN, WindowFunction.MAX,
        WindowFunction.QUANTILE,
    }
)  # fmt: skip


class Window(Node):
    """Add a column that compares each row with the others, all of them or those of its group.

    The rows keep their places; `order` only says in which order a function sees them, and a row whose value or group
    value is missing gets none; a figure of all rows also stands beside a missing value. `fraction` is the quantile's.
    """

    kind: Literal["window"] = "window"
    name: str
    function: WindowFunction
    column: Col
    by: Columns = Columns(names=())
    order: SortKey | None = None
    size: int = Field(default=1, ge=1)
    descending: bool = True
    fraction: float | None = Field(default=None, gt=0, lt=1)
    parameter: str | None = None


class Resample(Node):
    """Aggregate by the periods of a date column, one row per period from the first to the last, also the empty ones.

    Counts and sums of an empty period are 0, its other figures are missing. With groups, each has all the periods.
    """

    kind: Literal["resample"] = "resample"
    name: str
    date: Col
    unit: DateUnit
    by: Columns = Columns(names=())
    measures: tuple[Measure, ...] = Field(min_length=1)


class Pivot(Node):
    """One row per group and one column per value of a column; rows with another value are left out.

    Counts and sums of no rows are 0, other figures are missing.
    """

    kind: Literal["pivot"] = "pivot"
    by: Columns
    column: Col
    values: tuple[Lit, ...] = Field(min_length=1)
    measure: Measure
    parameter: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """What the columns are called that the values became."""
        return tuple(str(value.value) for value in self.values)


class Rename(Node):
    """Give a column another name, in its place."""

    kind: Literal["rename"] = "rename"
    column: Col
    name: str


ZERO_WHEN_EMPTY = frozenset({AggregateFunction.COUNT, AggregateFunction.COUNT_DISTINCT, AggregateFunction.SUM})
"""Functions that are 0 of no rows; the others are missing."""

Step = Annotated[
    Filter
    | Derive
    | Select
    | Aggregate
    | Sort
    | Limit
    | Describe
    | Distinct
    | TopPerGroup
    | Window
    | Resample
    | Pivot
    | Rename
    | Reshaping
    | Statistic,
    Field(discriminator="kind"),
]
FIGURES = (Aggregate, Describe, Resample, Pivot, *get_args(FigureStatistic))
"""Steps whose rows are figures, no longer rows of the source."""
CUTS = (Limit, TopPerGroup, Distinct)
"""Steps that leave rows out by their place."""


class ChartKind(StrEnum):
    """The charts that a result can be drawn as."""

    BAR = "bar"
    LINE = "line"
    SCATTER = "scatter"
    PIE = "pie"
    HISTOGRAM = "histogram"
    BOX = "box"
    """Of the figures of `Describe`: a box per `x`, with whiskers from the smallest to the largest value."""
    HEATMAP = "heatmap"
    """A field for each pair of `x` and `color`, the darker the larger `y` is."""


_BOX_FIGURES = ("min", "q25", "median", "q75", "max")


class Chart(Node):
    """How to draw the result table: columns of the result by name; a box plot has no `y`."""

    kind: ChartKind
    x: str
    y: str | None = None
    color: str | None = None
    look: Look = PLAIN_LOOK

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the result that are drawn."""
        named = tuple(name for name in (self.x, self.y, self.color) if name is not None)
        return (*named, *_BOX_FIGURES) if self.kind is ChartKind.BOX else named
