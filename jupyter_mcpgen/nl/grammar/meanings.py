"""What phrases mean: values of rows, conditions on them, figures of many rows, and what is asked of figures."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.plan.expressions import ArithmeticOp, CompareOp, DateUnit, MatchMode, Predicate, TimeUnit
from jupyter_mcpgen.plan.ops import AggregateFunction, ChartKind, WindowFunction

Scalar = bool | int | float | str


@dataclass(frozen=True, slots=True)
class Word:
    """What a word does by itself: one of the meanings of its category, and the word."""

    meaning: str
    said: str = ""


# -- values of each row ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Column:
    """The values of a column."""

    name: str


@dataclass(frozen=True, slots=True)
class Computed:
    """Two values of a row combined."""

    op: ArithmeticOp
    left: Term
    right: Term | Number


@dataclass(frozen=True, slots=True)
class Between:
    """How much time passes from one date of a row to another."""

    unit: TimeUnit
    start: str
    end: str


@dataclass(frozen=True, slots=True)
class Part:
    """A part or the period of a date of each row; `date` is empty where the question leaves it open."""

    unit: DateUnit
    date: str = ""


@dataclass(frozen=True, slots=True)
class Band:
    """The interval that a number of each row lies in."""

    of: Column
    width: float


@dataclass(frozen=True, slots=True)
class Sided:
    """Which of some conditions each row meets, by what they are called."""

    sides: tuple[tuple[str, Test], ...]


Term = Column | Computed | Between | Part | Band | Sided


@dataclass(frozen=True, slots=True)
class Number:
    """A number that was said; `unit` as it was said, such as "minutes" or "%"."""

    value: float
    unit: str = ""
    ordinal: bool = False
    times: float = 1
    """What a word behind it multiplied it by, such as "million"."""


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time from `start` up to, not including, `end` (ISO dates, empty where open)."""

    start: str
    end: str
    unit: DateUnit | None = None


@dataclass(frozen=True, slots=True)
class Season:
    """A part of every year, or of every week or day: a month, a weekday, an hour, by their numbers."""

    unit: DateUnit
    numbers: tuple[int, ...]


def disjoint(one: Period | Season, other: Period | Season) -> bool:
    """Tell whether two periods share no date, or two seasons of the same unit."""
    if isinstance(one, Season) and isinstance(other, Season):
        return one.unit is other.unit and not set(one.numbers) & set(other.numbers)
    if isinstance(one, Season) or isinstance(other, Season):
        return False
    first, last = sorted((one, other), key=lambda period: period.start)
    return bool(first.end) and first.end <= last.start


# -- conditions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Is:
    """A column has one of some values, or with `negated` none of them."""

    column: str
    values: tuple[Scalar, ...]
    negated: bool = False
    apart: bool = False
    """True where the values were set side by side, so that figures are of each."""
    against: bool = False
    """True where they were set against each other, whatever else the figures are by."""


@dataclass(frozen=True, slots=True)
class Holds:
    """A comparison of a value of each row with a number or another value; `unit` is that of the number."""

    left: Term
    op: CompareOp
    right: Number | Term


@dataclass(frozen=True, slots=True)
class Within:
    """A date lies in a period; `date` is empty where the question leaves it open."""

    period: Period | Season
    date: str = ""
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Like:
    """A text is found in a column."""

    column: str
    mode: MatchMode
    text: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Lacks:
    """A column has no value in a row, or with `negated` it has one."""

    column: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Both:
    """Every one of some conditions holds."""

    terms: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """At least one of some conditions holds."""

    terms: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class Beside:
    """A value of each row beside a figure of all rows, or of its group: "above average"."""

    left: Term
    op: CompareOp
    function: AggregateFunction
    by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Kept:
    """A condition of the answer before, as its plan says it, where a question could not say it so."""

    predicate: Predicate


Test = Is | Holds | Within | Like | Lacks | Both | Either | Beside | Kept


@dataclass(frozen=True, slots=True)
class Bound:
    """A limit that waits for what it limits."""

    op: CompareOp
    value: Number
    upper: Number | None = None
    """The other end of a range; both ends belong to it."""
    about: tuple[str, ...] = ()
    """What a word such as "older" can only be about, as concepts."""
    turned: tuple[str, ...] = ()
    """Those of which it means less: who is older has an earlier birth."""


