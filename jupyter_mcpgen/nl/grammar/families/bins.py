"""Groups of dates by their periods and of numbers by intervals, as a chart bins them."""

from __future__ import annotations

from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.meanings import Band, Column, Keys, Number, Part, Term, Word
from jupyter_mcpgen.nl.grammar.rule import Family, a, maybe
from jupyter_mcpgen.nl.grammar.table import Table

BINS = Family("bins")
rule = BINS.rule


@rule(C.UNIT, C.UNIT, C.INTERVAL)
def unit_interval(table: Table, unit: Part, said: Word) -> Part:
    """Read "month intervals"."""
    return unit


@rule(C.KEYS, C.BIN, C.TERM, a(C.BY, C.IN, C.TO), C.UNIT)
def binned(table: Table, said: Word, term: Term, by: Word, unit: Part) -> Keys | None:
    """Read "bin the start date by month"."""
    if not isinstance(term, Column):
        return None
    dated = table.is_date(term.name) or term.name in table.years
    return Keys((Part(unit.unit, term.name),), binned=True) if dated else None


@rule(C.KEYS, C.TERM, C.BIN, a(C.BY, C.IN, C.TO), C.UNIT)
def term_binned(table: Table, term: Term, said: Word, by: Word, unit: Part) -> Keys | None:
    """Read "start date binned by weekday"."""
    return binned(table, said, term, by, unit)


@rule(C.KEYS, C.BIN, maybe(C.AXIS), maybe(C.IN, C.BY, C.TO), C.UNIT)
def binned_by(table: Table, said: Word, axis: Word | None, by: Word | None, unit: Part) -> Keys | None:
    """Read "binned by weekday" of the date that the question names elsewhere."""
    return Keys((Part(unit.unit),), binned=True) if axis is None or axis.meaning == "x" else None


@rule(C.KEYS, maybe(C.BIN), C.TERM, a(C.BY, C.IN, C.TO), maybe(C.BIN, C.INTERVAL), C.OF, C.NUMBER)
def banded(
    table: Table, said: Word | None, term: Term, by: Word, bins: Word | None, of: Word, number: Number
) -> Keys | None:
    """Read "bin the charge into intervals of 10"."""
    if (said is None and bins is None) or not isinstance(term, Column) or not table.is_number(term.name):
        return None
    return Keys((Band(term, number.value),), binned=True) if number.value > 0 and not number.unit else None


@rule(C.TERM, C.TERM, C.BIN, C.OF, C.NUMBER)
def in_groups_of(table: Table, term: Term, said: Word, of: Word, number: Number) -> Term | None:
    """Read "age groups of 10"."""
    wide = isinstance(term, Column) and table.is_number(term.name) and number.value > 0
    return Band(term, number.value) if wide and isinstance(term, Column) else None


@rule(C.TERM, C.NUMBER, maybe(C.UNIT), C.TERM, C.BIN)
def so_wide_groups(table: Table, number: Number, unit: Part | None, term: Term, said: Word) -> Term | None:
    """Read "10-year age groups"."""
    return in_groups_of(table, term, said, said, number)
