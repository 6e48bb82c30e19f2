"""Answers about the one with most of something: "which region has the highest …", "who has the lowest …"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.answers import Answer, Grouping, Listing
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.grammar import FEW_VALUES
from jupyter_mcpgen.nl.implied import IMPLIED, SECOND_CHOICE, implied_note
from jupyter_mcpgen.nl.parts import Parts
from jupyter_mcpgen.plan.ops import AggregateFunction as F
from jupyter_mcpgen.plan.schema import ColumnType

Found = Iterator[Answer]


def superlatives(parts: Parts, context: Context) -> Found:
    """Yield what "the one with most of something" may be."""
    best = parts.superlative
    if best is None:
        return
    subjects = (*parts.periods, *parts.subjects, *(m.GroupKey(name) for name in parts.columns))
    if not parts.has_only("superlative", "periods", "subjects", "each", "columns", "keys", "chart", "names_rows"):
        return
    if len(subjects) == 1 and not parts.keys:
        yield from _which(parts, subjects[0], best, context)
    elif not subjects and parts.keys and isinstance(best.by, m.Measured):
        yield Grouping(
            parts.conditions,
            parts.keys,
            (best.by,),
            descending=best.descending,
            ordered=True,
            cost=parts.cost,
            chart=parts.chart,
        )


def _which(parts: Parts, subject: m.GroupKey, best: m.Superlative, context: Context) -> Found:
    """Answer "which region has the highest …"."""
    if subject.unit is None and context.is_measure(subject.column):
        whole = context.type_of(subject.column) is ColumnType.INTEGER
        if not whole or context.column(subject.column).distinct > FEW_VALUES or context.adds_up(subject.column):
            return
    grouping = Grouping(
        parts.conditions,
        (subject,),
        (),
        descending=best.descending,
        ordered=True,
        limit=1,
        cost=parts.cost,
        chart=parts.chart,
    )
    if isinstance(best.by, m.Measured):
        if best.by.column != subject.column:
            yield replace(grouping, measures=(best.by,))
        return
    name = best.by.name
    row = replace(_one_row(parts, name, best.descending, context), chart=parts.chart)
    if name == subject.column:
        return
    if subject.unit is None and context.names_rows(subject.column):
        yield row
        return
    adds_up = context.adds_up(name)
    if adds_up is not False:
        yield (
            replace(grouping, measures=(m.Measured(F.SUM, name),))
            .noting(implied_note(F.SUM, (name,)))
            .costlier(IMPLIED)
        )
    if adds_up is not True:
        yield (
            replace(grouping, measures=(m.Measured(F.MEAN, name),))
            .noting(implied_note(F.MEAN, (name,)))
            .costlier(IMPLIED)
        )
    yield row.costlier(SECOND_CHOICE if adds_up else IMPLIED)


def top_row(parts: Parts, context: Context) -> Found:
    """Yield the row with most or least of a column."""
    top = parts.top_row
    if top is not None and parts.has_only("top_row", "names_rows", "lists_rows"):
        yield _one_row(parts, top.column, top.descending, context)


def _one_row(parts: Parts, column: str, descending: bool, context: Context) -> Listing:
    """Return the row with most or least of a column, with a note where several may share the place."""
    listing = Listing(parts.conditions, (), order=column, descending=descending, limit=1, cost=parts.cost)
    if context.column(column).distinct * 2 > context.profile.rows:
        return listing
    return listing.noting(f"Several rows may share the same `{column}`; only the first of them is shown.")
