"""The two columns between which something lasted, such as `Took office` and `Left office`, and steps over them."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.model.profile import Kind, Profile
from jupyter_mcpgen.nl.computed.column import free_name
from jupyter_mcpgen.nl.entities.order import FIRST_YEAR, LAST_YEAR
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Arithmetic,
    ArithmeticOp,
    Col,
    Compare,
    CompareOp,
    IsMissing,
    Lit,
    Predicate,
)
from jupyter_mcpgen.plan.ops import Derive, Filter, Step
from jupyter_mcpgen.plan.schema import ColumnType


@dataclass(frozen=True)
class Term:
    """The columns of when something began and when it ended."""

    start: str
    end: str
    dated: bool
    """They hold dates, not years."""
    open_ended: bool
    """Some rows have no end."""

    @property
    def ended(self) -> IsMissing:
        """The condition that it has ended."""
        return IsMissing(operand=Col(name=self.end), negated=True)

    @property
    def goes_on(self) -> IsMissing:
        """The condition that it has not ended yet."""
        return IsMissing(operand=Col(name=self.end))

    def covers(self, first: int, last: int) -> Predicate:
        """Return the condition that some of the years from one to another lies between the two, both ends included."""
        began = Compare(op=CompareOp.LE, left=Col(name=self.start), right=self._moment(last, last=True))
        lasted = Compare(op=CompareOp.GE, left=Col(name=self.end), right=self._moment(first, last=False))
        if not self.open_ended:
            return All(terms=(began, lasted))
        return All(terms=(began, AnyOf(terms=(lasted, self.goes_on))))

    def _moment(self, year: int, *, last: bool) -> Lit:
        if not self.dated:
            return Lit(value=year, type=ColumnType.INTEGER)
        return Lit(value=f"{year}-12-31" if last else f"{year}-01-01", type=ColumnType.DATE)


def term_of(table: Table) -> Term | None:
    """Return the one beginning and the one end that the rows of a table have; None where another column says how long.

    Both are whole years, or both are dates, and no row begins later than any ends.
    """
    names = table.context.profile.schema_.names
    for dated in (False, True):
        moments = [name for name in names if is_moment(name, table, dated=dated)]
        first = [name for name in moments if _is_called(name, "terms_begin", table)]
        last = [name for name in moments if _is_called(name, "terms_end", table) and name not in first]
        if len(first) == 1 and len(last) == 1 and not _says_how_long(table):
            own = table.context.column(last[0])
            return Term(first[0], last[0], dated, open_ended=own.nulls > 0)
    return None


def years_of(term: Term, profile: Profile) -> tuple[str, Derive]:
    """Return the name of a column of how many years each row lasted, none where it goes on, and the step of it."""
    name = free_name("years", profile)
    lasted = Arithmetic(op=ArithmeticOp.SUBTRACT, left=Col(name=term.end), right=Col(name=term.start))
    return name, Derive(name=name, expression=lasted)


def years_of_ended(term: Term, profile: Profile) -> tuple[str, tuple[Step, ...]]:
    """Return the name of a column of how many years each row lasted, and the steps that make it for rows that ended."""
    name, lasted = years_of(term, profile)
    return name, ((Filter(predicate=term.ended), lasted) if term.open_ended else (lasted,))


def is_moment(name: str, table: Table, *, dated: bool = False) -> bool:
    """Tell whether a column holds dates, or whole numbers that are all years."""
    context = table.context
    if dated or not context.is_number(name):
        return dated and context.type_of(name) is ColumnType.DATE
    own = context.column(name)
    if own.minimum is None or own.maximum is None or not FIRST_YEAR <= own.minimum <= own.maximum <= LAST_YEAR:
        return False
    whole = all(float(value).is_integer() for value in own.values if isinstance(value, int | float))
    return whole and (own.kind is Kind.YEAR or own.unit is None)


def _is_called(name: str, key: str, table: Table) -> bool:
    return bool({word.casefold() for word in split_name(name)} & table.words(key))


def _says_how_long(table: Table) -> bool:
    """Tell whether a column of numbers is called a duration: `Years in office`."""
    names = (name for name in table.context.profile.schema_.names if table.context.is_number(name))
    return any({word.casefold() for word in split_name(name)} & table.words("names_of_durations") for name in names)
