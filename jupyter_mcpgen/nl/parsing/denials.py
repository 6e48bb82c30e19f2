"""How far a negation reaches: "excluding A and B" leaves out both, "not in A or B" is neither.

Two values of one column are one condition before they are denied; here the second condition is of another column.
"""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.predicates import about, both, equal_values, is_true, lists_values, opposite, says_no
from jupyter_mcpgen.plan.expressions import AnyOf, Col, IsMissing, Predicate, terms_of
from jupyter_mcpgen.plan.schema import ColumnType


def joined_by_and(left: m.Condition, right: m.Condition) -> tuple[m.Condition, ...]:
    """Return what two conditions of different columns may mean with "and" between them: one way, or several."""
    apart = m.Condition(both(left.predicate, right.predicate), denied=right.denied, led=right.led)
    if left.denied is None or right.denied is not None or _denies(right):
        return (apart,)
    neither = _neither(left, right)
    if neither is None:
        return ()  # what is joined behind a negation is joined from its left
    parallel = left.led and right.led
    if left.denied is m.Denied.LEFT_OUT:
        if isinstance(terms_of(left.predicate)[-1], IsMissing) and not equal_values(right.predicate):
            return (apart,)  # "without a coupon and rating above 3"
        return (neither,) if parallel or _is_bare(right) else (neither, apart)
    if left.led and not right.led and _is_bare(right):  # "not in the cup and north stand"
        not_both = m.Condition(AnyOf(terms=(left.predicate, opposite(right.predicate))))
        return (neither, apart, not_both)
    return (apart,)


def joined_by_or(left: m.Condition, right: m.Condition, joined: Predicate) -> tuple[m.Condition, ...]:
    """Return what two conditions of different columns may mean with "or" between them, where either may hold."""
    apart = m.Condition(joined, denied=right.denied, led=right.led)
    if left.denied is None or right.denied is not None or _denies(right):
        return (apart,)
    neither = _neither(left, right)
    if neither is None:
        return ()
    if left.denied is m.Denied.NOT and right.named and not left.led:
        return (apart,)  # "the stand is not A or the cup is B"
    surely = left.denied is m.Denied.LEFT_OUT or left.led or _is_bare(right)
    return (neither,) if surely else (neither, apart)  # "not shipped or in Europe"


def left_out_too(left: m.Condition, column: str, context: Context) -> m.Condition | None:
    """Return a condition that leaves rows out with those joined to it that say yes in a column, or anything."""
    if left.denied is not m.Denied.LEFT_OUT:
        return None
    if context.type_of(column) is ColumnType.BOOLEAN:
        without: Predicate = is_true(column, value=False)
    elif context.column(column).nulls and not says_no(column, context):
        without = IsMissing(operand=Col(name=column))
    else:
        return None
    return m.Condition(both(left.predicate, without), denied=left.denied, led=left.led)


def leaves_out(left: m.Condition, column: m.Column, context: Context) -> bool:
    """Tell whether a column joined to what is left out can be left out, too, also once its texts are read."""
    says = left.denied is m.Denied.LEFT_OUT and says_no(column.name, context)
    return says or left_out_too(left, column.name, context) is not None


def _denies(right: m.Condition) -> bool:
    """Tell whether the second of two conditions has a negation of its own."""
    return lists_values(right.predicate)


def _is_bare(right: m.Condition) -> bool:
    """Tell whether the second of two conditions is nothing but a value."""
    return equal_values(right.predicate) and not right.led


def _neither(left: m.Condition, right: m.Condition) -> m.Condition | None:
    """Return the denied condition with the other denied, too; None for one of several columns."""
    if about(right.predicate) is None:
        return None
    return m.Condition(both(left.predicate, opposite(right.predicate)), denied=left.denied, led=left.led)
