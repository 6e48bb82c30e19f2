"""The parts of a plan that a person can change one by one: columns, values, calculations, comparisons, order, limit.

Columns, values and limits are the slots that a tool's parameters fill (`plan.shape`); the others are named here. A
changed plan is checked like any other, and steps after the change follow it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar, assert_never, cast

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Col,
    Columns,
    Compare,
    CompareOp,
    DateUnit,
    IsIn,
    Lit,
    Predicate,
    TextMatch,
)
from jupyter_mcpgen.plan.ops import (
    FIGURES,
    Aggregate,
    AggregateFunction,
    Derive,
    Filter,
    Limit,
    Measure,
    Rename,
    Select,
    Sort,
    SortKey,
    Step,
    TopPerGroup,
)
from jupyter_mcpgen.plan.periods import PERIODS, period_in, with_period
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Node
from jupyter_mcpgen.plan.shape import followed, generalise
from jupyter_mcpgen.plan.slots import Parameter, rebuilt
from jupyter_mcpgen.plan.sources import Second

E = TypeVar("E", AggregateFunction, CompareOp, DateUnit)
MEASURED = "measured_column"
"""The key of a column that is calculated with and that a step before has made, such as numbers read from texts."""
GROUPS = "group_by_columns"
"""The key of the columns that an aggregation groups by."""


class PartKind(StrEnum):
    """What stands in a part."""

    COLUMN = "column"
    COLUMNS = "columns"
    VALUE = "value"
    VALUES = "values"
    CALCULATION = "calculation"
    PERIOD = "period"
    COMPARISON = "comparison"
    ORDER = "order"
    LIMIT = "limit"


@dataclass(frozen=True)
class Part:
    """One part: its key in the plan, what stands in it, and the column whose values may stand in it.

    A part that `may_go` can be taken out of the plan, by changing it to nothing.
    """

    key: str
    kind: PartKind
    value: tuple[Any, ...]
    type: str = "str"
    about: str | None = None
    may_go: bool = False

    @property
    def value_type(self) -> str:
        """The Python type of each value in it."""
        return self.type.removeprefix("Sequence[").removesuffix("]")


_CALCULATIONS = (
    *(AggregateFunction.SUM, AggregateFunction.MEAN, AggregateFunction.MEDIAN, AggregateFunction.MIN),
    *(AggregateFunction.MAX, AggregateFunction.COUNT_DISTINCT, AggregateFunction.STD),
)
"""What is offered in place of another calculation; all of them take one column and nothing else."""
LARGEST, SMALLEST = "largest first", "smallest first"


def parts_of(plan: Plan) -> tuple[Part, ...]:
    """Return the parts of a plan in reading order."""
    shape = generalise(plan)
    known = {parameter.name: parameter for parameter in shape.parameters}
    found: dict[str, Part] = {}
    order = order_at_end(plan)
    # one order of several is not taken out alone
    unordered = order is not None and sum(len(s.keys) for s in plan.steps if isinstance(s, Sort)) == 1
    for step in (*([shape.plan.second] if shape.plan.second is not None else []), *shape.plan.steps):
        for part in _Looking(known, found, may_be_unordered=unordered).parts(step, in_filter=isinstance(step, Filter)):
            found.setdefault(part.key, part)
    return tuple(found.values())


def order_at_end(plan: Plan) -> Sort | None:
    """Return the order of the result, if a plan gives it one and nothing after that looks at the places of rows."""
    last = next((step for step in reversed(plan.steps) if not isinstance(step, Select | Rename)), None)
    return last if isinstance(last, Sort) else None


class _Looking:
    """Finds the parts in one step after another; equal kinds are numbered through all of them."""

    def __init__(self, known: dict[str, Parameter], found: dict[str, Part], *, may_be_unordered: bool) -> None:
        self._known = known
        self._found = found
        self._may_be_unordered = may_be_unordered

    def parts(self, node: Node, *, in_filter: bool) -> Iterator[Part]:
        match node:
            case Compare():
                yield from self.parts(node.left, in_filter=in_filter)
                about = node.left.name if isinstance(node.left, Col) else None
                yield Part(self._next(PartKind.COMPARISON), PartKind.COMPARISON, (node.op.value,), may_go=in_filter)
                yield from (
                    self._slot(node.right, about)
                    if isinstance(node.right, Lit)
                    else self.parts(node.right, in_filter=in_filter)
                )
                return
            case IsIn():
                yield from self._slot(node.operand)
                yield from self._slot(node, node.operand.name)
                return
            case TextMatch():
                yield from self._slot(node.operand)
                yield from self._slot(node.text)
                return
            case Measure(column=Col() as column, label=None, fraction=None, where=None):
                calculation = self._next(PartKind.CALCULATION)
                yield Part(calculation, PartKind.CALCULATION, (node.function.value,))
                if column.parameter is None:
                    key = calculation.replace(PartKind.CALCULATION, MEASURED)
                    yield Part(key, PartKind.COLUMN, (column.name,))
            case Aggregate() if node.by.parameter is not None or not node.by.names:
                for measure in node.measures:
                    yield from self.parts(measure, in_filter=in_filter)
                yield Part(node.by.parameter or GROUPS, PartKind.COLUMNS, node.by.names, "Sequence[str]", may_go=True)
                return
            case _:
                pass
        if (period := period_in(node)) is not None:
            yield Part(self._next(PartKind.PERIOD), PartKind.PERIOD, (period.value,))
        yield from self._slot(node)
        for child in _children(node):
            yield from self.parts(child, in_filter=in_filter)
        if isinstance(node, SortKey) and not node.order:
            order = LARGEST if node.descending else SMALLEST
            yield Part(self._next(PartKind.ORDER), PartKind.ORDER, (order,), may_go=self._may_be_unordered)

    def _next(self, kind: PartKind) -> str:
        number = 1 + sum(part.kind is kind for part in self._found.values())
        return _key(kind, number)

    def _slot(self, node: Node, about: str | None = None) -> Iterator[Part]:
        parameter = self._known.get(getattr(node, "parameter", None) or "")
        if parameter is None:
            return
        default = parameter.default
        value = default if isinstance(default, tuple) else (default,)
        match node:
            case Columns():
                kind = PartKind.COLUMNS
            case Limit() | TopPerGroup():
                kind = PartKind.LIMIT
            case _ if parameter.is_column:
                kind = PartKind.COLUMN
            case _:
                kind = PartKind.VALUES if isinstance(default, tuple) else PartKind.VALUE
        yield Part(parameter.name, kind, value, parameter.type, about, may_go=isinstance(node, Limit))


def changed(plan: Plan, key: str, values: Sequence[Any]) -> Plan:
    """Return a plan with other values in one of its parts, or without the part where there are none.

    A chart that the change leaves without its columns goes. Raises `PlanError` where the values do not fit.
    """
    part = next((each for each in parts_of(plan) if each.key == key), None)
    if part is None:
        raise PlanError(f"There is no part `{key}` to change. Parts: {', '.join(p.key for p in parts_of(plan))}.")
    if not values and not part.may_go:
        raise PlanError(f"`{key}` must have a value.")
    match part.kind:
        case PartKind.LIMIT if not values:
            return plan.with_steps(tuple(step for step in plan.steps if not isinstance(step, Limit)), plan.chart)
        case PartKind.COMPARISON if not values:
            return _without_condition(plan, _number_in(key))
        case PartKind.COLUMNS if part.may_go:
            return _grouped(plan, key, tuple(map(str, values)))
        case PartKind.CALCULATION:
            return _replaced(plan, Measure, _number_in(key), {"function": _one_of(AggregateFunction, values)})
        case PartKind.PERIOD:
            return with_period(plan, _number_in(key), _one_of(DateUnit, values))
        case PartKind.COMPARISON:
            return _replaced(plan, Compare, _number_in(key), {"op": _one_of(CompareOp, values)})
        case PartKind.COLUMN if key.startswith(MEASURED):
            return _without_unused(
                _replaced(plan, Measure, _number_in(key.removeprefix(MEASURED)), {"column": Col(name=str(values[0]))})
            )
        case PartKind.ORDER if not values:
            return plan.with_steps(tuple(step for step in plan.steps if not isinstance(step, Sort)), plan.chart)
        case PartKind.ORDER:
            return _replaced(plan, SortKey, _number_in(key), {"descending": values[0] == LARGEST})
        case _:
            several = part.kind in (PartKind.COLUMNS, PartKind.VALUES)
            return _bare(generalise(plan).bind({key: list(values) if several else values[0]}))


def choices_for(plan: Plan, part: Part) -> tuple[str, ...]:
    """Return what may stand in a part, as far as the plan says it: columns, calculations, comparisons and orders."""
    columns = plan.table_schema.names
    match part.kind:
        case PartKind.COLUMN:
            return tuple(name for name in columns if _can_be(plan, part.key, (name,)))
        case PartKind.COLUMNS:
            return tuple(name for name in columns if name in part.value or _can_be(plan, part.key, (name,)))
        case PartKind.CALCULATION:
            return tuple(each.value for each in _CALCULATIONS if _can_be(plan, part.key, (each.value,)))
        case PartKind.COMPARISON:
            return tuple(each.value for each in CompareOp if _can_be(plan, part.key, (each.value,)))
        case PartKind.PERIOD:
            return tuple(unit.value for unit in PERIODS if _can_be(plan, part.key, (unit.value,)))
        case PartKind.ORDER:
            return (LARGEST, SMALLEST)
        case PartKind.VALUE | PartKind.VALUES | PartKind.LIMIT:
            return ()
        case _:
            assert_never(part.kind)


def _can_be(plan: Plan, key: str, values: Sequence[str]) -> bool:
    try:
        changed(plan, key, values)
    except PlanError:
        return False
    return True


def _key(kind: PartKind, number: int) -> str:
    return kind.value if number == 1 else f"{kind.value}_{number}"


def _number_in(key: str) -> int:
    found = re.search(r"_(\d+)$", key)
    return int(found[1]) if found else 1


def _one_of(kind: type[E], values: Sequence[Any]) -> E:
    try:
        return kind(values[0])
    except ValueError as error:
        raise PlanError(f"`{values[0]}` is none of {', '.join(f'`{each.value}`' for each in kind)}.") from error


def _replaced(plan: Plan, kind: type[Node], number: int, update: Mapping[str, Any]) -> Plan:
    """Return a plan with the part of that number changed, counted as `parts_of` counts."""
    seen = 0

    def change(node: Node) -> Node:
        nonlocal seen
        if not isinstance(node, kind) or not _counts(node):
            return node
        seen += 1
        return node.model_copy(update=dict(update)) if seen == number else node

    return _replanned(plan, tuple(cast("Step", rebuilt(step, change)) for step in plan.steps))


def _counts(node: Node) -> bool:
    match node:
        case Measure():
            return node.column is not None and node.label is None and node.fraction is None and node.where is None
        case SortKey():
            return not node.order
        case _:
            return True


def _grouped(plan: Plan, key: str, names: tuple[str, ...]) -> Plan:
    """Return a plan that groups by other columns. Without any there is one row: nothing to order or to leave out.

    A chart stays only where it has as many columns to draw by as before.
    """
    named = generalise(plan).plan.steps
    place = next(p for p, step in enumerate(named) if _has_groups(step, key))
    before = cast("Aggregate", plan.steps[place])
    steps = (*plan.steps[:place], before.model_copy(update={"by": Columns(names=names)}), *plan.steps[place + 1 :])
    if not names:
        rest = tuple(step for step in steps[place + 1 :] if not isinstance(step, Sort | Limit | TopPerGroup))
        return plan.with_steps((*steps[: place + 1], *rest))
    grouped = _replanned(plan, steps)
    return grouped if len(names) == len(before.by.names) else grouped.with_steps(grouped.steps)


def _has_groups(step: Step, key: str) -> bool:
    return isinstance(step, Aggregate) and (step.by.parameter == key or (key == GROUPS and not step.by.names))


def _replanned(plan: Plan, steps: tuple[Step, ...]) -> Plan:
    following, chart = followed(plan, steps)
    return plan.tried(following, chart) or plan.with_steps(following)


def _without_unused(plan: Plan) -> Plan:
    """Return a plan without the columns that it makes for nothing, before its rows become figures."""
    place = next((place for place, step in enumerate(plan.steps) if isinstance(step, FIGURES)), 0)
    until = plan.steps[: place + 1]

    def is_used(step: Step) -> bool:
        others = (other for other in until if other is not step)
        return not isinstance(step, Derive) or any(step.name in names_in(other) for other in others)

    return plan.with_steps((*filter(is_used, until[:-1]), *plan.steps[place:]), plan.chart)


def _without_condition(plan: Plan, number: int) -> Plan:
    """Return a plan without one of its comparisons, and without the filter where that was its only condition."""
    seen = 0

    def left_of(predicate: Predicate) -> Predicate | None:
        nonlocal seen
        match predicate:
            case Compare():
                seen += 1
                return None if seen == number else predicate
            case All() | AnyOf():
                terms = tuple(left for term in predicate.terms if (left := left_of(term)) is not None)
                return terms[0] if len(terms) == 1 else type(predicate)(terms=terms) if terms else None
            case _:
                return predicate

    steps: list[Step] = []
    for step in plan.steps:
        if isinstance(step, Filter):
            predicate = left_of(step.predicate)
            steps += [] if predicate is None else [Filter(predicate=predicate)]
        else:
            seen += sum(1 for node in _nodes_in(step) if isinstance(node, Compare))
            steps.append(step)
    return plan.with_steps(tuple(steps), plan.chart)


def _nodes_in(node: Node) -> Iterator[Node]:
    yield node
    for child in _children(node):
        yield from _nodes_in(child)


def _children(node: Node) -> Iterator[Node]:
    """Yield the nodes in a node in reading order: what is grouped by is said last."""
    for name in sorted(type(node).model_fields, key=lambda name: name == "by"):
        value = getattr(node, name)
        yield from (child for child in (value if isinstance(value, tuple) else (value,)) if isinstance(child, Node))


def _bare(plan: Plan) -> Plan:
    """Return a plan whose slots have no names, as a plan that was read has none."""

    def bare(node: Node) -> Node:
        return node.model_copy(update={"parameter": None}) if getattr(node, "parameter", None) else node

    second = None if plan.second is None else cast("Second", rebuilt(plan.second, bare))
    steps = tuple(cast("Step", rebuilt(step, bare)) for step in plan.steps)
    return Plan(source=plan.source, source_schema=plan.source_schema, second=second, steps=steps, chart=plan.chart)
