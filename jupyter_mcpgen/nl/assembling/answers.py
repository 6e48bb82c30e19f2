"""The kinds of answer that a question may have, each ready to become a plan."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar, assert_never

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Role
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.assembling.orders import ends_in_order, is_period, order_of, order_of_figure, sorts
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.predicates import number
from jupyter_mcpgen.plan.expressions import (
    All,
    Col,
    Columns,
    Compare,
    CompareOp,
    DateName,
    DatePart,
    DateUnit,
    Predicate,
)
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Chart,
    ChartKind,
    Derive,
    Describe,
    Distinct,
    Filter,
    Limit,
    Measure,
    Select,
    Sort,
    SortKey,
    Step,
    TopPerGroup,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

MANY_DAYS = 62
"""With more days than this, a date column is grouped by month."""
_NAMED_UNITS = {
    "year": DateUnit.START_OF_YEAR,
    "quarter": DateUnit.START_OF_QUARTER,
    "month": DateUnit.START_OF_MONTH,
    "week": DateUnit.START_OF_WEEK,
}
_A = TypeVar("_A", bound="_Costed")


@dataclass(frozen=True, kw_only=True)
class _Costed:
    """What every kind of answer carries: its cost in certainty, and what was assumed."""

    cost: float = 0.0
    notes: tuple[str, ...] = ()

    def costlier(self: _A, extra: float) -> _A:
        """Return the same answer at a higher cost."""
        return replace(self, cost=self.cost + extra)

    def noting(self: _A, *notes: str) -> _A:
        """Return the same answer with more assumptions."""
        return replace(self, notes=(*self.notes, *notes))


@dataclass(frozen=True)
class Outline(_Costed):
    """A summary of number columns."""

    conditions: tuple[Predicate, ...]
    columns: tuple[str, ...]


@dataclass(frozen=True)
class Grouping(_Costed):
    """Numbers by groups, or one row of numbers without keys; `then` is taken over the groups' first number."""

    conditions: tuple[Predicate, ...]
    keys: tuple[m.GroupKey, ...]
    measures: tuple[m.Measured, ...]
    having: tuple[m.Having, ...] = ()
    order: m.Measured | m.Column | m.Axis | None = None
    ordered: bool = False
    descending: bool | None = None
    limit: int | None = None
    chart: ChartKind | None = None
    lacks: Predicate | None = None
    """What no row of a group that is kept may meet."""
    then: AggregateFunction | None = None
    per: int = 0
    """How many of the first keys make the groups of which each keeps its first few, or `then` is taken; 0 for all."""
    drawn: bool = False
    """True for an answer to a request that names groups or a chart: figures of labels are then taken at their word."""


@dataclass(frozen=True)
class Listing(_Costed):
    """Rows as they are: some of them, in an order, with some columns."""

    conditions: tuple[Predicate, ...]
    columns: tuple[str, ...]
    order: str | None = None
    then: tuple[str, ...] = ()
    descending: bool = False
    limit: int | None = None
    chart: ChartKind | None = None
    distinct: bool = False
    """True for the different values of the columns instead of the rows."""
    per: tuple[str, ...] = ()
    """The columns of whose values each keeps `limit` rows."""
    only_shown: bool = False
    """True when a column to order by is not shown unless it was named."""


Answer = Outline | Grouping | Listing


def to_plan(answer: Answer, context: Context) -> Plan:
    """Return the plan of an answer; raises `PlanError` when it makes no sense over these columns."""
    steps: list[Step] = []
    if answer.conditions:
        single = len(answer.conditions) == 1
        predicate = answer.conditions[0] if single else All(terms=answer.conditions)
        steps.append(Filter(predicate=predicate))
    chart: Chart | None = None
    match answer:
        case Outline():
            if not answer.columns:
                raise PlanError("There is no number column to describe.")
            steps.append(Describe(columns=Columns(names=answer.columns)))
        case Grouping():
            steps += _grouped(answer, context)
            chart = _chart(answer, steps, context)
        case Listing():
            steps += _listed(answer, context)
            chart = _row_chart(answer)
        case _:
            assert_never(answer)
    return Plan(source=context.profile.name, source_schema=context.profile.schema_, steps=tuple(steps), chart=chart)


def _listed(answer: Listing, context: Context) -> list[Step]:
    steps: list[Step] = []
    if answer.distinct:
        return [Distinct(columns=Columns(names=answer.columns)), *sorts(answer.columns, context.profile)]
    if answer.per and answer.order is not None and answer.limit is not None:
        best = SortKey(column=answer.order, descending=answer.descending)
        return [TopPerGroup(by=Columns(names=answer.per), keys=(best,), count=answer.limit)]
    if answer.order is not None:
        steps += sorts((answer.order, *answer.then), context.profile, descending=answer.descending)
    if answer.limit is not None:
        steps.append(Limit(count=answer.limit))
    if answer.columns:
        steps.append(Select(columns=Columns(names=answer.columns)))
    return steps


