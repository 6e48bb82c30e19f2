"""The faults of values, conditions and measures: each node with one thing wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Arithmetic,
    ArithmeticOp,
    Bin,
    Case,
    Col,
    Compare,
    CompareOp,
    DateName,
    DatePart,
    DateUnit,
    IsIn,
    IsMissing,
    Lit,
    MatchMode,
    Predicate,
    TextCall,
    TextFunction,
    TextMatch,
    TimeBetween,
    TimeUnit,
    negate,
)
from jupyter_mcpgen.plan.fault_operators import Change, Operator, Scope
from jupyter_mcpgen.plan.neighbours import neighbours
from jupyter_mcpgen.plan.ops import AggregateFunction, Measure, Pivot, Rename, SortKey
from jupyter_mcpgen.plan.schema import Node

_SHIFTED = {
    CompareOp.LT: CompareOp.LE,
    CompareOp.LE: CompareOp.LT,
    CompareOp.GT: CompareOp.GE,
    CompareOp.GE: CompareOp.GT,
}
_OTHER_OPERATION = {
    ArithmeticOp.ADD: ArithmeticOp.SUBTRACT,
    ArithmeticOp.SUBTRACT: ArithmeticOp.ADD,
    ArithmeticOp.MULTIPLY: ArithmeticOp.DIVIDE,
    ArithmeticOp.DIVIDE: ArithmeticOp.MULTIPLY,
}
_ONE_WAY = (ArithmeticOp.SUBTRACT, ArithmeticOp.DIVIDE)
_PERIODS = (
    DateUnit.START_OF_YEAR,
    DateUnit.START_OF_QUARTER,
    DateUnit.START_OF_MONTH,
    DateUnit.START_OF_WEEK,
    DateUnit.START_OF_DAY,
)
_PARTS = (
    DateUnit.YEAR,
    DateUnit.QUARTER,
    DateUnit.MONTH,
    DateUnit.DAY,
    DateUnit.WEEKDAY,
    DateUnit.HOUR,
    DateUnit.MINUTE,
)
_TEXTS = (TextFunction.LOWER, TextFunction.UPPER, TextFunction.TRIM)
_CONDITIONAL = (AggregateFunction.COUNT, AggregateFunction.RATE, AggregateFunction.PERCENT)
_SCALED = {AggregateFunction.RATE: AggregateFunction.PERCENT, AggregateFunction.PERCENT: AggregateFunction.RATE}
_STEP = 0.05
_Unit = TypeVar("_Unit")


def changes_in(node: Node, scope: Scope) -> Iterator[Change]:
    """Yield a node with one fault in it, for every fault in it and in what it holds.

    What a measure is called stays: code that computes something else calls it what was asked for.
    """
    for change in _changes_within(node, scope):
        if isinstance(node, Measure) and isinstance(change.node, Measure) and change.node.name != node.name:
            yield Change(change.operator, change.node.model_copy(update={"label": node.name}), change.site)
        else:
            yield change


def _changes_within(node: Node, scope: Scope) -> Iterator[Change]:
    yield from _changes_of(node, scope)
    if isinstance(node, Rename):
        return
    for name in type(node).model_fields:
        value = getattr(node, name)
        if isinstance(node, Pivot) and name == "values":
            continue  # they are the names of columns
        if isinstance(value, Node):
            for change in changes_in(value, scope):
                yield change.below(name, node.model_copy(update={name: change.node}))
        elif isinstance(value, tuple):
            for place, item in enumerate(value):
                if isinstance(item, Node):
                    for change in changes_in(item, scope):
                        items = (*value[:place], change.node, *value[place + 1 :])
                        yield change.below(f"{name} {place + 1}", node.model_copy(update={name: items}))


def _changes_of(node: Node, scope: Scope) -> Iterator[Change]:
    """Yield the faults of a node itself."""
    match node:
        case Col():
            for other in scope.others(node.name):
                yield Change(Operator.COLUMN, Col(name=other))
        case Lit():
            for near in neighbours(node.value, node.type):
                yield Change(Operator.CONSTANT, Lit(value=near, type=node.type))
        case Compare() | IsIn() | TextMatch() | IsMissing():
            yield Change(Operator.NEGATED, negate(node))
            yield from _condition_changes(node)
        case All() | AnyOf():
            yield from _junction_changes(node)
        case Measure():
            yield from _measure_changes(node, scope)
        case SortKey():
            yield from _key_changes(node, scope)
        case Arithmetic():
            yield Change(Operator.ARITHMETIC, node.model_copy(update={"op": _OTHER_OPERATION[node.op]}))
            if node.op in _ONE_WAY:
                yield Change(Operator.EXCHANGED, node.model_copy(update={"left": node.right, "right": node.left}))
        case DatePart():
            for unit in _beside(_PERIODS if node.unit.is_period else _PARTS, node.unit):
                yield Change(Operator.DATE_PART, node.model_copy(update={"unit": unit}))
        case DateName():
            other_unit = DateUnit.MONTH if node.unit is DateUnit.WEEKDAY else DateUnit.WEEKDAY
            yield Change(Operator.DATE_PART, node.model_copy(update={"unit": other_unit}))
        case TimeBetween():
            for length in _beside(tuple(TimeUnit), node.unit):
                yield Change(Operator.TIME_UNIT, node.model_copy(update={"unit": length}))
            yield Change(Operator.EXCHANGED, node.model_copy(update={"start": node.end, "end": node.start}))
        case TextCall() if node.function in _TEXTS:
            for function in _TEXTS:
                if function is not node.function:
                    yield Change(Operator.TEXT_FUNCTION, node.model_copy(update={"function": function}))
        case Bin():
            sizes = {"width": node.width + 1} if node.width is not None else {"count": (node.count or 1) + 1}
            yield Change(Operator.INTERVALS, node.model_copy(update={**sizes, "parameter": None}))
        case Case():
            yield from _case_changes(node)


def _beside(units: tuple[_Unit, ...], unit: _Unit) -> Iterator[_Unit]:
    """Yield the next coarser and the next finer of some units."""
    place = units.index(unit)
    yield from units[max(0, place - 1) : place]
    yield from units[place + 1 : place + 2]


def _condition_changes(node: Compare | IsIn | TextMatch | IsMissing) -> Iterator[Change]:
    match node:
        case Compare(op=op) if op in _SHIFTED:
            yield Change(Operator.BOUND, node.model_copy(update={"op": _SHIFTED[op]}))
        case Compare(op=CompareOp.NE, left=Col() as column):
            yield _with_missing(node, column)
        case IsIn():
            if node.negated:
                yield _with_missing(node, node.operand)
            for place in range(len(node.values) if len(node.values) > 1 else 0):
                values = (*node.values[:place], *node.values[place + 1 :])
                yield Change(Operator.VALUE_DROPPED, node.model_copy(update={"values": values, "parameter": None}))
        case TextMatch():
            if node.negated:
                yield _with_missing(node, node.operand)
            for mode in MatchMode:
                if mode is not node.mode:
                    yield Change(Operator.TEXT_MATCH, node.model_copy(update={"mode": mode}))
        case _:
            return


def _with_missing(node: Predicate, column: Col) -> Change:
    """Return a condition that rows without a value meet as well, as `!=` of pandas lets them."""
    return Change(Operator.MISSING_KEPT, AnyOf(terms=(node, IsMissing(operand=column))))


def _junction_changes(node: All | AnyOf) -> Iterator[Change]:
    if len(node.terms) == 1:
        return
    yield Change(Operator.AND_OR, AnyOf(terms=node.terms) if isinstance(node, All) else All(terms=node.terms))
    for place in range(len(node.terms)):
        terms = (*node.terms[:place], *node.terms[place + 1 :])
        yield Change(Operator.CONDITION_DROPPED, terms[0] if len(terms) == 1 else type(node)(terms=terms))


def _measure_changes(node: Measure, scope: Scope) -> Iterator[Change]:
    """Yield a measure with another function, or of other rows."""
    if node.where is not None:
        for function in _CONDITIONAL:
            if function is not node.function:
                is_scale = _SCALED.get(node.function) is function
                yield _with_function(Operator.SCALE if is_scale else Operator.STATISTIC, node, function)
        if node.function is AggregateFunction.COUNT:
            yield Change(Operator.CONDITION_DROPPED, node.model_copy(update={"where": None}))
    elif node.column is None:
        yield from _counts_of_columns(node, scope)
    else:
        for function in AggregateFunction:
            if function not in (node.function, AggregateFunction.QUANTILE, *_SCALED):
                yield _with_function(Operator.STATISTIC, node, function)
        if node.function is AggregateFunction.COUNT:
            yield Change(Operator.MISSING_COUNTED, node.model_copy(update={"column": None}))
        for fraction in () if node.fraction is None else (node.fraction - _STEP, node.fraction + _STEP):
            if 0 < fraction < 1:
                yield Change(Operator.FRACTION, node.model_copy(update={"fraction": fraction}))


def _counts_of_columns(node: Measure, scope: Scope) -> Iterator[Change]:
    """Yield a count of rows that looks at the values of a column."""
    number = scope.first_number()
    if number is not None:
        summed = {"function": AggregateFunction.SUM, "column": Col(name=number)}
        yield Change(Operator.STATISTIC, node.model_copy(update=summed))
    for name in [name for name in scope.schema.names if name in scope.read][:1]:
        if name not in scope.present:
            yield Change(Operator.MISSING_COUNTED, node.model_copy(update={"column": Col(name=name)}))
        distinct = {"function": AggregateFunction.COUNT_DISTINCT, "column": Col(name=name)}
        yield Change(Operator.STATISTIC, node.model_copy(update=distinct))


def _with_function(operator: Operator, node: Measure, function: AggregateFunction) -> Change:
    return Change(operator, node.model_copy(update={"function": function, "fraction": None}))


def _key_changes(node: SortKey, scope: Scope) -> Iterator[Change]:
    yield Change(Operator.ORDER, node.model_copy(update={"descending": not node.descending}))
    if node.order:
        yield Change(Operator.ORDER, node.model_copy(update={"order": ()}))
        return
    for other in scope.names_beside(node.column):
        yield Change(Operator.ORDER, node.model_copy(update={"column": other, "parameter": None}))


def _case_changes(node: Case) -> Iterator[Change]:
    if len(node.branches) > 1:
        yield Change(Operator.BRANCH, node.model_copy(update={"branches": tuple(reversed(node.branches))}))
        for place in range(len(node.branches)):
            branches = (*node.branches[:place], *node.branches[place + 1 :])
            yield Change(Operator.BRANCH, node.model_copy(update={"branches": branches}))
    if node.otherwise is not None:
        yield Change(Operator.BRANCH, node.model_copy(update={"otherwise": None}))
