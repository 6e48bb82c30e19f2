"""Periods: which dates lie in them, from one to another, and periods that come back each year or week."""

from __future__ import annotations

from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.families.conditions import OPERATORS
from jupyter_mcpgen.nl.grammar.meanings import (
    Column,
    Costed,
    Holds,
    Number,
    Part,
    Period,
    Season,
    Term,
    Test,
    Within,
    Word,
)
from jupyter_mcpgen.nl.grammar.rule import Family, a, maybe
from jupyter_mcpgen.nl.grammar.stretches import COMPARED, end_of, of_year, period_with, up_to, year_of
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.nl.lexicon.entries import Degree, Dimension
from jupyter_mcpgen.plan.expressions import CompareOp, DateUnit

PERIODS = Family("periods")
rule = PERIODS.rule

_BEYOND = {"after": "gt", "before": "lt"}
_FOR_ANOTHER = 0.2
"""What it costs that "for" leads to the value of the date before it."""
_MOST_PERIODS = 1_000
_NO_YEAR = 0.35
"""What it costs to take a number for an amount that looks like a year."""


@rule(C.TEST, maybe(C.IN, C.WHERE), C.PERIOD)
def in_period(table: Table, said: Word | None, period: Period | Season) -> Test | None:
    """Read "in 2023", "on Mondays"."""
    return Within(period) if table.dates or table.years else None


@rule(C.TEST, C.TERM, maybe(C.IN, C.IS), C.PERIOD, cost=-0.02)
def date_in_period(table: Table, term: Term, said: Word | None, period: Period | Season) -> Test | Costed | None:
    """Read "ordered in May"; the "order date for May" is rather one that another date tells."""
    if not isinstance(term, Column) or not (term.name in table.years or table.is_date(term.name)):
        return None
    found = Within(period, term.name)
    other = said is not None and table.lists("leading", said.said) and len(table.dates) > 1
    return Costed(found, _FOR_ANOTHER) if other else found


@rule(C.TEST, C.TERM, maybe(C.IS), C.COMPARE, C.PERIOD)
def beyond_year(
    table: Table, term: Term, said: Word | None, compare: Word, period: Period | Season
) -> Test | Costed | None:
    """Read "founded later than 2001", "attendance over 2000": a limit of a number that looks like a year."""
    if not isinstance(period, Period) or period.unit is not DateUnit.START_OF_YEAR:
        return None
    if not isinstance(term, Column) or not table.is_number(term.name):
        return None
    found = Holds(term, CompareOp(OPERATORS[compare.meaning]), Number(int(period.start[:4])))
    return found if term.name in table.years else Costed(found, _NO_YEAR)


@rule(C.TEST, C.TERM, maybe(C.IS), a(C.SINCE, words="after before"), C.PERIOD, cost=0.02)
def after_year(table: Table, term: Term, is_: Word | None, said: Word, period: Period | Season) -> Test | Costed | None:
    """Read "elected after 1983"."""
    return beyond_year(table, term, None, Word(_BEYOND[said.meaning]), period)


@rule(C.TEST, C.TERM, maybe(C.IS, C.IN), C.PERIOD, cost=0.04)
def in_year(table: Table, term: Term, said: Word | None, period: Period | Season) -> Test | None:
    """Read "established in 1942" by a column of numbers that may be years."""
    whole = isinstance(period, Period) and period.unit is DateUnit.START_OF_YEAR
    if not whole or not isinstance(term, Column) or not table.is_number(term.name) or term.name in table.years:
        return None
    found = Holds(term, CompareOp.EQ, Number(int(period.start[:4])))  # type: ignore[union-attr]
    return found if table.met.of(found) else None


@rule(C.PERIOD, C.SINCE, C.PERIOD)
def open_ended(table: Table, said: Word, period: Period | Season) -> Period | None:
    """Read "since 2015", "before March 2020"."""
    if isinstance(period, Season) or period.unit is None:
        return None
    match said.meaning:
        case "from":
            return Period(period.start, "")
        case "after":
            return Period(period.end, "")
        case _:
            return Period("", period.start)


@rule(C.PERIOD, maybe(C.BETWEEN), C.PERIOD, a(C.TO, C.AND), C.PERIOD)
def from_to(
    table: Table, said: Word | None, first: Period | Season, joined: Word, last: Period | Season
) -> Period | Season | None:
    """Read "from March to May 2020"."""
    if isinstance(first, Season) and isinstance(last, Period):
        return _months(first, last)
    if isinstance(first, Season) and isinstance(last, Season):
        run = first.unit is last.unit and first.numbers < last.numbers
        return Season(first.unit, tuple(range(first.numbers[0], last.numbers[-1] + 1))) if run else None
    if isinstance(first, Season) or isinstance(last, Season) or not (first.start and first.end and last.end):
        return None
    if said is None and joined.meaning == "and":
        return None
    return Period(first.start, last.end) if first.start < last.start else None


