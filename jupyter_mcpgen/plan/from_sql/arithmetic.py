"""Reads numbers combined with each other: the four operations, shares of a total, changes since another row."""

from __future__ import annotations

import math

from sqlglot import exp

from jupyter_mcpgen.plan.expressions import (
    Arithmetic,
    ArithmeticOp,
    Bin,
    Case,
    Col,
    Columns,
    Compare,
    CompareOp,
    Expression,
    Lit,
    TimeBetween,
    TimeUnit,
    When,
)
from jupyter_mcpgen.plan.from_sql.nodes import Read, integer, quoted, stripped
from jupyter_mcpgen.plan.from_sql.rows import Rows, missing_group
from jupyter_mcpgen.plan.from_sql.symbols import Symbol, Total, settle
from jupyter_mcpgen.plan.from_sql.unread import CannotHold
from jupyter_mcpgen.plan.ops import Window, WindowFunction
from jupyter_mcpgen.plan.schema import ColumnType

_OPERATIONS: dict[type[exp.Expr], ArithmeticOp] = {
    exp.Add: ArithmeticOp.ADD,
    exp.Sub: ArithmeticOp.SUBTRACT,
    exp.Mul: ArithmeticOp.MULTIPLY,
    exp.Div: ArithmeticOp.DIVIDE,
}
_HUNDRED = 100
_MICROSECONDS = 1_000_000


def read_arithmetic(node: exp.Add | exp.Sub | exp.Mul | exp.Div, read: Read, rows: Rows) -> Symbol:
    """Read two numbers combined. A division by zero is NULL, under the settings that the SQL is run with."""
    op = _OPERATIONS[type(node)]
    if isinstance(node, exp.Mul) and (interval := _interval(node, read, rows)) is not None:
        return interval
    left, right = (
        settle(read(node.this), rows),
        read(_divisor(node.expression) if op is ArithmeticOp.DIVIDE else node.expression),
    )
    if isinstance(right, Total):
        return _share(left, right, op, rows)
    return combine(op, left, settle(right, rows), rows)


def _divisor(node: exp.Expr) -> exp.Expr:
    """Return what is divided by, without the NULLIF that says what a division by zero gives anyway."""
    inner = stripped(node)
    if isinstance(inner, exp.Nullif) and _is_zero(inner.expression):
        return _divisor(inner.this)
    return node


def _is_zero(node: exp.Expr) -> bool:
    node = stripped(node)
    return isinstance(node, exp.Literal) and not node.is_string and float(node.this) == 0


def combine(op: ArithmeticOp, left: Expression, right: Expression, rows: Rows) -> Expression:
    """Combine two numbers; constants are computed at once, and what has a name of its own in a plan gets it."""
    for side in (left, right):
        if not rows.type_of(side).is_number:
            raise CannotHold(f"A plan computes with numbers only, not with a {rows.type_of(side).value} value.")
    if isinstance(left, Lit) and isinstance(right, Lit):
        return _computed(op, float(left.value), float(right.value))
    made = Arithmetic(op=op, left=_plain(left), right=_plain(right))
    return _time(made) or _percent_of_share(made, rows) or _change(made, rows) or made


def _plain(value: Expression) -> Expression:
    return number(value.value) if isinstance(value, Lit) and isinstance(value.value, float) else value


def _equals(value: Expression, constant: float) -> bool:
    return isinstance(value, Lit) and value.type.is_number and float(value.value) == constant


def number(value: float) -> Lit:
    """Return a constant; a whole one is a whole number."""
    value = float(value)
    if not math.isfinite(value):
        raise CannotHold("A constant that is no finite number is no value of a plan.")
    whole = value.is_integer() and abs(value) < 2**53
    return Lit(value=int(value) if whole else value, type=ColumnType.INTEGER if whole else ColumnType.REAL)


