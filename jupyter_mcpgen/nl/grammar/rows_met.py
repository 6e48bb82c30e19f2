"""Which rows meet a condition, as far as a profile keeps which row has which value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from jupyter_mcpgen.model.profile import FIRST_PLACE, ColumnProfile, Profile
from jupyter_mcpgen.nl.grammar.meanings import Both, Column, Either, Holds, Is, Lacks, Number, Period, Test, Within
from jupyter_mcpgen.plan.expressions import CompareOp

Rows = frozenset[int]
MOST_KEPT = 512
_COMPARED: Mapping[CompareOp, Callable[[Any, Any], bool]] = {
    CompareOp.EQ: eq,
    CompareOp.NE: ne,
    CompareOp.LT: lt,
    CompareOp.LE: le,
    CompareOp.GT: gt,
    CompareOp.GE: ge,
}


class RowsMet:
    """The rows of a table by what they have; of a table that is too long nothing is known."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._rows: dict[tuple[str, bool], Mapping[Any, Rows] | None] = {}
        self._met: dict[Test, Rows | None] = {}

    def of_all(self, tests: Sequence[Test]) -> Rows | None:
        """Return the rows that meet all of some conditions; None where that is not known, or nothing is asked."""
        found = [self.of(test) for test in tests]
        known = [rows for rows in found if rows is not None]
        return frozenset.intersection(*known) if known and len(known) == len(found) else None

    def none_is(self, tests: Sequence[Test]) -> bool:
        """Tell whether no row is all of what conditions say that rows are; limits may well be met by none."""
        known = [rows for test in tests if _says_what(test) and (rows := self.of(test)) is not None]
        return bool(known) and not frozenset.intersection(*known)

    def comes_back(self, name: str, tests: Sequence[Test]) -> bool:
        """Tell whether several of the rows that meet conditions have the same value."""
        rows, known = self.of_all(tests), self._known(name, read=False)
        if rows is None or known is None:
            return self._profile.column(name).distinct < self._profile.rows
        return any(len(rows & same) > 1 for same in known.values())

    def of(self, test: Test) -> Rows | None:
        """Return the rows that meet a condition."""
        if test not in self._met:
            if len(self._met) >= MOST_KEPT:
                self._met.clear()
            self._met[test] = self._found(test)
        return self._met[test]

    def _found(self, test: Test) -> Rows | None:
        match test:
            case Is(column, values, negated):
                known = self._known(column, read=not isinstance(values[0], str))
                if known is None:
                    return None
                said = frozenset().union(*(known.get(value, frozenset()) for value in values))
                return frozenset().union(*known.values()) - said if negated else said
            case Holds(Column(name), op, Number(limit)):
                known, compared = self._known(name, read=True), _COMPARED[op]
                return _joined(known, lambda value: compared(value, limit)) if known is not None else None
            case Within(Period(start, end), date, negated):
                known = self._known(date, read=True) if date else None
                return (
                    _joined(known, lambda value: _lies_in(value, start, end) is not negated)
                    if known is not None
                    else None
                )
            case Lacks(column, negated):
                known = self._known(column, read=True)
                if known is None:
                    return None
                there = frozenset().union(*known.values())
                return there if negated else frozenset(range(self._profile.rows)) - there
            case Both(terms):
                return self.of_all(terms)
            case Either(terms):
                found = [self.of(term) for term in terms]
                rows = [one for one in found if one is not None]
                return frozenset().union(*rows) if len(rows) == len(found) else None
            case _:
                return None

    def _known(self, name: str, *, read: bool) -> Mapping[Any, Rows] | None:
        """Return the rows of each value of a column, or of what its texts write; None where values are not kept."""
        key = name, read
        if key not in self._rows:
            column = self._profile.column(name)
            self._rows[key] = _rows_of(column.written[0].values if read and column.written else column)
        return self._rows[key]


def _says_what(test: Test) -> bool:
    return isinstance(test, Is) or (isinstance(test, Holds) and test.op is CompareOp.EQ)


def _rows_of(column: ColumnProfile) -> Mapping[Any, Rows] | None:
    kept = (*column.values, *column.more)
    if not column.places or len(kept) != column.distinct:
        return None
    rows: dict[str, list[int]] = {}
    for row, letter in enumerate(column.places):
        rows.setdefault(letter, []).append(row)
    return {value: frozenset(rows.get(chr(FIRST_PLACE + 1 + place), ())) for place, value in enumerate(kept)}


def _joined(known: Mapping[Any, Rows], fits: Callable[[Any], bool]) -> Rows:
    found: Iterable[Rows] = (rows for value, rows in known.items() if fits(value))
    return frozenset().union(*found)


def _lies_in(value: Any, start: str, end: str) -> bool:
    """Tell whether a date, or a year that is a number, lies in a period."""
    said = f"{value:04}-01-01" if isinstance(value, int) else str(value)
    return start <= said and (not end or said < end)
