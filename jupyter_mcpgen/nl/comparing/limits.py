"""Limits that no value can keep at once: "gifts over 500 and under 100" would be no row, and nobody would see why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, takewhile

from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.english_values import say_predicate
from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Col,
    Compare,
    CompareOp,
    DatePart,
    IsIn,
    IsMissing,
    Lit,
    Predicate,
    terms_of,
)
from jupyter_mcpgen.plan.ops import Derive, Filter

_FROM, _TO = (CompareOp.GT, CompareOp.GE), (CompareOp.LT, CompareOp.LE)


def without_contradiction(meant: Understanding) -> Understanding:
    """Refuse conditions that no row can meet, naming them and what either of them would give; else the meaning."""
    match meant:
        case Answered(winner) if (terms := _contradicting(winner)) is not None:
            return _refused(winner, terms)
        case Asked(options=(first, *_) as options) if all(_contradicting(option) is not None for option in options):
            terms = _contradicting(first)
            return meant if terms is None else _refused(first, terms)
        case _:
            return meant


def only_possible(readings: Sequence[Reading]) -> list[Reading]:
    """Return the readings whose conditions some row may meet; all of them where there is no such reading."""
    possible = [reading for reading in readings if _contradicting(reading) is None and not _names_two_values(reading)]
    return possible or list(readings)


def _names_two_values(reading: Reading) -> bool:
    """Tell whether a column has to be one of some values and one of others."""
    first = takewhile(lambda step: isinstance(step, Filter | Derive), reading.plan.steps)
    terms = [term for step in first if isinstance(step, Filter) for term in terms_of(step.predicate)]
    listed = [(name, values) for name, values in map(_values_of, terms) if values]
    return any(name == other and not values & others for name, values in listed for other, others in listed)


def _values_of(term: Predicate) -> tuple[str, frozenset[object]]:
    """Return the column that a condition wants to be one of some values, and these; none of any other condition."""
    match term:
        case IsIn(operand=Col(name=name), values=values, negated=False):
            return name, frozenset(value.value for value in values)
        case Compare(op=CompareOp.EQ, left=Col(name=name), right=Lit(value=value)):
            return name, frozenset((value,))
        case _:
            return "", frozenset()


def _refused(reading: Reading, terms: tuple[Predicate, Predicate]) -> Refused:
    first, second = terms
    message = (
        f"No row can meet both “{say_predicate(first)}” and “{say_predicate(second)}”. Ask for one of the two, or say "
        "“or” between them."
    )
    either = _with_either(reading, terms)
    if either is None:
        return Refused(message)
    return Refused(f"{message} That would be: {say_plan(either.plan)}.", nearest=either)


def _with_either(reading: Reading, terms: tuple[Predicate, Predicate]) -> Reading | None:
    """Return a reading in which one of two conditions is enough; None where they stand in different steps."""
    steps = list(reading.plan.steps)
    for place, step in enumerate(steps):
        if isinstance(step, Filter) and set(map(repr, terms)) <= set(map(repr, terms_of(step.predicate))):
            others = tuple(term for term in terms_of(step.predicate) if term not in terms)
            either = AnyOf(terms=terms)
            steps[place] = Filter(predicate=All(terms=(*others, either)) if others else either)
            return replace(reading, plan=reading.plan.with_steps(tuple(steps)))
    return None


def _contradicting(reading: Reading) -> tuple[Predicate, Predicate] | None:
    """Return the first two conditions on the rows of a table, or on its groups, that exclude each other, or None."""
    for kept, run in groupby(reading.plan.steps, lambda step: isinstance(step, Filter | Derive)):
        terms = [term for step in run if isinstance(step, Filter) for term in terms_of(step.predicate)] if kept else []
        if (lacked := next(_lacking(terms), None)) is not None:
            return lacked
        compared = [term for term in terms if isinstance(term, Compare) and _is_limit(term)]
        if (found := next(_excluding(compared), None)) is not None:
            return found
    return None


def _lacking(terms: Sequence[Predicate]) -> Iterator[tuple[Predicate, Predicate]]:
    """Yield a column that must have no value beside a condition that only its values can meet."""
    for missing in terms:
        if isinstance(missing, IsMissing) and not missing.negated:
            yield from ((missing, term) for term in terms if _needs(term, missing.operand.name))


def _needs(term: Predicate, name: str) -> bool:
    match term:
        case Compare(left=Col(name=own) | DatePart(operand=Col(name=own)), right=Lit()):
            return own == name
        case AnyOf(terms=terms):
            return all(_needs(one, name) for one in terms)
        case _:
            return False


def _is_limit(term: Compare) -> bool:
    return isinstance(term.left, Col) and isinstance(term.right, Lit) and term.op is not CompareOp.NE


def _excluding(terms: Sequence[Compare]) -> Iterator[tuple[Compare, Compare]]:
    for place, first in enumerate(terms):
        for second in terms[place + 1 :]:
            if first.left == second.left and (_exclude(first, second) or _exclude(second, first)):
                yield first, second


def _exclude(first: Compare, second: Compare) -> bool:
    """Tell whether no value meets both: each is another one, or the first begins where the second has ended."""
    low, high = _value(first), _value(second)
    if first.op is CompareOp.EQ and second.op is CompareOp.EQ:
        return low != high
    if isinstance(low, str) is not isinstance(high, str) or first.op in _TO or second.op in _FROM:
        return False
    whole = first.op is not CompareOp.GT and second.op is not CompareOp.LT
    return _is_above(low, high) or (low == high and not whole)


def _is_above(low: float | str, high: float | str) -> bool:
    if isinstance(low, str) or isinstance(high, str):
        return str(low) > str(high)  # moments are written from the year on
    return low > high


def _value(term: Compare) -> float | str:
    value = term.right.value if isinstance(term.right, Lit) else ""
    return value if isinstance(value, str) else float(value)