def _computed(op: ArithmeticOp, left: float, right: float) -> Lit:
    match op:
        case ArithmeticOp.ADD:
            return number(left + right)
        case ArithmeticOp.SUBTRACT:
            return number(left - right)
        case ArithmeticOp.MULTIPLY:
            return number(left * right)
        case ArithmeticOp.DIVIDE:
            if right == 0:
                raise CannotHold("A constant is divided by zero.")
            return number(left / right)


def _interval(node: exp.Mul, read: Read, rows: Rows) -> Bin | None:
    """Read `floor(x / 10) * 10`: the lower end of the interval that a number lies in."""
    for rounded, width in ((node.left, node.right), (node.right, node.left)):
        inner = _without_casts(rounded)
        if not isinstance(inner, exp.Floor) or inner.args.get("decimals") or inner.args.get("to"):
            continue
        divided = stripped(inner.this)
        if isinstance(divided, exp.Div):
            one, other = read(divided.right), read(width)
            if isinstance(one, Lit) and isinstance(other, Lit) and one.value == other.value and float(one.value) > 0:
                column = Col(name=rows.column(settle(read(divided.left), rows)))
                return Bin(operand=column, width=float(one.value))
    return None


def _without_casts(node: exp.Expr) -> exp.Expr:
    node = stripped(node)
    while isinstance(node, exp.Cast) and node.args["to"].sql() in ("BIGINT", "INT", "INTEGER"):
        node = stripped(node.this)
    return node


def _time(made: Arithmetic) -> TimeBetween | None:
    """Read seconds divided by the seconds of a day as days."""
    value, divisor = made.left, made.right
    if made.op is not ArithmeticOp.DIVIDE or not isinstance(divisor, Lit):
        return None
    factor = float(divisor.value)
    if isinstance(value, Arithmetic) and value.op is ArithmeticOp.MULTIPLY and _equals(value.right, _MICROSECONDS):
        value, factor = value.left, factor / _MICROSECONDS
    if not (isinstance(value, TimeBetween) and value.unit is TimeUnit.SECONDS):
        return None
    unit = next((unit for unit in TimeUnit if unit.seconds == factor), None)
    return value.model_copy(update={"unit": unit}) if unit is not None else None


def _share(value: Expression, total: Total, op: ArithmeticOp, rows: Rows) -> Expression:
    if op is not ArithmeticOp.DIVIDE:
        raise CannotHold("A total beside every row can only be what a value is divided by.")
    factor = 1.0
    if isinstance(value, Arithmetic) and value.op is ArithmeticOp.MULTIPLY:
        for one, other in ((value.left, value.right), (value.right, value.left)):
            if isinstance(one, Lit) and other == total.column:
                value, factor = other, float(one.value)
    if value != total.column:
        raise CannotHold("Only a value itself can be a share of the total of its column.")
    for name in total.by:
        if name not in rows.present | total.present:
            raise CannotHold(missing_group(name))
    function = WindowFunction.PERCENT if factor == _HUNDRED else WindowFunction.SHARE
    column = Col(name=rows.column(value))
    step = Window(name=rows.new_name(), function=function, column=column, by=Columns(names=total.by))
    share = Col(name=rows.insert_after(step, total.before))
    if factor in (1, _HUNDRED):
        return share
    return Arithmetic(op=ArithmeticOp.MULTIPLY, left=share, right=number(factor))


def _percent_of_share(made: Arithmetic, rows: Rows) -> Expression | None:
    if made.op is not ArithmeticOp.MULTIPLY:
        return None
    for share, factor in ((made.left, made.right), (made.right, made.left)):
        window = rows.window_of(share.name) if isinstance(share, Col) else None
        if window is not None and window.function is WindowFunction.SHARE and _equals(factor, _HUNDRED):
            return _beside(window, WindowFunction.PERCENT, rows)
    return None


def _beside(window: Window, function: WindowFunction, rows: Rows) -> Col:
    """Return another comparison of the same rows, at the place of the first."""
    step = window.model_copy(update={"name": rows.new_name(), "function": function})
    place = next(place for place, other in enumerate(rows.steps) if other == window)
    return Col(name=rows.insert(step, place + 1))


