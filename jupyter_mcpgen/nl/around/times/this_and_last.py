"""This year against last year: today is not known to a table, so the last two periods of its dates are offered."""

from __future__ import annotations

import datetime as dt

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Reading, Understanding
from jupyter_mcpgen.nl.tables.own_dates import own_date
from jupyter_mcpgen.plan.english import say_plan

_MONTHS_OF = {"year": 12, "quarter": 3, "month": 1}


def read_this_and_last(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, or ask whether the last periods of the table are this one and the last."""
    table = table_of(profile, language)
    said = Speech(question)
    for found in said.find_each(table.wording("this_and_last")):
        unit, other = found.meant("unit"), found.meant("other_unit")
        last = _last_day(table.context, unit) if unit in _MONTHS_OF and other in ("", unit) else None
        if last is None:
            continue
        periods = _last_two(last, unit, table)
        meant = read(said.put(found, found.said(this=periods[1], last=periods[0])).text, profile, language)
        options = _readings(meant)
        if options:
            lines = "; ".join(f"({place}) {say_plan(option.plan)}" for place, option in enumerate(options, 1))
            text = found.said("asked", said=found.text, this=periods[1], last=periods[0], day=str(last), lines=lines)
            return Asked(text, options)
    return read(question, profile, language)


def _readings(meant: Understanding) -> tuple[Reading, ...]:
    match meant:
        case Answered(winner):
            return (winner,)
        case Asked(options=options):
            return tuple(options)
        case _:
            return ()


def _last_day(context: Context, unit: str) -> dt.date | None:
    """Return the last day of the rows' own date, or of all dates where these end in the same period."""
    own = context.dates[0] if len(context.dates) == 1 else own_date(context)
    known = [context.column(name).maximum for name in (context.dates if own is None else (own,))]
    days = [dt.date.fromisoformat(str(last)[:10]) for last in known if last is not None]
    return max(days) if len({_months(day, unit) for day in days}) == 1 else None


def _months(day: dt.date, unit: str) -> int:
    """Return how many months after year 0 the period of a day begins."""
    months = day.year * 12 + (day.month - 1)
    return months - months % _MONTHS_OF[unit]


def _last_two(last: dt.date, unit: str, table: Table) -> tuple[str, str]:
    """Return the period before the last one of some dates, and the last one, as they are said."""
    this = _months(last, unit)
    return _said(this - _MONTHS_OF[unit], unit, table), _said(this, unit, table)


def _said(months: int, unit: str, table: Table) -> str:
    """Return how a period is said that begins so many months after year 0."""
    year, month = divmod(months, 12)
    if unit == "year":
        return str(year)
    key, number = ("quarters", month // 3 + 1) if unit == "quarter" else ("short_months", month + 1)
    words = table.choices(key)[str(number)]
    return f"{min(words, key=len) if unit == 'quarter' else max(words, key=len)} {year}"
