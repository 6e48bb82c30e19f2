"""The rules of what only a follow-up says: "as a share", "above 100", "sort it", "all channels"."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.meanings import Bound, Column, Entity, Number, Part, Period, Season, Term, Word
from jupyter_mcpgen.nl.grammar.rule import Family, a, maybe
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.expressions import DateUnit

EDITS = Family("edits")
rule = EDITS.rule

MOST_SHOWN = 1_000


@dataclass(frozen=True, slots=True)
class AsShare:
    """Each figure as its part in the total, from 0 to 1 or in percent."""

    percent: bool


@dataclass(frozen=True, slots=True)
class Limited:
    """A limit of the figures that were shown."""

    bound: Bound


@dataclass(frozen=True, slots=True)
class InOrder:
    """The order of the figures, which nobody said more of; by their names, or the other way round."""

    by_name: bool = False
    reversed: bool = False


@dataclass(frozen=True, slots=True)
class OnlyFirst:
    """So many of the groups or rows: "limit it to 5"."""

    count: int


@dataclass(frozen=True, slots=True)
class Widened:
    """All values of a column, of which only some counted before; a date for all times."""

    column: str


@dataclass(frozen=True, slots=True)
class BesideYear:
    """The same figures of another year beside those of the one that was asked for; None for the year before it."""

    year: int | None = None


Edit = AsShare | BesideYear | Limited | InOrder | OnlyFirst | Widened


@rule(C.EDIT, maybe(C.IN), a(C.SHARE, words="share percent"), maybe(C.OF), maybe(C.AGGREGATE))
def as_share(table: Table, said: Word | None, share: Word, of: Word | None, total: Word | None) -> AsShare | None:
    """Read "as a share", "in percent", "% of total"."""
    return AsShare(share.meaning == "percent") if total is None or total.meaning == "sum" else None


@rule(C.EDIT, maybe(C.WHERE, C.IN), C.BOUND)
def limited(table: Table, said: Word | None, bound: Bound) -> Limited:
    """Read "above 100", "with at least 5"."""
    return Limited(bound)


@rule(C.EDIT, C.ORDER)
def in_order(table: Table, said: Word) -> InOrder:
    """Read "sort it"."""
    return InOrder()


@rule(C.EDIT, maybe(C.ORDER), maybe(C.IN), a(C.CUE, words="alphabetical"), maybe(C.ORDER, C.MANNER), cost=-0.1)
def by_name(table: Table, said: Word | None, in_: Word | None, alphabetical: Word, order: Word | None) -> InOrder:
    """Read "sort alphabetically", "in alphabetical order"."""
    return InOrder(by_name=True)


@rule(C.EDIT, a(C.VERSUS, C.COMPARE_VERB), maybe(C.OF, C.TO), C.PERIOD)
def beside_year(table: Table, said: Word, with_: Word | None, period: Period | Season) -> BesideYear | None:
    """Read "vs 2022", "compare with 2022"."""
    year = isinstance(period, Period) and period.unit is DateUnit.START_OF_YEAR
    return BesideYear(int(period.start[:4])) if year and isinstance(period, Period) else None


@rule(C.EDIT, a(C.VERSUS, C.COMPARE_VERB), maybe(C.OF, C.TO), a(C.CUE, words="year_before"))
def beside_year_before(table: Table, said: Word, with_: Word | None, before: Word) -> BesideYear:
    """Read "compare with the year before"."""
    return BesideYear()


@rule(C.EDIT, a(C.CUE, words="reverse"), maybe(C.ORDER, C.MANNER))
def turned(table: Table, said: Word, order: Word | None) -> InOrder:
    """Read "reverse it", "flip the order"."""
    return InOrder(reversed=True)


@rule(C.EDIT, C.NUMBER, cost=0.1)
def only_first(table: Table, number: Number) -> OnlyFirst | None:
    """Read "5" behind "limit it to"."""
    whole = number.value == int(number.value) and 0 < number.value <= MOST_SHOWN
    return OnlyFirst(int(number.value)) if whole else None


@rule(C.EDIT, maybe(C.IN), a(C.CUE, words="all"), a(C.TERM, C.ENTITY, C.UNIT))
def widened(table: Table, said: Word | None, all_: Word, term: Term | Entity) -> Widened | None:
    """Read "all channels", "for all years"."""
    match term:
        case Column(name) | Entity(name) if name:
            return Widened(name)
        case Part(_, date):
            return Widened(date)
        case _:
            return None
