"""Plans that compare figures, each made of the plan of the figures: shares, ranks, totals so far, changes, ratios.

Every function raises `PlanError` where the comparison has no meaning for a plan, which is then no reading.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.predicates import YEARS, about, equal_values
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import (
    All,
    Arithmetic,
    ArithmeticOp,
    Bin,
    Col,
    Columns,
    DatePart,
    DateUnit,
    Lit,
    Predicate,
)
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Chart,
    ChartKind,
    Derive,
    Filter,
    Limit,
    Measure,
    Pivot,
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

MOST_COLUMNS = 30
"""How many values of a column may become columns."""
_PER = {
    DateUnit.START_OF_DAY: {DateUnit.START_OF_WEEK: 7},
    DateUnit.START_OF_MONTH: {DateUnit.START_OF_YEAR: 12, DateUnit.START_OF_QUARTER: 3},
    DateUnit.START_OF_QUARTER: {DateUnit.START_OF_YEAR: 4},
}
"""How many of a period make a longer one, where the number is always the same."""
_ADDED_UP = frozenset({AggregateFunction.SUM, AggregateFunction.COUNT})


@dataclass(frozen=True)
class _Figures:
    """A plan around its only aggregation."""

    plan: Plan
    before: tuple[Step, ...]
    aggregate: Aggregate
    after: tuple[Step, ...]

    @property
    def measure(self) -> Measure:
        """The only figure."""
        if len(self.aggregate.measures) != 1:
            raise PlanError("Only one figure is compared at a time.")
        return self.aggregate.measures[0]

    @property
    def derived(self) -> Mapping[str, Derive]:
        """The columns that are computed before, by name."""
        return {step.name: step for step in self.before if isinstance(step, Derive)}

    def without(self, *kinds: type[Step]) -> tuple[Step, ...]:
        """Return the steps after the aggregation without some, and refuse any that filter groups."""
        if any(isinstance(step, Filter) for step in self.after):
            raise PlanError("Figures of some groups only are not compared.")
        return tuple(step for step in self.after if not isinstance(step, kinds))

    def free(self, name: str) -> str:
        """Return a name that no column of the result has."""
        taken = {*self.plan.source_schema.names, *self.plan.result_schema.names}
        while name in taken:
            name += "_"
        return name

    def built(self, steps: tuple[Step, ...], chart: Chart | None) -> Plan:
        """Return the plan of other steps over the same source."""
        return Plan(source=self.plan.source, source_schema=self.plan.source_schema, steps=steps, chart=chart)


def _figures(plan: Plan) -> _Figures:
    places = [place for place, step in enumerate(plan.steps) if isinstance(step, Aggregate)]
    if len(places) != 1:
        raise PlanError("There are no figures to compare.")
    place = places[0]
    aggregate = plan.steps[place]
    if not isinstance(aggregate, Aggregate):
        raise PlanError("There are no figures to compare.")
    return _Figures(plan, plan.steps[:place], aggregate, plan.steps[place + 1 :])


def followed(plan: Plan, function: WindowFunction, size: int, over: DateUnit | None, context: Context) -> Plan:
    """Compare the figures of a period with those of the periods before."""
    figures = _figures(plan)
    if figures.without(Sort, Select):
        raise PlanError("The first few periods are not compared with the others.")
    measure, keys = figures.measure, figures.aggregate.by.names
    if function is WindowFunction.RUNNING_TOTAL and measure.function not in _ADDED_UP:
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
        others = tuple(key for key in keys if key != period)
        order = SortKey(column=period)
        window = Window(name=name, function=function, column=column, by=Columns(names=others), order=order, size=size)
        steps = (*figures.before, figures.aggregate, window)
    color = others[0] if others else None
    return figures.built(steps, Chart(kind=ChartKind.LINE, x=period, y=name, color=color))


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


def shared(plan: Plan, percent: bool, within: str | None, rate: bool, narrowed: bool) -> Plan:
    """Say each figure as a part of the whole; of rows that meet a condition, how many of all do.

    With groups and a condition, `rate` asks how many of each group meet it, else how the ones that do are spread.
    """
    figures = _figures(plan)
    measure = figures.measure
    if measure.function not in _ADDED_UP or measure.where is not None:
        raise PlanError("Only counts and sums are parts of a whole.")
    met, others = _condition(figures, narrowed)
    counts = measure.function is AggregateFunction.COUNT and measure.column is None
    keys = figures.aggregate.by.names
    if counts and met is not None and not (keys and (_is_dated(met, figures) or not rate)):
        return _rate(figures, met, others, percent)
    if keys:
        if within is not None and within not in keys:
            raise PlanError(f"`{within}` makes no groups.")
        return _of_groups(figures, figures.before, figures.aggregate, percent, (within,) if within else ())
    name = about(met) if met is not None else None
    if met is None or name is None or not equal_values(met):
        raise PlanError("There are no groups to share a total between.")
    grouped = figures.aggregate.model_copy(update={"by": Columns(names=(name,))})
    whole = _of_groups(figures, others, grouped, percent, ())
    return figures.built((*whole.steps, Filter(predicate=met)), None)


def _of_groups(
    figures: _Figures, before: tuple[Step, ...], aggregate: Aggregate, percent: bool, within: tuple[str, ...]
) -> Plan:
    function = WindowFunction.PERCENT if percent else WindowFunction.SHARE
    name = figures.free(function.value)
    column = Col(name=figures.measure.name)
    window = Window(name=name, function=function, column=column, by=Columns(names=within))
    after = tuple(_showing(step, name) for step in figures.without())
    chart = figures.plan.chart
    drawn = None if chart is None else chart.model_copy(update={"y": name})
    return figures.built((*before, aggregate, window, *after), drawn)


def _showing(step: Step, name: str) -> Step:
    """Let a choice of columns show one more."""
    if isinstance(step, Select):
        return Select(columns=Columns(names=(*step.columns.names, name)))
    return step


def _condition(figures: _Figures, narrowed: bool) -> tuple[Predicate | None, tuple[Step, ...]]:
    """Split the condition into the part that is asked about, and the rows that it is a part of.

    What is asked about comes last, unless "where" and what follows say of which rows.
    """
    filters = [step for step in figures.before if isinstance(step, Filter)]
    rest = tuple(step for step in figures.before if not isinstance(step, Filter))
    terms = [term for step in filters for term in _terms(step.predicate)]
    plain = [term for term in terms if not _is_dated(term, figures)]
    if not terms:
        return None, rest
    asked = (plain[:1] if narrowed else plain[-1:]) or terms
    others = [term for term in terms if term not in asked]
    kept = (Filter(predicate=others[0] if len(others) == 1 else All(terms=tuple(others))),) if others else ()
    return asked[0] if len(asked) == 1 else All(terms=tuple(asked)), (*kept, *rest)


def _terms(predicate: Predicate) -> tuple[Predicate, ...]:
    if isinstance(predicate, All):
        return tuple(term for inner in predicate.terms for term in _terms(inner))
    return (predicate,)


def _is_dated(predicate: Predicate, figures: _Figures) -> bool:
    schema = figures.plan.source_schema
    return any(schema.type_of(name) is ColumnType.DATE for name in names_in(predicate) if name in schema.names)


def rated(plan: Plan, met: Predicate, percent: bool) -> Plan:
    """Say of each count of rows how many of them meet a condition."""
    figures = _figures(plan)
    measure = figures.measure
    if measure.function is not AggregateFunction.COUNT or measure.column is not None or measure.where is not None:
        raise PlanError("Only rows that are counted meet a condition.")
    return _rate(figures, met, figures.before, percent)


def _rate(figures: _Figures, met: Predicate, before: tuple[Step, ...], percent: bool) -> Plan:
    function = AggregateFunction.PERCENT if percent else AggregateFunction.RATE
    measure = Measure(function=function, where=met)
    aggregate = figures.aggregate.model_copy(update={"measures": (measure,)})
    names = {figures.measure.name: measure.name}
    after = renamed(figures.without(), names)
    return figures.built((*before, aggregate, *after), _redrawn(figures.plan.chart, names))


def renamed(steps: tuple[Step, ...], names: Mapping[str, str]) -> tuple[Step, ...]:
    """Let sorts and choices of columns name figures that are called otherwise now."""
    return tuple(_renamed(step, names) for step in steps)


def _renamed(step: Step, names: Mapping[str, str]) -> Step:
    """Let a sort or a choice of columns name the new figures."""
    match step:
        case Sort():
            keys = tuple(k.model_copy(update={"column": names.get(k.column, k.column)}) for k in step.keys)
            return Sort(keys=keys)
        case Select():
            return Select(columns=Columns(names=tuple(names.get(n, n) for n in step.columns.names)))
        case _:
            return step


def _redrawn(chart: Chart | None, names: Mapping[str, str]) -> Chart | None:
    if chart is None or chart.y is None:
        return chart
    return chart.model_copy(update={"y": names.get(chart.y, chart.y)})


def ranked(plan: Plan, context: Context) -> Plan:
    """Give each group its place by its figure, the largest first."""
    figures = _figures(plan)
    if not figures.aggregate.by.names:
        raise PlanError("There are no groups to rank.")
    ascending = any(isinstance(s, Sort) and s.keys[0].column == figures.measure.name and not s.keys[0].descending
                    for s in figures.after)  # fmt: skip
    name = figures.free(WindowFunction.RANK.value)
    column = Col(name=figures.measure.name)
    window = Window(name=name, function=WindowFunction.RANK, column=column, descending=not ascending)
    after = tuple(_showing(step, name) for step in figures.without(Sort))
    steps = (*figures.before, figures.aggregate, window, Sort(keys=(SortKey(column=name),)), *after)
    return figures.built(steps, figures.plan.chart)


def at_fractions(plan: Plan, fractions: tuple[float, ...]) -> Plan:
    """Take other percentiles than the median."""
    figures = _figures(plan)
    median = AggregateFunction.MEDIAN
    if not any(measure.function is median for measure in figures.aggregate.measures):
        raise PlanError("There is no percentile to take.")
    measures: list[Measure] = []
    names: dict[str, str] = {}
    for old in figures.aggregate.measures:
        new = [_quantile(old, fraction) for fraction in fractions] if old.function is median else [old]
        measures += new
        names[old.name] = new[0].name
    aggregate = figures.aggregate.model_copy(update={"measures": tuple(measures)})
    after = renamed(figures.without(), names)
    if len(fractions) > 1 and any(isinstance(step, Select) for step in after):
        raise PlanError("Several percentiles need a column each.")
    return figures.built((*figures.before, aggregate, *after), _redrawn(figures.plan.chart, names))


def _quantile(median: Measure, fraction: float) -> Measure:
    return Measure(function=AggregateFunction.QUANTILE, column=median.column, fraction=fraction)


def spread(plan: Plan) -> Plan:
    """Say how far apart the quartiles of a number are, instead of its median."""
    quartiles = _figures(at_fractions(plan, (0.25, 0.75)))
    if len(quartiles.aggregate.measures) != 2:
        raise PlanError("Only one number is spread at a time.")
    low, high = quartiles.aggregate.measures
    column = low.column.name if low.column is not None else ""
    name = quartiles.free(f"iqr_{column}")
    between = Arithmetic(op=ArithmeticOp.SUBTRACT, left=Col(name=high.name), right=Col(name=low.name))
    names = {low.name: name}
    after = renamed(quartiles.without(Select), names)
    steps = (*quartiles.before, quartiles.aggregate, Derive(name=name, expression=between), *after)
    return quartiles.built(steps, _redrawn(quartiles.plan.chart, names))


def in_intervals(plan: Plan, width: float | None, count: int | None, context: Context) -> Plan:
    """Group a number by intervals instead of by its values."""
    figures = _figures(plan)
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


def divided(plan: Plan, column: str) -> Plan:
    """Divide the sum of one column by the sum of another."""
    return _of_two_sums(plan, column, ArithmeticOp.DIVIDE, "per")


def reduced(plan: Plan, column: str) -> Plan:
    """Take the sum of one column off the sum of another."""
    return _of_two_sums(plan, column, ArithmeticOp.SUBTRACT, "minus")


def _of_two_sums(plan: Plan, column: str, op: ArithmeticOp, word: str) -> Plan:
    figures = _figures(plan)
    above = figures.measure
    below = Measure(function=AggregateFunction.SUM, column=Col(name=column))
    if above.function is not AggregateFunction.SUM or above.column is None or above.column.name == column:
        raise PlanError("Only sums of two columns are set against each other.")
    name = figures.free(f"{above.column.name}_{word}_{column}")
    both = Arithmetic(op=op, left=Col(name=above.name), right=Col(name=below.name))
    aggregate = figures.aggregate.model_copy(update={"measures": (above, below)})
    names = {above.name: name}
    after = renamed(figures.without(Select), names)
    steps = (*figures.before, aggregate, Derive(name=name, expression=both), *after)
    return figures.built(steps, _redrawn(figures.plan.chart, names))


def widened(plan: Plan, context: Context) -> Plan:
    """Give each value of the second group a column of its own."""
    figures = _figures(plan)
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