def _row_chart(answer: Listing) -> Chart | None:
    match answer.chart:
        case None:
            return None
        case ChartKind.HISTOGRAM:
            color = answer.columns[1] if len(answer.columns) > 1 else None
            return Chart(kind=ChartKind.HISTOGRAM, x=answer.columns[0], color=color)
        case ChartKind.SCATTER if len(answer.columns) == 3:
            return Chart(kind=answer.chart, x=answer.columns[0], y=answer.columns[1], color=answer.columns[2])
        case _ if len(answer.columns) > 1:
            return Chart(kind=answer.chart, x=answer.columns[0], y=answer.columns[1])
        case _:
            raise PlanError(f"One column of the rows is not drawn as a {answer.chart.value} chart.")


def _grouped(answer: Grouping, context: Context) -> list[Step]:
    keys, derived = _keys(answer.keys, context, named=answer.then is None)
    measures = tuple(_measure(measured) for measured in answer.measures)
    if any(measure.column and measure.column.name in keys for measure in measures):
        raise PlanError("A column is not both a group and a measure.")
    keys, renamed = _apart(keys, {measure.name for measure in measures}, context)
    derived += renamed
    sorted_, ends = ends_in_order(measures, context.profile)
    such = (Measure(function=AggregateFunction.COUNT, where=answer.lacks),) if answer.lacks is not None else ()
    steps: list[Step] = [*derived, *sorted_, Aggregate(by=Columns(names=keys), measures=(*ends, *such))]
    none = (Compare(op=CompareOp.EQ, left=Col(name=measure.name), right=number(0)) for measure in such)
    steps += [Filter(predicate=predicate) for predicate in none]
    for having in answer.having:
        value = number(having.value)
        predicate = Compare(op=having.op, left=Col(name=_measure(having.measured).name), right=value)
        steps.append(Filter(predicate=predicate))
    if answer.then is not None:
        counts = answer.then is AggregateFunction.COUNT
        over = Measure(function=answer.then, column=None if counts else Col(name=measures[0].name))
        return [*steps, Aggregate(by=Columns(names=keys[: answer.per]), measures=(over,))]
    if answer.per and answer.limit is not None:
        order = SortKey(column=_order_column(answer, keys), descending=answer.descending is not False)
        return [*steps, TopPerGroup(by=Columns(names=keys[: answer.per]), keys=(order,), count=answer.limit)]
    if keys:
        steps += _order(answer, keys, bool(derived), context)
    if answer.limit is not None:
        if not keys:
            raise PlanError("There are no groups to keep the first of.")
        steps.append(Limit(count=answer.limit))
    shown = tuple(name for name in keys if name not in _numbers_of_names(derived))
    if shown != keys or such:
        measured = dict.fromkeys(measure.name for measure in measures)
        steps.append(Select(columns=Columns(names=(*shown, *measured))))
    return steps


def _numbers_of_names(derived: list[Step]) -> frozenset[str]:
    """Return the columns that only order the names of weekdays and months."""
    steps = [step for step in derived if isinstance(step, Derive)]
    named = {_unit_of(step) for step in steps if isinstance(step.expression, DateName)}
    return frozenset(s.name for s in steps if isinstance(s.expression, DatePart) and _unit_of(s) in named)


def _unit_of(step: Derive) -> tuple[str, str]:
    part = step.expression
    return (part.unit.value, part.operand.name) if isinstance(part, DatePart | DateName) else ("", "")


def _measure(measured: m.Measured) -> Measure:
    return Measure(function=measured.function, column=Col(name=measured.column) if measured.column else None)


def _keys(
    wanted: tuple[m.GroupKey, ...], context: Context, *, named: bool = True
) -> tuple[tuple[str, ...], list[Step]]:
    """Return the columns to group by and the steps that make them; weekdays are `named`, in the order of the week."""
    names: list[str] = []
    derived: list[Step] = []
    for key in wanted:
        unit = key.unit
        if unit is None and context.type_of(key.column) is ColumnType.DATE:
            unit = _usual_unit(key.column, context)
        if unit is None:
            names.append(key.column)
            continue
        name = _free(unit.value.removeprefix("start_of_"), context)
        operand = Col(name=key.column)
        if named and (unit is DateUnit.WEEKDAY or unit is DateUnit.MONTH):
            number_name = _free(f"{name}_number", context)
            derived.append(Derive(name=number_name, expression=DatePart(unit=unit, operand=operand)))
            derived.append(Derive(name=name, expression=DateName(unit=unit, operand=operand)))
            names += [number_name, name]
            continue
        derived.append(Derive(name=name, expression=DatePart(unit=unit, operand=operand)))
        names.append(name)
    if len(set(names)) < len(names):
        raise PlanError("Two groups are the same.")
    return tuple(names), derived


