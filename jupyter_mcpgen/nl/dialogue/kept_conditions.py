"""The conditions of an earlier plan as those of a question, so that new ones can take their place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.grammar.meanings import (
    Beside,
    Both,
    Column,
    Either,
    Holds,
    Is,
    Kept,
    Lacks,
    Like,
    Number,
    Period,
    Season,
    Term,
    Test,
    Within,
)
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import (
    AnyOf,
    Col,
    Compare,
    CompareOp,
    DatePart,
    DateUnit,
    IsIn,
    IsMissing,
    Lit,
    Predicate,
    TextMatch,
    terms_of,
)
from jupyter_mcpgen.plan.ops import AggregateFunction
from jupyter_mcpgen.plan.ops import Window as Windowed
from jupyter_mcpgen.plan.schema import ColumnType

_YEAR, _MONTHS = 4, 12
_SPANS = {1: DateUnit.START_OF_MONTH, 3: DateUnit.START_OF_QUARTER, _MONTHS: DateUnit.START_OF_YEAR}
"""How many months the periods have that a question can name."""


class Conditions:
    """Reads conditions over a table, where some columns were made by the steps before them."""

    def __init__(self, table: Table, made: Mapping[str, Term], windows: Mapping[str, Windowed]) -> None:
        self._table, self._made, self._windows = table, made, windows

    def tests(self, predicate: Predicate) -> tuple[Test, ...]:
        """Return the conditions that must all hold; raises `PlanError` for one over a column that is not known."""
        terms = [self._test(term) for term in terms_of(predicate)]
        joined: list[Test] = []
        for date, group in groupby(terms, key=_date_of_bound):
            several = list(group)
            joined += _joined(several) if date else several
        return tuple(joined)

    def _test(self, predicate: Predicate) -> Test:
        found: Test | None
        match predicate:
            case Compare(op=op, left=Col(name=left), right=right):
                found = self._compared(op, left, right)
            case Compare(op=op, left=DatePart(unit=unit, operand=Col(name=name)), right=Lit(value=int() as number)):
                known = op in (CompareOp.EQ, CompareOp.NE)
                found = Within(Season(unit, (number,)), name, op is CompareOp.NE) if known else None
            case IsIn(operand=Col(name=name), values=values, negated=negated):
                found = Is(name, tuple(one.value for one in values), negated)
            case TextMatch(mode=mode, operand=Col(name=name), text=text, negated=negated):
                found = Like(name, mode, str(text.value), negated)
            case IsMissing(operand=Col(name=name), negated=negated):
                found = Lacks(name, negated)
            case AnyOf(terms=terms):
                found = self._either(terms)
            case _:
                found = None
        made = {name for name in names_in(predicate) if name not in self._table.names}
        if made and not (isinstance(found, Holds | Beside | Either) and made <= {*self._made, *self._windows}):
            raise PlanError("A condition over a column that was computed before is not known here.")
        return found if found is not None else Kept(predicate)

    def _either(self, terms: Sequence[Predicate]) -> Test:
        each = [self.tests(term) for term in terms]
        seasons = [one[0] for one in each if len(one) == 1 and isinstance(one[0], Within)]
        numbers = [one.period.numbers for one in seasons if isinstance(one.period, Season) and not one.negated]
        first = seasons[0] if seasons else None
        if first is not None and isinstance(first.period, Season) and len(numbers) == len(each):
            return Within(Season(first.period.unit, tuple(n for several in numbers for n in several)), first.date)
        outside = _outside(seasons) if len(seasons) == len(each) else None
        return outside or Either(tuple(one[0] if len(one) == 1 else Both(one) for one in each))

    def _compared(self, op: CompareOp, name: str, right: object) -> Test | None:
        match right:
            case Col(name=other) if other in self._windows:
                window = self._windows[other]
                return Beside(self._term(name), op, AggregateFunction(window.function.value), window.by.names)
            case Col(name=other):
                return Holds(self._term(name), op, self._term(other))
            case Lit(value=str() as day, type=ColumnType.DATE):
                return _bound(op, name, day)
            case Lit(value=int() as year) if name in self._table.years and not isinstance(year, bool):
                return _year_bound(op, name, year)
            case Lit(value=bool() | str() as value) if op in (CompareOp.EQ, CompareOp.NE):
                return Is(name, (value,), op is CompareOp.NE)
            case Lit(value=int() | float() as number) if not isinstance(number, bool):
                return Holds(self._term(name), op, Number(number))
            case _:
                return None

    def _term(self, name: str) -> Term:
        return self._made.get(name, Column(name))


def _bound(op: CompareOp, name: str, day: str) -> Within | None:
    match op:
        case CompareOp.GE:
            return Within(Period(day, ""), name)
        case CompareOp.LT:
            return Within(Period("", day), name)
        case _:
            return None


def _year_bound(op: CompareOp, name: str, year: int) -> Within | None:
    start, end = f"{year:0{_YEAR}}-01-01", f"{year + 1:0{_YEAR}}-01-01"
    match op:
        case CompareOp.EQ | CompareOp.NE:
            return Within(Period(start, end, DateUnit.START_OF_YEAR), name, op is CompareOp.NE)
        case CompareOp.GE:
            return Within(Period(start, ""), name)
        case CompareOp.LE:
            return Within(Period("", end), name)
        case _:
            return None


def _date_of_bound(test: Test) -> str:
    """Return the date that a condition bounds on one side."""
    half = isinstance(test, Within) and isinstance(test.period, Period) and not (test.period.start and test.period.end)
    return test.date if half and isinstance(test, Within) and not test.negated else ""


def _joined(bounds: list[Test]) -> Iterator[Test]:
    """Put the two ends of a period together."""
    ends = [one for one in bounds if isinstance(one, Within)]
    match [one.period for one in ends]:
        case [Period(start, ""), Period("", end)] | [Period("", end), Period(start, "")] if start < end:
            yield Within(Period(start, end, _unit(start, end)), ends[0].date)
        case _:
            yield from bounds


def _outside(bounds: Sequence[Within]) -> Within | None:
    """Return the condition that a date lies before a period or after it."""
    match [one.period for one in bounds]:
        case [Period("", start), Period(end, "")] if start < end and bounds[0].date == bounds[1].date:
            return Within(Period(start, end, _unit(start, end)), bounds[0].date, negated=True)
        case _:
            return None


def _unit(start: str, end: str) -> DateUnit | None:
    """Return the unit of the calendar that a period is one of."""
    firsts = all(day.endswith("-01") for day in (start, end))
    months = (int(end[:4]) - int(start[:4])) * _MONTHS + int(end[5:7]) - int(start[5:7])
    return _SPANS.get(months) if firsts else None


def columns_of(tests: Iterable[Test]) -> frozenset[str]:
    """Return the columns that conditions are about."""
    found: set[str] = set()
    for test in tests:
        match test:
            case Is(name) | Like(name) | Lacks(name) | Within(date=name):
                found.add(name)
            case Holds(Column(name)) | Beside(Column(name)):
                found.add(name)
            case Both(terms) | Either(terms):
                found |= columns_of(terms)
            case Kept(predicate):
                found |= set(names_in(predicate))
            case _:
                continue
    return frozenset(found)
