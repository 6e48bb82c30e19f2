"""Plans that set the figures of one year against those of an earlier one, in all or group by group."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.comparing.plans.figures import Figures, figures_of
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.predicates import number, one_of
from jupyter_mcpgen.plan.expressions import All, Col, Columns, Compare, CompareOp, DatePart, DateUnit
from jupyter_mcpgen.plan.ops import (
    AggregateFunction,
    Chart,
    ChartKind,
    Derive,
    Filter,
    Limit,
    Measure,
    Select,
    Sort,
    SortKey,
    Step,
    Window,
    WindowFunction,
)
from jupyter_mcpgen.plan.plan import Plan

_BEFORE = "before"


@dataclass(frozen=True)
class Years:
    """Two years, and the number column that tells of a row which one it is of; without one, the plan is by year."""

    first: int
    last: int
    column: str | None


@dataclass(frozen=True)
class Ranking:
    """Which groups are kept of those that changed: what grew or what fell, the most first."""

    descending: bool
    only_so: bool
    """Keep what grew, or fell, alone; false where any change is meant."""
    count: int | None


def changed(
    plan: Plan, context: Context, years: Years, *, relative: bool, ranking: Ranking | None, counted: bool = True
) -> Plan:
    """Return a plan of the last year's figures with those of the first one and the change from there.

    A group without rows in either year has no change: what is not there did not grow from 0. Raises `PlanError` for
    a plan without figures, with several, or of some groups only, of a number of rows where none is `counted`, and where
    the dates do not reach both years.
    """
    figures = figures_of(plan)
    if figures.without(Sort, Select):
        raise PlanError("Only the figures of all groups are set against those of another year.")
    before_figures, year = _with_years(figures, years, context)
    measure, keys = figures.measure, tuple(key for key in figures.aggregate.by.names if key != year)
    if any(key in figures.derived for key in keys) or (ranking is not None and not keys):
        raise PlanError("There are no groups but the years.")
    if ranking is not None and len(keys) > 1:
        raise PlanError("The first of all groups is not the first within each of the others.")
    if ranking is not None and not ranking.only_so:
        raise PlanError("The largest change may be one up or one down.")
    if measure.column is None and not counted:
        raise PlanError("An amount is no number of rows.")
    of_debts = relative and not keys and _may_be_a_debt(measure, context)
    if not of_debts and not _is_told(measure, relative, context):
        raise PlanError("No percentage tells how such figures changed.")
    if any(context.column(key).distinct * 2 > context.profile.rows for key in keys):
        raise PlanError("Most groups have one row, and so no figures of two years.")
    both = Filter(predicate=one_of(year, (years.first, years.last)))
    aggregate = figures.aggregate.model_copy(update={"by": Columns(names=(*keys, year))})
    by, order, column = Columns(names=keys), SortKey(column=year), Col(name=measure.name)
    function = WindowFunction.PERCENT_CHANGE if relative else WindowFunction.CHANGE
    name = figures.free(function.value)
    before = Window(name=f"{measure.name}_{_BEFORE}", function=WindowFunction.LAG, column=column, by=by, order=order)
    change = Window(name=name, function=function, column=column, by=by, order=order)
    of_last = Compare(op=CompareOp.EQ, left=Col(name=year), right=number(years.last))
    above_debts = Compare(op=CompareOp.GT, left=Col(name=before.name), right=number(0))
    last = Filter(predicate=All(terms=(of_last, above_debts)) if of_debts else of_last)
    steps = (*before_figures, both, aggregate, before, change, last, *_ranked(name, ranking, grouped=bool(keys)))
    chart = Chart(kind=ChartKind.BAR, x=keys[0], y=name, color=None) if len(keys) == 1 else None
    return figures.built(steps, chart)


def _may_be_a_debt(measure: Measure, context: Context) -> bool:
    """Tell whether a figure is the sum of amounts of which some, such as refunds, are below 0."""
    name = measure.column.name if measure.function is AggregateFunction.SUM and measure.column is not None else None
    if name not in context.profile.schema_.names or context.adds_up(name) is False:
        return False
    low = context.column(name).minimum
    return isinstance(low, int | float) and low < 0


def _is_told(measure: Measure, relative: bool, context: Context) -> bool:
    """Tell whether a figure is of a column of the table, and its change in percent counts from no debt."""
    if measure.column is None:
        return True
    if measure.column.name not in context.profile.schema_.names:
        return False  # the mean of a ratio of rows is not the ratio that was asked for
    low = context.column(measure.column.name).minimum
    counts = measure.function in (AggregateFunction.COUNT, AggregateFunction.COUNT_DISTINCT)
    return counts or not relative or (isinstance(low, int | float) and low >= 0)


def _with_years(figures: Figures, years: Years, context: Context) -> tuple[tuple[Step, ...], str]:
    """Return the steps before the figures, with the year as a number, and the column that it is in."""
    if years.column is not None:
        if years.column in figures.aggregate.by.names:
            raise PlanError("There are no groups but the years.")
        return figures.before, years.column
    for key in figures.aggregate.by.names:
        made = figures.derived.get(key)
        part = made.expression if made is not None else None
        if made is None or not isinstance(part, DatePart) or part.unit is not DateUnit.START_OF_YEAR:
            continue
        known = context.column(part.operand.name)
        if (
            known.minimum is None
            or not str(known.minimum)[:4] <= str(years.first) < str(years.last) <= str(known.maximum)[:4]
        ):
            raise PlanError("The dates do not reach both years.")
        number_of_year = Derive(name=key, expression=DatePart(unit=DateUnit.YEAR, operand=part.operand))
        return tuple(number_of_year if step == made else step for step in figures.before), key
    raise PlanError("No date says of which year a row is.")


def _ranked(name: str, ranking: Ranking | None, *, grouped: bool) -> tuple[Step, ...]:
    if ranking is None:
        return (Sort(keys=(SortKey(column=name, descending=True),)),) if grouped else ()
    steps: tuple[Step, ...] = (Sort(keys=(SortKey(column=name, descending=ranking.descending),)),)
    if ranking.only_so:
        op = CompareOp.GT if ranking.descending else CompareOp.LT
        steps = (Filter(predicate=Compare(op=op, left=Col(name=name), right=number(0))), *steps)
    return steps if ranking.count is None else (*steps, Limit(count=ranking.count))
