"""What words do by themselves, before they are combined: they ask for a figure, compare, group, order, join or draw."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.plan.expressions import CompareOp, DateUnit, MatchMode
from jupyter_mcpgen.plan.ops import AggregateFunction, ChartKind


@dataclass(frozen=True)
class Function:
    """An aggregate function by name; one that only dates have, such as "latest", means nothing of another number."""

    function: AggregateFunction
    dates_only: bool = False


@dataclass(frozen=True)
class Comparison:
    """A comparison operator in words; `of` names what alone it compares, such as the age in "younger than".

    `with_constants` alone compares "over", which between two columns is an axis of a chart; `wide` leaves out all
    that is joined behind it, as "other than" does.
    """

    op: CompareOp
    of: str | None = None
    with_constants: bool = False
    wide: bool = False

    @property
    def in_time(self) -> CompareOp:
        """The operator between days or years: what is older was earlier."""
        return self.op if self.of is None else self.op.turned


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
    spread: bool = False
    """True for words that ask how values are spread, and name no chart."""


@dataclass(frozen=True)
class Unsupported:
    """Something that the plan language does not have."""

    capability: str


@dataclass(frozen=True)
class Extreme:
    """Largest or smallest; `ranks` for "top" and "bottom", which ask for a list, `counts` for "most" and "fewest"."""

    descending: bool
    ranks: bool = False
    counts: bool = False


@dataclass(frozen=True)
class MostCommon:
    """Most or least frequent."""

    descending: bool
    of_labels: bool = False


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
    """A negation; `wide` where it leaves out all that is joined behind it: "excluding A and B"."""

    wide: bool = False


@dataclass(frozen=True)
class HalfDay:
    """Stands for "am" and "pm"; `first` is the hour that it begins with."""

    first: int


@dataclass(frozen=True)
class Clock:
    """A time of any day: an hour from 0 to 24 with its minutes."""

    hour: int
    minute: int = 0


@dataclass(frozen=True)
class Hours:
    """The hours of any day from `start` up to `end`, over midnight where the end is the smaller; `word` says them.

    Each may begin some minutes later.
    """

    start: int
    end: int
    word: str | None = None
    start_minute: int = 0
    end_minute: int = 0


@dataclass(frozen=True)
class Season:
    """A season by its months."""

    word: str
    months: tuple[int, ...]


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
class EachOne:
    """Stands for "each" or "of each", before a row's noun or without any."""


@dataclass(frozen=True)
class Filler:
    """Words without a meaning of their own, such as "tell me about"."""
