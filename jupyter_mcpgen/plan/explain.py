"""Which rows stand behind a figure: the condition that a row of the result puts on the rows of the source."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.plan.check import period_of
from jupyter_mcpgen.plan.expressions import All, Col, Columns, Compare, CompareOp, IsMissing, Lit, Predicate
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Derive,
    Filter,
    Measure,
    Pivot,
    Rename,
    Resample,
    Select,
    Step,
    Window,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Schema
from jupyter_mcpgen.plan.sources import Summary


def rows_behind(plan: Plan, row: Mapping[str, object], column: str | None = None) -> Plan:
    """Return the plan of the source's rows that a row of the result, or one of its cells, was computed from.

    `row` holds the row's values by column name, None for a missing one. A figure of a second table beside the rows of
    the first has rows of that second table: their plan is over it alone. Raises `PlanError` where a figure has no rows
    of its own.
    """
    if isinstance(plan.second, Summary) and not _makes_figures(plan):
        return _rows_of_second(plan, plan.second, row, column)
    place = _place(plan)
    step = plan.steps[place]
    before: tuple[Step, ...] = plan.steps[:place]
    if isinstance(step, Resample):
        before = (*before, period_of(step))
    seen = plan.with_steps(before).result_schema
    predicates = [*_of_keys(plan, place, row, seen), *_of_cell(plan, place, column, seen)]
    shown = Select(columns=Columns(names=tuple(name for name in plan.table_schema.names if name in seen.names)))
    kept = (Filter(predicate=All(terms=tuple(predicates))),) if predicates else ()
    return plan.with_steps((*before, *kept, shown))


def has_rows_behind(plan: Plan) -> bool:
    """Tell whether the rows of the result were computed from several rows of the source."""
    return isinstance(plan.second, Summary) or _makes_figures(plan)


def _makes_figures(plan: Plan) -> bool:
    return any(isinstance(step, Aggregate | Resample | Pivot) for step in plan.steps)


def _rows_of_second(plan: Plan, second: Summary, row: Mapping[str, object], column: str | None) -> Plan:
    """Return the plan of the second table's rows that have the keys of a row, and what a figure counts of them."""
    called = _called(plan, -1)
    figures = {called.get(figure.name, figure.name): figure for figure in second.figures}
    made = {step.name for step in plan.steps if isinstance(step, Derive | Window)}
    if column is not None and (column not in figures or column in made):
        plan.result_schema.type_of(column)  # refuses a name that the result does not have
        raise PlanError(f"`{column}` is a value of the row itself: only figures of `{second.other}` have rows behind.")
    predicates: list[Predicate] = []
    for pair in second.keys:
        name, key = called.get(pair.first.name, pair.first.name), pair.second.name
        if name not in row or name in made:
            raise PlanError(f"The result does not show `{pair.first.name}`, by which rows of `{second.other}` match.")
        value = row[name]
        predicates.append(IsMissing(operand=Col(name=key), negated=True))  # a missing key matches nothing
        predicates.append(_equals(key, value, second.other_schema))
    predicates += _of_measure(figures[column]) if column is not None else []
    shown = Select(columns=Columns(names=second.other_schema.names))
    kept = Filter(predicate=All(terms=tuple(predicates)))
    return Plan(source=second.other, source_schema=second.other_schema, steps=(kept, shown))


def _place(plan: Plan) -> int:
    places = [place for place, step in enumerate(plan.steps) if isinstance(step, Aggregate | Resample | Pivot)]
    if not places:
        raise PlanError("Every row of this result is a row of the table itself, so nothing else stands behind it.")
    return places[0]


def _of_keys(plan: Plan, place: int, row: Mapping[str, object], seen: Schema) -> list[Predicate]:
    """Return that the group's values are those of the row; a key that the result does not show says nothing more."""
    shown = _called(plan, place)
    again = any(isinstance(step, Aggregate | Resample | Pivot) for step in plan.steps[place + 1 :])
    if again:
        return []
    return [
        _equals(key, row[shown.get(key, key)], seen) for key in _keys(plan.steps[place]) if shown.get(key, key) in row
    ]


def _keys(step: Step) -> tuple[str, ...]:
    match step:
        case Resample():
            return (step.name, *step.by.names)
        case Aggregate() | Pivot():
            return step.by.names
        case _:
            return ()


def _called(plan: Plan, place: int) -> dict[str, str]:
    """Return what the columns of the figures are called in the result, where they were renamed."""
    called: dict[str, str] = {}
    for step in plan.steps[place + 1 :]:
        if isinstance(step, Rename):
            first = next((old for old, new in called.items() if new == step.column.name), step.column.name)
            called[first] = step.name
    return called


def _of_cell(plan: Plan, place: int, column: str | None, seen: Schema) -> list[Predicate]:
    """Return what only a cell's own rows meet: the value of its column, a counted condition, a value that is there."""
    if column is None:
        return []
    plan.result_schema.type_of(column)  # refuses a name that the result does not have
    step = plan.steps[place]
    names = {new: old for old, new in _called(plan, place).items()}
    name = names.get(column, column)
    if isinstance(step, Pivot):
        values = dict(zip(step.names, step.values, strict=True))
        own = [_equals(step.column.name, values[name].value, seen)] if name in values else []
        return [*own, *_of_measure(step.measure)] if own else []
    if isinstance(step, Aggregate | Resample):
        measure = next((measure for measure in step.measures if measure.name == name), None)
        return _of_measure(measure) if measure is not None else []
    return []


def _of_measure(measure: Measure) -> list[Predicate]:
    if measure.where is not None:
        return [measure.where] if measure.function is AggregateFunction.COUNT else []
    return [] if measure.column is None else [IsMissing(operand=Col(name=measure.column.name), negated=True)]


def _equals(name: str, value: object, schema: Schema) -> Predicate:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return IsMissing(operand=Col(name=name))
    literal = Lit(value=_constant(value), type=schema.type_of(name))
    return Compare(op=CompareOp.EQ, left=Col(name=name), right=literal)


def _constant(value: object) -> bool | int | float | str:
    """Return a value of a table as a constant of a plan."""
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="microseconds" if value.microsecond else "seconds")
    plain = value.item() if hasattr(value, "item") else value
    if isinstance(plain, float) and not math.isfinite(plain):
        raise PlanError(f"`{plain}` is no number that rows can be found by.")
    return plain if isinstance(plain, bool | int | float) else str(plain)
