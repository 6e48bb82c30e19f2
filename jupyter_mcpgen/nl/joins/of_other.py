"""The phrases of another table as terms of this one: each figure that is named becomes a column of its rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.assembly.expressions import Columns
from jupyter_mcpgen.nl.assembly.query import Query
from jupyter_mcpgen.nl.assembly.resolve import dated
from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.families.figures import ROWS
from jupyter_mcpgen.nl.grammar.meanings import (
    Column,
    Entity,
    Extreme,
    Figure,
    Holds,
    Limit,
    Term,
    Test,
    Word,
)
from jupyter_mcpgen.nl.grammar.rule import Family, a, maybe
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.nl.joins.of_rows import Such
from jupyter_mcpgen.nl.joins.owners import OWNERS, things
from jupyter_mcpgen.nl.joins.tables import JoinedTable
from jupyter_mcpgen.nl.planner import RULES
from jupyter_mcpgen.nl.search.chart import Chart
from jupyter_mcpgen.nl.search.edges import edges, skips
from jupyter_mcpgen.nl.search.phrase import Phrase
from jupyter_mcpgen.nl.text.tokens import Token
from jupyter_mcpgen.plan.expressions import Col, Predicate
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.ops import Measure

OF_OTHER = Family("of_other")
other_rule = OF_OTHER.rule


@other_rule(C.CUE, C.ENTITY)
def rows(table: Table, entity: Entity) -> Figure | None:
    """Read "loans"."""
    return ROWS if not entity.column and entity.word else None


@other_rule(C.CUE, C.ENTITY, maybe(C.WHERE, C.IN), C.TEST)
def rows_such(table: Table, entity: Entity, said: Word | None, test: Test) -> Figure | None:
    """Read "loans in 2024"."""
    return Figure(F.COUNT, where=test) if not entity.column and entity.word else None


@other_rule(C.CUE, C.TEST, C.ENTITY)
def such_rows(table: Table, test: Test, entity: Entity) -> Figure | None:
    """Read "open loans"."""
    return Figure(F.COUNT, where=test) if not entity.column and entity.word else None


@other_rule(C.FIGURE, a(C.COUNT, words="rows"), maybe(C.OF), C.TEST, C.ENTITY)
def count_such_rows(table: Table, said: Word, of: Word | None, test: Test, entity: Entity) -> Figure | None:
    """Read "number of open loans"."""
    return such_rows(table, test, entity)


@other_rule(C.FIGURE, a(C.FIRST, words="first last"), maybe(C.OF), C.TERM)
def first_date(table: Table, said: Word, of: Word | None, term: Term) -> Figure | None:
    """Read "last picked date"."""
    date = isinstance(term, Column) and table.is_date(term.name)
    return Figure(F.MAX if said.meaning == "last" else F.MIN, term) if date else None


@other_rule(C.FIGURE, a(C.FIRST, words="first last"), C.ENTITY)
def first_row(table: Table, said: Word, entity: Entity) -> Figure | None:
    """Read "last loan" as when it was."""
    if entity.column or not entity.word or not table.dates:
        return None
    return Figure(F.MAX if said.meaning == "last" else F.MIN, Column(table.dates[0]))


@other_rule(C.FIGURES, a(C.FIRST, words="first last"), C.AND, a(C.FIRST, words="first last"), maybe(C.OF), C.TERM)
def both_dates(
    table: Table, first: Word, joined: Word, second: Word, of: Word | None, term: Term
) -> tuple[Figure, ...] | None:
    """Read "first and last picked date"."""
    found = [first_date(table, said, None, term) for said in (first, second)]
    return tuple(one for one in found if one is not None) if all(found) else None


@dataclass(frozen=True, slots=True)
class Several:
    """Several figures of one phrase: "total and average kilos"."""

    columns: tuple[str, ...]


def phrases_of(tokens: Sequence[Token], other: Table, key: str) -> list[Phrase]:
    """Return the figures, limits and rows of the other table that a question names."""
    table = JoinedTable(other.schema, other.lexicon, other.language, "", frozenset(other.names))
    found = (*edges(tokens, table), *things(tokens, table))
    chart = Chart(found, skips(tokens, found, table), (*RULES, *OWNERS.rules, *OF_OTHER.rules), table, tokens)
    every = [phrase for place in range(len(tokens)) for phrase in chart.starting(place)]
    wanted = (C.FIGURE, C.FIGURES, C.LIMIT, C.CUE, C.EXTREME)
    return [one for one in every if one.category in wanted and _names_none_of(one, key)]


def _names_none_of(phrase: Phrase, key: str) -> bool:
    """Tell whether a phrase says nothing of the key, which counts rows of the table that it points at."""
    return not any(part.meaning == Column(key) for part in phrase.walk())


def _figures(phrase: Phrase) -> tuple[Figure, ...]:
    """Return the figures that a phrase names; nothing where it names something else as well."""
    match phrase.meaning:
        case tuple() as several:
            figures = tuple(one for one in several if isinstance(one, Figure))
            return figures if len(figures) == len(several) else ()
        case Figure() | Limit(measure=Figure()) | Extreme(by=Figure()):
            found = getattr(phrase.meaning, "measure", None) or getattr(phrase.meaning, "by", None) or phrase.meaning
            return (found,) if isinstance(found, Figure) else ()
        case _:
            return ()


def measured(phrases: Sequence[Phrase], table: Table) -> list[tuple[Phrase, tuple[Measure, ...]]]:
    """Return the phrases with the figures of groups that they name, those of one name as the likeliest says."""
    found = []
    names: dict[str, Measure] = {}
    for phrase in sorted(phrases, key=lambda one: one.cost):
        figures = _figures(phrase) if phrase.rule != "figures.count_rows" else ()
        made = tuple(one for figure in figures if (one := _measure(figure, table)) is not None)
        if made and len(made) == len(figures) and all(names.get(one.name, one) == one for one in made):
            names |= {one.name: one for one in made}
            found.append((phrase, made))
    return found


def _measure(figure: Figure, table: Table) -> Measure | None:
    """Return a figure of groups; None for one of what has to be computed or read from texts first."""
    term = figure.term
    if term is not None and not isinstance(term, Column):
        return None
    if isinstance(term, Column) and (table.column(term.name).facts.written or table.column(term.name).is_label):
        return None
    where = _predicate(figure.where, table) if figure.where is not None else None
    if where is None and figure.where is not None:
        return None
    column = Col(name=term.name) if isinstance(term, Column) else None
    label = f"count_{table.profile.name}" if column is None and where is None else None
    return Measure(function=figure.function, column=column, where=where, label=label)


def _predicate(test: Test, table: Table) -> Predicate | None:
    """Return a condition on rows of the other table as they are; None for one that texts have to be read for."""
    columns = Columns(table)
    try:
        found = columns.predicate(dated(Query(tests=(test,)), table).tests[0])
    except PlanError:
        return None
    return found if not (columns.parsed() or columns.derived or columns.before_tests) else None


def converted(phrase: Phrase, names: tuple[str, ...]) -> Iterator[Phrase]:
    """Yield a phrase of the other table as one of the first, whose rows have its figures as columns."""
    name = names[0]
    match phrase.category, phrase.meaning:
        case C.FIGURE, Figure():
            yield replace(phrase, category=C.TERM, meaning=Column(name))
        case C.FIGURES, tuple():
            yield replace(phrase, category=C.EDIT, meaning=Several(names))
        case C.CUE, Figure():
            yield replace(phrase, meaning=Such(name))
        case C.LIMIT, Limit(_, bound) if bound.upper is None:
            yield replace(phrase, category=C.TEST, meaning=Holds(Column(name), bound.op, bound.value))
        case C.EXTREME, Extreme() as extreme:
            yield replace(phrase, meaning=replace(extreme, by=Column(name)))
