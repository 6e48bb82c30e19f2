"""Plans that say figures as parts of a whole: shares of a total, and how many rows meet a condition."""

from __future__ import annotations

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.comparing.plans.figures import ADDED_UP, Figures, figures_of, redrawn, renamed, showing
from jupyter_mcpgen.nl.comparing.plans.sums import as_part
from jupyter_mcpgen.nl.predicates import about, equal_values
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Case,
    Col,
    Columns,
    Compare,
    DatePart,
    DateUnit,
    IsIn,
    IsMissing,
    Lit,
    Predicate,
    When,
    terms_of,
)
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Derive,
    Filter,
    Limit,
    Measure,
    Select,
    Sort,
    Step,
    Window,
    WindowFunction,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

_OF_EACH_WEEK = frozenset({DateUnit.WEEKDAY, DateUnit.HOUR, DateUnit.MINUTE})
"""Parts of the calendar that come again so often that they are no stretch of it."""


def shared(
    plan: Plan,
    percent: bool,
    within: str | None,
    rate: bool,
    narrowed: bool,
    value_first: bool = False,
    date_named: bool = False,
    lacking: frozenset[str] = frozenset(),
) -> Plan:
    """Say each figure as a part of the whole; of rows that meet a condition, how many of all do.

    With groups and a condition, `rate` asks how many of each group meet it, else how the ones that do are spread.
    So it is with amounts, where `value_first`: what is named before the groups has a part in each of them.
    A stretch of time only says of which rows, unless `date_named`: "share of jobs paid in 2024 by client".
    What rows without a value in a column of `lacking` have is a part of the whole, too.
    """
    figures = figures_of(plan)
    measure = figures.measure
    if measure.function not in ADDED_UP or measure.where is not None:
        raise PlanError("Only counts and sums are parts of a whole.")
    met, others = _condition(figures, narrowed)
    counts = measure.function is AggregateFunction.COUNT and measure.column is None
    keys = figures.aggregate.by.names
    of_a_time = met is not None and _is_dated(met, figures) and not (date_named and rate)
    if counts and met is not None and not (keys and (of_a_time or not rate)):
        return _rate(figures, met, others, percent)
    if measure.function is AggregateFunction.COUNT and not counts and (not keys or _is_of_amounts(figures)):
        raise PlanError("A count of the values of a column is no total to have a part of.")
    if keys:
        if within is not None and within not in keys:
            raise PlanError(f"`{within}` makes no groups.")
        if rate and not counts and within is None and met is not None and not of_a_time:
            whole = figures.built((*others, figures.aggregate, *figures.after), plan.chart)
            if value_first and equal_values(met):
                return portion(whole, met, percent, lacking)
            if not equal_values(met) and measure.function is AggregateFunction.SUM:
                return _part_of_sums(whole, met, percent)
        return _of_groups(figures, figures.before, figures.aggregate, percent, (within,) if within else ())
    name = about(met) if met is not None else None
    summed = measure.function is AggregateFunction.SUM
    if summed and met is not None and name in lacking and not _is_dated(met, figures):
        return _part_of_sums(figures.built((*others, figures.aggregate, *figures.after), plan.chart), met, percent)
    if summed and met is not None and not equal_values(met) and not _is_dated(met, figures):
        return _part_of_sums(figures.built((*others, figures.aggregate, *figures.after), plan.chart), met, percent)
    if met is None or name is None or not equal_values(met):
        raise PlanError("There are no groups to share a total between.")
    grouped = figures.aggregate.model_copy(update={"by": Columns(names=(name,))})
    whole = _of_groups(figures, others, grouped, percent, ())
    return figures.built((*whole.steps, Filter(predicate=met)), None)


def _is_of_amounts(figures: Figures) -> bool:
    """Tell whether the figure is of a column of numbers, whose share is one of their sum, or of dates, one of rows."""
    column, schema = figures.measure.column, figures.plan.source_schema
    if column is None or column.name not in schema.names:
        return False
    type_ = schema.type_of(column.name)
    return type_.is_number or type_ is ColumnType.DATE


