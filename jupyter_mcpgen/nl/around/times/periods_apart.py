"""The change between two periods that a question names: "percent change in sales from Q1 2023 to Q1 2024".

The rest is read as if the table had a column that names the two periods; the change is that of the figures they have.
"""

from __future__ import annotations

import calendar
import datetime as dt
from dataclasses import dataclass, replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.computed.column import Computed, free_name, with_column
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.everyday.times.periods import months_of_half, months_of_quarter, only_year, years_with
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Reading, Refused, Understanding, asking_which
from jupyter_mcpgen.nl.tables.own_dates import own_date
from jupyter_mcpgen.plan.expressions import All, Case, Col, Columns, Compare, CompareOp, DatePart, Lit, Predicate, When
from jupyter_mcpgen.plan.ops import Aggregate, Derive, Select, Sort, SortKey, Step, Window, WindowFunction
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType, Schema

_PARTS = {"quarter": ("Q", months_of_quarter), "half": ("H", months_of_half)}


@dataclass(frozen=True)
class _Period:
    """A period by its first day and the day after its last, and a name by which periods sort in their order."""

    name: str
    first: dt.date
    end: dt.date

    @property
    def is_year(self) -> bool:
        """Tell whether it is a whole year."""
        return self.end == self.first.replace(year=self.first.year + 1)


