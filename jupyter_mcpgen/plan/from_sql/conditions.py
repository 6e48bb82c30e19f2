"""Reads conditions, each with its opposite: SQL's NOT turns an unknown condition into an unknown one."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Arithmetic,
    ArithmeticOp,
    Case,
    Col,
    Compare,
    CompareOp,
    Expression,
    IsIn,
    IsMissing,
    Lit,
    Predicate,
    TimeBetween,
    TimeUnit,
    When,
    negate,
    terms_of,
)
from jupyter_mcpgen.plan.from_sql.nodes import Read, bare, only, quoted
from jupyter_mcpgen.plan.from_sql.rows import Rows
from jupyter_mcpgen.plan.from_sql.symbols import Extreme, Nothing, Symbol, Truth, settle
from jupyter_mcpgen.plan.from_sql.texts import read_like
from jupyter_mcpgen.plan.from_sql.unread import CannotHold
from jupyter_mcpgen.plan.ops import Window, WindowFunction
from jupyter_mcpgen.plan.schema import ColumnType

_NUMBER_AND_UNIT = 2

_COMPARISONS: dict[type[exp.Expr], CompareOp] = {
    exp.EQ: CompareOp.EQ,
    exp.NEQ: CompareOp.NE,
    exp.LT: CompareOp.LT,
    exp.LTE: CompareOp.LE,
    exp.GT: CompareOp.GT,
    exp.GTE: CompareOp.GE,
}
CONDITIONS = (
    *_COMPARISONS,
    exp.And,
    exp.Or,
    exp.Not,
    exp.Is,
    exp.In,
    exp.Between,
    exp.Like,
    exp.ILike,
    exp.NullSafeEQ,
    exp.NullSafeNEQ,
)
"""The nodes that are conditions."""


def read_condition(node: exp.Expr, read: Read, rows: Rows) -> Truth:
    """Read a condition; raises `CannotHold`."""
    match node:
        case exp.And():
            return _both(as_truth(read(node.left), rows), as_truth(read(node.right), rows))
        case exp.Or():
            return _both(as_truth(read(node.left), rows).opposite, as_truth(read(node.right), rows).opposite).opposite
        case exp.Not():
            return as_truth(read(node.this), rows).opposite
        case exp.Is():
            return _is(node, read, rows)
        case exp.In():
            return _in(node, read, rows)
        case exp.Between():
            only(node, "this", "low", "high")
            value = read(node.this)
            low = compare(CompareOp.GE, value, read(node.args["low"]), rows)
            return _both(low, compare(CompareOp.LE, value, read(node.args["high"]), rows))
        case exp.Like() | exp.ILike():
            truth = read_like(node, read, rows)
            return truth.opposite if node.args.get("negate") else truth
        case exp.NullSafeEQ():
            return _distinct(node, read, rows).opposite
        case exp.NullSafeNEQ():
            return _distinct(node, read, rows)
        case _:
            moved = compare_moved(node, _COMPARISONS[type(node)], read, rows)
            return moved or compare(_COMPARISONS[type(node)], read(node.this), read(node.expression), rows)


def truth_of(predicate: Predicate) -> Truth:
    """Return a condition that is unknown where it compares a missing value."""
    return Truth(predicate, negate(predicate))


def as_truth(symbol: Symbol, rows: Rows) -> Truth:
    """Return a value as a condition: a column of true and false holds where it is true."""
    if isinstance(symbol, Truth):
        return symbol
    if isinstance(symbol, Nothing):
        raise CannotHold("A condition that is NULL never holds.")
    value = settle(symbol, rows)
    if isinstance(value, Lit) and isinstance(value.value, bool):
        return Truth(value.value, not value.value)
    if rows.type_of(value) is not ColumnType.BOOLEAN:
        raise CannotHold("A condition of a plan is a comparison or a column of true and false.")
    return Truth(*(Compare(op=CompareOp.EQ, left=value, right=_boolean(b)) for b in (True, False)))


def _boolean(value: bool) -> Lit:
    return Lit(value=value, type=ColumnType.BOOLEAN)


def _both(one: Truth, other: Truth) -> Truth:
    return Truth(_all(one.holds, other.holds), _any(one.fails, other.fails))


def _all(one: Predicate | bool, other: Predicate | bool) -> Predicate | bool:
    if isinstance(one, bool):
        return other if one else False
    if isinstance(other, bool):
        return one if other else False
    return All(terms=(*terms_of(one), *terms_of(other)))


def _any(one: Predicate | bool, other: Predicate | bool) -> Predicate | bool:
    if isinstance(one, bool):
        return True if one else other
    if isinstance(other, bool):
        return True if other else one
    return AnyOf(terms=(*_alternatives(one), *_alternatives(other)))


def _alternatives(predicate: Predicate) -> tuple[Predicate, ...]:
    if not isinstance(predicate, AnyOf):
        return (predicate,)
    return tuple(term for part in predicate.terms for term in _alternatives(part))


def compare(op: CompareOp, one: Symbol, other: Symbol, rows: Rows) -> Truth:
    """Compare two values."""
    if isinstance(one, Nothing) or isinstance(other, Nothing):
        raise CannotHold("A comparison with NULL never holds. Write IS NULL or IS NOT NULL.")
    if isinstance(one, Truth) or isinstance(other, Truth):
        return _compare_truths(op, one, other, rows)
    extreme = _is_extreme(op, one, other, rows)
    if extreme is not None:
        return extreme
    left, right = settle(one, rows), settle(other, rows)
    left, right = fitting(left, right, rows), fitting(right, left, rows)
    if isinstance(left, Lit) and isinstance(right, Lit):
        return _constant(op, left, right)
    if _is_decimal(left, rows) or _is_decimal(right, rows):
        raise CannotHold("Whole numbers times a decimal fraction are compared to the last digit, which a plan rounds.")
    return truth_of(Compare(op=op, left=left, right=right))


def compare_moved(node: exp.Expr, op: CompareOp, read: Read, rows: Rows) -> Truth | None:
    """Read `b <= a + INTERVAL 7 DAY` as a comparison of the days from one to the other."""
    for far, near, way in ((node.args["expression"], node.this, op), (node.this, node.args["expression"], op.turned)):
        far = bare(far)
        if not (isinstance(far, exp.Add | exp.Sub) and isinstance(bare(far.right), exp.Interval)):
            continue
        start, end = settle(read(far.left), rows), settle(read(near), rows)
        if not (isinstance(start, Col) and isinstance(end, Col)):
            return None
        count, unit = clock_interval(bare(far.right))
        between = TimeBetween(unit=unit, start=start, end=end)
        signed = count if isinstance(far, exp.Add) else -count
        return truth_of(Compare(op=way, left=between, right=_whole(signed)))
    return None


def clock_interval(interval: exp.Expr) -> tuple[int, TimeUnit]:
    """Return the number and the unit of an interval that is the same by every calendar."""
    words = f"{interval.this.name} {interval.args['unit'].name if interval.args.get('unit') else ''}".lower().split()
    units = {unit.value.removesuffix("s"): unit for unit in TimeUnit if unit.seconds is not None}
    if len(words) != _NUMBER_AND_UNIT or not words[0].isdigit() or words[1].removesuffix("s") not in units:
        raise CannotHold(f"{quoted(interval)} is not a number of days, weeks or parts of a day.")
    return int(words[0]), units[words[1].removesuffix("s")]


def _is_extreme(op: CompareOp, one: Symbol, other: Symbol, rows: Rows) -> Truth | None:
    """Read a value that equals the largest of all as one whose rank is the first."""
    for value, extreme in ((one, other), (other, one)):
        if isinstance(extreme, Extreme) and op is CompareOp.EQ and value == extreme.column:
            step = Window(
                name=rows.new_name(), function=WindowFunction.RANK, column=extreme.column, descending=extreme.is_largest
            )
            rank = Col(name=rows.insert_after(step, extreme.before))
            return truth_of(Compare(op=CompareOp.EQ, left=rank, right=_whole(1)))
    return None


def _is_decimal(value: Expression, rows: Rows) -> bool:
    """Tell whether SQL computes a value in exact decimals, and a plan in floating-point numbers."""
    leaves = list(_leaves(value)) if isinstance(value, Arithmetic) else []
    fractions = [leaf for leaf in leaves if isinstance(leaf, Lit) and not float(leaf.value).is_integer()]
    return bool(fractions) and all(leaf is not None and _is_exact(leaf, rows) for leaf in leaves)


def _leaves(value: Expression) -> Iterator[Expression | None]:
    """Yield the numbers that are combined; None where one is divided by another, which gives no decimal."""
    if not isinstance(value, Arithmetic):
        yield value
        return
    if value.op is ArithmeticOp.DIVIDE:
        yield None
        return
    yield from _leaves(value.left)
    yield from _leaves(value.right)


def _is_exact(leaf: Expression, rows: Rows) -> bool:
    return isinstance(leaf, Lit) or rows.type_of(leaf) is ColumnType.INTEGER


def _compare_truths(op: CompareOp, one: Symbol, other: Symbol, rows: Rows) -> Truth:
    truth, constant = as_truth(one, rows), as_truth(other, rows)
    if isinstance(truth.holds, bool):
        truth, constant = constant, truth
    if isinstance(constant.holds, bool) and op in (CompareOp.EQ, CompareOp.NE):
        return truth if constant.holds is (op is CompareOp.EQ) else truth.opposite
    raise CannotHold("Two conditions are compared with each other, which a plan cannot do.")


def _constant(op: CompareOp, left: Lit, right: Lit) -> Truth:
    if left.type is not right.type and not (left.type.is_number and right.type.is_number):
        raise CannotHold("Two constants of different types are compared.")
    if op not in (CompareOp.EQ, CompareOp.NE) or left.type is ColumnType.DATE:
        raise CannotHold("Two constants are compared.")
    holds = (left.value == right.value) is (op is CompareOp.EQ)
    return Truth(holds, not holds)


def fitting(value: Expression, beside: Expression, rows: Rows) -> Expression:
    """Return a constant as the type that it is compared with: a text beside a date is one, as SQL reads it."""
    if isinstance(value, Lit) and value.type is ColumnType.TEXT and rows.type_of(beside) is ColumnType.DATE:
        return Lit(value=value.value, type=ColumnType.DATE)
    return value


def _in(node: exp.In, read: Read, rows: Rows) -> Truth:
    only(node, "this", "expressions")
    operand = settle(read(node.this), rows)
    values = []
    for each in node.expressions:
        value = read(each)
        if isinstance(value, Nothing):
            raise CannotHold("A list with NULL in it: NOT IN never holds then. Write IS NULL apart.")
        value = fitting(settle(value, rows), operand, rows)
        if not isinstance(value, Lit):
            return _one_of(operand, [settle(read(e), rows) for e in node.expressions], rows)
        values.append(value)
    if isinstance(operand, Col):
        return truth_of(IsIn(operand=operand, values=tuple(values)))
    return _one_of(operand, list(values), rows)


def _one_of(operand: Expression, values: list[Expression], rows: Rows) -> Truth:
    first, *others = (compare(CompareOp.EQ, operand, value, rows).opposite for value in values)
    for other in others:
        first = _both(first, other)
    return first.opposite


def _is(node: exp.Is, read: Read, rows: Rows) -> Truth:
    only(node, "this", "expression")
    symbol = read(node.this)
    match node.expression:
        case exp.Null():
            return _is_missing(symbol, rows)
        case exp.Boolean():
            truth = as_truth(symbol, rows)
            met, unmet = (truth.holds, truth.fails) if node.expression.this else (truth.fails, truth.holds)
            if not isinstance(symbol, Truth) and isinstance(value := settle(symbol, rows), Col):
                return Truth(met, _any(unmet, IsMissing(operand=value)))
            raise CannotHold(f"{quoted(node)}: only a column of true and false is compared with IS.")
        case _:
            raise CannotHold(f"A plan cannot hold {quoted(node)}.")


def _is_missing(symbol: Symbol, rows: Rows) -> Truth:
    value = settle(symbol, rows)
    return truth_of(IsMissing(operand=Col(name=rows.column(value))))


def _distinct(node: exp.NullSafeEQ | exp.NullSafeNEQ, read: Read, rows: Rows) -> Truth:
    """Read IS DISTINCT FROM a constant: a missing value is distinct from it."""
    value, constant = settle(read(node.this), rows), settle(read(node.expression), rows)
    constant = fitting(constant, value, rows)
    if not (isinstance(value, Col) and isinstance(constant, Lit)):
        raise CannotHold(f"{quoted(node)}: only a column is compared with a constant in this way.")
    equal = Compare(op=CompareOp.EQ, left=value, right=constant)
    here = IsMissing(operand=value)
    return Truth(_any(negate(equal), here), equal)


def as_number(truth: Truth) -> Expression:
    """Return 1 where a condition holds, 0 where it fails, and nothing where it is unknown."""
    if isinstance(truth.holds, bool) or isinstance(truth.fails, bool):
        raise CannotHold("A condition that is the same in every row is no value of a plan.")
    return Case(branches=(When(condition=truth.holds, value=_whole(1)), When(condition=truth.fails, value=_whole(0))))


def _whole(value: int) -> Lit:
    return Lit(value=value, type=ColumnType.INTEGER)


def indicator(value: Expression) -> tuple[Predicate, float] | None:
    """Return the condition of a value that is a number where it holds and 0 elsewhere, and that number."""
    match value:
        case Case(branches=(branch,), otherwise=Lit(value=zero)) if zero == 0 and not isinstance(zero, bool):
            if isinstance(branch.value, Lit) and branch.value.type.is_number:
                return branch.condition, float(branch.value.value)
        case _:
            pass
    return None
