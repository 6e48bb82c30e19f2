"""Periods in which a figure rose or fell: "months where sales fell more than 5 %", "which month had the biggest drop".

The change of the figure from period to period is read by itself; then only the periods are kept that are asked for.
"""

from __future__ import annotations

import datetime as dt

from jupyter_mcpgen.model.profile import Kind, Profile
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.predicates import number
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Reading, Refused, Understanding, asking_which
from jupyter_mcpgen.plan.expressions import All, Col, Columns, Compare, CompareOp, Lit, Predicate
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Filter,
    Limit,
    Measure,
    Resample,
    Sort,
    SortKey,
    Step,
    Window,
)
from jupyter_mcpgen.plan.schema import ColumnType

_FALL = "fall"
_MIRRORED = {">": CompareOp.LT, ">=": CompareOp.LE, "<": CompareOp.GT, "<=": CompareOp.GE}
_AS_SAID = {">": CompareOp.GT, ">=": CompareOp.GE, "<": CompareOp.LT, "<=": CompareOp.LE}


def read_period_moves(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with the periods in which a figure moved as it asks, by their changes."""
    table = table_of(profile, language)
    for found in Speech(question).find_each(table.wording("period_moves")):
        if found["before"] and found.meant("unit") not in found.folded("before").split():
            continue  # "months … year over year" are compared with those of the year before
        what = _figure(found, table)
        if what is None:
            if not found["what"] and table.context.dates:
                return Refused(_unnamed(found, table))
            continue
        growth = found.folded("move") in table.words("nouns_in_percent")
        in_percent = growth or bool(found["percent"] or found["sign"])
        way = "percent" if in_percent else "plain"
        meant = read(found.said(way, what=what, unit=_UNITS[found.meant("unit")]), profile, language)
        made = _moved(meant, found)
        if made is not None:
            return made
    return read(question, profile, language)


_UNITS = {unit: unit for unit in ("day", "week", "month", "quarter", "year")}


def _figure(found: Found, table: Table) -> str | None:
    """Return what rose or fell, in the words of the question where they name a figure; None for anything else."""
    what = found["what"]
    if not what:
        return None
    *before, last = what.split()
    counted = not before or " ".join(before).casefold() in table.words("counting")
    if counted and columns.is_row(last, table):
        return table.say("number_of_rows")
    column = columns.last_figure(what, table)
    if column is None or table.context.column(column).kind is Kind.PERCENT:
        return None  # a percentage that falls by 5 % falls by a part of it, or by 5 points
    return what


def _unnamed(found: Found, table: Table) -> str:
    """Refuse a move of nothing that is named, with the figures that may have been meant."""
    named = [name for name in table.context.column_words if table.context.is_measure(name)]
    flags = set(columns.flags(table))
    listed = ", ".join(f"`{name}`" for name in named if name not in flags)
    return found.said("unnamed", said=found["move"], named=listed, unit=found.meant("unit"))


def _moved(meant: Understanding, found: Found) -> Understanding | None:
    match meant:
        case Answered(winner):
            made = _kept(winner, found)
            return Answered(made) if made is not None else None
        case Asked(options=options):
            ways = tuple(made for made in (_kept(option, found) for option in options) if made is not None)
            if len(ways) < len(options) or len(ways) < 2:
                return None
            return asking_which(ways)
        case _:
            return None


def _kept(reading: Reading, found: Found) -> Reading | None:
    """Return the periods of a reading whose change is as asked; None where it has no change of one figure."""
    steps = reading.plan.steps
    windows = [step for step in steps if isinstance(step, Window)]
    periods = [step for step in steps if isinstance(step, Resample)]
    after = steps[steps.index(windows[0]) + 1 :] if len(windows) == 1 else steps
    if len(periods) != 1 or not all(isinstance(step, Filter) for step in after):
        return None
    change, period = Col(name=windows[0].name), periods[0].name
    conditions = _conditions(change, found)
    if found["year"]:
        conditions += _in_year(period, int(found["year"]))
    made: list[Step] = [*steps, Filter(predicate=conditions[0] if len(conditions) == 1 else All(terms=(*conditions,)))]
    if found["most"]:
        by = Sort(keys=(SortKey(column=change.name, descending=found.meant("move") != _FALL),))
        made += [by, Limit(count=1)]
    elif found["how"]:
        counted = Measure(function=AggregateFunction.COUNT, column=None)
        made.append(Aggregate(by=Columns(names=()), measures=(counted,)))
    note = found.said("note", unit=found.meant("unit"))
    return reading.with_steps(
        tuple(made), assumptions=(*reading.assumptions, note)
    )  # nothing tells of which year a period is


def _conditions(change: Col, found: Found) -> list[Predicate]:
    """Return how a change must be: below 0 for what fell, and beyond or within the limit that is named."""
    falls = found.meant("move") == _FALL
    moved = Compare(op=CompareOp.LT if falls else CompareOp.GT, left=change, right=number(0))
    if not found["n"]:
        return [moved]
    limit = float(found["n"]) if "." in found["n"] else int(found["n"])
    op = (_MIRRORED if falls else _AS_SAID)[found.meant("side")]
    limited = Compare(op=op, left=change, right=number(-limit if falls else limit))
    return [limited] if found.meant("side").startswith(">") else [moved, limited]


def _in_year(period: str, year: int) -> list[Predicate]:
    ends = ((CompareOp.GE, dt.date(year, 1, 1)), (CompareOp.LT, dt.date(year + 1, 1, 1)))
    return [
        Compare(op=op, left=Col(name=period), right=Lit(value=day.isoformat(), type=ColumnType.DATE))
        for op, day in ends
    ]