# -- figures ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of many rows; of rows themselves without a term."""

    function: AggregateFunction
    term: Term | None = None
    where: Test | None = None
    fraction: float | None = None
    implied: bool = False
    """True where nobody said how the values become one: the table decides between sum and mean."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """Two figures combined: a quotient, or with another operator a difference or product."""

    left: Figure
    right: Figure
    op: ArithmeticOp = ArithmeticOp.DIVIDE
    percent: bool = False
    both: bool = False
    """True where rows count that have both numbers."""


@dataclass(frozen=True, slots=True)
class Rate:
    """The part of some rows that meet a condition; of all rows without `among`."""

    test: Test
    percent: bool
    among: Test | None = None
    bare: bool = False
    """True where no noun says of what it is a part, so that a further condition may be of the part or of the whole."""
    each: str = ""
    """The column of the things of which some are such, where rows are not those: a customer with such a row is one."""


@dataclass(frozen=True, slots=True)
class PartOfAll:
    """The part that each group has in the total of a figure."""

    figure: Figure
    percent: bool
    of: Test | None = None
    """The one group whose part is asked for, within the other groups."""


@dataclass(frozen=True, slots=True)
class OfEach:
    """A figure of the figures of groups: the average of how many orders each customer has."""

    function: AggregateFunction
    figure: Figure
    each: Term
    or_within: bool = False
    """True where the average of the rows in each group may be meant as well: "average revenue per month"."""


Measure = Figure | Ratio | Rate | PartOfAll | OfEach


@dataclass(frozen=True, slots=True)
class Keys:
    """What rows are grouped by; `weak` where a mere preposition says so."""

    terms: tuple[Term, ...]
    weak: bool = False
    named: bool = False
    """True where a period was only named, as in "which month"."""
    binned: bool = False
    """True for bins of a chart, which say how a date or number that is named elsewhere is grouped."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A condition on a figure of groups."""

    measure: Measure
    bound: Bound


@dataclass(frozen=True, slots=True)
class Extreme:
    """Which come first: by a figure, a value of the rows, or what the question says elsewhere."""

    descending: bool
    count: int | None = 1
    by: Measure | Term | None = None
    concepts: tuple[str, ...] = ()
    per: tuple[Term, ...] = ()
    word: str = ""
    nth: int | None = None
    timed: bool = False
    """True for "first" and "last", which go by the date of the rows."""
    of_row: bool = False
    """True where the row itself is asked for that has it: "the longest flight"."""
    of_value: bool = False
    """True where the amount itself is asked for rather than the row that has it."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One of the two axes of a chart: "x" for what goes across, "y" for what goes up."""

    side: str


@dataclass(frozen=True, slots=True)
class Sorted:
    """The order that was asked for."""

    by: Measure | Term | Axis | None
    descending: bool | None = None
    of_rows: bool = False
    """True where rows are said to be sorted."""


@dataclass(frozen=True, slots=True)
class Window:
    """What is computed of the figures in the order of their groups; without a function it tells more of another."""

    function: WindowFunction | None
    size: int = 1
    """How many periods it looks at; 0 where another part of the question says it."""
    unit: DateUnit | None = None
    rises: bool | None = None
    """Whether a change goes up, where a word says so."""
    by: Bound | None = None
    """By how much something rises or falls at least or at most."""


@dataclass(frozen=True, slots=True)
class Entity:
    """What is asked for: the different things of a column, or the rows; `asked` where a question word says so."""

    column: str = ""
    asked: bool = False
    different: bool = False
    word: str = ""
    each: bool = False
    """True where something is asked of every row: "for each hire"."""
    cell: bool = False
    """True where the number that one row has is asked for."""
    behind: bool = False
    """True where the rows are only what a largest value is of: "the highest fare of the rides"."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A chart that was asked for; None where its kind is left open."""

    kind: ChartKind | None
    timed: bool = False
    """True for a course over time, also where no period is named."""
    usual: bool = False
    """True where the words only say what is to be seen, and the kind is the one that usually shows it."""


@dataclass(frozen=True, slots=True)
class Pair:
    """What goes across a chart and what goes up; `kind` is the chart that the words make likely."""

    across: Term
    up: Measure | Term
    kind: ChartKind | None = None
    drawn_only: bool = False
    """True where the words ask for a statistic unless a chart is named."""


@dataclass(frozen=True, slots=True)
class Statistic:
    """A statistic by name, with the options that were said."""

    name: str


@dataclass(frozen=True, slots=True)
class Costed:
    """A meaning that is less sure than its parts."""

    meaning: Meaning
    cost: float


@dataclass(frozen=True, slots=True)
class Sides:
    """What is set side by side: periods of one kind, or the values that a column has in a condition."""

    periods: tuple[Period | Season, ...] = ()
    test: Is | None = None
    listed: bool = False
    """True where they were only listed, so that something else has to say that they are compared."""


@dataclass(frozen=True, slots=True)
class Gap:
    """How far two that are compared lie apart."""


Meaning = (
    Word | Term | Number | Period | Season | Test | Bound | Measure | Keys | Limit | Extreme | Sorted | Window | Entity
    | Drawn | Pair | Axis | Statistic | Sides | Gap | tuple["Measure", ...]
)  # fmt: skip
