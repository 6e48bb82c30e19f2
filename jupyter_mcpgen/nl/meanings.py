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
    """A value found in a text column of the data."""

    column: str
    value: str


@dataclass(frozen=True)
class Number:
    """A number."""

    value: int | float


@dataclass(frozen=True)
class Ordinal:
    """A place in an order, such as the 2 of "second"."""

    number: int


@dataclass(frozen=True)
class Scale:
    """Stands for "thousand", "million"."""

    factor: int


@dataclass(frozen=True)
class Span:
    """A stretch of time from `start` to before `end`, in ISO 8601; open where there is no date."""

    start: str | None
    end: str | None
    joined: bool = False
    """True for a stretch made of two: nothing lies "since" it."""
    guessed: bool = False
    """True for a bare number that may be a year."""


@dataclass(frozen=True)
class PartValue:
    """A named part of the calendar, such as January or Monday."""

    unit: DateUnit
    number: int


@dataclass(frozen=True)
class PartChoice:
    """Several named parts of the calendar, of which one may apply."""

    unit: DateUnit
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class Quote:
    """A text in quotation marks."""

    text: str


@dataclass(frozen=True)
class Truth:
    """Stands for "true", "yes", "false", "no"."""

    value: bool


@dataclass(frozen=True)
class RowNoun:
    """A noun that stands for one row of the table; `assumed` when only its place in the question says so."""

    noun: str
    assumed: bool = False
    amount: bool = False
    """True for a noun like "sales", that names the table and may as well mean a sum of money."""


@dataclass(frozen=True)
class TableNoun:
    """Stands for "data", "table"."""


@dataclass(frozen=True)
class ColumnNoun:
    """Stands for "column", "field", beside a column's name."""


@dataclass(frozen=True)
class Function:
    """An aggregate function by name; one that only dates have, such as "latest", means nothing of another number."""

    function: AggregateFunction
    dates_only: bool = False


@dataclass(frozen=True)
class Comparison:
    """A comparison operator in words; `of` names what alone it compares, such as the age in "younger than"."""

    op: CompareOp
    of: str | None = None


@dataclass(frozen=True)
class OrMore:
    """A comparison operator behind its number: "5 or more"."""

    op: CompareOp


@dataclass(frozen=True)
class Matching:
    """A text search in words."""

    mode: MatchMode


@dataclass(frozen=True)
class Unit:
    """A part of a date; `adjective` for forms like "monthly"."""

    unit: DateUnit
    adjective: bool = False


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
    """Largest or smallest; `ranks` for "top" and "bottom", which ask for a list."""

    descending: bool
    ranks: bool = False


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
    """Stands for "by"; `each` for "per" and "each", which may also mean a rate."""

    each: bool = False


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
class Nor:
    """Joins what is denied together: "neither … nor …"."""


@dataclass(frozen=True)
class NeitherOf:
    """Conditions joined by "nor", which mean something only behind a negation."""

    predicates: tuple[Predicate, ...]


@dataclass(frozen=True)
class To:
    """Stands between the ends of a range."""


@dataclass(frozen=True)
class Of:
    """Stands between a part and its whole; it parts no neighbours, but a rule may ask for it."""


@dataclass(frozen=True)
class Determiner:
    """Begins a noun phrase, as "the" does: what stands before it describes nothing after it."""


@dataclass(frozen=True)
class Then:
    """Puts one thing after another: "sort by region, then revenue"."""


@dataclass(frozen=True)
class Versus:
    """Sets two things against each other."""


@dataclass(frozen=True)
class Not:
    """A negation."""


@dataclass(frozen=True)
class Lacking:
    """Stands for "have no": with a value behind it, it asks for what never occurs among many rows."""


@dataclass(frozen=True)
class CountWord:
    """Stands for "number of", "how many"; `trailing` for "count", which may stand behind what it counts."""

    trailing: bool = False


@dataclass(frozen=True)
class HowMuch:
    """Stands for "how much"."""


@dataclass(frozen=True)
class MissingWord:
    """Stands for "missing", "empty", or with `negated` the opposite."""

    negated: bool = False


@dataclass(frozen=True)
class DistinctWord:
    """Stands for "different", "unique" before a noun."""


