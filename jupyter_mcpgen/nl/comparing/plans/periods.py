"""Plans that compare the figures of a period with those of the periods before: totals so far, changes, averages."""

from __future__ import annotations

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.comparing.plans.figures import ADDED_UP, figures_of
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.predicates import YEARS
from jupyter_mcpgen.plan.expressions import Col, Columns, DatePart, DateUnit
from jupyter_mcpgen.plan.ops import (
    Chart,
    ChartKind,
    Derive,
    Resample,
    Select,
    Sort,
    SortKey,
    Step,
    Window,
    WindowFunction,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

_PER = {
    DateUnit.START_OF_DAY: {DateUnit.START_OF_WEEK: 7},
    DateUnit.START_OF_MONTH: {DateUnit.START_OF_YEAR: 12, DateUnit.START_OF_QUARTER: 3},
    DateUnit.START_OF_QUARTER: {DateUnit.START_OF_YEAR: 4},
}
"""How many of a period make a longer one, where the number is always the same."""


def followed(plan: Plan, function: WindowFunction, size: int, over: DateUnit | None, context: Context) -> Plan:
    """Compare the figures of a period with those of the periods before."""
    figures = figures_of(plan)
    if figures.without(Sort, Select):
        raise PlanError("The first few periods are not compared with the others.")
    measure, keys = figures.measure, figures.aggregate.by.names
    if function is WindowFunction.RUNNING_TOTAL and measure.function not in ADDED_UP:
        raise PlanError("Only counts and sums have a total so far.")
    name = figures.free(function.value)
    column = Col(name=measure.name)
    period = next((key for key in keys if _period(figures.derived.get(key)) is not None), None)
    if period is not None:
        unit = _period(figures.derived[period])
        part = figures.derived[period].expression
        others = tuple(key for key in keys if key != period)
        if unit is None or not isinstance(part, DatePart):
            raise PlanError("There is no period to compare.")
        size = _periods(unit, over) if over is not None else size
        before = tuple(step for step in figures.before if step != figures.derived[period])
        by = Columns(names=others)
        made = Resample(name=period, date=part.operand, unit=unit, by=by, measures=figures.aggregate.measures)
        window = Window(name=name, function=function, column=column, by=by, size=size)
        steps: tuple[Step, ...] = (*before, made, window)
    else:
        period = next((key for key in keys if holds_years(key, context)), None)
        if period is None or over not in (None, DateUnit.START_OF_YEAR):
            raise PlanError("There is no period to compare.")
        if (over is not None or size > 1) and _skips_years(period, context):
            raise PlanError("The row before is not of the year before.")
        others = tuple(key for key in keys if key != period)
        order = SortKey(column=period)
        window = Window(name=name, function=function, column=column, by=Columns(names=others), order=order, size=size)
        steps = (*figures.before, figures.aggregate, window)
    color = others[0] if others else None
    return figures.built(steps, Chart(kind=ChartKind.LINE, x=period, y=name, color=color))


def _skips_years(name: str, context: Context) -> bool:
    """Tell whether some year between the first and the last has no row at all."""
    known = context.column(name)
    if not isinstance(known.minimum, int) or not isinstance(known.maximum, int):
        return True
    return known.distinct <= known.maximum - known.minimum


def holds_years(name: str, context: Context) -> bool:
    """Tell whether a column of whole numbers lies between years, such as a season."""
    if name in context.years:
        return True
    if name not in context.profile.schema_.names or context.type_of(name) is not ColumnType.INTEGER:
        return False
    column = context.column(name)
    known = column.minimum is not None and column.maximum is not None
    return known and column.minimum in YEARS and column.maximum in YEARS


def _period(step: Derive | None) -> DateUnit | None:
    if step is None or not isinstance(step.expression, DatePart) or not step.expression.unit.is_period:
        return None
    return step.expression.unit


def periods_in(unit: DateUnit, over: DateUnit) -> int | None:
    """Return how many periods make a longer one; None where the number is not always the same."""
    return 1 if unit is over else _PER.get(unit, {}).get(over)


def _periods(unit: DateUnit, over: DateUnit) -> int:
    size = periods_in(unit, over)
    if size is None:
        raise PlanError("The periods are not of the same length.")
    return size
