"""Equals at a cut: whether the last row that a result keeps shares its place with rows that were left out.

A cut keeps a fixed number of rows, and of equals those that come first. Which ones those are says nothing about the
data, so the evidence names the others: "which product sold most" has several answers where several share first place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.model.validation import Evidence
from jupyter_mcpgen.pipeline.books import note
from jupyter_mcpgen.pipeline.matching import is_close
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp, Lit
from jupyter_mcpgen.plan.ops import (
    FIGURES,
    Aggregate,
    AggregateFunction,
    Filter,
    Limit,
    Measure,
    Select,
    Sort,
    SortKey,
    Step,
    TopPerGroup,
    Window,
    WindowFunction,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType, Schema

if TYPE_CHECKING:
    import pandas as pd

MOST_LOOKED_AT = 50
"""How many rows behind a cut are looked at; where all of them are equal, the sentence says "at least"."""
MOST_NAMED = 5
MOST_ROWS = 2_000
"""How many of the rows that are kept are looked through for the names of equals."""


def account_ties(plan: Plan, engine: Engine) -> tuple[Evidence, ...]:
    """Return a statement for the last cut of a plan where equals were left out at it; none where there are none."""
    for place in range(len(plan.steps) - 1, -1, -1):
        match plan.steps[place]:
            case Limit(count=count):
                return _at_the_end(plan, place, count, engine)
            case TopPerGroup() as step:
                return _in_groups(plan, place, step, engine)
            case _:
                continue
    return ()


def _at_the_end(plan: Plan, place: int, count: int, engine: Engine) -> tuple[Evidence, ...]:
    before = tuple(step for step in plan.steps[:place] if not isinstance(step, Select) or _is_needed(plan, step))
    keys = _sorted_by(before)
    if not keys:
        return ()
    seen = engine.table(plan.with_steps((*before, Limit(count=count + MOST_LOOKED_AT))))
    if len(seen) <= count:
        return ()
    figures = seen[[key.column for key in keys]]
    plain = figures.astype(object).where(figures.notna(), None)
    rows = [tuple(row) for row in plain.itertuples(index=False, name=None)]
    end = next((at for at in range(count, len(rows)) if not _equal(rows[at], rows[count - 1])), len(rows))
    left_out = end - count
    if left_out == 0:
        return ()
    schema = plan.with_steps(before).result_schema
    others = _names(seen.iloc[count:end], before, schema)
    least = "at least " if left_out == MOST_LOOKED_AT else ""
    what = "group" if any(isinstance(step, FIGURES) for step in before) else "row"
    more = f"{least}{left_out} more {what}{'' if left_out == 1 else 's'}"
    share = f"{'shares' if left_out == 1 else 'share'} {_place(count)}"
    by = " and ".join(f"`{key.column}`" for key in keys)
    sentence = f"Tied: {more} {share}, equal in {by}{others}; {_decided(count)}."
    return (note("ties", sentence, left_out),)


def _is_needed(plan: Plan, select: Select) -> bool:
    """Tell whether a choice of columns comes before figures, so that leaving it out could change them."""
    place = plan.steps.index(select)
    return any(isinstance(step, FIGURES) for step in plan.steps[place:])


def _sorted_by(before: tuple[Step, ...]) -> tuple[SortKey, ...]:
    """Return the keys that the rows before a cut are in the order of: sorts that follow each other are stable."""
    keys: tuple[SortKey, ...] = ()
    for step in reversed(before):
        if not isinstance(step, Sort):
            break
        keys = (*keys, *step.keys)
    return keys


def _equal(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return all(_alike(a, b) for a, b in zip(one, other, strict=True))


def _alike(one: Any, other: Any) -> bool:
    return is_close(one, other) if isinstance(one, float) and isinstance(other, float) else bool(one == other)


def _names(rows: pd.DataFrame, before: tuple[Step, ...], schema: Schema) -> str:
    """Return what the rows left out are called."""
    called = [name for name in _labels(before, schema) if name in rows.columns]
    if not called:
        return ""
    said = [_called(row) for row in rows[called].itertuples(index=False, name=None)]
    more = f" and {len(said) - MOST_NAMED} more" if len(said) > MOST_NAMED else ""
    return f" ({', '.join(said[:MOST_NAMED])}{more})"


def _labels(before: tuple[Step, ...], schema: Schema) -> tuple[str, ...]:
    """Return the columns that say what a row is: its groups, else the first text that it has."""
    grouped = next((step.by.names for step in reversed(before) if isinstance(step, Aggregate)), ())
    return grouped or tuple(field.name for field in schema.fields if field.type is ColumnType.TEXT)[:1]


def _called(cells: tuple[Any, ...]) -> str:
    return " / ".join(str(cell) for cell in cells)


def _place(count: int) -> str:
    return "first place" if count == 1 else "the last place shown"


def _decided(count: int) -> str:
    return f"the order decided which {'is' if count == 1 else 'are'} shown"


def _in_groups(plan: Plan, place: int, step: TopPerGroup, engine: Engine) -> tuple[Evidence, ...]:
    key, before = step.keys[0], plan.steps[:place]
    schema = plan.with_steps(before).result_schema
    if len(step.keys) > 1 or schema.type_of(key.column) in (ColumnType.TEXT, ColumnType.BOOLEAN):
        return ()
    rank, number = _free("rank", schema), Measure(function=AggregateFunction.COUNT)
    ranked = Window(
        name=rank, function=WindowFunction.RANK, column=Col(name=key.column), by=step.by, descending=key.descending
    )
    first = (*before, ranked, _where(rank, CompareOp.LE, step.count))
    counted = (*first, Aggregate(by=step.by, measures=(number,)), _where(number.name, CompareOp.GT, step.count))
    tied = engine.table(plan.with_steps(counted))
    if tied.empty:
        return ()
    groups = [_called(row[:-1]) for row in tied.itertuples(index=False, name=None)]
    rows = engine.table(plan.with_steps((*first, Limit(count=MOST_ROWS))))
    said = "; ".join(_with_rivals(group, rows, step, before, schema) for group in groups[:MOST_NAMED])
    more = f" and {len(groups) - MOST_NAMED} more" if len(groups) > MOST_NAMED else ""
    of_all = f"{len(groups)} {'group' if len(groups) == 1 else 'groups'} several"
    sentence = (
        f"Tied: in {of_all} share {_place(step.count)}, equal in `{key.column}` ({said}{more}); {_decided(step.count)}."
    )
    return (note("ties", sentence, len(groups)),)


def _with_rivals(group: str, rows: pd.DataFrame, step: TopPerGroup, before: tuple[Step, ...], schema: Schema) -> str:
    """Return what a group is called, with those in it that share the place, where they have names."""
    labels = [name for name in _labels(before, schema) if name in rows.columns and name not in step.by.names]
    if not labels:
        return group
    keys = (_called(row) for row in rows[list(step.by.names)].itertuples(index=False, name=None))
    names = (_called(row) for row in rows[labels].itertuples(index=False, name=None))
    rivals = [name for key, name in zip(keys, names, strict=True) if key == group]
    return f"{group}: {', '.join(rivals[:MOST_NAMED])}{' and more' if len(rivals) > MOST_NAMED else ''}"


def _where(name: str, op: CompareOp, number: int) -> Filter:
    return Filter(predicate=Compare(op=op, left=Col(name=name), right=Lit(value=number, type=ColumnType.INTEGER)))


def _free(name: str, schema: Schema) -> str:
    while name in schema.names:
        name += "_"
    return name
