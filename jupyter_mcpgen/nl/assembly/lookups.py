"""Look-ups: cells of the rows that a question names by their values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from jupyter_mcpgen.nl.assembly.answers import Answer, Grouping, Listing
from jupyter_mcpgen.nl.assembly.query import Query
from jupyter_mcpgen.nl.grammar.meanings import Column, Figure, Holds, Is, Period, Term, Test, Within
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.expressions import CompareOp, DateUnit
from jupyter_mcpgen.plan.ops import AggregateFunction as F

_COUNTS = (F.COUNT, F.COUNT_DISTINCT)
NO_ROW = 0.3
"""What it costs that no row meets the conditions."""


def without_row_nouns(query: Query, table: Table) -> Query:
    """Leave out columns that only say what the rows are: "the score of the player from Leeds"."""
    ranked = query.extreme is not None and query.extreme.by is None  # "top 3 towns by price in May"
    if ranked or not query.tests or any(isinstance(one, Figure) and one.function in _COUNTS for one in query.figures):
        return query
    beside = query.terms if query.asked in ("when", "where") else query.beside
    told = {"when": (*table.times, *table.with_figures), "where": table.places}
    columns = (term for term in beside if isinstance(term, Column) and term.name not in told.get(query.asked, ()))
    nouns = [one for one in columns if table.is_text(one.name) or (query.asked in told and _numbers(table, one.name))]
    if any(one.asked and one.column for one in query.entities) and finds_one(query.tests, table):
        nouns += [term for term in query.beside if isinstance(term, Column)]  # "what date did the visitors win"
    return replace(query, terms=tuple(term for term in query.terms if term not in nouns))


def _numbers(table: Table, name: str) -> bool:
    """Tell whether a column numbers rows, and no years: the `game` that is asked about."""
    column = table.column(name)
    return column.is_label and column.facts.date_role is None


class Sought(StrEnum):
    """What a look-up is of."""

    ONE_ROW = "one_row"
    SOME_ROWS = "some_rows"
    ANYBODY = "anybody"
    """The only person of rows: "who was hired by Leeds"."""
    FIGURE = "figure"


def sought(answer: Answer, query: Query, table: Table) -> Sought | None:
    """Return what a look-up shows of rows that a condition names; None for other answers.

    "Who" may be anybody that has to do with the row, as long as the row itself is no person.
    """
    if not any(equated(test) is not None for test in answer.tests):
        return None
    match answer:
        case Listing(columns=columns, order=None, chart=None) if columns:
            anybody = query.asked == "who" and not query.terms and not any(one.column for one in query.entities)
            if anybody and not table.rows_are_persons:
                return Sought.ANYBODY if len(_persons(answer, table)) == 1 else None
            return Sought.ONE_ROW if finds_one(answer.tests, table) else Sought.SOME_ROWS
        case Grouping() if _cells(answer) is not None:
            ends = any(isinstance(one, Figure) and one.function in (F.MIN, F.MAX) for one in answer.measures)
            return Sought.ONE_ROW if not ends and finds_one(answer.tests, table) else Sought.FIGURE
        case _:
            return None


def _persons(answer: Answer, table: Table) -> tuple[str, ...]:
    """Return the columns of persons of which no condition says the value."""
    tested = {equated(test) for test in answer.tests}
    return tuple(name for name in table.persons if name not in tested)


def show_the_same(one: Answer, other: Answer, table: Table) -> bool:
    """Tell whether two answers are of the same rows and show the same of them."""
    rows = table.met.of_all(one.tests)
    if rows is None or rows != table.met.of_all(other.tests):
        return False
    if not rows and any(equated(test) is None for test in one.tests):
        return False  # two limits that no row meets now
    if replace(one, tests=()) == replace(other, tests=()):
        return True
    return len(rows) == 1 and _cells(one) is not None and _cells(one) == _cells(other)


def _cells(answer: Answer) -> tuple[Term, ...] | None:
    """Return the values of one row that an answer shows as they are, or as figures that are the same."""
    match answer:
        case Listing(columns=columns, order=None, first=None, nth=None, chart=None) if columns:
            return tuple(map(Column, columns))
        case Grouping(keys=(), measures=measures, limits=(), window=None, then=None, lacks=None):
            terms = tuple(one.term for one in measures if isinstance(one, Figure) and one.function in _OF_ONE_ITSELF)
            return terms if len(terms) == len(measures) and None not in terms else None  # type: ignore[return-value]
        case _:
            return None


_OF_ONE_ITSELF = frozenset({F.SUM, F.MEAN, F.MEDIAN, F.MIN, F.MAX})
"""Functions of a single value that are the value."""


def finds_one(tests: Sequence[Test], table: Table) -> bool:
    """Tell whether conditions name one row, as that of an identifier or a name does."""
    if any(isinstance(test, Is) and not test.negated and table.column(test.column).is_unique for test in tests):
        return True
    rows = table.met.of_all(tests) if any(equated(test) is not None for test in tests) else None
    return rows is not None and len(rows) == 1


def equated(test: Test) -> str | None:
    """Return the column of which a condition says the value, rather than a limit of it."""
    match test:
        case Is(column, _, False):
            return column
        case Holds(Column(name), CompareOp.EQ):
            return name
        case Within(Period(unit=DateUnit.START_OF_YEAR), date, False) if date:
            return date
        case _:
            return None