@rule(C.SPAN, maybe(C.BETWEEN), C.PERIOD, a(C.TO, C.AND), C.PERIOD)
def span(
    table: Table, said: Word | None, first: Period | Season, joined: Word, last: Period | Season
) -> tuple[Period, Period] | None:
    """Read "from 2019 to 2021" as two years, of which the one is compared with the other."""
    if isinstance(first, Season) and isinstance(last, Period):
        first = of_year(first, last) or first  # "from March to May 2020"
    if isinstance(first, Season) or isinstance(last, Season) or first.start >= last.start:
        return None
    return (first, last) if first.unit is last.unit and first.unit in COMPARED else None


@rule(C.PERIOD, maybe(C.BETWEEN), C.NUMBER, a(C.TO, C.AND), C.PERIOD)
def days_of_month(table: Table, said: Word | None, day: Number, joined: Word, last: Period | Season) -> Period | None:
    """Read "from 10 to 15 March 2019", where the month is said once."""
    if isinstance(last, Season) or last.unit is not DateUnit.START_OF_DAY or day.value != int(day.value):
        return None
    start = f"{last.start[:8]}{int(day.value):02}"
    return Period(start, last.end) if day.value >= 1 and start < last.start else None


@rule(C.PERIOD, C.PERIOD, a(C.AND, C.OR), C.PERIOD)
def one_and_another(
    table: Table, first: Period | Season, joined: Word, last: Period | Season
) -> Period | Season | None:
    """Read "2022 and 2023" as both together, and "March and April" as either."""
    if isinstance(first, Season) and isinstance(last, Season):
        same = first.unit is last.unit and not set(first.numbers) & set(last.numbers)
        return Season(first.unit, (*first.numbers, *last.numbers)) if same else None
    if isinstance(first, Season) and isinstance(last, Period):
        return _months(first, last)
    if isinstance(first, Period) and isinstance(last, Period) and first.end and first.end == last.start:
        return Period(first.start, last.end)
    return None


def _months(first: Season, last: Period) -> Period | None:
    """Return "March and April 2023", where the year is said once."""
    found = of_year(first, last)
    return Period(found.start, last.end) if found is not None and found.start < last.start else None


@rule(C.TEST, maybe(C.TERM), maybe(C.IN), a(C.FIRST, words="last"), C.NUMBER, C.UNIT, cost=-0.02)
def last_periods(
    table: Table, term: Term | None, said: Word | None, last: Word, number: Number, part: Part
) -> Test | None:
    """Read "in the last 30 days" as those up to the last date that the table has."""
    date = term.name if isinstance(term, Column) else part.date
    if (term is not None and not isinstance(term, Column)) or not date or not _is_count(number):
        return None
    if date in table.years:
        last_year = table.column(date).known.maximum
        whole = part.unit is DateUnit.START_OF_YEAR and isinstance(last_year, int)
        return Within(Period(f"{last_year - int(number.value) + 1:04}-01-01", ""), date) if whole else None
    if not table.is_date(date):
        return None
    last_day = table.last_day(date)
    known = up_to(last_day) if last_day is not None else None
    found = end_of(known, int(number.value), part.unit, last=True) if known is not None else None
    return Within(Period(found.start, ""), date) if found is not None else None


@rule(C.TEST, C.IN, C.DIMENSION, C.UNIT, cost=-0.02)
def in_latest(table: Table, said: Word, latest: Dimension, part: Part) -> Test | None:
    """Read "in the latest year" as the one of the last date that the table has."""
    if latest.degree is not Degree.SUPERLATIVE or "date" not in latest.concepts or not part.unit.is_period:
        return None
    known = table.column(part.date).known
    if known.maximum is None:
        return None
    if part.date in table.years:
        whole = part.unit is DateUnit.START_OF_YEAR and isinstance(known.maximum, int)
        return Within(year_of(known.maximum if latest.descending else known.minimum), part.date) if whole else None
    edge = str(known.maximum if latest.descending else known.minimum)
    found = period_with(edge, part.unit)
    return Within(found, part.date) if found is not None else None


@rule(C.PERIOD, C.FIRST, maybe(C.NUMBER), C.UNIT, C.OF, C.PERIOD)
def end_of_period(
    table: Table, said: Word, number: Number | None, part: Part, of: Word, whole: Period | Season
) -> Period | None:
    """Read "the last 10 days of October 2024", "the first quarter of 2022"."""
    if isinstance(whole, Season) or not (whole.start and whole.end) or not (number is None or _is_count(number)):
        return None
    found = end_of(whole, int(number.value) if number is not None else 1, part.unit, last=said.meaning == "last")
    return found if found is not None and whole.start <= found.start < found.end <= whole.end else None


def _is_count(number: Number) -> bool:
    return number.value == int(number.value) and 1 <= number.value <= _MOST_PERIODS and not number.unit


@rule(C.TERM, C.UNIT, a(C.OF), C.TERM)
def unit_of_date(table: Table, part: Part, said: Word, term: Term) -> Term | None:
    """Read "month of the order date"."""
    return Part(part.unit, term.name) if isinstance(term, Column) and table.is_date(term.name) else None


@rule(C.TERM, C.TERM, C.UNIT)
def date_unit(table: Table, term: Term, part: Part) -> Term | None:
    """Read "order month"."""
    return Part(part.unit, term.name) if isinstance(term, Column) and table.is_date(term.name) else None
