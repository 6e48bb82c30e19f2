"""Plans that compare the figures of a period with those of the periods before: totals so far, changes, averages."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.comparing.plans.figures import ADDED_UP, figures_of
from jupyter_mcpgen.nl.comparing.plans.shown import with_conditions_after
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.predicates import YEARS
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Col, Columns, Compare, DateName, DatePart, DateUnit, Lit
from jupyter_mcpgen.plan.ops import (
    Chart,
    ChartKind,
    Derive,
    Filter,
    Resample,
    Select,
    Sort,
    SortKey,
    Step,
    Window,
    WindowFunction,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Node

_PER = {
    DateUnit.START_OF_DAY: {DateUnit.START_OF_WEEK: 7},
    DateUnit.START_OF_MONTH: {DateUnit.START_OF_YEAR: 12, DateUnit.START_OF_QUARTER: 3},
    DateUnit.START_OF_QUARTER: {DateUnit.START_OF_YEAR: 4},
}
"""How many of a period make a longer one, where the number is always the same."""
_HOLDING = {
    DateUnit.QUARTER: (DateUnit.START_OF_YEAR,),
    DateUnit.MONTH: (DateUnit.START_OF_YEAR,),
    DateUnit.DAY: (DateUnit.START_OF_YEAR, DateUnit.START_OF_QUARTER, DateUnit.START_OF_MONTH),
    DateUnit.WEEKDAY: tuple(unit for unit in DateUnit if unit.is_period and unit is not DateUnit.START_OF_DAY),
}
"""The periods each of which has rows of every such part, so that a choice of some leaves none of them empty."""


WORKING_DAYS = (0.65, 5 / 7 + 0.005)
"""Which part of all days the working days of a long time are, without some holidays, or with none."""
FEWEST_DAYS = 10
"""So many days show that none of them is a weekend."""


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
        added_up = measure.function in ADDED_UP and not context.has_a_row_per_day
        if unit is DateUnit.START_OF_DAY and not added_up and _has_working_days(part.operand.name, context):
            window = Window(name=name, function=function, column=column, by=by, order=SortKey(column=period), size=size)
            return figures.built((*figures.before, figures.aggregate, window), _line(period, name, others))
        made = Resample(name=period, date=part.operand, unit=unit, by=by, measures=figures.aggregate.measures)
        window = Window(name=name, function=function, column=column, by=by, size=size)
        compared = with_conditions_after(figures.built((*before, made, window), _line(period, name, others)))
        before = compared.steps[: compared.steps.index(made)]
        if function is not WindowFunction.RUNNING_TOTAL and _leaves_gaps(before, unit, context):
            raise PlanError("The period before has no rows of the kind that was chosen.")
        return compared
    period = next((key for key in keys if holds_years(key, context)), None)
    if period is None or over not in (None, DateUnit.START_OF_YEAR):
        raise PlanError("There is no period to compare.")
    if (over is not None or size > 1) and _skips_years(period, context):
        raise PlanError("The row before is not of the year before.")
    others = tuple(key for key in keys if key != period)
    order = SortKey(column=period)
    window = Window(name=name, function=function, column=column, by=Columns(names=others), order=order, size=size)
    return figures.built((*figures.before, figures.aggregate, window), _line(period, name, others))


def _has_working_days(date: str, context: Context) -> bool:
    """Tell whether so many days have no row as weekends are: the day before a Monday is then a Friday.

    What is missing on a day without rows, such as the price of a share, is averaged over the days that have some.
    """
    if date not in context.dates or date in context.clocks:
        return False
    known = context.column(date)
    first, last = (dt.date.fromisoformat(str(end)[:10]) for end in (known.minimum, known.maximum))
    least, most = WORKING_DAYS
    return known.distinct >= FEWEST_DAYS and least <= known.distinct / ((last - first).days + 1) <= most


def _line(period: str, name: str, others: tuple[str, ...]) -> Chart:
    return Chart(kind=ChartKind.LINE, x=period, y=name, color=others[0] if others else None)


def _leaves_gaps(before: tuple[Step, ...], unit: DateUnit, context: Context) -> bool:
    """Tell whether rows of some months or weekdays are chosen, so that periods between them have no row."""
    chosen = [step for step in before if isinstance(step, Filter)]
    named = {name for step in chosen for name in names_in(step)}
    made = [step for step in before if isinstance(step, Derive) and step.name in named]
    parts = [node for step in (*chosen, *made) for node in _within(step) if isinstance(node, DatePart | DateName)]
    if not any(part.unit in _HOLDING and unit not in _HOLDING[part.unit] for part in parts):
        return False
    months = all(part.unit is DateUnit.MONTH and _is_of_one_year(part.operand.name, context) for part in parts)
    terms = [node for step in chosen for node in _within(step) if isinstance(node, Compare)]
    numbers = {term.right.value for term in terms if isinstance(term.left, DatePart) and isinstance(term.right, Lit)}
    follow = numbers in ({*range(first, first + len(numbers))} for first in range(1, 13))
    return not (months and follow)


def _within(node: Node) -> Iterator[Node]:
    """Yield a node with all that it is made of."""
    yield node
    for field in type(node).model_fields:
        value = getattr(node, field)
        for child in value if isinstance(value, tuple) else (value,):
            if isinstance(child, Node):
                yield from _within(child)


def _is_of_one_year(name: str, context: Context) -> bool:
    """Tell whether all dates of a column lie in one year, so that its months follow one another."""
    if name not in context.profile.schema_.names:
        return False
    known = context.column(name)
    return known.minimum is not None and str(known.minimum)[:4] == str(known.maximum)[:4]


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
    if name not in context.profile.schema_.names or not context.is_whole(name):
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
