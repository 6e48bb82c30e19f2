"""Reads aggregate functions as the measures of a plan's groups."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from jupyter_mcpgen.plan.expressions import (
    All,
    Arithmetic,
    ArithmeticOp,
    Case,
    Col,
    Expression,
    IsMissing,
    Lit,
    Predicate,
    When,
    terms_of,
)
from jupyter_mcpgen.plan.from_sql.conditions import as_number, as_truth, indicator
from jupyter_mcpgen.plan.from_sql.nodes import Read, function_name, is_number_type, only, quoted, stripped, type_name
from jupyter_mcpgen.plan.from_sql.presence import may_be_unknown
from jupyter_mcpgen.plan.from_sql.rows import Rows
from jupyter_mcpgen.plan.from_sql.symbols import Numbered, Summed, Symbol, Truth, settle
from jupyter_mcpgen.plan.from_sql.unread import CannotHold
from jupyter_mcpgen.plan.ops import AggregateFunction, Measure, SortKey
from jupyter_mcpgen.plan.schema import ColumnType

_SIMPLE: dict[type[exp.Expr], AggregateFunction] = {
    exp.Avg: AggregateFunction.MEAN,
    exp.Median: AggregateFunction.MEDIAN,
    exp.Min: AggregateFunction.MIN,
    exp.Max: AggregateFunction.MAX,
    exp.Stddev: AggregateFunction.STD,
    exp.StddevSamp: AggregateFunction.STD,
    exp.Variance: AggregateFunction.VAR,
}
_OF_WINDOWS = (exp.Lag, exp.Lead, exp.Rank, exp.DenseRank, exp.FirstValue, exp.LastValue)
_PERCENT = 100


def aggregates_in(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the aggregates of a group in a part of a SELECT: not window functions, and not those of subqueries."""
    if isinstance(node, exp.Subquery | exp.Select | exp.SetOperation):
        return
    if isinstance(node, exp.Window):
        inner = node.this.this if isinstance(node.this, exp.Filter) else node.this
        for child in (*inner.iter_expressions(), *(c for c in node.iter_expressions() if c is not node.this)):
            yield from aggregates_in(child)
        return
    if is_aggregate(node):
        yield node
        return
    for child in node.iter_expressions():
        yield from aggregates_in(child)


def is_aggregate(node: exp.Expr) -> bool:
    """Tell whether a node makes one value of the rows of a group."""
    if isinstance(node, exp.Filter | exp.WithinGroup | exp.IgnoreNulls):
        return True
    if isinstance(node, exp.Anonymous):
        return function_name(node) == "favg"
    return isinstance(node, exp.AggFunc) and not isinstance(node, _OF_WINDOWS)