def _apart(keys: tuple[str, ...], taken: set[str], context: Context) -> tuple[tuple[str, ...], list[Step]]:
    """Return keys that are called like no figure: a column `count` beside a count of rows gets another name."""
    names = {key: _free(key, context) for key in keys if key in taken}
    steps: list[Step] = [Derive(name=name, expression=Col(name=key)) for key, name in names.items()]
    return tuple(names.get(key, key) for key in keys), steps


def _free(name: str, context: Context) -> str:
    """Return a name that no column of the table has."""
    while name in context.profile.schema_.names:
        name += "_"
    return name


def _usual_unit(column: str, context: Context) -> DateUnit:
    """Return the period to group a date column by: the one it is named after, else what stays readable."""
    for word, unit in _NAMED_UNITS.items():
        if word in context.column_words[column]:
            return unit
    return DateUnit.START_OF_DAY if context.column(column).distinct <= MANY_DAYS else DateUnit.START_OF_MONTH


def _order(answer: Grouping, keys: tuple[str, ...], derived: bool, context: Context) -> list[Step]:
    column = _order_column(answer, keys)
    descending = answer.descending
    if not answer.ordered:
        if derived or len(keys) > 1 or (context.is_number(keys[0])) or is_period(keys[0], context.profile):
            return []  # periods, numbers and cross tables read best in the order of their keys
        if order_of(keys[0], context.profile):
            return sorts(keys, context.profile)
        descending = True
    if descending is None:
        descending = column not in keys
    measures = [_measure(measured) for measured in answer.measures]
    order = order_of(column, context.profile) if column in keys else order_of_figure(column, measures, context.profile)
    return [Sort(keys=(SortKey(column=column, descending=descending, order=order),))]


def _order_column(answer: Grouping, keys: tuple[str, ...]) -> str:
    measures = [_measure(measured) for measured in answer.measures]
    match answer.order:
        case m.Measured() as measured:
            return _measure(measured).name
        case m.Axis(side):
            return keys[0] if side == "x" else measures[0].name
        case m.Column(name):
            named = [measure.name for measure in measures if measure.column and measure.column.name == name]
            if not named and name not in keys:
                raise PlanError(f"The groups have no `{name}` to order by.")
            return named[0] if named else name
        case None:
            return measures[0].name


def _in_order_of_figures(steps: list[Step], keys: tuple[str, ...]) -> bool:
    """Tell whether periods stand in an order of their own, such as the busiest first: a line would go to and fro."""
    sorted_ = [step for step in steps if isinstance(step, Sort)]
    return bool(sorted_) and sorted_[-1].keys[0].column not in keys


def _chart(answer: Grouping, steps: list[Step], context: Context) -> Chart | None:
    aggregate = next(step for step in steps if isinstance(step, Aggregate))
    numbers = _numbers_of_names(steps)
    keys = tuple(name for name in aggregate.by.names if name not in numbers)
    if not keys or answer.then is not None:
        return None
    y = aggregate.measures[0].name
    if answer.chart is ChartKind.SCATTER and len(keys) == 1 and len(answer.measures) == len(aggregate.measures) == 2:
        return Chart(kind=answer.chart, x=y, y=aggregate.measures[1].name)
    color = keys[1] if len(keys) > 1 else None
    if answer.chart is ChartKind.HISTOGRAM or (answer.chart is ChartKind.HEATMAP and color is None):
        raise PlanError(f"These groups are not drawn as a {answer.chart.value}.")
    if answer.chart is not None:
        return Chart(kind=answer.chart, x=keys[0], y=y, color=color)
    derived = {step.name for step in steps if isinstance(step, Derive)}
    known = keys[0] in context.profile.schema_.names
    timed = keys[0] in derived or (known and context.column(keys[0]).role is Role.TIME) or keys[0] in context.years
    timed = timed and not any(isinstance(step, Limit | TopPerGroup) for step in steps)  # the first few are no course
    timed = timed and not _in_order_of_figures(steps, keys)
    return Chart(kind=ChartKind.LINE if timed else ChartKind.BAR, x=keys[0], y=y, color=color)
