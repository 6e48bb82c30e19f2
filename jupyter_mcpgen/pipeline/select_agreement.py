"""Whether the rows of a SELECT are those of the plan it was read as, in an order that its ORDER BY allows.

SQL leaves open how rows stand that are equal in ORDER BY, and which of them LIMIT keeps; a plan says it. So a plan's
rows are one of the results that the SELECT may give, and the SELECT's rows must be another one, or the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.pipeline.agreement import first_difference
from jupyter_mcpgen.pipeline.matching import match_rows
from jupyter_mcpgen.plan.ops import Derive, Limit, Rename, Select, Step, TopPerGroup
from jupyter_mcpgen.plan.reading import Reading

if TYPE_CHECKING:
    import pandas as pd


def contradiction(rows: pd.DataFrame, reading: Reading, engine: Engine) -> str | None:
    """Return the first difference between a SELECT's rows and its plan's, or None where the plan may be right.

    Columns are compared by their places, because SQL has names of its own for what has no alias.
    """
    plan = reading.plan
    expected = engine.table(plan)
    if len(rows.columns) != len(expected.columns):
        return f"{len(rows.columns)} columns against {len(expected.columns)}"
    rows = rows.set_axis(list(expected.columns), axis=1)
    difference = first_difference(rows, expected)
    if difference is None or len(rows) != len(expected):
        return difference
    wide, names = _before_shown(plan.steps, list(expected.columns))
    offered, kept = engine.table(plan.with_steps(_uncut(wide))), engine.table(plan.with_steps(wide))
    found = match_rows(rows, offered[names].set_axis(list(expected.columns), axis=1))
    if found is None:
        return difference
    own = offered.iloc[found].reset_index(drop=True)
    decided = [name for name in _decides(wide) if name in kept.columns]
    if decided and match_rows(own[decided], kept[decided]) is None:
        return difference
    keys = list(dict.fromkeys(key.column for key in reading.ordered_by))
    return first_difference(own[keys], kept[keys].reset_index(drop=True)) if keys else None


def _before_shown(steps: tuple[Step, ...], shown: list[str]) -> tuple[tuple[Step, ...], list[str]]:
    """Return the steps before the columns are chosen and renamed at the end, and what those are called there."""
    names = list(shown)
    while steps and isinstance(last := steps[-1], Select | Rename):
        if isinstance(last, Rename):
            names = [last.column.name if name == last.name else name for name in names]
        steps = steps[:-1]
    return steps, names


def _uncut(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the steps without the last cut, if nothing after it looks at other rows."""
    place = _last_cut(steps)
    return steps if place is None else (*steps[:place], *steps[place + 1 :])


def _decides(steps: tuple[Step, ...]) -> tuple[str, ...]:
    """Return the columns that decide which rows of a group the last cut keeps."""
    place = _last_cut(steps)
    cut = None if place is None else steps[place]
    return (*cut.by.names, *(key.column for key in cut.keys)) if isinstance(cut, TopPerGroup) else ()


def _last_cut(steps: tuple[Step, ...]) -> int | None:
    for place in range(len(steps) - 1, -1, -1):
        if isinstance(steps[place], Limit | TopPerGroup):
            return place
        if not isinstance(steps[place], Derive):
            return None
    return None