def _change(made: Arithmetic, rows: Rows) -> Expression | None:
    """Read `x - lag(x)` as a change, and what is computed of it as a change in percent."""
    match made:
        case Arithmetic(op=ArithmeticOp.SUBTRACT, left=Col() as value, right=Col() as before):
            window = _lag(before, value, rows)
            return None if window is None else _beside(window, WindowFunction.CHANGE, rows)
        case Arithmetic(op=ArithmeticOp.MULTIPLY, left=part, right=factor) if _equals(factor, _HUNDRED):
            window = _relative(part, rows)
        case Arithmetic(op=ArithmeticOp.MULTIPLY, left=factor, right=part) if _equals(factor, _HUNDRED):
            window = _relative(part, rows)
        case Arithmetic(
            op=ArithmeticOp.DIVIDE, left=Arithmetic(op=ArithmeticOp.MULTIPLY) as product, right=Col() as before
        ):
            one, other = product.left, product.right
            change = one if _equals(other, _HUNDRED) else other if _equals(one, _HUNDRED) else None
            window = (
                None
                if change is None
                else _relative(Arithmetic(op=ArithmeticOp.DIVIDE, left=change, right=before), rows)
            )
        case _:
            window = None
    return None if window is None else _beside(window, WindowFunction.PERCENT_CHANGE, rows)


def _relative(part: Expression, rows: Rows) -> Window | None:
    """Return the look back of `x / lag(x) - 1` or `(x - lag(x)) / lag(x)`."""
    match part:
        case Arithmetic(
            op=ArithmeticOp.SUBTRACT,
            left=Arithmetic(op=ArithmeticOp.DIVIDE, left=Col() as value, right=Col() as before),
            right=one,
        ) if _equals(one, 1):
            return _lag(before, value, rows)
        case Arithmetic(op=ArithmeticOp.DIVIDE, left=Col() as change, right=Col() as before):
            found = rows.window_of(change.name)
            window = None if found is None else _lag(before, found.column, rows)
            same = window is not None and found == window.model_copy(
                update={"name": change.name, "function": WindowFunction.CHANGE}
            )
            return window if same else None
        case _:
            return None


def _lag(before: Col, value: Col, rows: Rows) -> Window | None:
    window = rows.window_of(before.name)
    is_lag = window is not None and window.function is WindowFunction.LAG and window.column == value
    return window if is_lag else None


def read_negative(node: exp.Neg, read: Read, rows: Rows) -> Symbol:
    """Read a number with a minus before it."""
    value = settle(read(node.this), rows)
    if isinstance(value, Lit):
        return (
            number(-float(value.value))
            if not isinstance(value.value, int)
            else Lit(value=-value.value, type=value.type)
        )
    return combine(ArithmeticOp.SUBTRACT, number(0), value, rows)


def read_absolute(node: exp.Abs, read: Read, rows: Rows) -> Symbol:
    """Read the size of a number, whatever its sign."""
    value = settle(read(node.this), rows)
    zero = number(0)
    if isinstance(value, Lit):
        return number(abs(float(value.value)))
    below = Compare(op=CompareOp.LT, left=value, right=zero)
    return Case(
        branches=(When(condition=below, value=combine(ArithmeticOp.SUBTRACT, zero, value, rows)),), otherwise=value
    )


def read_literal(node: exp.Literal) -> Lit:
    """Read a constant."""
    if node.is_string:
        return Lit(value=str(node.this), type=ColumnType.TEXT)
    whole = integer(node)
    if whole is not None:
        if whole >= 2**63:
            raise CannotHold(f"{quoted(node)} is too large for a whole number.")
        return Lit(value=whole, type=ColumnType.INTEGER)
    return Lit(value=float(node.this), type=ColumnType.REAL)
