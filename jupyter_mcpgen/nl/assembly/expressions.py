"""Values and conditions of a question as those of a plan, with the columns that have to be made first."""

from __future__ import annotations

from datetime import date

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.grammar.meanings import (
    Band,
    Beside,
    Between,
    Both,
    Column,
    Computed,
    Either,
    Holds,
    Is,
    Kept,
    Lacks,
    Like,
    Number,
    Part,
    Period,
    Season,
    Sided,
    Term,
    Test,
    Within,
)
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.columns import names_in
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
    Expression,
    IsIn,
    IsMissing,
    Lit,
    Parse,
    Predicate,
    TextMatch,
    TimeBetween,
    When,
)
from jupyter_mcpgen.plan.expressions import Columns as Names
from jupyter_mcpgen.plan.ops import Derive, Step, Window, WindowFunction
from jupyter_mcpgen.plan.schema import ColumnType

_YES_AND_NO = 2
"""With so many texts, what a column writes is what it says."""
_WORDS = {
    ArithmeticOp.ADD: "plus",
    ArithmeticOp.SUBTRACT: "minus",
    ArithmeticOp.MULTIPLY: "times",
    ArithmeticOp.DIVIDE: "divided_by",
}


class Columns:
    """The columns that a plan uses, and the steps that make those which the table does not have."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.before_tests: list[Step] = []
        self.derived: list[Step] = []
        self._read: dict[str, Derive] = {}
        self._made: dict[Term, str] = {}

    def parsed(self) -> list[Step]:
        """Return the steps that read the texts of columns as what they write, in the order of the table."""
        return [self._read[name] for name in self._table.names if name in self._read]

    def name(self, term: Term) -> str:
        """Return the column of a value of each row, which is made where the table does not have it."""
        match term:
            case Column(name):
                self._use(name)
                return name
            case _ if term in self._made:
                return self._made[term]
            case _:
                name, value = self._named(term)
                self._made[term] = self._free(name)
                self.derived.append(Derive(name=self._made[term], expression=value))
                return self._made[term]

    def known(self, term: object) -> str | None:
        """Return the column of a value that is there already."""
        return term.name if isinstance(term, Column) else self._made.get(term)  # type: ignore[call-overload]

    def key(self, term: Term) -> str:
        """Return the column to group by; a date is grouped by its usual period."""
        if isinstance(term, Column):
            if self._table.is_date(term.name):
                return self.name(Part(self._table.usual_unit(term.name), term.name))
            column = self._table.column(term.name)
            return self.name(term) if column.truth_text and column.written_values > _YES_AND_NO else term.name
        return self.name(term)

    def named_part(self, term: Part) -> tuple[str, str]:
        """Return the number and the name of a weekday or month as columns."""
        if term.unit not in (DateUnit.WEEKDAY, DateUnit.MONTH):
            raise PlanError("Only weekdays and months have names.")
        operand = self._date(term.date)
        word = term.unit.value
        number, name = self._free(f"{word}_number"), self._free(word)
        self.derived.append(Derive(name=number, expression=DatePart(unit=term.unit, operand=operand)))
        self.derived.append(Derive(name=name, expression=DateName(unit=term.unit, operand=operand)))
        return number, name

    def take_back(self, name: str) -> str:
        """Return the date of a period column that was to be made, and do not make it: periods will be taken apart."""
        for place, step in enumerate(self.derived):
            if isinstance(step, Derive) and step.name == name and isinstance(step.expression, DatePart):
                del self.derived[place]
                return step.expression.operand.name
        raise PlanError("Only periods of a date follow each other.")

    def _named(self, term: Term) -> tuple[str, Expression]:
        match term:
            case Part(unit, date_):
                if date_ and date_ in self._table.years and unit is DateUnit.START_OF_YEAR:
                    return date_, Col(name=date_)
                return unit.value.removeprefix("start_of_"), DatePart(unit=unit, operand=self._date(date_))
            case Computed(op, left, right):
                other = self.name(right) if not isinstance(right, Number) else f"{right.value:g}".replace(".", "_")
                value: Expression = Col(name=other) if not isinstance(right, Number) else literal(right.value)
                first = self.name(left)
                return f"{first}_{_WORDS[op]}_{other}", Arithmetic(op=op, left=Col(name=first), right=value)
            case Between(unit, start, end):
                self._use(start)
                self._use(end)
                value_ = TimeBetween(unit=unit, start=Col(name=start), end=Col(name=end))
                return f"{unit.value}_from_{start}_to_{end}", value_
            case Band(Column(name), width):
                self._use(name)
                return f"{name}_group", Bin(operand=Col(name=name), width=width)
            case Sided(sides):
                branches = tuple(
                    When(condition=self.predicate(test), value=Lit(value=side, type=ColumnType.TEXT))
                    for side, test in sides
                )
                return "side", Case(branches=branches)
            case _:
                raise PlanError("A row has no such value.")

    def _date(self, name: str) -> Col:
        if not name:
            raise PlanError("The table has no date that tells when a row was.")
        self._use(name)
        return Col(name=name)

    def _use(self, name: str) -> None:
        """Read the texts of a column as what they write."""
        written = self._table.column(name).facts.written
        if written and name not in self._read:
            self._read[name] = Derive(name=name, expression=Parse(operand=Col(name=name), writing=written[0].writing))

    def _free(self, name: str) -> str:
        taken = {*self._table.names, *self._made.values()}
        while name in taken:
            name += "_"
        return name

    # -- conditions --

    def predicate(self, test: Test) -> Predicate:
        """Return a condition on rows as a plan says it."""
        match test:
            case Is(column, values, negated):
                return self._is(column, values, negated=negated)
            case Holds(left, op, right):
                left_name = self._tested(left)
                if isinstance(right, Number):
                    return Compare(op=op, left=Col(name=left_name), right=literal(right.value))
                return Compare(op=op, left=Col(name=left_name), right=Col(name=self._tested(right)))
            case Within(period, date_, negated):
                return self._within(period, date_, negated=negated)
            case Like(column, mode, text, negated):
                lit = Lit(value=text, type=ColumnType.TEXT)
                return TextMatch(mode=mode, operand=Col(name=column), text=lit, negated=negated)
            case Lacks(column, negated):
                if self._table.profile.column(column).nulls != self._table.column(column).nulls:
                    self._use(column)
                return IsMissing(operand=Col(name=column), negated=negated)
            case Both(terms):
                return All(terms=tuple(self.predicate(term) for term in terms))
            case Either(terms):
                return AnyOf(terms=tuple(self.predicate(term) for term in terms))
            case Beside(left, op, function, by):
                name = self._free(f"{function.value}_of_all")
                tested = Col(name=self._tested(left))
                window = WindowFunction(function.value)
                self.before_tests.append(Window(name=name, function=window, column=tested, by=Names(names=by)))
                return Compare(op=op, left=tested, right=Col(name=name))
            case Kept(kept):
                for used in names_in(kept):
                    self._use(used)
                return kept

    def predicate_of(self, period: str, test: Test) -> Predicate:
        """Return a condition on the periods of figures."""
        if not isinstance(test, Within):
            raise PlanError("Only a stretch of time chooses among periods.")
        if isinstance(test.period, Season):
            return _in_season(Col(name=period), test.period, negated=test.negated)
        return _bounds(Col(name=period), test.period, negated=test.negated)

    def _tested(self, term: Term) -> str:
        before = len(self.derived)
        name = self.name(term)
        self.before_tests += self.derived[before:]  # a condition comes first, and so does what it looks at
        del self.derived[before:]
        return name

    def _is(self, name: str, values: tuple[object, ...], *, negated: bool) -> Predicate:
        type_ = self._table.profile.schema_.type_of(name)
        if not isinstance(values[0], str) or type_ is not ColumnType.TEXT:
            type_ = self._table.type_of(name)
            self._use(name)
        if type_ is ColumnType.BOOLEAN:
            yes = bool(values[0]) is not negated
            return Compare(op=CompareOp.EQ, left=Col(name=name), right=Lit(value=yes, type=type_))
        literals = tuple(Lit(value=value, type=type_) for value in values)
        if len(literals) == 1:
            op = CompareOp.NE if negated else CompareOp.EQ
            return Compare(op=op, left=Col(name=name), right=literals[0])
        return IsIn(operand=Col(name=name), values=literals, negated=negated)

    def _within(self, period: Period | Season, name: str, *, negated: bool) -> Predicate:
        if not name:
            raise PlanError("The table has no date that tells when a row was.")
        if name in self._table.years:
            return _years(name, period, negated=negated)
        self._use(name)
        if isinstance(period, Season):
            return _in_season(Col(name=name), period, negated=negated)
        return _bounds(Col(name=name), period, negated=negated)


def _in_season(column: Col, season: Season, *, negated: bool) -> Predicate:
    part = DatePart(unit=season.unit, operand=column)
    op = CompareOp.NE if negated else CompareOp.EQ
    terms = tuple(Compare(op=op, left=part, right=literal(number)) for number in season.numbers)
    if len(terms) == 1:
        return terms[0]
    return All(terms=terms) if negated else AnyOf(terms=terms)


def _bounds(column: Col, period: Period, *, negated: bool) -> Predicate:
    terms: list[Compare] = []
    if period.start:
        op = CompareOp.LT if negated else CompareOp.GE
        terms.append(Compare(op=op, left=column, right=Lit(value=period.start, type=ColumnType.DATE)))
    if period.end:
        op = CompareOp.GE if negated else CompareOp.LT
        terms.append(Compare(op=op, left=column, right=Lit(value=period.end, type=ColumnType.DATE)))
    if len(terms) == 1:
        return terms[0]
    return AnyOf(terms=tuple(terms)) if negated else All(terms=tuple(terms))


def _years(name: str, period: Period | Season, *, negated: bool) -> Predicate:
    """Return a stretch of time as years; raises `PlanError` where its ends lie within a year."""
    if isinstance(period, Season):
        raise PlanError("A year alone tells no month or day.")
    ends = [date.fromisoformat(end) for end in (period.start, period.end) if end]
    if any((end.month, end.day) != (1, 1) for end in ends):
        raise PlanError("A year alone tells no month or day.")
    column = Col(name=name)
    first = int(period.start[:4]) if period.start else None
    last = int(period.end[:4]) - 1 if period.end else None
    if first is not None and first == last:
        return Compare(op=CompareOp.NE if negated else CompareOp.EQ, left=column, right=literal(first))
    terms: list[Compare] = []
    if first is not None:
        terms.append(Compare(op=CompareOp.LT if negated else CompareOp.GE, left=column, right=literal(first)))
    if last is not None:
        terms.append(Compare(op=CompareOp.GT if negated else CompareOp.LE, left=column, right=literal(last)))
    if len(terms) == 1:
        return terms[0]
    return AnyOf(terms=tuple(terms)) if negated else All(terms=tuple(terms))


def literal(value: float) -> Lit:
    """Return a number as a constant, whole where it is."""
    whole = value == int(value)
    return Lit(value=int(value) if whole else value, type=ColumnType.INTEGER if whole else ColumnType.REAL)
