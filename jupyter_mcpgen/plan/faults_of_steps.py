"""The faults of whole steps: each step with one thing wrong, as the steps that stand in its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from jupyter_mcpgen.plan.check import period_of
from jupyter_mcpgen.plan.expressions import Case, Col, Columns, Compare, CompareOp, DatePart, IsMissing, Lit, When
from jupyter_mcpgen.plan.fault_operators import Operator, Scope
from jupyter_mcpgen.plan.faults_of_statistics import statistic_changes
from jupyter_mcpgen.plan.faults_of_values import changes_in
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Derive,
    Describe,
    Distinct,
    Filter,
    Limit,
    Measure,
    Pivot,
    Rename,
    Resample,
    Select,
    Sort,
    Step,
    TopPerGroup,
    Window,
    WindowFunction,
)
from jupyter_mcpgen.plan.reshaping import Members, Unpivot
from jupyter_mcpgen.plan.schema import ColumnType
from jupyter_mcpgen.plan.statistics import (
    Correlations,
    Duplicates,
    LinearRegression,
    MeanInterval,
    Normality,
    Outliers,
    Statistic,
)

_ORDERED = (
    WindowFunction.RUNNING_TOTAL,
    WindowFunction.MOVING_AVERAGE,
    WindowFunction.LAG,
    WindowFunction.CHANGE,
    WindowFunction.PERCENT_CHANGE,
)
_FIGURES = (
    WindowFunction.MEAN,
    WindowFunction.MEDIAN,
    WindowFunction.STD,
    WindowFunction.MIN,
    WindowFunction.MAX,
)
_PARTS = {WindowFunction.SHARE: WindowFunction.PERCENT, WindowFunction.PERCENT: WindowFunction.SHARE}
_ZERO_IS_NOTHING = (AggregateFunction.SUM, AggregateFunction.COUNT, AggregateFunction.COUNT_DISTINCT)
_Keyed = Aggregate | Resample | Describe | Pivot | Correlations | LinearRegression | Normality | MeanInterval
"""Steps whose result begins with the columns that they group by."""
_STEP = 0.05


@dataclass(frozen=True)
class Replaced:
    """What stands in the place of a step that has a fault."""

    operator: Operator
    steps: tuple[Step, ...]
    site: str = ""


def step_changes(step: Step, scope: Scope) -> Iterator[Replaced]:
    """Yield what stands in the place of a step, for every fault of it and of what it holds."""
    yield from _changes_of(step, scope)
    for change in changes_in(step, scope):
        yield Replaced(change.operator, (cast("Step", change.node),), change.site)


def _changes_of(step: Step, scope: Scope) -> Iterator[Replaced]:
    match step:
        case Filter():
            yield Replaced(Operator.CONDITION_DROPPED, ())
        case Aggregate():
            yield from _grouping_changes(step, scope)
            yield from _measuring_changes(step, scope)
        case Resample():
            yield from _grouping_changes(step, scope)
            yield from _measuring_changes(step, scope)
            by = Columns(names=(step.name, *step.by.names))
            yield Replaced(Operator.EMPTY_PERIODS, (period_of(step), Aggregate(by=by, measures=step.measures)))
            for change in changes_in(DatePart(unit=step.unit, operand=step.date), scope):
                if isinstance(change.node, DatePart) and change.node.unit is not step.unit:
                    yield Replaced(change.operator, (step.model_copy(update={"unit": change.node.unit}),))
        case Describe() | Pivot():
            yield from _grouping_changes(step, scope)
        case Sort():
            yield from _sort_changes(step)
        case Limit():
            for count in _around(step.count):
                changed = step.model_copy(update={"count": count, "parameter": None})
                yield Replaced(Operator.LIMIT, (changed,))
            yield Replaced(Operator.LIMIT_DROPPED, ())
        case Select():
            yield from _exchanged_columns(step, step.columns, scope)
        case Distinct():
            yield from _exchanged_columns(step, step.columns, scope)
            yield Replaced(Operator.DISTINCT_DROPPED, (Select(columns=step.columns),))
        case TopPerGroup():
            yield from _top_changes(step, scope)
        case Window():
            yield from _window_changes(step, scope)
        case Derive():
            if step.name in scope.schema.names:
                yield Replaced(Operator.COLUMN, ())
        case Rename():
            return
        case Unpivot() | Members():
            yield from _reshaping_changes(step, scope)
        case _ if isinstance(step, Statistic):
            if isinstance(step, _Keyed | Outliers):
                yield from _grouping_changes(step, scope)
            if isinstance(step, Duplicates):
                yield from _fewer_columns(step, "columns", step.columns, Operator.GROUP_DROPPED)
            for change in statistic_changes(step):
                yield Replaced(change.operator, (cast("Step", change.node),), change.site)


def _reshaping_changes(step: Unpivot | Members, scope: Scope) -> Iterator[Replaced]:
    """Yield lists that are not taken apart, or rows in which the first or the last period is missing."""
    if isinstance(step, Members):
        yield Replaced(Operator.LISTS_KEPT, ())
        return
    taken = step.columns(scope.schema)
    type_ = step.names.form.type
    for name in dict.fromkeys((taken[0], taken[-1])):
        period = step.names.period(name)
        value = period.isoformat(sep=" ") if isinstance(period, datetime) else period
        other = Compare(op=CompareOp.NE, left=Col(name=step.name), right=Lit(value=value, type=type_))
        yield Replaced(Operator.PERIOD_DROPPED, (step, Filter(predicate=other)), name)


def _around(count: int) -> Iterator[int]:
    yield count + 1
    if count > 1:
        yield count - 1


def _grouping_changes(step: _Keyed | Outliers, scope: Scope) -> Iterator[Replaced]:
    """Yield a step that groups by fewer columns, or by a wrong one that is called what was asked for."""
    by = step.by
    for place, name in enumerate(by.names):
        rest = (*by.names[:place], *by.names[place + 1 :])
        yield Replaced(Operator.GROUP_DROPPED, (_grouped(step, rest),), f"by {place + 1}")
        for other in scope.others(name, *by.names):
            steps: tuple[Step, ...] = (_grouped(step, (*by.names[:place], other, *by.names[place + 1 :])),)
            if isinstance(step, _Keyed):
                steps = (*steps, Rename(column=Col(name=other), name=name))
            yield Replaced(Operator.GROUP_COLUMN, steps, f"by {place + 1}")
        if scope.schema.type_of(name) is ColumnType.TEXT and name not in scope.present:
            filled = _instead_of_missing(name, Lit(value="", type=ColumnType.TEXT))
            yield Replaced(Operator.MISSING_KEPT, (filled, step), f"by {place + 1}")


def _grouped(step: Step, names: tuple[str, ...]) -> Step:
    return step.model_copy(update={"by": Columns(names=names)})


def _instead_of_missing(name: str, value: Lit) -> Derive:
    missing = When(condition=IsMissing(operand=Col(name=name)), value=value)
    return Derive(name=name, expression=Case(branches=(missing,), otherwise=Col(name=name)))


def _measuring_changes(step: Aggregate | Resample, scope: Scope) -> Iterator[Replaced]:
    """Yield a step that leaves out a measure, or takes a missing number for zero."""
    if len(step.measures) > 1:
        for place in range(len(step.measures)):
            rest = (*step.measures[:place], *step.measures[place + 1 :])
            changed = step.model_copy(update={"measures": rest})
            yield Replaced(Operator.MEASURE_DROPPED, (changed,), f"measures {place + 1}")
    for name in dict.fromkeys(filter(None, map(_averaged, step.measures))):
        if scope.is_number(name) and name not in step.by.names:
            zero = Lit(value=0, type=scope.schema.type_of(name))
            yield Replaced(Operator.MISSING_AS_ZERO, (_instead_of_missing(name, zero), step), name)


def _averaged(measure: Measure) -> str | None:
    """Return the column of a measure that a zero more would change."""
    has_zeros = measure.function in _ZERO_IS_NOTHING
    return None if measure.column is None or has_zeros else measure.column.name


def _sort_changes(step: Sort) -> Iterator[Replaced]:
    yield Replaced(Operator.ORDER_DROPPED, ())
    if len(step.keys) > 1:
        yield Replaced(Operator.ORDER, (step.model_copy(update={"keys": tuple(reversed(step.keys))}),))
        for place in range(len(step.keys)):
            rest = (*step.keys[:place], *step.keys[place + 1 :])
            yield Replaced(Operator.ORDER_DROPPED, (step.model_copy(update={"keys": rest}),), f"keys {place + 1}")


def _exchanged_columns(step: Select | Distinct, columns: Columns, scope: Scope) -> Iterator[Replaced]:
    """Yield a step that shows a wrong column under the name of one."""
    for place, name in enumerate(columns.names):
        for other in scope.others(name, *columns.names):
            names = (*columns.names[:place], other, *columns.names[place + 1 :])
            changed = step.model_copy(update={"columns": Columns(names=names)})
            yield Replaced(
                Operator.COLUMN, (changed, Rename(column=Col(name=other), name=name)), f"columns {place + 1}"
            )


def _fewer_columns(step: Step, field: str, columns: Columns, operator: Operator) -> Iterator[Replaced]:
    for place in range(len(columns.names) if len(columns.names) > 1 else 0):
        names = (*columns.names[:place], *columns.names[place + 1 :])
        changed = step.model_copy(update={field: Columns(names=names)})
        yield Replaced(operator, (changed,), f"{field} {place + 1}")


def _top_changes(step: TopPerGroup, scope: Scope) -> Iterator[Replaced]:
    for count in _around(step.count):
        yield Replaced(Operator.LIMIT, (step.model_copy(update={"count": count, "parameter": None}),))
    yield Replaced(Operator.GROUP_DROPPED, (Sort(keys=step.keys), Limit(count=step.count)))
    yield from _fewer_columns(step, "by", step.by, Operator.GROUP_DROPPED)
    for place, name in enumerate(step.by.names):
        for other in scope.others(name, *step.by.names):
            changed = _grouped(step, (*step.by.names[:place], other, *step.by.names[place + 1 :]))
            yield Replaced(Operator.GROUP_COLUMN, (changed,), f"by {place + 1}")


def _window_changes(step: Window, scope: Scope) -> Iterator[Replaced]:
    for operator, update in (*_function_changes(step), *_frame_changes(step)):
        yield Replaced(operator, (step.model_copy(update=update),))
    is_share = step.function in _PARTS
    dropped = Operator.DENOMINATOR if is_share else Operator.GROUP_DROPPED
    for place, name in enumerate(step.by.names):
        rest = (*step.by.names[:place], *step.by.names[place + 1 :])
        yield Replaced(dropped, (_grouped(step, rest),), f"by {place + 1}")
        for other in scope.others(name, step.column.name, *step.by.names):
            changed = _grouped(step, (*step.by.names[:place], other, *step.by.names[place + 1 :]))
            yield Replaced(Operator.GROUP_COLUMN, (changed,), f"by {place + 1}")
    if is_share and not step.by.names:
        for other in list(scope.names_beside(step.column.name))[:1]:
            yield Replaced(Operator.DENOMINATOR, (_grouped(step, (other,)),))


def _function_changes(step: Window) -> Iterator[tuple[Operator, dict[str, object]]]:
    """Yield another function of the same family, or another fraction."""
    family = _ORDERED if step.function in _ORDERED else _FIGURES if step.function.is_figure else ()
    for function in family:
        if function is not step.function:
            yield Operator.STATISTIC, {"function": function, "fraction": None}
    if step.function in _PARTS:
        yield Operator.SCALE, {"function": _PARTS[step.function]}
    for fraction in () if step.fraction is None else (step.fraction - _STEP, step.fraction + _STEP):
        if 0 < fraction < 1:
            yield Operator.FRACTION, {"fraction": fraction}


def _frame_changes(step: Window) -> Iterator[tuple[Operator, dict[str, object]]]:
    """Yield another length or order of what a window looks at."""
    if step.function.has_size:
        for size in _around(step.size):
            yield Operator.WINDOW_SIZE, {"size": size, "parameter": None}
    if step.function is WindowFunction.RANK:
        yield Operator.ORDER, {"descending": not step.descending}
    if step.order is not None and step.function.is_ordered:
        yield Operator.ORDER_DROPPED, {"order": None}
