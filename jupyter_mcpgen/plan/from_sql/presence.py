"""Which values are there in every row, and which are where a condition holds."""

from __future__ import annotations

from typing import assert_never

from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Arithmetic,
    ArithmeticOp,
    Bin,
    Case,
    Col,
    Compare,
    DateName,
    DatePart,
    Expression,
    IsIn,
    IsMissing,
    Lit,
    Parse,
    Predicate,
    TextCall,
    TextMatch,
    TimeBetween,
    negate,
)
from jupyter_mcpgen.plan.ops import AggregateFunction, Measure, Window, WindowFunction

COUNTS = frozenset({AggregateFunction.COUNT, AggregateFunction.COUNT_DISTINCT})
_NEED_SEVERAL = frozenset(
    {AggregateFunction.STD, AggregateFunction.VAR, AggregateFunction.SKEW, AggregateFunction.KURT}
)


def is_present(value: Expression, present: frozenset[str]) -> bool:
    """Tell whether a value is there in every row, where the columns `present` are."""
    match value:
        case Col():
            return value.name in present
        case Lit():
            return True
        case Arithmetic():
            sides = is_present(value.left, present) and is_present(value.right, present)
            return sides and (value.op is not ArithmeticOp.DIVIDE or is_nonzero(value.right))
        case DatePart() | DateName() | TextCall():
            return value.operand.name in present
        case TimeBetween():
            return is_present(value.start, present) and is_present(value.end, present)
        case Case():
            for branch in value.branches:
                if not is_present(branch.value, present):
                    return False
                if isinstance(branch.condition, IsMissing) and not branch.condition.negated:
                    present |= {branch.condition.operand.name}  # where the condition fails, the value is there
            return value.otherwise is not None and is_present(value.otherwise, present)
        case Bin():
            return value.width is not None and value.operand.name in present
        case Parse():
            return False
        case _:
            assert_never(value)


def is_nonzero(value: Expression) -> bool:
    """Tell whether a value is a number other than zero."""
    return isinstance(value, Lit) and value.value not in (0, False)


def present_where(condition: Predicate) -> frozenset[str]:
    """Return the columns that have a value wherever a condition holds."""
    match condition:
        case Compare():
            return needed_by(condition.left) | needed_by(condition.right)
        case IsIn() | TextMatch():
            return frozenset({condition.operand.name})
        case IsMissing():
            return frozenset({condition.operand.name}) if condition.negated else frozenset()
        case All():
            return frozenset().union(*map(present_where, condition.terms))
        case AnyOf():
            first, *others = map(present_where, condition.terms)
            return first.intersection(*others)
        case _:
            assert_never(condition)


def not_holding(condition: Predicate, present: frozenset[str]) -> Predicate | None:
    """Return the condition that another one does not hold, whether it fails or is unknown; None where that is long."""
    missing = sorted(present_where(negate(condition)) - present)
    if isinstance(condition, IsMissing) or not (missing or may_be_unknown(condition, present)):
        return negate(condition)
    if isinstance(condition, All | AnyOf) or may_be_unknown(condition, present | frozenset(missing)):
        return None
    return AnyOf(terms=(negate(condition), *(IsMissing(operand=Col(name=name)) for name in missing)))


def may_be_unknown(condition: Predicate, present: frozenset[str]) -> bool:
    """Tell whether a condition may neither hold nor fail."""
    match condition:
        case Compare():
            return not (is_present(condition.left, present) and is_present(condition.right, present))
        case IsIn() | TextMatch():
            return condition.operand.name not in present
        case IsMissing():
            return False
        case All() | AnyOf():
            return any(may_be_unknown(term, present) for term in condition.terms)
        case _:
            assert_never(condition)


def needed_by(value: Expression) -> frozenset[str]:
    """Return the columns without which a value is missing."""
    match value:
        case Col():
            return frozenset({value.name})
        case Arithmetic():
            return needed_by(value.left) | needed_by(value.right)
        case DatePart() | DateName() | TextCall() | Bin() | Parse():
            return frozenset({value.operand.name})
        case TimeBetween():
            return needed_by(value.start) | needed_by(value.end)
        case Lit() | Case():
            return frozenset()
        case _:
            assert_never(value)


def always_has_value(measure: Measure, present: frozenset[str], *, grouped: bool) -> bool:
    """Tell whether a figure is never missing: counts, and what is taken of values that are all there."""
    if measure.function in COUNTS:
        return True
    if measure.function in _NEED_SEVERAL:
        return False
    return grouped and (measure.column is None or measure.column.name in present)


def has_value_everywhere(step: Window, present: frozenset[str]) -> bool:
    """Tell whether a comparison of rows is never missing."""
    if step.function in (WindowFunction.RANK, WindowFunction.RUNNING_TOTAL):
        return {step.column.name, *step.by.names} <= present
    return (
        step.function.is_figure
        and step.function is not WindowFunction.STD
        and ({step.column.name, *step.by.names} <= present)
    )
