"""Reads every kind of expression: one function looks at the node and hands it to what knows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from sqlglot import exp

from jupyter_mcpgen.plan.emit.duckdb_expressions import SPACES
from jupyter_mcpgen.plan.expressions import (
    Bin,
    Case,
    Col,
    Compare,
    CompareOp,
    DateUnit,
    Expression,
    IsMissing,
    Lit,
    Predicate,
    TextCall,
    TextFunction,
    When,
    negate,
    terms_of,
)
from jupyter_mcpgen.plan.from_sql import dates
from jupyter_mcpgen.plan.from_sql.aggregates import is_aggregate
from jupyter_mcpgen.plan.from_sql.arithmetic import (
    read_absolute,
    read_arithmetic,
    read_literal,
    read_negative,
)
from jupyter_mcpgen.plan.from_sql.conditions import CONDITIONS, as_number, as_truth, compare, fitting, read_condition
from jupyter_mcpgen.plan.from_sql.constants import cast_constant, figure_of_itself, made_date
from jupyter_mcpgen.plan.from_sql.nodes import bare, function_name, is_number_type, only, quoted, type_name
from jupyter_mcpgen.plan.from_sql.presence import is_present, not_holding, present_where
from jupyter_mcpgen.plan.from_sql.rows import Rows
from jupyter_mcpgen.plan.from_sql.scope import Scope
from jupyter_mcpgen.plan.from_sql.symbols import Nothing, Numbered, Span, Summed, Symbol, Truth, Unmatched, settle
from jupyter_mcpgen.plan.from_sql.texts import is_search, read_search, read_text_call
from jupyter_mcpgen.plan.from_sql.unread import CannotHold
from jupyter_mcpgen.plan.from_sql.windows import is_missing_without, read_moving_average, read_window
from jupyter_mcpgen.plan.schema import ColumnType

Subquery = Callable[[exp.Expr, Rows], Symbol]


class Expressions:
    """Reads the expressions of one SELECT over its rows; columns that values need are added to the rows."""

    def __init__(self, rows: Rows, scope: Scope, subquery: Subquery, named: Mapping[str, exp.Window]) -> None:
        self.rows, self.scope = rows, scope
        self._subquery, self._named = subquery, named
        self._guard: frozenset[str] = frozenset()
        self._open: set[str] = set()

    def read(self, node: exp.Expr) -> Symbol:
        """Read a part of an expression; raises `CannotHold`."""
        grouped = self.scope.grouped
        if grouped is not None and not isinstance(node, exp.Literal):
            known = grouped.get(self.scope.signature(node))
            if known is not None:
                return known
        rows, read = self.rows, self.read
        match node:
            case exp.Paren():
                return read(node.this)
            case exp.Column():
                return self._column(node)
            case exp.Literal():
                return read_literal(node)
            case exp.Boolean():
                return Lit(value=bool(node.this), type=ColumnType.BOOLEAN)
            case exp.Null():
                return Nothing()
            case exp.Neg():
                return read_negative(node, read, rows)
            case exp.Add() | exp.Sub() if (moved := self._date_arithmetic(node)) is not None:
                return moved
            case exp.Add() | exp.Sub() | exp.Mul() | exp.Div():
                return read_arithmetic(node, read, rows)
            case exp.Abs():
                return read_absolute(node, read, rows)
            case exp.Cast():
                return self._cast(node)
            case exp.Case():
                return self._case(node)
            case exp.If():
                only(node, "this", "true", "false")
                return self._branches([(node.this, node.args["true"])], node.args.get("false"), None)
            case exp.Coalesce():
                return self._coalesce(node)
            case exp.Nullif():
                return self._nullif(node)
            case exp.Window():
                return read_window(node, read, rows, self._guard, self._named)
            case exp.Subquery() | exp.Select():
                return self._subquery(node, rows)
            case exp.Lower() | exp.Upper() | exp.Length():
                return read_text_call(node, read, rows)
            case exp.Trim():
                return self._trim(node)
            case _ if isinstance(node, CONDITIONS):
                return read_condition(node, read, rows)
            case _ if is_search(node):
                return read_search(node, read, rows)
            case _:
                return self._date_or_nothing(node)

    def _column(self, node: exp.Column) -> Symbol:
        found = self.scope.find(node)
        name = node.name.casefold()
        usable = not node.table and name in self.scope.aliases and name not in self._open
        if found is not None and not (self.scope.grouped is not None and usable):
            if self.scope.grouped is not None:
                raise CannotHold(f"`{node.name}` is neither grouped by nor in an aggregate.")
            return found
        if not usable:
            raise CannotHold(f"A subquery depends on `{node.sql()}` of each row outside it, which no plan does.")
        self._open.add(name)
        try:
            return self.read(self.scope.aliases[name])
        finally:
            self._open.discard(name)

    def value(self, node: exp.Expr) -> Expression:
        """Read a value."""
        return settle(self.read(node), self.rows)

    def condition(self, node: exp.Expr) -> Predicate | bool:
        """Read when a condition holds."""
        return as_truth(self.read(node), self.rows).holds

    def _date_arithmetic(self, node: exp.Add | exp.Sub) -> Symbol | None:
        left, right = bare(node.left), bare(node.right)
        if isinstance(right, exp.Interval):
            date = self.read(left)
            if isinstance(date, Lit) and date.type is ColumnType.DATE:
                return dates.moved(date, right, 1 if isinstance(node, exp.Add) else -1)
            raise CannotHold(f"{quoted(node)} moves a date, which a plan does only with constants.")
        if isinstance(node, exp.Sub) and not isinstance(left, exp.Literal):
            if dates.is_date_node(left) and dates.is_date_node(right):
                return dates.days_between(self.read(right.this), self.read(left.this), self.rows)
            end = self.read(left)
            if not isinstance(end, Truth | Numbered | Span | Nothing | Unmatched) and self._is_date(end):
                start = self.read(right)
                if dates.is_date_node(left) or dates.is_date_node(right):
                    raise CannotHold(f"{quoted(node)} mixes a day and a time of day.")
                return Span(dates.moment(start, self.rows), dates.moment(end, self.rows))
        return None

    def _is_date(self, symbol: Symbol) -> bool:
        try:
            return self.rows.type_of(settle(symbol, self.rows)) is ColumnType.DATE
        except CannotHold:
            return False

    def _cast(self, node: exp.Cast) -> Symbol:
        only(node, "this", "to", "safe", "format")
        name = type_name(node)
        inner = bare(node.this)
        if isinstance(inner, exp.TimeToStr) and name in ("INT", "BIGINT"):
            return dates.read_written_unit(inner, self.read, self.rows)
        symbol = self.read(inner)
        if isinstance(symbol, Summed | Unmatched) and is_number_type(name):
            return symbol
        value = settle(symbol, self.rows)
        type_ = self.rows.type_of(value)
        if isinstance(value, Lit) and type_ is ColumnType.TEXT:
            return cast_constant(value, name, node)
        match name:
            case "DOUBLE" if type_.is_number:
                return value
            case "INT" | "BIGINT" | "INT128" if type_ is ColumnType.INTEGER:
                return value
            case "INT" | "BIGINT" | "INT128" | "DOUBLE" if type_ is ColumnType.BOOLEAN:
                return as_number(as_truth(symbol, self.rows))
            case "DATE" if type_ is ColumnType.DATE:
                return self._day(value)
            case "TIMESTAMP" | "TIMESTAMPNTZ" if type_ is ColumnType.DATE:
                return value
            case "TEXT" if type_ is ColumnType.TEXT:
                return value
            case _:
                raise CannotHold(f"A plan cannot hold the conversion {quoted(node)}.")

    def _day(self, value: Expression) -> Expression:
        if isinstance(value, Lit):
            return Lit(value=str(value.value)[: len("2024-01-31")], type=ColumnType.DATE)
        already = getattr(value, "unit", None)
        return (
            value
            if already is not None and str(already.value).startswith("start_of")
            else dates.read_period("day", value, self.rows)
        )

    def _case(self, node: exp.Case) -> Symbol:
        moving = read_moving_average(node, self.read, self.rows, self._guard, self._named)
        if moving is not None:
            return moving
        figure = figure_of_itself(node)
        if figure is not None:
            return self.read(figure)
        whens = [(each.this, each.args["true"]) for each in node.args["ifs"]]
        interval = None if len(whens) != 1 or node.args.get("default") else self._finite_interval(*whens[0])
        if interval is not None:
            return interval
        return self._branches(whens, node.args.get("default"), node.args.get("this"))

    def _finite_interval(self, when: exp.Expr, then: exp.Expr) -> Bin | None:
        """Read the interval of a number where it is finite: that of a plan is missing elsewhere."""
        when = bare(when)
        if not (isinstance(when, exp.Anonymous) and function_name(when) == "isfinite"):
            return None
        value = self.read(then)
        same = isinstance(value, Bin) and value.operand.name == self.rows.column(self.value(when.expressions[0]))
        return value if same and isinstance(value, Bin) else None

    def _branches(
        self, whens: list[tuple[exp.Expr, exp.Expr]], default: exp.Expr | None, subject: exp.Expr | None
    ) -> Symbol:
        branches: list[tuple[Predicate, Expression]] = []
        if len(whens) == 1 and isinstance(bare(whens[0][1]), exp.Null) and default is not None and subject is None:
            return self._turned(whens[0][0], default)
        for when, then in whens:
            if subject is None:
                holds = self.condition(when)
            else:
                holds = compare(CompareOp.EQ, self.read(subject), self.read(when), self.rows).holds
            if isinstance(holds, bool):
                raise CannotHold(f"{quoted(when)} is the same in every row.")
            with self._guarded(present_where(holds)):
                value = self.read(then)
            if isinstance(value, Nothing):
                raise CannotHold("A CASE gives NULL in a branch that is not its ELSE. Turn the condition round.")
            branches.append((holds, settle(value, self.rows)))
        otherwise = Nothing() if default is None else self.read(default)
        return self._chosen(branches, None if isinstance(otherwise, Nothing) else settle(otherwise, self.rows))

    def _turned(self, when: exp.Expr, value: exp.Expr) -> Symbol:
        """Read `CASE WHEN … THEN NULL ELSE value END` with its condition turned round."""
        holds = self.condition(when)
        opposite = None if isinstance(holds, bool) else not_holding(holds, self.rows.present)
        if opposite is None:
            raise CannotHold("A CASE gives NULL where a condition of several parts holds. Turn the condition round.")
        return self._chosen([(opposite, self.value(value))], None)

    def _chosen(self, branches: list[tuple[Predicate, Expression]], otherwise: Expression | None) -> Symbol:
        if len(branches) == 1 and otherwise is None and self._is_guarded_window(*branches[0]):
            return branches[0][1]
        dated = next((v for _, v in branches if self.rows.type_of(v) is ColumnType.DATE), None)
        if dated is not None and otherwise is not None:
            otherwise = fitting(otherwise, dated, self.rows)
        whens = tuple(When(condition=condition, value=value) for condition, value in branches)
        return Case(branches=whens, otherwise=otherwise)

    def _is_guarded_window(self, condition: Predicate, value: Expression) -> bool:
        """Tell whether a comparison of rows is missing anyway where the condition does not hold."""
        window = self.rows.window_of(value.name) if isinstance(value, Col) else None
        return window is not None and all(
            isinstance(term, IsMissing) and term.negated and is_missing_without(window, term.operand.name)
            for term in terms_of(condition)
        )

    @contextmanager
    def _guarded(self, names: frozenset[str]) -> Iterator[None]:
        before, self._guard = self._guard, self._guard | names
        try:
            yield
        finally:
            self._guard = before

    def _coalesce(self, node: exp.Coalesce) -> Symbol:
        only(node, "this", "expressions", "is_nvl", "is_null")
        symbols = [self.read(node.this), *(self.read(each) for each in node.expressions)]
        last = symbols.pop()
        if isinstance(last, Nothing):
            raise CannotHold(f"{quoted(node)} ends with NULL, which changes nothing. Leave it out.")
        if (
            len(symbols) == 1
            and isinstance(symbols[0], Summed | Unmatched)
            and isinstance(last, Lit)
            and last.value == 0
        ):
            symbols = [symbols[0].or_zero]
        value = settle(last, self.rows)
        for symbol in reversed(symbols):
            first = settle(symbol, self.rows)
            if is_present(first, self.rows.present):
                value = first
                continue
            missing = IsMissing(operand=Col(name=self.rows.column(first)))
            other = fitting(value, first, self.rows)
            value = Case(branches=(When(condition=missing, value=other),), otherwise=first)
        return value

    def _nullif(self, node: exp.Nullif) -> Symbol:
        value = self.read(node.this)
        equal = compare(CompareOp.EQ, value, self.read(node.expression), self.rows)
        other = equal.fails
        if isinstance(other, bool) or not isinstance(other, Compare):
            raise CannotHold(f"A plan cannot hold {quoted(node)}.")
        return Case(branches=(When(condition=negate(negate(other)), value=settle(value, self.rows)),))

    def _trim(self, node: exp.Trim) -> Symbol:
        characters = node.expression
        if characters is None or characters.sql(dialect="duckdb").casefold() != SPACES:
            raise CannotHold(f"{quoted(node)} trims other characters than a plan, which trims every kind of space.")
        return TextCall(function=TextFunction.TRIM, operand=Col(name=self.rows.column(self.value(node.this))))

    def _date_or_nothing(self, node: exp.Expr) -> Symbol:
        rows, read = self.rows, self.read
        match node:
            case exp.TimestampTrunc() | exp.DateTrunc():
                only(node, "this", "unit")
                return dates.read_period(node.args["unit"].name.lower(), read(node.this), rows)
            case exp.Extract():
                return dates.read_part(node.this.name.lower(), read(node.expression), rows)
            case exp.TimeToUnix():
                return dates.read_part("epoch", read(node.this), rows)
            case exp.DateDiff():
                return dates.read_difference(node, read, rows)
            case exp.Dayname():
                return dates.read_name(DateUnit.WEEKDAY, read(node.this), rows)
            case exp.Monthname():
                return dates.read_name(DateUnit.MONTH, read(node.this), rows)
            case exp.TimeToStr():
                return dates.read_written(node, read, rows)
            case exp.StrToTime():
                only(node, "this", "format")
                return dates.read_from_text(node.this, node.args["format"], read, rows, may_fail=True)
            case exp.Anonymous() if function_name(node) == "try_strptime":
                text, format_ = node.expressions
                return dates.read_from_text(text, format_, read, rows, may_fail=False)
            case _ if type(node) in dates.PARTS:
                only(node, "this")
                return dates.read_part(dates.PARTS[type(node)], read(node.this), rows)
            case exp.Anonymous() if function_name(node) in ("date_part", "datepart"):
                unit, date = node.expressions
                return dates.read_part(unit.name.lower(), read(date), rows)
            case exp.DateFromParts():
                return made_date(node)
            case exp.Round():
                raise CannotHold("ROUND changes values, and a plan does not round: leave it to how numbers are shown.")
            case _ if is_aggregate(node):
                raise CannotHold(f"{quoted(node)} stands where no aggregate may.")
            case _:
                raise CannotHold(f"A plan has no function or operation like {quoted(node)}.")