@dataclass(frozen=True)
class Overview:
    """Stands for "describe", "summary"."""


@dataclass(frozen=True)
class Varies:
    """Stands for "vary", "compare": the answer must have groups."""


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
class FirstWord:
    """Stands for "first", in the order of the table."""


@dataclass(frozen=True)
class Relation:
    """Stands for "relationship between"."""


@dataclass(frozen=True)
class Axis:
    """An axis of a chart by name, `x` or `y`; not `said` when "names" or "bars" only stand for it."""

    side: str
    said: bool = True


@dataclass(frozen=True)
class Over:
    """Stands for "over", between a figure and the axis it is drawn along."""


@dataclass(frozen=True)
class AmountOf:
    """Stands for "the amount of", which counts what is no amount itself."""


@dataclass(frozen=True)
class GroupVerb:
    """Stands for the "group" of "group the rows by region"."""


@dataclass(frozen=True)
class RowTail:
    """Stands for the "members" of "club members", where a club is not what a row is called alone."""


@dataclass(frozen=True)
class InWord:
    """Stands for "in" before the column to look in."""


@dataclass(frozen=True)
class LetterWord:
    """Stands for "the letter", "the letters"."""


@dataclass(frozen=True)
class Letter:
    """A letter or short text that stands as a word of its own."""

    text: str


@dataclass(frozen=True)
class EachOne:
    """Stands for "each" or "of each", before a row's noun or without any."""


@dataclass(frozen=True)
class Describing:
    """A participle that says of the rows what the table is about anyway, such as the "held" in "courses held"."""

    word: str


@dataclass(frozen=True)
class Filler:
    """Words without a meaning of their own, such as "tell me about"."""


# phrases ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    """A number asked for: a function of a column, or with no column a count of rows."""

    function: AggregateFunction
    column: str | None
    noun: str | None = None
    """The word that was taken to mean one row, when only its place in the question says so."""


@dataclass(frozen=True)
class ColumnList:
    """Columns listed one after another: "name, salary and department"."""

    names: tuple[str, ...]


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
class NamedTable:
    """A description of the whole table, such as "this traffic accident dataset"."""

    words: str


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
class OnDays:
    """A condition said of days, such as "on rainy days": it narrows rows and counts none."""

    predicate: Predicate


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
class OnAxis:
    """What an axis of a chart is to show."""

    side: str
    shown: Column | Measured | GroupKey


@dataclass(frozen=True)
class OfEach:
    """Stands for "of each" without a noun: of each group that was named before."""


@dataclass(frozen=True)
class Condition:
    """Which rows count."""

    predicate: Predicate


@dataclass(frozen=True)
class Contrast:
    """Two values of a column set against each other: a condition that is also a grouping."""

    predicate: Predicate
    column: str


@dataclass(frozen=True)
class HalfComparison:
    """An operator with its constant, waiting for a column."""

    op: CompareOp
    value: int | float | str
    type: ColumnType
    of: str | None = None
    """What alone the operator compares, such as the age in "younger than 30"."""


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


Meaning = (
    Column | Value | Number | Ordinal | Scale | Span | PartValue | Quote | Truth | RowNoun | TableNoun | ColumnNoun
    | Function | Comparison | OrMore | Matching | Unit | ChartWord | Unsupported | Extreme | MostCommon | Direction
    | TimeSide | GroupWord | WhereWord | And | Or | Nor | To | Of | Determiner | Then | Versus | Not | Lacking
    | CountWord | HowMuch | MissingWord | DistinctWord | Overview | Varies | NoChart | ListRows | SortWord | Between
    | FirstWord | Relation | Filler | ColumnList | PartChoice | Measured | Several | RowsAnd | LabelAnd | CountWhere
    | MeasuredWhere | NamedTable | GroupKey | BarePeriod | OnDays | Grouped | Listed | Pair | Condition | NeitherOf
    | Contrast | HalfComparison | Choice | Pending | Range | SpanPair | HalfMatch | Having | Best | First
    | Superlative | TopRow | Commonest | Ordered | Axis | Over | Describing | OnAxis | OfEach | EachOne | RowTail
    | GroupVerb | AmountOf | InWord | LetterWord | Letter | Letters | SideOfNumber | LetterMatch | InColumn
)  # fmt: skip
