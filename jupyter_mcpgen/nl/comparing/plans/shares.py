"""Plans that say figures as parts of a whole: shares of a total, and how many rows meet a condition."""

from __future__ import annotations

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.comparing.plans.figures import ADDED_UP, Figures, figures_of, redrawn, renamed, showing
from jupyter_mcpgen.nl.predicates import about, equal_values
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import All, Col, Columns, Predicate
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Filter,
    Measure,
    Step,
    Window,
    WindowFunction,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType


def shared(plan: Plan, percent: bool, within: str | None, rate: bool, narrowed: bool) -> Plan:
    """Say each figure as a part of the whole; of rows that meet a condition, how many of all do.

    With groups and a condition, `rate` asks how many of each group meet it, else how the ones that do are spread.
    """
    figures = figures_of(plan)
    measure = figures.measure
    if measure.function not in ADDED_UP or measure.where is not None:
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
    if measure.function is AggregateFunction.COUNT and not counts:
        raise PlanError("A count of the values of a column is no total to have a part of.")
    grouped = figures.aggregate.model_copy(update={"by": Columns(names=(name,))})
    whole = _of_groups(figures, others, grouped, percent, ())
    return figures.built((*whole.steps, Filter(predicate=met)), None)


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


def _is_dated(predicate: Predicate, figures: Figures) -> bool:
    schema = figures.plan.source_schema
    return any(schema.type_of(name) is ColumnType.DATE for name in names_in(predicate) if name in schema.names)


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