class Measured:
    """The measures of a group, collected from the aggregates that a SELECT names; equal ones are one."""

    def __init__(self, rows: Rows, *, grouped: bool) -> None:
        self._rows, self._grouped = rows, grouped
        self._measures: dict[Measure, str] = {}
        self.needs_order = False
        """True where a first or last value is taken, so that the order of the rows matters."""
        self._order: str | None = None
        self.keeps_place = False
        """True where only the place of the first row of a group is asked for."""

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures, under provisional names."""
        return tuple(measure.model_copy(update={"label": name}) for measure, name in self._measures.items())

    def read(self, node: exp.Expr, read: Read) -> Symbol:
        """Read an aggregate."""
        met: Predicate | None = None
        if isinstance(node, exp.Filter):
            truth = as_truth(read(node.expression.this), self._rows)
            if isinstance(truth.holds, bool):
                raise CannotHold(f"{quoted(node)} has a condition that is the same in every row.")
            node, met = node.this, truth.holds
        match node:
            case exp.WithinGroup(this=exp.PercentileCont()):
                return self._within(node, read, met)
            case exp.Count():
                return self._count(node, read, met)
            case exp.CountIf():
                only(node, "this")
                return self._count_if(as_truth(read(node.this), self._rows), node, met)
            case exp.ArgMin() | exp.ArgMax():
                return self._end(node, read, met)
            case exp.Mode():
                return self._mode(node, read, met)
            case exp.PercentileCont():
                only(node, "this", "expression")
                return self._quantile(node, read, met)
            case exp.Min() if (place := self._place(node, read)) is not None:
                return place
            case exp.Sum():
                return self._sum(node, read, met)
            case exp.Avg():
                return self._mean(node, read, met)
            case _ if type(node) in _SIMPLE:
                only(node, "this")
                return self._of(_SIMPLE[type(node)], self._argument(node, read), met)
            case _:
                raise CannotHold(f"A plan has no figure like {quoted(node)}.")

    def _argument(self, node: exp.Expr, read: Read) -> Expression:
        """Return the values that a figure is made of; a truth that is counted as a number is a column of its own."""
        if isinstance(node.this, exp.Distinct):
            raise CannotHold(f"{quoted(node)} takes each value once, which a plan only counts.")
        inner = stripped(node.this)
        if isinstance(inner, exp.Cast) and is_number_type(type_name(inner)) and isinstance(node, exp.Sum | exp.Avg):
            value = settle(read(inner.this), self._rows)
            if isinstance(value, Col) and self._rows.type_of(value) is ColumnType.BOOLEAN:
                return value
        return settle(read(node.this), self._rows)

    def _add(self, measure: Measure) -> Col:
        if measure not in self._measures:
            self._measures[measure] = self._rows.new_name()
        return Col(name=self._measures[measure])

    def _of(
        self, function: AggregateFunction, value: Expression, met: Predicate | None, fraction: float | None = None
    ) -> Col:
        return self._add(Measure(function=function, column=self._column(value, met), fraction=fraction))

    def _column(self, value: Expression, met: Predicate | None) -> Col:
        if met is not None:
            value = Case(branches=(When(condition=met, value=value),))
        return Col(name=self._rows.column(value))

    def _count(self, node: exp.Count, read: Read, met: Predicate | None) -> Col:
        only(node, "this", "big_int")
        if isinstance(node.this, exp.Star | exp.Literal):
            return self._add(Measure(function=AggregateFunction.COUNT, where=met))
        if isinstance(node.this, exp.Distinct):
            only(node.this, "expressions")
            if len(node.this.expressions) != 1:
                raise CannotHold(f"{quoted(node)} counts combinations of several columns.")
            value = settle(read(node.this.expressions[0]), self._rows)
            return self._of(AggregateFunction.COUNT_DISTINCT, value, met)
        value = settle(read(node.this), self._rows)
        match value:
            case Case(branches=(branch,), otherwise=None) if isinstance(branch.value, Lit):
                return self._where(AggregateFunction.COUNT, branch.condition, met)
            case _:
                return self._of(AggregateFunction.COUNT, value, met)

    def _count_if(self, truth: Truth, node: exp.CountIf, met: Predicate | None) -> Symbol:
        """Read a number of rows that is missing where the condition is known of none."""
        condition = _need_condition(truth, node)
        if self._grouped and met is None and not may_be_unknown(condition, self._rows.present):
            return self._where(AggregateFunction.COUNT, condition, None)
        summed = self._of(AggregateFunction.SUM, as_number(truth), met)
        return summed if met is not None else Summed(summed, self._where(AggregateFunction.COUNT, condition, None))

    def _where(self, function: AggregateFunction, condition: Predicate, met: Predicate | None) -> Col:
        if met is not None:
            raise CannotHold("A figure has a condition inside and another one in FILTER. Write both in FILTER.")
        return self._add(Measure(function=function, where=condition))

    def _sum(self, node: exp.Sum, read: Read, met: Predicate | None) -> Symbol:
        only(node, "this")
        value = self._argument(node, read)
        counted = indicator(value) if met is None else None
        if counted is None or counted[1] != 1:
            return self._of(AggregateFunction.SUM, value, met)
        number = self._where(AggregateFunction.COUNT, counted[0], None)
        return number if self._grouped else Summed(self._of(AggregateFunction.SUM, value, met), number)

    def _mean(self, node: exp.Avg, read: Read, met: Predicate | None) -> Col:
        only(node, "this")
        value = self._argument(node, read)
        counted = indicator(_unscaled(value)[0]) if met is None else None
        if counted is not None:
            scale = counted[1] * _unscaled(value)[1]
            if scale in (1, _PERCENT):
                function = AggregateFunction.RATE if scale == 1 else AggregateFunction.PERCENT
                return self._where(function, counted[0], None)
        return self._of(AggregateFunction.MEAN, value, met)

    def _quantile(self, node: exp.PercentileCont, read: Read, met: Predicate | None) -> Col:
        value, part = settle(read(node.this), self._rows), node.expression
        if isinstance(part, exp.Order):  # quantile_cont(x, 0.5 ORDER BY x)
            ordered = part.expressions
            if len(ordered) != 1 or ordered[0].args.get("desc") or settle(read(ordered[0].this), self._rows) != value:
                raise CannotHold(f"{quoted(node)} is ordered in a way that a plan's quantile is not.")
            part = part.this
        return self._of(AggregateFunction.QUANTILE, value, met, _part(part))

    def _within(self, node: exp.WithinGroup, read: Read, met: Predicate | None) -> Col:
        ordered = node.expression.expressions
        if len(ordered) != 1 or ordered[0].args.get("desc"):
            raise CannotHold(f"{quoted(node)} is ordered in a way that a plan's quantile is not.")
        value = settle(read(ordered[0].this), self._rows)
        return self._of(AggregateFunction.QUANTILE, value, met, _part(node.this.this))

    def _mode(self, node: exp.Mode, read: Read, met: Predicate | None) -> Col:
        order = node.this
        if not isinstance(order, exp.Order) or len(order.expressions) != 1 or order.expressions[0].args.get("desc"):
            raise CannotHold(
                "`mode(x)` takes any of several values that are equally frequent. Write mode(x ORDER BY x)."
            )
        value, key = (settle(read(each), self._rows) for each in (order.this, order.expressions[0].this))
        if value != key:
            raise CannotHold(f"{quoted(node)} is ordered by something else than its value.")
        return self._of(AggregateFunction.MODE, value, met)

    def _end(self, node: exp.ArgMin | exp.ArgMax, read: Read, met: Predicate | None) -> Col:
        """Read the value beside the smallest or the largest one; of several such rows, the first as they stand."""
        only(node, "this", "expression")
        is_first = isinstance(node, exp.ArgMin)
        place = self._as_place(read(node.expression))
        if place is None:
            by = Col(name=self._rows.column(settle(read(node.expression), self._rows)))
            if by.name not in self._rows.present:
                has_value = IsMissing(operand=by, negated=True)
                met = has_value if met is None else All(terms=(has_value, *terms_of(met)))
        order = "" if place is not None else f"{by.name} {is_first}"
        if self._order not in (None, order):
            raise CannotHold(f"{quoted(node)} needs another order of the rows than another figure beside it.")
        if place is None and self._order is None:
            self._rows.sort((SortKey(column=by.name, descending=not is_first),))
        self._order, self.needs_order = order, True
        takes_first = is_first or place is None
        function = AggregateFunction.FIRST if takes_first else AggregateFunction.LAST
        return self._of(function, settle(read(node.this), self._rows), met)

    def _place(self, node: exp.Min, read: Read) -> Numbered | None:
        place = self._as_place(read(node.this)) if isinstance(node.this, exp.Column) else None
        self.keeps_place |= place is not None
        return place

    def _as_place(self, symbol: Symbol) -> Numbered | None:
        """Return a number of the rows as they stand, if it is one; a constant numbers a single row."""
        if isinstance(symbol, Lit) and frozenset() in self._rows.unique:
            return Numbered((), self._rows.order, self._rows.version)
        is_place = isinstance(symbol, Numbered) and not (symbol.by or symbol.side) and symbol.keys == self._rows.order
        return symbol if isinstance(symbol, Numbered) and is_place else None


def _need_condition(truth: Truth, node: exp.Expr) -> Predicate:
    if isinstance(truth.holds, bool):
        raise CannotHold(f"{quoted(node)} has a condition that is the same in every row.")
    return truth.holds


def _part(node: exp.Expr | None) -> float:
    if isinstance(node, exp.Literal) and not node.is_string and 0 < float(node.this) < 1:
        return float(node.this)
    raise CannotHold("A quantile needs a part between 0 and 1 that is written out.")


def _unscaled(value: Expression) -> tuple[Expression, float]:
    match value:
        case (
            Arithmetic(op=ArithmeticOp.MULTIPLY, left=Lit() as factor, right=inner)
            | Arithmetic(op=ArithmeticOp.MULTIPLY, left=inner, right=Lit() as factor)
        ):
            return inner, float(factor.value)
        case _:
            return value, 1.0
