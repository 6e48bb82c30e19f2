"""The one figure that a question is about: as it was said, the usual one of an amount, or a count of things or rows."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl.assembly.choice import IMPLIED
from jupyter_mcpgen.nl.assembly.query import Query, labels_and_numbers, numbers_of
from jupyter_mcpgen.nl.grammar.families.figures import ROWS, counted, implied
from jupyter_mcpgen.nl.grammar.meanings import Column, Entity, Figure, Is, Measure, PartOfAll
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.nl.schema.additivity import Additivity
from jupyter_mcpgen.plan.ops import AggregateFunction as F

_ADDED = frozenset({F.SUM, F.COUNT, F.COUNT_DISTINCT})


def measure_of(query: Query, table: Table, *, running: bool = False) -> tuple[Measure, tuple[str, ...], float] | None:
    """Return the one figure, the labels that are left, and the cost; a `running` total only adds up."""
    labels, amounts = labels_and_numbers(query, numbers_of(table))
    things = tuple(dict.fromkeys((*(one.column for one in query.entities if one.column), *labels)))
    if query.figures:
        only = query.figures[0]
        adds = isinstance(only, PartOfAll) or (isinstance(only, Figure) and only.function in _ADDED)
        if len(query.figures) > 1 or amounts or (running and not adds):
            return None
        return only, things, 0.0
    if amounts:
        found = implied(table, amounts[0])
        if found is None or len(amounts) > 1:
            return None
        if running and isinstance(found, Figure) and found.function is not F.SUM:
            found = _added(found, table)
        return None if found is None else (found, things, IMPLIED)
    names = tuple(name for name in things if table.column(name).is_identifier)
    if len(names) == 1:
        counted_ = counted(table, Entity(names[0]))
        rest = tuple(name for name in things if name not in names)
        return (counted_, rest, 0.0) if isinstance(counted_, Figure) else None
    rows = [one for one in query.entities if not one.column and not table.is_amount_noun(one.word)]
    such = bool(query.keys) and any(isinstance(test, Is) for test in query.tests) and not query.entities
    known = any(table.is_number(name) for one in rows for name, _ in table.columns_about(one.word))
    return (ROWS, things, 0.0) if (rows and not known) or such else None


def _added(figure: Figure, table: Table) -> Figure | None:
    """Return the total of what is measured in each row; a running total of rates and stocks means nothing."""
    level = isinstance(figure.term, Column) and table.column(figure.term.name).facts.additivity is Additivity.LEVEL
    return replace(figure, function=F.SUM) if level else None
