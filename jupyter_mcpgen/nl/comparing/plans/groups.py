"""Plans that arrange groups in another way: by their ranks, in intervals of a number, or across as columns."""

from __future__ import annotations

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.comparing.plans.figures import figures_of, showing
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.plan.expressions import Bin, Col, Columns, DatePart, DateUnit, Lit
from jupyter_mcpgen.plan.ops import (
    Chart,
    ChartKind,
    Derive,
    Limit,
    Pivot,
    Select,
    Sort,
    SortKey,
    Step,
    Window,
    WindowFunction,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

MOST_COLUMNS = 30
"""How many values of a column may become columns."""


def ranked(plan: Plan, context: Context) -> Plan:
    """Give each group its place by its figure, or by what was computed of its figures, the largest first."""
    figures = figures_of(plan)
    if not figures.aggregate.by.names:
        raise PlanError("There are no groups to rank.")
    derived = tuple(step for step in figures.after if isinstance(step, Derive))
    figure = derived[-1].name if derived else figures.measure.name
    ascending = any(isinstance(s, Sort) and s.keys[0].column == figure and not s.keys[0].descending
                    for s in figures.after)  # fmt: skip
    name = figures.free(WindowFunction.RANK.value)
    window = Window(name=name, function=WindowFunction.RANK, column=Col(name=figure), descending=not ascending)
    after = tuple(showing(step, name) for step in figures.without(Sort) if step not in derived)
    steps = (*figures.before, figures.aggregate, *derived, window, Sort(keys=(SortKey(column=name),)), *after)
    return figures.built(steps, figures.plan.chart)


def in_intervals(plan: Plan, width: float | None, count: int | None, context: Context) -> Plan:
    """Group a number by intervals instead of by its values."""
    figures = figures_of(plan)
    keys = figures.aggregate.by.names
    numbers = [key for key in keys if key in plan.source_schema.names and context.is_number(key)]
    if not numbers or any(isinstance(step, Limit | Select) for step in figures.after):
        raise PlanError("There is no number to cut into intervals.")
    number = numbers[-1]
    low, label = figures.free(f"{number}_from"), figures.free(f"{number}_group")
    cut = Bin(operand=Col(name=number), width=width, count=count)
    made: tuple[Step, ...] = (Derive(name=low, expression=cut),)
    names: tuple[str, ...] = (low,)
    if width is not None:
        made = (*made, Derive(name=label, expression=cut.model_copy(update={"labelled": True})))
        names = (low, label)
    by = tuple(name for key in keys for name in (names if key == number else (key,)))
    aggregate = figures.aggregate.model_copy(update={"by": Columns(names=by)})
    shown = tuple(name for name in (*by, *(m.name for m in aggregate.measures)) if width is None or name != low)
    select = () if width is None else (Select(columns=Columns(names=shown)),)
    others = [key for key in keys if key != number]
    chart = Chart(kind=ChartKind.BAR, x=names[-1], y=aggregate.measures[0].name, color=others[0] if others else None)
    return figures.built((*figures.before, *made, aggregate, *select), chart)


def widened(plan: Plan, context: Context) -> Plan:
    """Give each value of the second group a column of its own."""
    figures = figures_of(plan)
    keys = figures.aggregate.by.names
    if len(keys) != 2 or figures.without(Sort):
        raise PlanError("Two groups make the rows and the columns of a table.")
    rows, across = keys
    before = list(figures.before)
    made = figures.derived.get(across)
    if made is not None:
        values = _years(made, context)
        before[before.index(made)] = _whole_year(made)
    elif not (values := _values(across, context)):
        rows, across = across, rows
        values = _values(across, context)
    if not 0 < len(values) <= MOST_COLUMNS:
        raise PlanError(f"`{across}` does not have few known values to become columns.")
    pivot = Pivot(by=Columns(names=(rows,)), column=Col(name=across), values=values, measure=figures.measure)
    return figures.built((*before, pivot), None)


def _whole_year(made: Derive) -> Derive:
    part = made.expression
    if not isinstance(part, DatePart):
        raise PlanError("Only years become columns.")
    return Derive(name=made.name, expression=DatePart(unit=DateUnit.YEAR, operand=part.operand))


def _years(made: Derive, context: Context) -> tuple[Lit, ...]:
    """Return the years between the first and the last date."""
    part = made.expression
    if not isinstance(part, DatePart) or part.unit not in (DateUnit.START_OF_YEAR, DateUnit.YEAR):
        raise PlanError("Only years become columns.")
    column = context.column(part.operand.name)
    if column.minimum is None or column.maximum is None:
        return ()
    first, last = int(str(column.minimum)[:4]), int(str(column.maximum)[:4])
    return tuple(Lit(value=year, type=ColumnType.INTEGER) for year in range(first, last + 1))


def _values(name: str, context: Context) -> tuple[Lit, ...]:
    """Return all values of a column, in their order, if they are known."""
    if name not in context.profile.schema_.names:
        return ()
    column, type_ = context.column(name), context.type_of(name)
    if type_ is ColumnType.BOOLEAN:
        return tuple(Lit(value=value, type=type_) for value in (False, True))
    if not column.complete or type_ not in (ColumnType.TEXT, ColumnType.INTEGER):
        return ()
    return tuple(Lit(value=value, type=type_) for value in sorted(column.values))
