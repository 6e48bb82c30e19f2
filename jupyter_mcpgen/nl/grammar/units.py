"""Numbers with units, in the unit of the column that they are compared with."""

from __future__ import annotations

from jupyter_mcpgen.nl.grammar.meanings import Between, Column, Number, Term
from jupyter_mcpgen.nl.grammar.table import MONEY, Table

PERCENT = "percent"


def in_unit_of(table: Table, term: Term, number: Number) -> Number | None:
    """Return a number in the unit of what it is compared with; None where the units are of different kinds."""
    if number.times > 1 and isinstance(term, Column) and table.scale_of(term.name) == number.times:
        number = Number(round(number.value / number.times, 9), number.unit)
    said = table.lexicon.unit(number.unit) if number.unit else None
    if said is None or not isinstance(term, Column | Between):
        return Number(number.value)
    unit = term.unit.value if isinstance(term, Between) else table.unit_of(term.name)
    own = table.lexicon.unit(unit) if unit else None
    part = isinstance(term, Column) and said.name == PERCENT and table.is_part_of_one(term.name)
    if part:
        return Number(round(number.value / 100, 9))
    if own is None and said.name == PERCENT:
        return None if isinstance(term, Column) and table.column(term.name).adds_up else Number(number.value)
    if own is None:
        money = isinstance(term, Column) and table.column(term.name).facts.money
        return Number(number.value) if (said.kind == MONEY) == money else None
    if own.kind != said.kind:
        return None
    value = (number.value * said.factor + said.offset - own.offset) / own.factor
    return Number(round(value, 9))
