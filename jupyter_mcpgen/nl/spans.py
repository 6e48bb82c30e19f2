"""Stretches of time: years, months, days, and what lies before, after and between them."""

from __future__ import annotations

import datetime as dt

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.predicates import YEARS
from jupyter_mcpgen.plan.expressions import CompareOp, DateUnit


def span_of(text: str) -> m.Span | None:
    """Return the day or month that a year-first date names; None for a date that no calendar has."""
    numbers = [int(part) for part in text.replace("/", "-").split("-")]
    try:
        if len(numbers) == 2:
            return month_of(*numbers)
        day = dt.date(*numbers)
        return m.Span(day.isoformat(), (day + dt.timedelta(days=1)).isoformat())
    except (ValueError, OverflowError):
        return None


def month_of(year: int, month: int) -> m.Span:
    """Return one month as a stretch of time; raises `ValueError` for a month that no calendar has."""
    first = dt.date(year, month, 1)
    return m.Span(first.isoformat(), (first + dt.timedelta(days=31)).replace(day=1).isoformat())


def year_span(year: int) -> m.Span:
    """Return one year."""
    return m.Span(f"{year}-01-01", f"{year + 1}-01-01")


def month_in(part: m.PartValue, year: float) -> m.Span | None:
    """Return a named month of a year."""
    if part.unit is not DateUnit.MONTH or not isinstance(year, int) or year not in YEARS:
        return None
    return month_of(year, part.number)


def side_of(op: CompareOp, span: m.Span) -> m.Span | None:
    """Return what lies before, after or in a stretch of time, with the stretch itself where the operator says so.

    None for a stretch that has two sides already: "from March to May" is not all that came after March.
    """
    if span.joined and op not in (CompareOp.EQ, CompareOp.NE):
        return None
    match op:
        case CompareOp.GT:
            return m.Span(span.end, None)
        case CompareOp.GE:
            return m.Span(span.start, None)
        case CompareOp.LT:
            return m.Span(None, span.start)
        case CompareOp.LE:
            return m.Span(None, span.end)
        case CompareOp.EQ | CompareOp.NE:
            return span


def between_spans(first: m.Span, second: m.Span) -> m.Span | None:
    """Return the time from the start of one stretch to the end of another; None when they are out of order."""
    if first.start is None or second.end is None or first.end is None or second.start is None:
        return None
    return m.Span(first.start, second.end, joined=True) if first.start <= second.start else None


def union(first: m.Span, second: m.Span) -> m.Span | None:
    """Return two stretches as one; None when there is time between them."""
    return m.Span(first.start, second.end, joined=True) if first.end is not None and first.end == second.start else None
