"""What a span of words may mean: the leaves that words give and the phrases that the grammar builds from them."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.plan.expressions import CompareOp, DateUnit, MatchMode, Predicate
from jupyter_mcpgen.plan.ops import AggregateFunction, ChartKind
from jupyter_mcpgen.plan.schema import ColumnType

# leaves -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Column:
    """A column of the data."""

    name: str


@dataclass(frozen=True)
class Value:
    """A value found in a column of the data."""

    column: str
    value: str


@dataclass(frozen=True)
class Number:
    """A number."""

    value: int | float


@dataclass(frozen=True)
class Moment:
    """A calendar date in ISO 8601."""

    iso: str


@dataclass(frozen=True)
class Quote:
    """A text in quotation marks."""

    text: str


@dataclass(frozen=True)
class RowNoun:
    """A noun that stands for one row of the table; `assumed` when only its place in the question says so."""

    noun: str
    assumed: bool = False


@dataclass(frozen=True)
class Function:
    """An aggregate function by name."""

    function: AggregateFunction


@dataclass(frozen=True)
class Comparison:
    """A comparison operator in words."""

    op: CompareOp


@dataclass(frozen=True)
class Matching:
    """A text search in words."""

    mode: MatchMode


@dataclass(frozen=True)
class Unit:
    """A part of a date."""

    unit: DateUnit


@dataclass(frozen=True)
class ChartWord:
    """A chart by name."""

    kind: ChartKind


@dataclass(frozen=True)
class Unsupported:
    """Something that the plan language does not have."""

    capability: str


@dataclass(frozen=True)
class Extreme:
    """Largest or smallest."""

    descending: bool


@dataclass(frozen=True)
class MostCommon:
    """Most or least frequent."""

    descending: bool


@dataclass(frozen=True)
class Direction:
    """An order of sorting."""

    descending: bool


@dataclass(frozen=True)
class TimeSide:
    """After or before a moment."""

    op: CompareOp


@dataclass(frozen=True)
class GroupWord:
    """Stands for "by", "per", "for each"."""


@dataclass(frozen=True)
class WhereWord:
    """Stands for "where", "with", "in"."""


@dataclass(frozen=True)
class And:
    """A conjunction."""


@dataclass(frozen=True)
class Or:
    """A disjunction."""


@dataclass(frozen=True)
class Not:
    """A negation."""


@dataclass(frozen=True)
class CountWord:
    """Stands for "number of", "how many"."""


@dataclass(frozen=True)
class HowMuch:
    """Stands for "how much"."""


@dataclass(frozen=True)
class MissingWord:
    """Stands for "missing", "empty"."""


@dataclass(frozen=True)
class Overview:
    """Stands for "describe", "summary"."""


@dataclass(frozen=True)
class NoChart:
    """Stands for "without charts"."""


@dataclass(frozen=True)
class ListRows:
    """Stands for "list all"."""


@dataclass(frozen=True)
class SortWord:
    """Stands for "sorted by"."""


@dataclass(frozen=True)
class Between:
    """Stands for "between … and …"."""


@dataclass(frozen=True)
class Relation:
    """Stands for "relationship between"."""


# phrases ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    """A number asked for: a function of a column, or with no column a count of rows."""

    function: AggregateFunction
    column: str | None
    noun: str | None = None
    """The word that was taken to mean one row, when only its place in the question says so."""


@dataclass(frozen=True)
class NamedTable:
    """A description of the whole table, such as "this traffic accident dataset"."""


@dataclass(frozen=True)
class GroupKey:
    """A column to group by, or a period of a date column (the only one, when none is named)."""

    column: str | None
    unit: DateUnit | None = None


@dataclass(frozen=True)
class Grouped:
    """What to group by, in order."""

    keys: tuple[GroupKey, ...]


@dataclass(frozen=True)
class Condition:
    """Which rows count."""

    predicate: Predicate


@dataclass(frozen=True)
class YearCondition:
    """Rows of one year, or after or before it, in the date column."""

    year: int
    op: CompareOp


@dataclass(frozen=True)
class MomentCondition:
    """Rows at, after or before a date in the date column."""

    iso: str
    op: CompareOp


@dataclass(frozen=True)
class HalfComparison:
    """An operator with its constant, waiting for a column."""

    op: CompareOp
    value: int | float | str
    type: ColumnType


@dataclass(frozen=True)
class Range:
    """Two constants, waiting for a column."""

    low: int | float
    high: int | float


@dataclass(frozen=True)
class HalfMatch:
    """A text search, waiting for a column."""

    mode: MatchMode
    text: str


@dataclass(frozen=True)
class Best:
    """How many to keep, from which end; with a column, that many of its values."""

    count: int
    descending: bool
    of: str | None = None


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

    by: Measured | Column | None
    descending: bool | None
    hinted: bool = False


Meaning = (
    Column | Value | Number | Moment | Quote | RowNoun | Function | Comparison | Matching | Unit | ChartWord
    | Unsupported | Extreme | MostCommon | Direction | TimeSide | GroupWord | WhereWord | And | Or | Not | CountWord
    | HowMuch | MissingWord | Overview | NoChart | ListRows | SortWord | Between | Relation
    | Measured | NamedTable | GroupKey | Grouped | Condition | YearCondition | MomentCondition | HalfComparison | HalfMatch | Range
    | Best | Commonest | Ordered
)  # fmt: skip