def read_periods_apart(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, with the change between two periods that it names as that of their figures."""
    table = table_of(profile, language)
    found = Speech(question).find(table.wording("periods_apart"))
    both = _both(found, table) if found is not None else None
    if found is None or both is None:
        asked = _of_which_year(found, table, read) if found is not None else None
        return asked or read(question, profile, language)
    known = _read_over_dates(both, found, table, read)
    if not known:
        return read(question, profile, language)
    if len(known) == 1:
        return Answered(known[0])
    return asking_which(known)


def _of_which_year(found: Found, table: Table, read: Read) -> Asked | None:
    """Ask of which year two months are that several years have; None where anything else is not known either."""
    spans = [_part_of_year(found, which) for which in ("a", "b")]
    named = any(found[f"{place}_{which}"] for place in ("year", "later_year") for which in ("a", "b"))
    if named or any(number == 0 for _, number in spans):
        return None
    first, second = (_months(unit, number) for unit, number in spans)
    if first >= second:
        return None  # "from November to January" ends in the next year
    known = [set(years_with(table, *months)) for months in (first, second)]
    years = sorted(set.intersection(*known))
    both = {year: _both(found, table, str(year)) for year in years}
    made = {year: _read_over_dates(periods, found, table, read) for year, periods in both.items() if periods}
    options = tuple(readings[0] for readings in made.values() if len(readings) == 1)
    if len(options) < 2 or len(options) < len(years):
        return None
    lines = "; ".join(f"({place}) {year}" for place, year in enumerate(years, 1))
    return Asked(f"The periods may be of {len(years)} years: {lines}. Which one do you mean?", options)


def _read_over_dates(both: tuple[_Period, _Period], found: Found, table: Table, read: Read) -> tuple[Reading, ...]:
    """Return what is asked with the periods of each date that may be meant; nothing where one cannot be read."""
    profile, language = table.context.profile, table.vocabulary.language
    made = [_read_over(date, both, found, profile, language, read) for date in _dates(found, table, read)]
    known = tuple(reading for reading in made if reading is not None)
    return known if len(known) == len(made) else ()


def _dates(found: Found, table: Table, read: Read) -> tuple[str, ...]:
    """Return the date of which a period is that names none; those of all readings where it is not sure."""
    context = table.context
    own = context.dates[0] if len(context.dates) == 1 else own_date(context)
    if own is not None:
        return (own,)
    match read(found.said("probe"), context.profile, table.vocabulary.language):
        case Answered(winner):
            options: tuple[Reading, ...] = (winner,)
        case Asked(options=options):
            pass
        case Refused():
            return ()
    parts = [step.expression for one in options for step in one.plan.steps if isinstance(step, Derive)]
    dates = [part.operand for part in parts if isinstance(part, DatePart)]
    return tuple(dict.fromkeys(date.name for date in dates if isinstance(date, Col)))


def _read_over(
    date: str, both: tuple[_Period, _Period], found: Found, profile: Profile, language: str, read: Read
) -> Reading | None:
    """Return what is asked with the periods of one date; None where it cannot be read."""
    computed = _named(both, date, profile)
    meant = read(found.said(column=computed.name), with_column(profile, computed), language)
    return _changed(meant.winner, computed, both, date, found) if isinstance(meant, Answered) else None


def _both(found: Found, table: Table, year: str | None = None) -> tuple[_Period, _Period] | None:
    """Return both periods, the one that is compared with first; None where they are none, or overlap.

    `year` is that of months of which none is said.
    """
    first, second = (_period(found, which, other, table, year) for which, other in (("a", "b"), ("b", "a")))
    if first is None or second is None or (first.first < second.end and second.first < first.end):
        return None
    if first.is_year and second.is_year:
        return None  # `comparing.two_years` knows of these, also in tables without dates
    in_order = found["from"] or first.first < second.first
    return (first, second) if in_order else (second, first)


def _part_of_year(found: Found, which: str) -> tuple[str, int]:
    """Return what part of a year a period is, and its number; 0 for a whole year."""
    unit = next((unit for unit in ("quarter", "month", "half") if found[f"{unit}_{which}"]), "year")
    return unit, int(found.meant(f"{unit}_{which}")) if unit != "year" else 0


def _months(unit: str, number: int) -> tuple[int, int]:
    """Return the first and the last month of a part of a year."""
    return (number, number) if unit == "month" else _PARTS[unit][1](number) if number else (1, 12)


def _period(found: Found, which: str, other: str, table: Table, of_year: str | None) -> _Period | None:
    """Return one period; a year that is said of one of them only is that of both."""
    unit, number = _part_of_year(found, which)
    known = [found[f"{place}_{side}"] for side in (which, other) for place in ("year", "later_year")]
    year = next((said for said in (known if number else known[:2]) if said), None)
    months = _months(unit, number)
    year = year or of_year or (only_year(table, *months) if number else None)
    if year is None:
        return None
    name = year if not number else f"{year}-{number:02}" if unit == "month" else f"{year} {_PARTS[unit][0]}{number}"
    last = calendar.monthrange(int(year), months[1])[1]
    end = dt.date(int(year), months[1], last) + dt.timedelta(days=1)
    return _Period(name, dt.date(int(year), months[0], 1), end)


def _named(both: tuple[_Period, _Period], date: str, profile: Profile) -> Computed:
    """Return the column that says in which of two periods a row lies; of all other rows it is missing."""
    name = free_name("period", profile)
    names = tuple(period.name for period in both)
    branches = tuple(
        When(condition=_within(date, period), value=Lit(value=period.name, type=ColumnType.TEXT)) for period in both
    )
    step = Derive(name=name, expression=Case(branches=branches))
    return Computed(name=name, type=ColumnType.TEXT, step=step, question="", labels=len(names), order=names)


def _within(date: str, period: _Period) -> Predicate:
    ends = ((CompareOp.GE, period.first), (CompareOp.LT, period.end))
    return All(
        terms=tuple(
            Compare(op=op, left=Col(name=date), right=Lit(value=str(day), type=ColumnType.DATE)) for op, day in ends
        )
    )


def _changed(
    reading: Reading, computed: Computed, both: tuple[_Period, _Period], date: str, found: Found
) -> Reading | None:
    """Return the figures of both periods with the change from the one to the other; None where there are none."""
    steps = reading.plan.steps
    place = next((place for place, step in enumerate(steps) if isinstance(step, Aggregate)), None)
    grouped = steps[place] if place is not None else None
    if place is None or not isinstance(grouped, Aggregate) or computed.name not in grouped.by.names:
        return None
    if len(grouped.measures) != 1 or any(not isinstance(step, Sort | Select | Window) for step in steps[place + 1 :]):
        return None
    others = tuple(name for name in grouped.by.names if name != computed.name)
    by = grouped.model_copy(update={"by": Columns(names=(*others, computed.name))})
    order = SortKey(column=computed.name, descending=both[0].first > both[1].first)
    keys = (*(SortKey(column=name) for name in others), order)
    in_percent = found.meant("change") == WindowFunction.PERCENT_CHANGE
    functions = (*(() if in_percent else (WindowFunction.CHANGE,)), WindowFunction.PERCENT_CHANGE)
    windows = tuple(
        Window(
            name=function.value,
            function=function,
            column=Col(name=grouped.measures[0].name),
            by=Columns(names=others),
            order=order,
        )
        for function in functions
    )
    made: tuple[Step, ...] = (computed.step, *steps[:place], by, Sort(keys=keys), *windows)
    try:
        schema = Schema(fields=tuple(f for f in reading.plan.source_schema.fields if f.name != computed.name))
        plan = Plan(source=reading.plan.source, source_schema=schema, steps=made, chart=reading.plan.chart)
    except PlanError:
        return None  # a column of the table has the name of what is computed
    note = f"The periods are those of `{date}`; the change is that from {both[0].name} to {both[1].name}."
    return replace(reading, plan=plan, assumptions=(note, *reading.assumptions))
