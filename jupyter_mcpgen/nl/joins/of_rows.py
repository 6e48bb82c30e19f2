"""The rules of rows with figures of another table: "without loans", "the 2 gardens with the most harvests"."""

from __future__ import annotations

from dataclasses import dataclass, replace

from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.meanings import (
    Column,
    Entity,
    Extreme,
    Holds,
    Number,
    Term,
    Test,
    Word,
)
from jupyter_mcpgen.nl.grammar.rule import Family, maybe
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.nl.joins.tables import JoinedTable
from jupyter_mcpgen.plan.expressions import CompareOp

OF_ROWS = Family("of_rows")
rule = OF_ROWS.rule


@dataclass(frozen=True, slots=True)
class Such:
    """Rows of the other table, or some of them: "loans", "loans in 2024"."""

    column: str
    """The column that says how many there are."""


@rule(C.TEST, C.NOT, maybe(C.IN, C.WHERE, C.AGGREGATE), maybe(C.CUE, words="any"), C.CUE)
def without(table: Table, said: Word, have: Word | None, any_: Word | None, such: object) -> Test | None:
    """Read "without loans", "have no loans in 2024"."""
    return Holds(Column(such.column), CompareOp.EQ, Number(0)) if isinstance(such, Such) else None


@rule(C.TEST, C.WHERE, maybe(C.CUE, words="any"), C.CUE, cost=0.05)
def having(table: Table, said: Word, any_: Word | None, such: object) -> Test | None:
    """Read "that have loans"."""
    return Holds(Column(such.column), CompareOp.GT, Number(0)) if isinstance(such, Such) else None


@rule(C.ENTITY, C.BY, C.ENTITY, cost=-0.1)
def per_row(table: Table, said: Word, entity: Entity) -> Entity | None:
    """Read "per garden" where each row is a garden."""
    return None if entity.column or table.lists("grouping", said.said) else replace(entity, each=False)


@rule(C.TERM, C.ENTITY, C.TERM, cost=-0.04)
def column_of_row(table: JoinedTable, entity: Entity, term: Term) -> Term | None:
    """Read "garden quarter"."""
    own = isinstance(term, Column) and term.name not in table.figures
    return term if own and not entity.column and not entity.each else None


@rule(C.EXTREME, C.NUMBER, C.ENTITY, maybe(C.IN, C.WHERE), C.EXTREME)
def so_many_rows(table: Table, number: Number, entity: Entity, said: Word | None, extreme: Extreme) -> Extreme | None:
    """Read "the 2 gardens with the most harvests"."""
    whole = number.value == int(number.value) and number.value > 0 and extreme.count == 1
    return replace(extreme, count=int(number.value)) if whole and not entity.column else None
