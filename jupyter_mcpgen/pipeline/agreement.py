"""Whether two computations gave the same table: same columns, same rows, same order up to ties.

Two engines add floating-point numbers in different orders, so totals that are equal for a person may differ in the last
digit. Sorted by such a total, the rows of a near-tie stand in another order, and a cut may keep another of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.pipeline.matching import ABSOLUTE_TOLERANCE, RELATIVE_TOLERANCE, match_rows
from jupyter_mcpgen.plan.ops import Limit, Select, Sort, SortKey, Step, TopPerGroup
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

if TYPE_CHECKING:
    import pandas as pd


def disagreement(result: pd.DataFrame, plan: Plan, engine: Engine) -> str | None:
    """Return the first difference between a result and the plan's reference, or None when they agree.

    Rows that are tied in the plan's order may stand in another order, and at a cut another of them may be kept. Raises
    `ReferenceFailed` when the reference cannot be computed.
    """
    return difference_from(engine.table(plan), result, plan, engine)


def difference_from(reference: pd.DataFrame, result: pd.DataFrame, plan: Plan, engine: Engine) -> str | None:
    """Return the same where the reference is computed already; the engine holds the tables that it was computed of."""
    difference = first_difference(result, reference)
    ranking = _ranking(plan)
    if difference is None or ranking is None or not _same_form(result, reference):
        return difference
    return None if _agrees_up_to_ties(result, plan, ranking, engine) else difference


def _same_form(left: pd.DataFrame, right: pd.DataFrame) -> bool:
    return list(left.columns) == list(right.columns) and len(left) == len(right)


def _ranking(plan: Plan) -> tuple[int, tuple[str, ...]] | None:
    """Return where the order of the result is made, and the columns that say it up to the first real number.

    None where no real number orders the rows, or where a later step does more than leave out rows and columns.
    """
    places = [place for place, step in enumerate(plan.steps) if not isinstance(step, Limit | Select)]
    if not places or not isinstance(plan.steps[places[-1]], Sort | TopPerGroup):
        return None
    place = places[-1]
    schema = plan.schema_at(place)
    told: list[str] = []
    for name in _ordered_by(plan.steps, place):
        told.append(name)
        if schema.type_of(name) is ColumnType.REAL:
            return place, tuple(told)
    return None


def _ordered_by(steps: tuple[Step, ...], place: int) -> tuple[str, ...]:
    """Return the columns that the rows after a step are in the order of: sorts that follow each other are stable."""
    step = steps[place]
    if isinstance(step, TopPerGroup):
        return (*step.by.names, *(key.column for key in step.keys))
    keys: list[SortKey] = []
    while place >= 0 and isinstance(step := steps[place], Sort):
        keys += step.keys
        place -= 1
    return tuple(key.column for key in keys)


def _agrees_up_to_ties(result: pd.DataFrame, plan: Plan, ranking: tuple[int, tuple[str, ...]], engine: Engine) -> bool:
    """Tell whether each row of a result is one that the plan could keep, at a place that its ties allow."""
    place, told = ranking
    through = plan.steps[: place + 1]
    cut_in_groups = isinstance(plan.steps[place], TopPerGroup)
    offered = engine.table(plan.with_steps(through[:-1] if cut_in_groups else through))
    found = match_rows(result, offered[list(result.columns)])
    if found is None:
        return False
    expected = engine.table(plan.with_steps(through)).head(len(result))
    own = offered.iloc[found].reset_index(drop=True)
    return first_difference(own[list(told)], expected[list(told)].reset_index(drop=True)) is None


def same_rows(left: pd.DataFrame, right: pd.DataFrame, *, is_ordered: bool) -> str | None:
    """Return the first difference of two tables whose columns may be called otherwise, or None when they agree.

    Rows are compared in any order; where they are ordered, the first difference in order counts unless the rows differ
    in ties alone, which their values tell: each row must match one at the same place or among those equal in a column.
    """
    if len(left.columns) != len(right.columns):
        return f"{len(left.columns)} columns against {len(right.columns)}"
    if set(left.columns) == set(right.columns) and left.columns.is_unique:
        right = right[list(left.columns)]
    else:
        right = right.set_axis(list(left.columns), axis="columns")
    difference = first_difference(left, right)
    if difference is None or len(left) != len(right):
        return difference
    if match_rows(left, right) is None:
        return difference
    return difference if is_ordered and not _differ_in_ties(left, right) else None


def _differ_in_ties(left: pd.DataFrame, right: pd.DataFrame) -> bool:
    """Tell whether some column has the same values in both, row by row, and repeats some: that is what they tie in."""
    for name in left.columns:
        if left[name].duplicated().any() and _first_unequal_row(left[name], right[name]) is None:
            return True
    return False


def first_difference(left: pd.DataFrame, right: pd.DataFrame) -> str | None:
    """Return the first difference in words, or None when the tables agree."""
    if list(left.columns) != list(right.columns):
        return f"columns {list(left.columns)} against {list(right.columns)}"
    if len(left) != len(right):
        return f"{len(left):,} rows against {len(right):,}"
    for name in left.columns:
        row = None if left[name].equals(right[name]) else _first_unequal_row(left[name], right[name])
        if row is not None:
            return f"row {row + 1} of `{name}`: {_value(left[name], row)!r} against {_value(right[name], row)!r}"
    return None


def _value(column: pd.Series[Any], row: int) -> Any:
    """Return a value as Python says it, without numpy's name of its type."""
    return column.iloc[row : row + 1].tolist()[0]


def _first_unequal_row(left: pd.Series[Any], right: pd.Series[Any]) -> int | None:
    import numpy as np  # deferred: comes with pandas

    if len(left) == 0:
        return None
    missing = left.isna().to_numpy(), right.isna().to_numpy()
    unequal = missing[0] != missing[1]
    present = ~(missing[0] | missing[1])
    unequal[present] = _unequal(left[present].reset_index(drop=True), right[present].reset_index(drop=True))
    rows = np.flatnonzero(unequal)
    return int(rows[0]) if len(rows) else None


def _unequal(left: pd.Series[Any], right: pd.Series[Any]) -> Any:
    import numpy as np
    from pandas.api.types import is_datetime64_any_dtype, is_integer_dtype, is_numeric_dtype

    if _kind(left) != _kind(right):
        return np.ones(len(left), dtype=bool)
    if _kind(left) == "boolean":
        return left.astype(bool).to_numpy() != right.astype(bool).to_numpy()
    if is_integer_dtype(left) and is_integer_dtype(right):
        return left.astype("int64").to_numpy() != right.astype("int64").to_numpy()
    if is_numeric_dtype(left) and is_numeric_dtype(right):
        close = np.isclose(left.astype(float), right.astype(float), rtol=RELATIVE_TOLERANCE, atol=ABSOLUTE_TOLERANCE)
        return ~close
    if is_datetime64_any_dtype(left) and is_datetime64_any_dtype(right):
        return _wall_clock(left) != _wall_clock(right)
    return left.astype(object).astype(str).to_numpy() != right.astype(object).astype(str).to_numpy()


def _kind(column: pd.Series[Any]) -> str:
    """Tell what a column without missing values holds; `1` and `"1"` and `True` are three things."""
    from pandas.api.types import infer_dtype

    kind = infer_dtype(column)
    return {"floating": "number", "integer": "number", "mixed-integer-float": "number"}.get(kind, kind)


def _wall_clock(series: pd.Series[Any]) -> Any:
    plain = series.dt.tz_localize(None) if series.dt.tz is not None else series
    return plain.astype("datetime64[us]").to_numpy()
