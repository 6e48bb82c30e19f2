"""Conditions of a question beside those of the answer before: which stay, and which give way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from jupyter_mcpgen.nl.dialogue.kept_conditions import columns_of
from jupyter_mcpgen.nl.grammar.meanings import Holds, Is, Kept, Period, Season, Test, Within
from jupyter_mcpgen.plan.expressions import Compare, CompareOp, DatePart, DateUnit

_FROM, _UP_TO = (CompareOp.GT, CompareOp.GE), (CompareOp.LT, CompareOp.LE)
_MONTHS = 12


@dataclass(frozen=True)
class Merged:
    """The conditions that hold now, and those that do not any more."""

    tests: tuple[Test, ...]
    gone: tuple[Test, ...] = ()


def merged(before: Sequence[Test], new: Sequence[Test], *, adds: bool = False) -> Merged:
    """Return the conditions of a follow-up: one on the same column takes the place of what was there, others add."""
    tests, gone = list(before), []
    for one in new:
        if one in tests:
            continue
        said: Test | None = one
        for other in tuple(tests):
            way = _beside(other, one, adds=adds)
            if way is None:
                continue
            tests.remove(other)
            if way.stays is None:
                gone.append(other)
            else:
                tests.append(way.stays)
            said = way.new if said is one else said
        if said is not None:
            tests.append(said)
    return Merged(tuple(tests), tuple(gone))


@dataclass(frozen=True)
class _Way:
    """What becomes of two conditions on one column; None where one is not there any more."""

    new: Test | None
    stays: Test | None = None


def _beside(before: Test, new: Test, *, adds: bool) -> _Way | None:
    """Return what becomes of two conditions; None where both hold."""
    match before, new:
        case Is(column, values, False), Is(other, more, False) if column == other:
            return _Way(None, Is(column, tuple(dict.fromkeys((*values, *more))))) if adds else _Way(new)
        case Is(column, values, False), Is(other, denied, True) if column == other:
            left = tuple(value for value in values if value not in denied)
            if len(left) == len(values):
                return None
            return _Way(None, Is(column, left)) if left else _Way(new)
        case Is(column, _, True), Is(other, _, negated) if column == other:
            return None if negated else _Way(new)
        case Holds(left, op, _), Holds(other_left, other_op, _) if left == other_left:
            return _Way(new) if _same_side(op, other_op) else None
        case Within(date=date), Within(date=other) if date == other:
            return _times(before, new)
        case Kept(Compare(left=DatePart())), Within():
            return None  # the time of the day and the weekday are sides of their own
        case ((Is() | Holds() | Within()), (Is() | Holds() | Within())) if type(before) is type(new):
            return None
        case _:
            return _Way(new) if columns_of([before]) == columns_of([new]) else None


def _same_side(one: CompareOp, other: CompareOp) -> bool:
    both = (one, other)
    return not any(set(both) == {low, high} for low in _FROM for high in _UP_TO)


def _times(before: Within, new: Within) -> _Way | None:
    """Return what becomes of two conditions on one date: "April" behind "March 2023" is April of that year."""
    match before.period, new.period:
        case Period(), Period():
            return _Way(new)
        case Season(unit, _), Season(other, _):
            return _Way(new) if unit is other else None
        case Period(start, _, DateUnit.START_OF_MONTH), Season(DateUnit.MONTH, (month,)) if not before.negated:
            year, following = int(start[:4]), divmod(month, _MONTHS)
            end = f"{year + following[0]:04}-{following[1] + 1:02}-01"
            return _Way(replace(new, period=Period(f"{year:04}-{month:02}-01", end, DateUnit.START_OF_MONTH)))
        case _:
            return None
