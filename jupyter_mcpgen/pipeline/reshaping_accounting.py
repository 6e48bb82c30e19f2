"""Accounting of rows that are made of a table: columns below each other, lists by member, counted in a third way."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jupyter_mcpgen.model.validation import Evidence, Place, Verdict
from jupyter_mcpgen.pipeline.books import Books, left_out, rows_said
from jupyter_mcpgen.plan.expressions import Columns
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Measure, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.repeats import counted_again
from jupyter_mcpgen.plan.reshaping import MEMBER, Members, Unpivot

_ROWS = Measure(function=AggregateFunction.COUNT, label="rows with this list")


def account_reshaping(books: Books) -> Iterator[Evidence]:
    """Yield what the rows are that a plan counts: how many of which rows of the table, and which of those have none."""
    for place, step in enumerate(books.plan.reshaping):
        before = books.plan.steps[:place]
        if isinstance(step, Unpivot):
            yield _cells(step, before, books)
        elif isinstance(step, Members):
            yield from _members(step, before, books)
    for measure in counted_again(books.plan):
        what = "The number of rows" if measure.column is None else f"`{measure.column.name}`"
        sentence = f"{what} is counted several times: a row of the table is several {noun_of_rows(books.plan)}."
        yield Evidence(
            check=f"counted_once_{measure.name}", verdict=Verdict.FAILED, sentence=sentence, place=Place.NOTE
        )


def noun_of_rows(plan: Plan) -> str:
    """Return what the rows are that a plan counts."""
    if not plan.reshaping:
        return "rows"
    return "members" if isinstance(plan.reshaping[-1], Members) else "cells"


def _cells(step: Unpivot, before: tuple[Step, ...], books: Books) -> Evidence:
    columns = len(step.columns(books.plan.schema_at(len(before))))
    rows, cells = books.count(before), books.count((*before, step))
    adds_up = rows * columns == cells
    times = f"{rows_said(rows)} with {columns:,} {'column' if columns == 1 else 'columns'} each"
    sentence = (
        f"{times}: {cells:,} cells." if adds_up else f"{times} should be {rows * columns:,} cells, not {cells:,}."
    )
    return _stated("cells", sentence, cells, adds_up=adds_up)


def _members(step: Members, before: tuple[Step, ...], books: Books) -> Iterator[Evidence]:
    """Count the members of each different list by hand, and compare with how many rows the step makes."""
    name = step.column.name
    lists = books.table((*before, Aggregate(by=Columns(names=(name,)), measures=(_ROWS,))))
    sizes = [(len(_members_in(text, step)), int(rows)) for text, rows in lists.itertuples(index=False, name=None)]
    with_any = sum(rows for size, rows in sizes if size)
    expected, made = sum(size * rows for size, rows in sizes), books.count((*before, step))
    adds_up = expected == made
    sentence = f"{rows_said(with_any)} with {made:,} members in `{name}`: a row counts once for each of its members."
    if not adds_up:
        sentence = f"The lists of `{name}` have {expected:,} members, and not {made:,}."
    yield _stated("members", sentence, made, adds_up=adds_up)
    without = books.count(before) - with_any
    if without:
        yield left_out(f"{rows_said(without)} without a member in `{name}`", without)


def _members_in(text: str, step: Members) -> set[str]:
    parts = re.findall(MEMBER, text) if step.separator is None else text.split(step.separator)
    return {part.strip() for part in parts} - {""}


def _stated(check: str, sentence: str, figure: int, *, adds_up: bool) -> Evidence:
    verdict = Verdict.PASSED if adds_up else Verdict.FAILED
    return Evidence(check=check, verdict=verdict, sentence=sentence, figure=figure, place=Place.NOTE)
