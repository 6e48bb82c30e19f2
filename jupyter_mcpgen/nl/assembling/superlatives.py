"""Answers about the one with most of something: "which region has the highest …", "who has the lowest …"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.assembling.answers import Answer, Grouping, Listing
from jupyter_mcpgen.nl.assembling.groupings import groupings
from jupyter_mcpgen.nl.assembling.implied import IMPLIED, MISPLACED, SECOND_CHOICE, implied_note
from jupyter_mcpgen.nl.assembling.parts import Parts
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.parsing.grammar import FEW_VALUES
from jupyter_mcpgen.plan.expressions import DateUnit
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
    if len(subjects) == 1:
        whiches = _which(parts, subjects[0], best, context)
        yield from whiches if not parts.keys else _of_each(whiches, parts, context)
    elif not subjects and parts.keys and isinstance(best.by, m.Measured):
        yield Grouping(
            parts.conditions,
            parts.keys,
            (best.by,),
            descending=best.descending,
            ordered=True,
            cost=parts.cost + (MISPLACED if len(parts.keys) > 1 else 0.0),  # one of which is asked for of each other
            chart=parts.chart,
        )


def _which(parts: Parts, subject: m.GroupKey, best: m.Superlative, context: Context) -> Found:
    """Answer "which region has the highest …"."""
    if subject.unit is None and context.type_of(subject.column) is ColumnType.DATE:
        subject = _as_days(subject, context)
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


def _of_each(whiches: Found, parts: Parts, context: Context) -> Found:
    """Answer "which driver had the most points in each year": of every group the one with most, and its figure."""
    groups = tuple(key.column for key in parts.keys if key.unit is None)
    for answer in whiches:
        if isinstance(answer, Grouping) and not set(answer.keys) & set(parts.keys):
            yield replace(answer, keys=(*parts.keys, *answer.keys), per=len(parts.keys))
        elif isinstance(answer, Listing) and len(groups) == len(parts.keys):
            yield replace(answer, per=groups)


def _as_days(subject: m.GroupKey, context: Context) -> m.GroupKey:
    """Return the days of a column that is called a day or a date: "on which date" asks for one day, not for a month."""
    if {"day", "date"} & set(context.column_words[subject.column]):
        return replace(subject, unit=DateUnit.START_OF_DAY)
    return subject


def best_of_each(parts: Parts, best: m.Best, context: Context) -> Found:
    """Yield the best few of each group: "top 3 products per region"."""
    if best.of is None or any(key.column == best.of for key in parts.keys):
        return
    if any(key.unit is None and context.is_measure(key.column) for key in parts.keys):
        return  # "by revenue" says what to order by
    per = len(parts.keys)
    said = replace(parts, keys=(*parts.keys, m.GroupKey(best.of)), best=replace(best, of=None))
    for answer in groupings(said, context):
        if isinstance(answer, Grouping) and answer.limit is not None:
            yield replace(answer, per=per)


def best_rows_of_each(parts: Parts, best: m.Best, context: Context) -> Found:
    """Yield the best few rows of each group: "the 3 highest salaries by department"."""
    by = parts.ordered.by if parts.ordered is not None else None
    column = by.name if isinstance(by, m.Column) else parts.columns[0] if len(parts.columns) == 1 and by is None else ""
    groups = tuple(key.column for key in parts.keys if key.unit is None)
    said = parts.has_only("best", "keys", "each", "columns", "names_rows", "lists_rows", "ordered")
    if not said or best.count is None or not column or set(parts.columns) - {column} or len(groups) < len(parts.keys):
        return
    if context.is_measure(column) and not any(context.is_measure(name) for name in groups):
        rows = Listing(parts.conditions, (), order=column, descending=best.descending, cost=parts.cost)
        yield replace(rows, limit=best.count, per=groups)


def top_row(parts: Parts, context: Context) -> Found:
    """Yield the row with most or least of a column."""
    top = parts.top_row
    if top is not None and parts.has_only("top_row", "keys", "each", "names_rows", "lists_rows"):
        row = _one_row(parts, top.column, top.descending, context)
        yield from _of_each(iter((row,)), parts, context) if parts.keys else (row,)


def _one_row(parts: Parts, column: str, descending: bool, context: Context) -> Listing:
    """Return the row with most or least of a column, with a note where several may share the place."""
    listing = Listing(parts.conditions, (), order=column, descending=descending, limit=1, cost=parts.cost)
    if context.column(column).distinct * 2 > context.profile.rows:
        return listing
    return listing.noting(only_the_first(column))


def only_the_first(column: str) -> str:
    """Return the note that one row is shown of those that may share an extreme."""
    return f"Several rows may share the same `{column}`; only the first of them is shown."