def _of_groups(
    figures: Figures, before: tuple[Step, ...], aggregate: Aggregate, percent: bool, within: tuple[str, ...]
) -> Plan:
    function = WindowFunction.PERCENT if percent else WindowFunction.SHARE
    name = figures.free(function.value)
    column = Col(name=figures.measure.name)
    window = Window(name=name, function=function, column=column, by=Columns(names=within))
    after = tuple(showing(step, name) for step in figures.without())
    chart = figures.plan.chart
    drawn = None if chart is None else chart.model_copy(update={"y": name})
    return figures.built((*before, aggregate, window, *after), drawn)


def _condition(figures: Figures, narrowed: bool) -> tuple[Predicate | None, tuple[Step, ...]]:
    """Split the condition into the part that is asked about, and the rows that it is a part of.

    What is asked about comes last, unless "where" and what follows say of which rows.
    """
    filters = [step for step in figures.before if isinstance(step, Filter)]
    rest = tuple(step for step in figures.before if not isinstance(step, Filter))
    terms = [term for step in filters for term in terms_of(step.predicate)]
    plain = [term for term in terms if not _is_dated(term, figures)]
    plain = [term for term in plain if not _is_repeated(term)] or plain
    if not terms:
        return None, rest
    valued = [term for term in plain if not isinstance(term, IsMissing) or not _has_a_value(term, terms)]
    asked = (valued[:1] if narrowed else valued[-1:]) or terms
    others = [term for term in terms if term not in asked]
    kept = (Filter(predicate=others[0] if len(others) == 1 else All(terms=tuple(others))),) if others else ()
    return asked[0] if len(asked) == 1 else All(terms=tuple(asked)), (*kept, *rest)


def _has_a_value(there: IsMissing, terms: list[Predicate]) -> bool:
    """Tell whether a condition only says that there is a value, and another one which: that is what is asked of it."""
    own = set(names_in(there))
    return there.negated and any(own & set(names_in(term)) for term in terms if term != there)


def _is_dated(predicate: Predicate, figures: Figures) -> bool:
    """Tell whether a condition is about a stretch of time.

    Whether there is a date at all is none, nor which of two dates comes first, nor a day of the week or an hour.
    """
    match predicate:
        case All(terms=terms) | AnyOf(terms=terms):
            return all(_is_dated(term, figures) for term in terms)
        case Compare(left=Col(), right=Col()):
            return False
        case Compare() | IsIn():
            dated = not _is_repeated(predicate)
        case _:
            return False
    schema = figures.plan.source_schema
    return dated and any(
        schema.type_of(name) is ColumnType.DATE for name in names_in(predicate) if name in schema.names
    )


def _is_repeated(predicate: Predicate) -> bool:
    """Tell whether a condition is about a day of the week or a time of the day."""
    match predicate:
        case All(terms=terms) | AnyOf(terms=terms):
            return all(_is_repeated(term) for term in terms)
        case Compare(left=DatePart(unit=unit)):
            return unit in _OF_EACH_WEEK
        case IsIn(operand=DatePart(unit=unit)):
            return unit in _OF_EACH_WEEK
        case _:
            return False


def _part_of_sums(plan: Plan, met: Predicate, percent: bool) -> Plan:
    """Say which part of each sum comes from the rows that meet a condition; the other rows add nothing to it."""
    figures = figures_of(plan)
    column = figures.measure.column
    if column is None or any(not isinstance(step, Sort | Select) for step in figures.without()):
        raise PlanError("The part that is asked for is one of all groups.")
    zero = Lit(value=0, type=ColumnType.INTEGER)
    kept = Derive(
        name=figures.free(f"{column.name}_of_these"),
        expression=Case(branches=(When(condition=met, value=column),), otherwise=zero),
    )
    such = figures.measure.model_copy(update={"column": Col(name=kept.name)})
    aggregate = figures.aggregate.model_copy(update={"measures": (such,)})
    names = {figures.measure.name: such.name}
    of_these = figures.built(
        (*figures.before, kept, aggregate, *renamed(figures.after, names)), redrawn(plan.chart, names)
    )
    return as_part(of_these, column.name, percent)


def rated(plan: Plan, met: Predicate, percent: bool) -> Plan:
    """Say of each count of rows how many of them meet a condition."""
    figures = figures_of(plan)
    measure = figures.measure
    if measure.function is not AggregateFunction.COUNT or measure.column is not None or measure.where is not None:
        raise PlanError("Only rows that are counted meet a condition.")
    return _rate(figures, met, figures.before, percent)


