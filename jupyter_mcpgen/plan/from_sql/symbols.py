"""What a part of a SELECT means: a value of a plan, or something that becomes one only by how it is used."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.plan.expressions import (
    Arithmetic,
    Bin,
    Case,
    Col,
    Columns,
    DateName,
    DatePart,
    Expression,
    Lit,
    Moment,
    Parse,
    Predicate,
    TextCall,
    TimeBetween,
    When,
)
from jupyter_mcpgen.plan.from_sql.rows import Rows, missing_group
from jupyter_mcpgen.plan.from_sql.unread import CannotHold
from jupyter_mcpgen.plan.ops import SortKey, Step, Window, WindowFunction
from jupyter_mcpgen.plan.schema import ColumnType

VALUES = (Col, Lit, Arithmetic, DatePart, DateName, TimeBetween, TextCall, Bin, Case, Parse)


@dataclass(frozen=True)
class Truth:
    """A condition of three values: when it holds and when its opposite does; neither where it is unknown."""

    holds: Predicate | bool
    fails: Predicate | bool

    @property
    def opposite(self) -> Truth:
        """The condition with NOT before it."""
        return Truth(self.fails, self.holds)


@dataclass(frozen=True)
class Numbered:
    """The number of a row in an order, in its group: `row_number()`; without keys the place in a table."""

    by: tuple[str, ...]
    keys: tuple[SortKey, ...]
    version: int
    side: int = 0
    """1 or 2 for the place in a table before it is joined with another."""


@dataclass(frozen=True)
class Total:
    """A sum over all rows or those of a group, beside each row: what a value can be a share of."""

    column: Expression
    by: tuple[str, ...]
    before: tuple[Step, ...]
    """The steps that give the rows it is a total of."""
    present: frozenset[str] = frozenset()
    """The columns that have values where it is used."""


@dataclass(frozen=True)
class Extreme:
    """The largest or the smallest date of all rows, beside each of them: what a value can be equal to."""

    column: Col
    is_largest: bool
    before: tuple[Step, ...]
    """The steps that give the rows it is one of."""


@dataclass(frozen=True)
class Summed:
    """A sum of ones where a condition holds: missing where there are no rows, and the count that is 0 instead."""

    if_any: Col
    or_zero: Col


@dataclass(frozen=True)
class Unmatched:
    """A figure of a second table: missing where no row matches, and the column where it is 0 there."""

    or_zero: Col


@dataclass(frozen=True)
class Span:
    """The time from one moment to another, as an INTERVAL."""

    start: Moment
    end: Moment


@dataclass(frozen=True)
class Refused:
    """A column that a plan cannot hold; the reason is said where it is used."""

    reason: str


@dataclass(frozen=True)
class Nothing:
    """NULL."""


Symbol = Expression | Truth | Numbered | Total | Extreme | Summed | Unmatched | Span | Nothing | Refused


def settle(symbol: Symbol, rows: Rows) -> Expression:
    """Return the value that a symbol is when nothing more is done with it; raises `CannotHold`."""
    match symbol:
        case Truth():
            return _as_value(symbol)
        case Numbered():
            return _count_rows(symbol, rows)
        case Summed():
            return symbol.if_any
        case Total():
            raise CannotHold("A total beside every row can only be what a value is divided by.")
        case Extreme():
            raise CannotHold("The first or the last date of all rows can only be what a date is equal to.")
        case Unmatched():
            raise CannotHold(
                "A count or a sum of the second table is NULL in SQL and 0 in a plan where no row matches. "
                "Write COALESCE(…, 0)."
            )
        case Span():
            raise CannotHold(
                "A plan has no intervals. Count the time between two moments in a unit, as date_diff does."
            )
        case Refused():
            raise CannotHold(symbol.reason)
        case Nothing():
            raise CannotHold("A plan has no column of NULL alone.")
        case _:
            return symbol


def _as_value(truth: Truth) -> Expression:
    if isinstance(truth.holds, bool) or isinstance(truth.fails, bool):
        raise CannotHold("A condition that is the same in every row is no value of a plan.")
    yes, no = (Lit(value=value, type=ColumnType.BOOLEAN) for value in (True, False))
    return Case(branches=(When(condition=truth.holds, value=yes), When(condition=truth.fails, value=no)))


def _count_rows(numbered: Numbered, rows: Rows) -> Expression:
    """Return the number of each row: a running total of ones."""
    if numbered.side or not rows.is_numbered(numbered.by, numbered.keys, numbered.version):
        raise CannotHold("Rows are numbered before some of them are left out, and the number is used after it.")
    for name in numbered.by:
        if name not in rows.present:
            raise CannotHold(missing_group(name))
    one = rows.column(Lit(value=1, type=ColumnType.INTEGER))
    first = order_rows(numbered.keys, rows)
    step = Window(
        name=rows.new_name(),
        function=WindowFunction.RUNNING_TOTAL,
        column=Col(name=one),
        by=Columns(names=numbered.by),
        order=first,
    )
    return Col(name=rows.window(step))


def order_rows(keys: tuple[SortKey, ...], rows: Rows) -> SortKey | None:
    """Return the first key of an order, after the rows were put in the order of the others."""
    whole = rows.decisive((*keys, *rows.order))
    if not whole:
        return None
    first, rest = whole[0], whole[1:]
    if first.order:
        raise CannotHold("A comparison of rows needs an order of plain columns.")
    before, rows.pending = rows.order, rest
    rows.flush()
    rows.pending = before
    return first
