"""The order that an answer is asked for in: by an axis of a chart, a figure or a column, and which way."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.meanings import Axis, Entity, Measure, Sorted, Term, Word
from jupyter_mcpgen.nl.grammar.rule import Family, a, maybe
from jupyter_mcpgen.nl.grammar.table import Table

ORDERS = Family("orders")
rule = ORDERS.rule

_BY = (C.BY, C.OF, C.IN)


@rule(C.DIRECTION, C.IN, C.DIRECTION)
def in_direction(table: Table, said: Word, direction: Word) -> Word:
    """Read "in descending"."""
    return direction


@rule(C.DIRECTION, C.DIRECTION, C.MANNER)
def direction_order(table: Table, direction: Word, said: Word) -> Word:
    """Read "low to high order"."""
    return direction


@rule(C.SORTED, C.ORDER, maybe(*_BY), a(C.TERM, C.FIGURE, C.AXIS), maybe(C.DIRECTION))
def sorted_by(table: Table, said: Word, of: Word | None, by: Term | Measure | Word, direction: Word | None) -> Sorted:
    """Read "sorted by price, highest first", "rank the y axis from high to low"."""
    return _ordered(by, direction.meaning == "down" if direction is not None else None)


@rule(C.SORTED, a(C.ORDER, words="order"), C.ENTITY, C.BY, C.TERM, maybe(C.DIRECTION))
def rows_sorted(table: Table, said: Word, rows: Entity, by_: Word, by: Term, direction: Word | None) -> Sorted | None:
    """Read "sort the rows by price"."""
    descending = direction.meaning == "down" if direction is not None else None
    return None if rows.column else replace(_ordered(by, descending), of_rows=True)


@rule(C.SORTED, a(C.LIST, C.CHART, C.RANK), maybe(*_BY), a(C.TERM, C.FIGURE, C.AXIS), C.DIRECTION)
def shown_by(table: Table, said: Word, of: Word | None, by: Term | Measure | Word, direction: Word) -> Sorted | None:
    """Read "show the y axis in ascending order", "list by the town in desc"."""
    return _ordered(by, direction.meaning == "down")


@rule(C.SORTED, a(C.ORDER, C.LIST, C.RANK), C.DIRECTION, C.BY, a(C.TERM, C.FIGURE, C.AXIS))
def in_direction_by(table: Table, said: Word, direction: Word, by_: Word, by: Term | Measure | Word) -> Sorted:
    """Read "sort in descending order by the total cost"."""
    return _ordered(by, direction.meaning == "down")


@rule(C.SORTED, a(C.TERM, C.FIGURE, C.AXIS), C.DIRECTION, cost=0.1)
def term_in_direction(table: Table, by: Term | Measure | Word, direction: Word) -> Sorted:
    """Read "…, cost descending"."""
    return _ordered(by, direction.meaning == "down")


@rule(C.SORTED, a(C.ORDER, C.LIST, C.RANK), C.DIRECTION, cost=0.03)
def verb_direction(table: Table, said: Word, direction: Word) -> Sorted:
    """Read "sorted in descending order"."""
    return Sorted(None, direction.meaning == "down")


@rule(C.SORTED, C.DIRECTION)
def direction(table: Table, said: Word) -> Sorted:
    """Read "in descending order"."""
    return Sorted(None, said.meaning == "down")


@rule(C.SORTED, C.DIRECTION, a(C.BY, C.OF), a(C.TERM, C.FIGURE, C.AXIS))
def direction_of(table: Table, said: Word, of: Word, by: Term | Measure | Word) -> Sorted:
    """Read "in descending order of cost"."""
    return _ordered(by, said.meaning == "down")


@rule(C.SORTED, C.AND, C.SORTED)
def and_sorted(table: Table, said: Word, order: Sorted) -> Sorted:
    """Read "…, and sort by price"."""
    return order


def _ordered(by: Term | Measure | Word, descending: bool | None) -> Sorted:
    if not isinstance(by, Word):
        return Sorted(by, descending)
    return Sorted(Axis(by.meaning), descending)
