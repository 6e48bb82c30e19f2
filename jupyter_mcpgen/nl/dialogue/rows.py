"""Rows, and a table of two groups, as a follow-up changes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jupyter_mcpgen.nl.assembly.answers import Crossed, Grouping, Listing
from jupyter_mcpgen.nl.assembly.choice import Choice
from jupyter_mcpgen.nl.assembly.query import labels_and_numbers, numbers_of
from jupyter_mcpgen.nl.assembly.resolve import choices
from jupyter_mcpgen.nl.dialogue.change import Change, kept_tests
from jupyter_mcpgen.nl.dialogue.edits import Widened
from jupyter_mcpgen.nl.dialogue.groups import another_function
from jupyter_mcpgen.nl.grammar.families.figures import ROWS
from jupyter_mcpgen.nl.grammar.meanings import (
    Column,
    Measure,
    Term,
)
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.ops import AggregateFunction as F

_OF_FIRST = ("first", "head")


def changed_rows(answer: Listing, change: Change, table: Table) -> Iterator[Choice]:
    """Yield the rows that a follow-up asks for."""
    query, cue = change.query, change.cue
    tests = kept_tests(answer.tests, change)
    if tests is None or (change.edits and not all(isinstance(edit, Widened) for edit in change.edits)):
        return
    whole = answer == Listing(answer.tests)
    answer = replace(answer, tests=tests)
    labels, amounts = labels_and_numbers(query, numbers_of(table))
    columns = tuple(term.name for term in query.terms if isinstance(term, Column))
    only_columns = columns and len(columns) == len(query.terms) and not query.figures and not query.keys
    if only_columns and cue.said and query.extreme is None and query.order is None:
        if cue.adds and not answer.columns:
            yield Choice(answer)  # every column is there already
        elif not answer.distinct:
            yield Choice(
                replace(answer, columns=tuple(dict.fromkeys((*(answer.columns if cue.adds else ()), *columns))))
            )
        return
    if query.figures or query.keys or query.function or query.drawn is not None or query.window is not None:
        if whole:
            yield from choices(replace(query, tests=tests, listed=False), table)
        elif query.figures == (ROWS,) and answer.first is None and not query.keys:
            yield Choice(Grouping(tests, (), (ROWS,)))
        return
    if query.statistic is not None or labels or amounts or query.limits:
        return
    if query.order is not None:
        by = query.order.by if query.order.by is not None else answer.order
        if not isinstance(by, Term):
            return
        answer = replace(answer, order=by, descending=bool(query.order.descending))
    if query.extreme is not None:
        extreme = query.extreme
        by = extreme.by if extreme.by is not None else answer.order
        if extreme.count is None or (by is None and extreme.word not in _OF_FIRST) or isinstance(by, Measure):
            return
        descending = extreme.descending if extreme.word not in _OF_FIRST else answer.descending
        answer = replace(answer, order=by, descending=descending, first=extreme.count)
    yield Choice(answer)


def changed_crossing(answer: Crossed, change: Change, table: Table) -> Iterator[Choice]:
    """Yield a table of two groups with another figure, or of other rows."""
    query = change.query
    tests = kept_tests(answer.tests, change)
    if tests is None or change.edits or query.keys or query.extreme is not None or query.order is not None:
        return
    answer = replace(answer, tests=tests)
    if query.function and query.function in tuple(F):
        found = another_function(answer.measure, F(query.function), table)
        if found is not None:
            yield Choice(replace(answer, measure=found))
    elif len(query.figures) == 1:
        yield Choice(replace(answer, measure=query.figures[0]))
    elif not change.has_subject:
        yield Choice(answer)
