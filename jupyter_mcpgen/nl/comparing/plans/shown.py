"""Conditions on what is shown of compared figures: "the moving average in June" needs the months before June, too."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.predicates import about
from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Col,
    Compare,
    CompareOp,
    DatePart,
    DateUnit,
    Lit,
    Predicate,
    terms_of,
)
from jupyter_mcpgen.plan.ops import Aggregate, Derive, Filter, Resample, Step, Window
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Node
from jupyter_mcpgen.plan.slots import rebuilt

_Key = tuple[str, DateUnit | None]
"""What figures are grouped by, and of which periods it is."""
_MONTHS = {DateUnit.START_OF_MONTH: 1, DateUnit.START_OF_QUARTER: 3, DateUnit.START_OF_YEAR: 12}
_DAYS = {DateUnit.START_OF_DAY: 1, DateUnit.START_OF_WEEK: 7}
_HOLDS = {DateUnit.YEAR: 12, DateUnit.QUARTER: 3, DateUnit.MONTH: 1}
"""How many months a period may have that lies in one such part of a year."""


def with_conditions_after(plan: Plan) -> Plan:
    """Return a plan whose conditions on the compared groups come after the comparison, and those on rows before it.

    What looks at the periods before is shown for those that are named. A total so far, a place and a share are of the
    named groups, unless one alone is named, which would always be the first of itself, and the whole. Raises
    `PlanError` for a part of a period.
    """
    steps = plan.steps
    last = max((place for place, step in enumerate(steps) if isinstance(step, Window)), default=-1)
    first = next((place for place, step in enumerate(steps[:last]) if isinstance(step, Aggregate | Resample)), last)
    windows = [step for step in steps[first:] if isinstance(step, Window)]
    if first == last or any(isinstance(step, Aggregate | Resample | Filter) for step in steps[first + 1 : last]):
        return plan
    keys, before, moved = _keys(steps[:first], steps[first]), list[Step](), list[Predicate]()
    for step in steps[:first]:
        terms = terms_of(step.predicate) if isinstance(step, Filter) else ()
        shown = [term for name in keys for term in _shown(name, keys, terms, windows)]
        moved += [_said_of(term, {name: key for name, (key, _) in keys.items()}) for term in shown]
        before += _filter([term for term in terms if term not in shown]) if terms else [step]
    made = (*before, *steps[first : last + 1], *_filter(moved), *steps[last + 1 :])
    return plan.with_steps(made, plan.chart) if moved else plan


def with_conditions_before(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the steps of a plan with the conditions on its compared groups as conditions on its rows."""
    first = next((place for place, step in enumerate(steps) if isinstance(step, Aggregate | Resample)), len(steps) - 1)
    keys = {key: name for name, (key, _) in _keys(steps[:first], steps[first]).items()} if steps else {}
    after = [step for step in steps[first:] if isinstance(step, Filter) and about(step.predicate) in keys]
    return (*_filter([_said_of(step.predicate, keys) for step in after]), *(s for s in steps if s not in after))


def _filter(terms: Iterable[Predicate]) -> list[Step]:
    flat = tuple(term for each in terms for term in terms_of(each))
    return [Filter(predicate=flat[0] if len(flat) == 1 else All(terms=flat))] if flat else []


def _said_of(predicate: Predicate, names: Mapping[str, str]) -> Predicate:
    """Return a condition on other columns."""

    def renamed(node: Node) -> Node:
        return Col(name=names.get(node.name, node.name)) if isinstance(node, Col) else node

    return rebuilt(predicate, renamed)  # type: ignore[return-value]  # a copy is of the same kind


def _keys(before: tuple[Step, ...], figures: Step) -> Mapping[str, _Key]:
    """Return what figures are grouped by, by the column of the rows that tells it."""
    parts = {step.name: step.expression for step in before if isinstance(step, Derive)}
    keys: dict[str, _Key] = {}
    if isinstance(figures, Resample):
        keys[figures.date.name] = (figures.name, figures.unit)
    for name in figures.by.names if isinstance(figures, Aggregate | Resample) else ():
        part = parts.get(name)
        keys[part.operand.name if isinstance(part, DatePart) else name] = (
            name,
            part.unit if isinstance(part, DatePart) else None,
        )
    return keys


def _shown(
    name: str, keys: Mapping[str, _Key], terms: Sequence[Predicate], windows: Sequence[Window]
) -> list[Predicate]:
    """Return the conditions on a column that say which groups are shown; the others say which rows are used."""
    key, unit = keys[name]
    own = [term for term in terms if about(term) == name]
    if any(key in window.by.names for window in windows) or not own:
        return []
    in_turn = unit is not None or any(w.order is not None and w.order.column == key for w in windows)
    if not any(window.function.has_size for window in windows):
        return own if len(keys) == 1 and _is_one(own, unit) else []
    return [term for term in own if in_turn and _is_of_periods(term, unit)]


def _is_one(terms: Sequence[Predicate], unit: DateUnit | None) -> bool:
    """Tell whether conditions leave one group: a value, or a stretch of one period."""
    match terms:
        case (Compare(op=CompareOp.EQ, left=Col(), right=Lit()),):
            return unit is None
        case (
            Compare(op=CompareOp.GE, right=Lit(value=str() as start)),
            Compare(op=CompareOp.LT, right=Lit(value=str() as end)),
        ) if unit is not None:
            first, after = dt.datetime.fromisoformat(start), dt.datetime.fromisoformat(end)
            months = (after.year - first.year) * 12 + after.month - first.month
            whole = _begins(start, unit) and _begins(end, unit)
            return whole and (months == _MONTHS[unit] if unit in _MONTHS else (after - first).days == _DAYS.get(unit))
        case _:
            return False


def _is_of_periods(term: Predicate, unit: DateUnit | None) -> bool:
    """Tell whether a condition chooses among whole periods; raises `PlanError` where it parts one."""
    match term:
        case AnyOf(terms=terms) | All(terms=terms):
            return unit is not None and all(_is_of_periods(one, unit) for one in terms)
        case Compare(left=DatePart(unit=part)):
            return unit in _MONTHS and _HOLDS.get(part, 0) >= _MONTHS[unit]
        case Compare(op=op, left=Col(), right=Lit(value=str() as edge)) if unit is not None:
            if op not in (CompareOp.GE, CompareOp.LT) or not _begins(edge, unit):
                raise PlanError("A part of a period is not compared with the one before.")
            return True
        case _:
            return unit is None and isinstance(term, Compare)


def _begins(edge: str, unit: DateUnit) -> bool:
    """Tell whether a period begins at a moment; a week is of the month in which it begins."""
    moment = dt.datetime.fromisoformat(edge)
    day = moment == dt.datetime.combine(moment.date(), dt.time())
    return day and (unit not in _MONTHS or (moment.day == 1 and (moment.month - 1) % _MONTHS[unit] == 0))
