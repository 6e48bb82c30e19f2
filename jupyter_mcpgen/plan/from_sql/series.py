"""Accepts rows that a SELECT makes itself, such as a calendar, as long as there are not too many of them."""

from __future__ import annotations

from datetime import datetime

from sqlglot import exp

from jupyter_mcpgen.plan.from_sql.nodes import bare, quoted

MOST_ROWS = 100_000
"""How many rows one series may have whose ends are written out."""
_SHORTEST = {"HOUR": 1 / 24, "DAY": 1, "WEEK": 7, "MONTH": 28, "QUARTER": 90, "YEAR": 365}
"""The least number of days in each unit that a calendar may go by."""


def flaw_of_series(node: exp.GenerateSeries) -> str | None:
    """Say what is wrong with `range` or `generate_series`: ends that nobody can see before, or too many rows."""
    step = node.args.get("step")
    if isinstance(step, exp.Interval):
        return _flaw_of_calendar(node, step)
    start, end = _number(node.args.get("start")), _number(node.args.get("end"))
    width = 1 if step is None else _number(step)
    if start is None or end is None or not width:
        return f"{quoted(node)} must have its ends and its step written out as numbers, or go by an INTERVAL."
    return _too_many(node, (end - start) / width)


def series_column(node: exp.Expr) -> str | None:
    """Return what the column of a series is called that has no other name; None for another part of SQL."""
    match node:
        case exp.GenerateSeries():
            return "range" if node.args.get("is_end_exclusive") else "generate_series"
        case exp.Unnest() | exp.Explode():
            return "unnest"
        case _:
            return None


def _flaw_of_calendar(node: exp.GenerateSeries, step: exp.Interval) -> str | None:
    count, unit = _number(step.this), str(step.args.get("unit") or "").upper().removesuffix("S")
    if not count or unit not in _SHORTEST:
        return f"{quoted(node)} must go by whole hours, days, weeks, months, quarters or years."
    start, end = (_date(node.args.get(name)) for name in ("start", "end"))
    if start is None or end is None:
        return None
    return _too_many(node, (end - start).days / (count * _SHORTEST[unit]))


def _too_many(node: exp.GenerateSeries, rows: float) -> str | None:
    if rows <= MOST_ROWS:
        return None
    return f"{quoted(node)} makes more than {MOST_ROWS:,} rows."


def _number(node: exp.Expr | None) -> int | None:
    sign, inner = 1, bare(node) if node is not None else None
    if isinstance(inner, exp.Neg):
        sign, inner = -1, bare(inner.this)
    if isinstance(inner, exp.Literal) and str(inner.this).isdigit():
        return sign * int(inner.this)
    return None


def _date(node: exp.Expr | None) -> datetime | None:
    inner = bare(node) if node is not None else None
    literal = inner.this if isinstance(inner, exp.Cast) else inner
    if not isinstance(literal, exp.Literal):
        return None
    try:
        return datetime.fromisoformat(str(literal.this)).replace(tzinfo=None)
    except ValueError:
        return None
