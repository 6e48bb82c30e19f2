"""Conditions made from what the words of a question mean."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from jupyter_mcpgen.model.profile import Kind, Role
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.tables.flags import flags_of
from jupyter_mcpgen.plan.english_values import say_predicate
from jupyter_mcpgen.plan.expressions import (
    All,
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
    negate,
)
from jupyter_mcpgen.plan.schema import ColumnType

YEARS = range(1900, 2101)
"""Whole numbers that are read as years where the table has dates."""


def number(value: float) -> Lit:
    """Return a number as a constant."""
    return Lit(value=value, type=ColumnType.INTEGER if isinstance(value, int) else ColumnType.REAL)


def equals(column: str, value: str | float) -> Compare:
    """Return the condition that a column has a value."""
    right = Lit(value=value, type=ColumnType.TEXT) if isinstance(value, str) else number(value)
    return Compare(op=CompareOp.EQ, left=Col(name=column), right=right)


def is_true(column: str, value: bool = True) -> Compare:
    """Return the condition that a yes-or-no column says yes, or no."""
    return Compare(op=CompareOp.EQ, left=Col(name=column), right=Lit(value=value, type=ColumnType.BOOLEAN))


def one_of(column: str, values: tuple[int | float, ...]) -> IsIn:
    """Return the condition that a column has one of some numbers."""
    return IsIn(operand=Col(name=column), values=tuple(number(value) for value in values))


def in_range(column: str, low: float, high: float) -> All:
    """Return the condition that a column lies between two numbers, ends included."""
    ends = ((CompareOp.GE, low), (CompareOp.LE, high))
    return All(terms=tuple(Compare(op=op, left=Col(name=column), right=number(end)) for op, end in ends))


def during(column: str, span: m.Span) -> Predicate:
    """Return the condition that a date lies in a stretch of time."""
    edges = ((CompareOp.GE, span.start), (CompareOp.LT, span.end))
    terms = tuple(
        Compare(op=op, left=Col(name=column), right=Lit(value=edge, type=ColumnType.DATE))
        for op, edge in edges
        if edge is not None
    )
    return terms[0] if len(terms) == 1 else All(terms=terms)


def holds_years(name: str, context: Context) -> bool:
    """Tell whether a column has nothing but years in it."""
    column = context.column(name)
    if not context.is_whole(name) or column.minimum is None:
        return False
    return bool(column.minimum in YEARS and column.maximum in YEARS)


def in_years(name: str, span: m.Span) -> Predicate | None:
    """Return a condition on a column of years; None for a span that does not begin and end with a year."""
    if any(edge is not None and not edge.endswith("-01-01") for edge in (span.start, span.end)):
        return None
    low = int(span.start[:4]) if span.start else None
    high = int(span.end[:4]) - 1 if span.end else None
    if low is not None and high is not None:
        return equals(name, low) if low == high else in_range(name, low, high)
    edge, op = (low, CompareOp.GE) if low is not None else (high, CompareOp.LE)
    return Compare(op=op, left=Col(name=name), right=number(edge)) if edge is not None else None


def compared(column: str, half: m.HalfComparison, context: Context) -> Predicate | None:
    """Return a comparison of a column with a constant; None when they do not go together."""
    type_ = context.type_of(column)
    if column in flags_of(context.profile, "en") and half.op not in (CompareOp.EQ, CompareOp.NE):
        return None  # no flag is more than 3: what it marks is counted
    if type_.is_number and not isinstance(half.value, str):
        known = context.column(column)
        low, high = known.minimum, known.maximum
        if known.role is Role.IDENTIFIER and not (low is not None and high is not None and low <= half.value <= high):
            return None  # "students with more than 12" counts what a student has, where no number of one is 12
        op = half.in_time if holds_years(column, context) else half.op
        return Compare(op=op, left=Col(name=column), right=number(half.value))
    if type_ is ColumnType.TEXT and isinstance(half.value, str):
        text = known_text(column, half.value, context)
        if text is not None:
            return equals(column, text).model_copy(update={"op": half.op})
    return None


def known_text(column: str, text: str, context: Context) -> str | None:
    """Return a quoted text as the column spells it; None when the column is known not to have it."""
    if context.type_of(column) is not ColumnType.TEXT:
        return None
    known = context.column(column)
    if text in known.values:
        return text
    alike = [value for value in known.values if value.casefold() == text.casefold()]
    if alike or known.complete:
        return str(alike[0]) if len(alike) == 1 else None
    return text


def about(predicate: Predicate) -> str | None:
    """Return the only column that a condition looks at; None when there are several."""
    match predicate:
        case Compare(left=Col(name=name) | DatePart(operand=Col(name=name)), right=Lit()):
            return name
        case IsIn() | TextMatch() | IsMissing():
            return predicate.operand.name
        case All() | AnyOf():
            names = {about(term) for term in predicate.terms}
            return names.pop() if len(names) == 1 else None
        case _:
            return None


def equal_values(predicate: Predicate) -> bool:
    """Tell whether a condition lists values that a column may have."""
    match predicate:
        case IsIn(negated=False):
            return True
        case Compare(op=CompareOp.EQ, left=Col(), right=Lit()):
            return True
        case _:
            return False


def lists_values(predicate: Predicate) -> bool:
    """Tell whether a condition lists values that a column must not have."""
    match predicate:
        case IsIn(negated=True):
            return True
        case Compare(op=CompareOp.NE, left=Col(), right=Lit()):
            return True
        case _:
            return False


def opposite(predicate: Predicate) -> Predicate:
    """Return the negated condition; "not active" is said as "active is False"."""
    match predicate:
        case Compare(op=CompareOp.EQ, left=Col(name=name), right=Lit(value=bool() as value)):
            return is_true(name, not value)
        case _:
            return negate(predicate)


def both(first: Predicate, second: Predicate) -> All:
    """Return the condition that both hold."""
    terms = [term for each in (first, second) for term in (each.terms if isinstance(each, All) else (each,))]
    return All(terms=tuple(terms))


def one_month(predicate: Predicate) -> tuple[str, int, bool] | None:
    """Return the date, the month and whether it is that of any year, of a condition that one month meets."""
    match predicate:
        case Compare(op=CompareOp.EQ, left=DatePart(operand=Col(name=name), unit=DateUnit.MONTH), right=Lit(value=n)):
            return name, int(str(n)), True
        case All(terms=(Compare(op=CompareOp.GE, left=Col(name=name), right=Lit(value=low)), Compare(right=high))):
            start, end = str(low)[:10], str(high.value)[:10] if isinstance(high, Lit) else ""
            month = int(start[5:7]) if start[4:5] == "-" else 0
            following = f"{int(start[:4]) + month // 12}-{month % 12 + 1:02d}-01" if month else ""
            if start[8:] == "01" and following == end:
                return name, month, False
            return None if start[5:] == end[5:] == "01-01" else (name, 0, False)
        case _:
            return None


def mixes_months(*predicates: Predicate) -> bool:
    """Tell whether a month of any year stands beside a month of one year: "in March or May 2023" is neither."""
    terms = [term for each in predicates for term in (each.terms if isinstance(each, All) else (each,))]
    pairs = [All(terms=pair) for pair in pairwise(terms)]
    months = {month for month in map(one_month, (*terms, *pairs)) if month is not None}
    return any(one[0] == other[0] and one[2] is not other[2] for one in months for other in months)


def either(first: Predicate, second: Predicate) -> Predicate | None:
    """Return the condition that one of them holds; None for "not A or B" about one column, which nobody means."""
    if mixes_months(first, second):
        return None
    name = about(first)
    if name is not None and name == about(second):
        if equal_values(first) and equal_values(second):
            return IsIn(operand=Col(name=name), values=(*values_of(first), *values_of(second)))
        if lists_values(first) or lists_values(second):
            return None
    terms = [term for each in (first, second) for term in (each.terms if isinstance(each, AnyOf) else (each,))]
    return AnyOf(terms=tuple(terms))


def values_of(predicate: Predicate) -> tuple[Lit, ...]:
    """Return the constants that a condition compares a column with, one by one; none for any other condition."""
    match predicate:
        case IsIn():
            return predicate.values
        case Compare(right=Lit() as value):
            return (value,)
        case _:
            return ()


def replaced(
    former: tuple[Predicate, ...], said: tuple[Predicate, ...], adds: bool
) -> tuple[tuple[Predicate, ...], tuple[str, ...]]:
    """Return the conditions that hold after a follow-up, and in words the ones that gave way.

    What leaves rows out comes beside what left others out before: "without refunds" behind "without cancelled ones".
    """
    choosing = tuple(predicate for predicate in said if not _leaves_out(predicate, former))
    sides = {_side_of_column(predicate) for predicate in choosing if about(predicate) is not None}
    months = {name for name, side in sides if side == "month" and name is not None}
    stretches = {name: _edges(name, former) for name in months}
    sides |= {(name, "") for name, edges in stretches.items() if any(edge[5:10] != "01-01" for edge in edges)}
    gone = () if adds else tuple(predicate for predicate in former if _side_of_column(predicate) in sides)
    kept = tuple(predicate for predicate in former if predicate not in gone and predicate not in said)
    years = tuple(term for name, edges in stretches.items() if (name, "") in sides for term in _year_of(name, edges))
    notes = tuple(f"No longer: {say_predicate(predicate)}." for predicate in gone)
    return (*kept, *(() if adds else years), *said), notes


def _leaves_out(predicate: Predicate, former: tuple[Predicate, ...]) -> bool:
    """Tell whether a condition only takes some values away, of which the earlier conditions leave others."""
    if not lists_values(predicate):
        return False
    same = [one for one in former if about(one) == about(predicate) and equal_values(one)]
    return not any(set(values_of(one)) <= set(values_of(predicate)) for one in same)


def _edges(name: str, conditions: tuple[Predicate, ...]) -> tuple[str, ...]:
    """Return the ends of the stretches of a date that conditions demand, in order."""
    return tuple(
        sorted(
            str(term.right.value)
            for term in conditions
            if isinstance(term, Compare) and isinstance(term.right, Lit) and _side_of_column(term) == (name, "")
        )
    )


def _year_of(name: str, edges: tuple[str, ...]) -> tuple[Predicate, ...]:
    """Return the conditions for the one year that a stretch of a date lies in: "and April?" behind March 2023."""
    years = {edge[:4] for edge in edges if edge[5:10] != "01-01" or edge is edges[0]}
    if len(edges) != 2 or len(years) != 1:
        return ()
    year = int(years.pop())
    span = during(name, m.Span(f"{year}-01-01", f"{year + 1}-01-01"))
    return span.terms if isinstance(span, All) else (span,)


_OF_A_DAY = frozenset({DateUnit.HOUR, DateUnit.MINUTE})
_OF_A_YEAR = frozenset({DateUnit.MONTH, DateUnit.QUARTER})


def _side_of_column(predicate: Predicate) -> tuple[str | None, str]:
    """Return the column a condition is about; of a date, the time of day, the weekday and the month are sides too.

    "Only in September" leaves the mornings, and the year, what they were.
    """
    units = set(_units_in(predicate))
    if units and units <= _OF_A_DAY:
        return about(predicate), "clock"
    if units == {DateUnit.WEEKDAY}:
        return about(predicate), "weekday"
    return about(predicate), "month" if units and units <= _OF_A_YEAR else ""


def _units_in(predicate: Predicate) -> Iterator[DateUnit | None]:
    """Yield the part of a date that each comparison of a condition looks at; None where it looks at something else."""
    match predicate:
        case All(terms=terms) | AnyOf(terms=terms):
            for term in terms:
                yield from _units_in(term)
        case Compare(left=DatePart(unit=unit)):
            yield unit
        case _:
            yield None


def says_no(name: str, context: Context) -> bool:
    """Tell whether a column says of some rows that something is not so: by "no", or "none", or as a truth."""
    known = context.column(name)
    if known.kind is Kind.TRUTH or context.type_of(name) is ColumnType.BOOLEAN:
        return True
    words = context.lexicon.untrue | context.lexicon.nothing
    return any(isinstance(value, str) and value.casefold() in words for value in known.values)
