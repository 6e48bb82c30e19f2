"""Answers about groups by what their rows have: how many meet a condition, which never had a row of some kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.assembling.answers import Grouping
from jupyter_mcpgen.nl.assembling.implied import named_labels
from jupyter_mcpgen.nl.assembling.parts import Parts
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.parsing.grammar import COUNT_ROWS
from jupyter_mcpgen.nl.parsing.rules.having import names_things
from jupyter_mcpgen.plan.ops import AggregateFunction as F

_COUNTS = (F.COUNT, F.COUNT_DISTINCT)


def counted_groups(parts: Parts, context: Context) -> Iterator[Grouping]:
    """Yield how many groups meet a condition: "how many students have an average above 90", in all or by groups."""
    counted = _counted(parts, context)
    if counted is None or not parts.has_only("measures", "having", "keys", "each", "names_rows"):
        return
    keys = (*parts.keys, m.GroupKey(counted))
    measures = tuple(dict.fromkeys(having.measured for having in parts.having))
    grouping = Grouping(parts.conditions, keys, measures, having=parts.having, then=F.COUNT, cost=parts.cost)
    yield replace(grouping, per=len(parts.keys))


def counted_periods(parts: Parts, context: Context) -> Iterator[Grouping]:
    """Yield how many periods have rows: "how many days were there", in all or by groups."""
    if parts.counted is None or not parts.has_only("counted", "having", "keys", "each", "names_rows"):
        return
    keys = (*parts.keys, parts.counted)
    measures = tuple(dict.fromkeys(having.measured for having in parts.having)) or (COUNT_ROWS,)
    grouping = Grouping(parts.conditions, keys, measures, having=parts.having, then=F.COUNT, cost=parts.cost)
    name = parts.counted.column
    days = parts.counted.unit.value.removeprefix("start_of_") if parts.counted.unit is not None else name
    yield replace(grouping, per=len(parts.keys)).noting(f"Each {days} of `{name}` with a row counts once.")


def lacking_groups(parts: Parts, context: Context) -> Iterator[Grouping]:
    """Yield the groups that have no row of some kind: "which stores never had a sale above 50"."""
    labels = named_labels(parts, context)
    counted = _counted(parts, context)
    names = (counted,) if counted is not None else labels
    if len(names) != 1 or len(labels) < len(parts.columns) or context.is_key(names[0]):
        return
    if not parts.has_only("lacks", "names_rows", "lists_rows", "measures" if counted is not None else "columns"):
        return
    grouping = Grouping(parts.conditions, (m.GroupKey(names[0]),), (COUNT_ROWS,), lacks=parts.lacks, cost=parts.cost)
    yield replace(grouping, then=F.COUNT) if counted is not None else grouping


def _counted(parts: Parts, context: Context) -> str | None:
    """Return the column whose values are counted, where nothing else is computed."""
    if len(parts.measures) != 1 or parts.measures[0].function not in _COUNTS:
        return None
    name = parts.measures[0].column
    return name if name is not None and names_things(name, context) and not context.is_key(name) else None
