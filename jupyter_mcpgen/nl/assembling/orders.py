"""Columns whose words have an order of their own: sorts by them follow it, and so do their smallest and largest."""

from __future__ import annotations

from collections.abc import Sequence

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Kind, Profile
from jupyter_mcpgen.plan.ops import AggregateFunction, Measure, Sort, SortKey, Step

_ENDS = {AggregateFunction.MIN: AggregateFunction.FIRST, AggregateFunction.MAX: AggregateFunction.LAST}


def order_of(column: str, profile: Profile) -> tuple[str, ...]:
    """Return the words of a column from the lowest to the highest, or nothing when letters order them."""
    return next((known.order for known in profile.columns if known.name == column), ())


def order_of_figure(name: str, measures: Sequence[Measure], profile: Profile) -> tuple[str, ...]:
    """Return the order of the words that a figure of groups is one of, or nothing."""
    ends = (one for one in measures if one.name == name and one.function in _ENDS and one.column is not None)
    return next((order_of(one.column.name, profile) for one in ends if one.column is not None), ())


def is_period(column: str, profile: Profile) -> bool:
    """Tell whether the values of a text column are periods, which groups are in the order of."""
    return any(known.name == column and known.kind is Kind.PERIOD for known in profile.columns)


def sorts(names: Sequence[str], profile: Profile, *, descending: bool = False) -> list[Step]:
    """Return the steps that sort by columns, each in its own order; sorts are stable, so the last key comes first."""
    keys = tuple(SortKey(column=n, descending=descending, order=order_of(n, profile)) for n in names)
    if len(keys) == 1 or not any(key.order for key in keys):
        return [Sort(keys=keys)]
    return [Sort(keys=(key,)) for key in reversed(keys)]


def ends_in_order(measures: tuple[Measure, ...], profile: Profile) -> tuple[list[Step], tuple[Measure, ...]]:
    """Return measures whose smallest and largest words are the first and last in their order, and the sort before.

    Raises `PlanError` for words of two columns, because rows stand in one order at a time.
    """
    columns = {
        measure.column.name
        for measure in measures
        if measure.function in _ENDS and measure.column is not None and order_of(measure.column.name, profile)
    }
    if not columns:
        return [], measures
    if len(columns) > 1 or not all(_is_end(measure, columns) for measure in measures):
        named = " and ".join(f"`{name}`" for name in sorted(columns))
        raise PlanError(f"The ends of {named} can only be asked for one by one, and without other figures.")
    return sorts(tuple(columns), profile), tuple(_end(measure) for measure in measures)


def _end(measure: Measure) -> Measure:
    return measure.model_copy(update={"function": _ENDS[measure.function], "label": measure.name})


def _is_end(measure: Measure, columns: set[str]) -> bool:
    return measure.function in _ENDS and measure.column is not None and measure.column.name in columns