def _rate(figures: Figures, met: Predicate, before: tuple[Step, ...], percent: bool) -> Plan:
    function = AggregateFunction.PERCENT if percent else AggregateFunction.RATE
    measure = Measure(function=function, where=met)
    aggregate = figures.aggregate.model_copy(update={"measures": (measure,)})
    names = {figures.measure.name: measure.name}
    after = renamed(figures.without(), names)
    return figures.built((*before, aggregate, *after), redrawn(figures.plan.chart, names))


def beside_its_count(plan: Plan) -> Plan:
    """Show how many rows meet a condition beside the part of the rows that they are; any other plan stays as it is."""
    rates = (AggregateFunction.RATE, AggregateFunction.PERCENT)
    steps = tuple(
        step.model_copy(update={"measures": (*step.measures, _counted(step.measures[0]))})
        if isinstance(step, Aggregate) and len(step.measures) == 1 and step.measures[0].function in rates
        else step
        for step in plan.steps
    )
    if steps == plan.steps:
        return plan
    return plan.with_steps(steps).model_copy(update={"chart": plan.chart})


def _counted(rate: Measure) -> Measure:
    return Measure(function=AggregateFunction.COUNT, where=rate.where)


def portion(plan: Plan, met: Predicate, percent: bool, lacking: frozenset[str] = frozenset()) -> Plan:
    """Say which part the rows of a value have in each figure of a plan.

    Raises `PlanError` where the figures do not add up, or are of that column's values already.
    """
    figures = figures_of(plan)
    measure, keys, label = figures.measure, figures.aggregate.by.names, about(met)
    if label is None or label in keys or not equal_values(met):
        raise PlanError("Only the values of a column that makes no groups are parts of them.")
    if measure.function is AggregateFunction.COUNT and measure.column is None:
        return rated(plan, met, percent)
    if measure.function not in ADDED_UP or measure.where is not None:
        raise PlanError("Only counts and sums are parts of a whole.")
    if any(not isinstance(step, Sort | Select) for step in figures.without()):
        raise PlanError("The part that is asked for is one of all groups.")
    if label in lacking and measure.function is AggregateFunction.SUM:
        return _part_of_sums(plan, met, percent)
    function = WindowFunction.PERCENT if percent else WindowFunction.SHARE
    name = figures.free(function.value)
    window = Window(name=name, function=function, column=Col(name=measure.name), by=Columns(names=keys))
    grouped = figures.aggregate.model_copy(update={"by": Columns(names=(*keys, label))})
    chart = plan.chart.model_copy(update={"y": name}) if plan.chart is not None and keys else None
    shown = (Select(columns=Columns(names=(*keys, label, measure.name, name))),) if _hides(figures.after) else ()
    return figures.built(
        (*figures.before, grouped, window, Filter(predicate=met), *_ordered(figures.after, measure.name, name), *shown),
        chart,
    )


def _hides(after: tuple[Step, ...]) -> bool:
    return any(isinstance(step, Select) for step in after)


def _ordered(after: tuple[Step, ...], figure: str, share: str) -> tuple[Step, ...]:
    """Return the orders of the groups, which the parts are put in where the figures were."""
    sorts = [step for step in after if isinstance(step, Sort)]
    return tuple(
        Sort(
            keys=tuple(
                key.model_copy(update={"column": share if key.column == figure else key.column}) for key in step.keys
            )
        )
        for step in sorts
    )


def portion_of_first(plan: Plan, percent: bool) -> Plan:
    """Say which part the first few groups of a plan have together; raises `PlanError` where it keeps no first few."""
    if not any(isinstance(step, Limit) for step in plan.steps):
        raise PlanError("There are no first few groups.")
    parts = shared(plan, percent, None, rate=False, narrowed=False)
    window = next(step for step in parts.steps if isinstance(step, Window))
    together = Measure(function=AggregateFunction.SUM, column=Col(name=window.name))
    steps = tuple(step for step in parts.steps if not isinstance(step, Select))
    return parts.with_steps((*steps, Aggregate(measures=(together,))))
