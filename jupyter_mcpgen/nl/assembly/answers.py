"""The kinds of answer, each ready to become a plan: figures of groups, rows, statistics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Kind, Role
from jupyter_mcpgen.nl.assembly.expressions import Columns as Made
from jupyter_mcpgen.nl.grammar.meanings import (
    Column,
    Figure,
    Limit,
    Measure,
    Part,
    PartOfAll,
    Period,
    Rate,
    Ratio,
    Scalar,
    Sided,
    Term,
    Test,
    Window,
)
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import (
    All,
    Arithmetic,
    ArithmeticOp,
    Case,
    Col,
    Columns,
    Compare,
    CompareOp,
    DateUnit,
    IsIn,
    Lit,
    Predicate,
    When,
    terms_of,
)
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Chart,
    ChartKind,
    Derive,
    Distinct,
    Filter,
    Pivot,
    Resample,
    Select,
    Sort,
    SortKey,
    Step,
    TopPerGroup,
    WindowFunction,
)
from jupyter_mcpgen.plan.ops import (
    Limit as First,
)
from jupyter_mcpgen.plan.ops import (
    Measure as Aggregated,
)
from jupyter_mcpgen.plan.ops import (
    Window as Windowed,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

F = AggregateFunction
MOST_COLUMNS = 40
"""How many columns the values of a column may become."""
_MOVES = {WindowFunction.CHANGE: "change", WindowFunction.PERCENT_CHANGE: "percent_change"}


@dataclass(frozen=True)
class Grouping:
    """Figures of groups, or one row of figures without keys."""

    tests: tuple[Test, ...] = ()
    keys: tuple[Term, ...] = ()
    measures: tuple[Measure, ...] = ()
    limits: tuple[Limit, ...] = ()
    order: Measure | Term | None = None
    ordered: bool = False
    descending: bool | None = None
    first: int | None = None
    nth: int | None = None
    per: int = 0
    """How many of the first keys make the groups of which each keeps its first few."""
    lacks: Test | None = None
    """What no row of a group that is kept may meet."""
    window: Window | None = None
    then: AggregateFunction | None = None
    """What is taken of the first figure of the groups."""
    after: tuple[Test, ...] = ()
    """Conditions on groups, which choose from what was computed of all of them: the periods of a window, a share."""
    kept: tuple[tuple[CompareOp, float], ...] = ()
    """Limits of what a window computes."""
    by_window: bool = False
    """True where that orders the groups."""
    chart: ChartKind | None = None
    some: Rate | None = None
    """What part of the groups has a first figure above zero, in the place of the groups themselves."""


@dataclass(frozen=True)
class Listing:
    """Rows as they are: some of them, in an order, with some columns."""

    tests: tuple[Test, ...] = ()
    columns: tuple[str, ...] = ()
    order: Term | None = None
    descending: bool = False
    first: int | None = None
    nth: int | None = None
    per: tuple[str, ...] = ()
    distinct: bool = False
    chart: ChartKind | None = None


@dataclass(frozen=True)
class OneStep:
    """A statistic of the rows that count."""

    tests: tuple[Test, ...]
    step: Step
    counted: bool = False
    by: tuple[str, ...] = ()
    """The groups for each of which the rows that are left are counted."""


@dataclass(frozen=True)
class Crossed:
    """A figure by the values of two columns: a row for each of the one, a column for each of the other."""

    tests: tuple[Test, ...]
    row: Column
    column: Column
    measure: Measure


@dataclass(frozen=True)
class Moved:
    """How a figure changed from one period to another, for all rows or for each group, the largest change first."""

    tests: tuple[Test, ...]
    keys: tuple[Term, ...]
    measure: Measure
    date: str
    first: Period
    last: Period
    percent: bool
    descending: bool = True
    count: int | None = None
    rises: bool | None = None
    """Whether only what rose is kept, or only what fell."""


@dataclass(frozen=True)
class Gapped:
    """A figure of two groups, and how far the first lies above the second; `single` where each is of one row."""

    tests: tuple[Test, ...]
    key: Term
    measure: Measure
    values: tuple[Scalar, Scalar]
    single: bool
    by: tuple[Term, ...] = ()
    """Further groups, each of which has both."""


Answer = Grouping | Listing | OneStep | Crossed | Moved | Gapped


@dataclass
class Planner:
    """Makes the plan of an answer over a table; raises `PlanError` where it makes no sense over these columns."""

    table: Table
    steps: list[Step] = field(default_factory=list)

    def plan(self, answer: Answer) -> Plan:
        """Return the plan of an answer."""
        self._made = Made(self.table)
        self.resampled = False
        chart: Chart | None = None
        body: list[Step]
        match answer:
            case Grouping():
                body, chart = self._grouping(answer)
            case Listing():
                body, chart = self._listing(answer)
            case Moved():
                body = self._moved(answer)
            case Gapped():
                body = self._gapped(answer)
            case Crossed():
                body = [self._crossed(answer)]
            case OneStep(_, step, counted, by):
                for name in names_in(step):
                    self._made.name(Column(name))
                count = Aggregate(by=Columns(names=by), measures=(Aggregated(function=F.COUNT),))
                body = [step, count] if counted else [step]
        filters = [self._made.predicate(test) for test in answer.tests]
        steps = [*self._made.parsed(), *self._made.before_tests, *_filter(filters), *self._made.derived, *body]
        profile = self.table.profile
        return Plan(source=profile.name, source_schema=profile.schema_, steps=tuple(steps), chart=chart)

    # -- rows --

    def _listing(self, answer: Listing) -> tuple[list[Step], Chart | None]:
        steps: list[Step] = []
        if answer.distinct:
            return [Distinct(columns=Columns(names=answer.columns)), *self._sorts(answer.columns)], None
        order = self._made.name(answer.order) if answer.order is not None else None
        if answer.per and order is not None:
            key = SortKey(column=order, descending=answer.descending)
            return [TopPerGroup(by=Columns(names=answer.per), keys=(key,), count=answer.first or 1)], None
        if order is not None:
            steps += self._sorts((order,), descending=answer.descending)
        if answer.nth is not None and order is not None:
            steps = [
                Windowed(
                    name="place", function=WindowFunction.RANK, column=Col(name=order), descending=answer.descending
                ),
                Filter(predicate=_equals("place", answer.nth)),
            ]
        elif answer.first is not None:
            steps.append(First(count=answer.first))
        if answer.chart is not None:
            for name in filter(self.table.is_number, answer.columns):
                self._made.name(Column(name))  # a chart shows the numbers that texts write
        if answer.columns:
            steps.append(Select(columns=Columns(names=answer.columns)))
        return steps, self._row_chart(answer)

    def _row_chart(self, answer: Listing) -> Chart | None:
        names = answer.columns
        match answer.chart:
            case None:
                return None
            case ChartKind.HISTOGRAM:
                return Chart(kind=ChartKind.HISTOGRAM, x=names[0], color=names[1] if len(names) > 1 else None)
            case kind if len(names) > 1:
                return Chart(kind=kind, x=names[0], y=names[1], color=names[2] if len(names) > 2 else None)
            case kind:
                raise PlanError(f"One column of the rows is not drawn as a {kind.value} chart.")

    # -- figures --

    def _moved(self, answer: Moved) -> list[Step]:
        keys = tuple(self._made.key(term) for term in answer.keys)
        year, first, last = self._ends(answer)
        figure = self._aggregated(answer.measure)
        both = IsIn(operand=Col(name=year), values=(first, last))
        function = WindowFunction.PERCENT_CHANGE if answer.percent else WindowFunction.CHANGE
        moves = ((WindowFunction.LAG, f"{figure.name}_before"), (function, _MOVES[function]))
        column, by, order = Col(name=figure.name), Columns(names=keys), SortKey(column=year)
        steps: list[Step] = [Filter(predicate=both), Aggregate(by=Columns(names=(*keys, year)), measures=(figure,))]
        steps += [Windowed(name=name, function=one, column=column, by=by, order=order) for one, name in moves]
        steps.append(Filter(predicate=Compare(op=CompareOp.EQ, left=Col(name=year), right=last)))
        if answer.rises is not None:
            op = CompareOp.GT if answer.rises else CompareOp.LT
            steps.append(Filter(predicate=Compare(op=op, left=Col(name=_MOVES[function]), right=_number(0))))
        if keys:
            steps.append(Sort(keys=(SortKey(column=_MOVES[function], descending=answer.descending),)))
        if answer.count is not None:
            steps.append(First(count=answer.count))
        return steps

    def _ends(self, answer: Moved) -> tuple[str, Lit, Lit]:
        """Return the column of the two periods, and both of them in it."""
        first, last = answer.first, answer.last
        if first.unit is DateUnit.START_OF_YEAR or first.unit is None:
            year = Column(answer.date) if answer.date in self.table.years else Part(DateUnit.YEAR, answer.date)
            return self._made.name(year), _number(int(first.start[:4])), _number(int(last.start[:4]))
        dates = [Lit(value=period.start, type=ColumnType.DATE) for period in (first, last)]
        return self._made.name(Part(first.unit, answer.date)), dates[0], dates[1]

    def _gapped(self, answer: Gapped) -> list[Step]:
        key = self._made.key(answer.key)
        figure = self._aggregated(answer.measure)
        if answer.single:
            return self._gap_of_cells(answer, key, figure)
        first, second = answer.values
        order = SortKey(column=key, descending=str(first) < str(second))  # the second comes before the first
        by = tuple(self._made.key(term) for term in answer.by)
        column, groups = Col(name=figure.name), Columns(names=by)
        gap = Windowed(name="change", function=WindowFunction.CHANGE, column=column, by=groups, order=order)
        sorts = (*(SortKey(column=name) for name in by), order)
        return [Aggregate(by=Columns(names=(*by, key)), measures=(figure,)), gap, Sort(keys=sorts)]

    def _gap_of_cells(self, answer: Gapped, key: str, figure: Aggregated) -> list[Step]:
        """Return the difference between the values of two rows, whichever is larger."""
        if figure.column is None:
            raise PlanError("A row alone is not counted.")
        type_ = self.table.type_of(key) if key in self.table.names else ColumnType.DATE
        left, right = (Col(name=f"{figure.column.name}_of_{value}") for value in answer.values)
        cells: list[Step] = []
        for column, value in zip((left, right), answer.values, strict=True):
            named = Compare(op=CompareOp.EQ, left=Col(name=key), right=Lit(value=value, type=type_))
            cell = Case(branches=(When(condition=named, value=figure.column),))
            cells.append(Derive(name=column.name, expression=cell))
        parts = tuple(Aggregated(function=F.MAX, column=one, label=one.name) for one in (left, right))
        larger = When(
            condition=Compare(op=CompareOp.GE, left=left, right=right),
            value=Arithmetic(op=ArithmeticOp.SUBTRACT, left=left, right=right),
        )
        gap = Case(branches=(larger,), otherwise=Arithmetic(op=ArithmeticOp.SUBTRACT, left=right, right=left))
        names = ("difference", left.name, right.name)
        return [
            *cells,
            Aggregate(by=Columns(names=()), measures=parts),
            Derive(name="difference", expression=gap),
            Select(columns=Columns(names=names)),
        ]

    def _crossed(self, answer: Crossed) -> Step:
        known = self.table.profile.column(answer.column.name)
        if not known.complete or not 0 < known.distinct <= MOST_COLUMNS:
            raise PlanError(f"`{answer.column.name}` has too many values to be columns.")
        type_ = self.table.profile.schema_.type_of(answer.column.name)
        values = tuple(Lit(value=value, type=type_) for value in sorted(known.values))
        by = Columns(names=(self._made.key(answer.row),))
        return Pivot(
            by=by, column=Col(name=answer.column.name), values=values, measure=self._aggregated(answer.measure)
        )

    def _grouping(self, answer: Grouping) -> tuple[list[Step], Chart | None]:
        keys, numbers = self._keys(answer)
        shown, aggregated, after = self._measures(answer.measures, keys)
        limits, more, behind = self._limits(answer.limits, aggregated)
        aggregated = (*aggregated, *more)
        if answer.lacks is not None:
            never = Aggregated(function=F.COUNT, where=self._made.predicate(answer.lacks))
            aggregated = (*aggregated, never)
            limits = [*limits, Filter(predicate=_equals(never.name, 0))]
        if any(one.column is not None and one.column.name in keys for one in aggregated):
            raise PlanError("A column is not both a group and a measure.")
        steps: list[Step] = [self._aggregate(answer, keys, aggregated), *after, *behind, *limits]
        if answer.window is not None:
            steps += self._window(answer, answer.window, keys, shown)
        else:
            steps += _filter([self._made.predicate(test) for test in answer.after])
        if answer.some is not None:
            above = Compare(op=CompareOp.GT, left=Col(name=shown[0]), right=_number(0))
            part = Aggregated(function=F.PERCENT if answer.some.percent else F.RATE, where=above)
            kept = keys[: answer.per]
            last = Aggregate(by=Columns(names=kept), measures=(part,))
            order = [Sort(keys=(SortKey(column=part.name, descending=True),))] if len(kept) == 1 else []
            return [*steps, last, *order], None
        if answer.then is not None:
            counts = answer.then is F.COUNT
            over = Aggregated(function=answer.then, column=None if counts else Col(name=shown[0]))
            return [*steps, Aggregate(by=Columns(names=keys[: answer.per]), measures=(over,))], None
        steps += self._order(answer, keys, numbers, shown)
        visible = tuple(name for name in keys if name not in numbers)
        if visible != keys or more or answer.lacks is not None:
            extra = tuple(step.name for step in steps if isinstance(step, Windowed))
            steps.append(Select(columns=Columns(names=(*visible, *dict.fromkeys((*shown, *extra))))))
        return steps, self._chart(answer, visible, shown, steps)

    def _aggregate(self, answer: Grouping, keys: tuple[str, ...], measures: tuple[Aggregated, ...]) -> Step:
        """Group, or take each period where what follows looks at the ones before."""
        term = answer.keys[0] if answer.keys else None
        function = answer.window.function if answer.window is not None else None
        ordered = function is not None and function.is_ordered
        if ordered and isinstance(term, Part) and term.unit.is_period and not self._skips_weekends(term, measures):
            derived = self._made.take_back(keys[0])
            self.resampled = True
            others = Columns(names=keys[1:])
            return Resample(name=keys[0], date=Col(name=derived), unit=term.unit, by=others, measures=measures)
        return Aggregate(by=Columns(names=keys), measures=measures)

    def _skips_weekends(self, term: Part, measures: tuple[Aggregated, ...]) -> bool:
        """Tell whether days without rows are none at all, as for the price of a share; counts are then zero."""
        if term.unit is not DateUnit.START_OF_DAY or not self.table.has_working_days(term.date):
            return False
        single = self.table.column(term.date).is_unique
        return single or not any(one.function in (F.COUNT, F.COUNT_DISTINCT, F.SUM) for one in measures)

    def _keys(self, answer: Grouping) -> tuple[tuple[str, ...], frozenset[str]]:
        """Return the columns to group by, and those that only order the names of weekdays and months."""
        names: list[str] = []
        numbers: set[str] = set()
        for term in answer.keys:
            if isinstance(term, Part) and term.unit in (DateUnit.WEEKDAY, DateUnit.MONTH) and answer.then is None:
                number, name = self._made.named_part(term)
                names += [number, name]
                numbers.add(number)
            else:
                names.append(self._made.key(term))
        if len(set(names)) < len(names):
            raise PlanError("Two groups are the same.")
        return tuple(names), frozenset(numbers)

    def _measures(
        self, measures: tuple[Measure, ...], keys: tuple[str, ...]
    ) -> tuple[tuple[str, ...], tuple[Aggregated, ...], list[Step]]:
        """Return what the figures are called, what is aggregated for them, and what is made of that."""
        shown: list[str] = []
        aggregated: dict[str, Aggregated] = {}
        after: list[Step] = []
        for measure in measures:
            match measure:
                case Ratio():
                    shown.append(self._ratio(measure, aggregated, after))
                case PartOfAll(figure, percent, of):
                    one = self._aggregated(figure)
                    aggregated[one.name] = one
                    function = WindowFunction.PERCENT if percent else WindowFunction.SHARE
                    name = function.value
                    by = Columns(names=keys[:-1] if of is not None else ())
                    after.append(Windowed(name=name, function=function, column=Col(name=one.name), by=by))
                    shown += [one.name, name]
                case _:
                    one = self._aggregated(measure)
                    aggregated[one.name] = one
                    shown.append(one.name)
        return tuple(dict.fromkeys(shown)), tuple(aggregated.values()), after

    def _ratio(self, ratio: Ratio, aggregated: dict[str, Aggregated], after: list[Step]) -> str:
        left, right = self._aggregated(ratio.left), self._aggregated(ratio.right)
        if left.name == right.name:
            right = right.model_copy(update={"label": f"other_{right.name}"})
        aggregated[left.name], aggregated[right.name] = left, right
        word = {ArithmeticOp.DIVIDE: "per", ArithmeticOp.SUBTRACT: "minus", ArithmeticOp.MULTIPLY: "times"}
        plain = [one.column.name if one.column is not None else one.name for one in (left, right)]
        name = f"{plain[0]}_{word.get(ratio.op, 'plus')}_{plain[1]}"
        if plain[0] == plain[1]:
            name = f"range_{plain[0]}"
        value = Arithmetic(op=ratio.op, left=Col(name=left.name), right=Col(name=right.name))
        if ratio.percent:
            value = Arithmetic(op=ArithmeticOp.MULTIPLY, left=value, right=Lit(value=100, type=ColumnType.INTEGER))
        after.append(Derive(name=name, expression=value))
        return name

    def _aggregated(self, measure: Measure) -> Aggregated:
        match measure:
            case Figure(function, term, where, fraction):
                column = Col(name=self._made.name(term)) if term is not None else None
                condition = self._made.predicate(where) if where is not None else None
                return Aggregated(function=function, column=column, fraction=fraction, where=condition)
            case Rate(test, percent):
                function = F.PERCENT if percent else F.RATE
                return Aggregated(function=function, where=self._made.predicate(test))
            case _:
                raise PlanError("A figure of figures cannot be compared.")

    def _limits(
        self, limits: tuple[Limit, ...], known: tuple[Aggregated, ...]
    ) -> tuple[list[Step], tuple[Aggregated, ...], list[Step]]:
        steps: list[Step] = []
        more: dict[str, Aggregated] = {}
        behind: list[Step] = []
        for limit in limits:
            names, aggregated, after = self._measures((limit.measure,), ())
            more |= {one.name: one for one in aggregated if one.name not in {other.name for other in known}}
            behind += after
            bound = limit.bound
            ops = [(bound.op, bound.value.value)]
            if bound.upper is not None:
                ops.append((CompareOp.LE, bound.upper.value))
            predicates = [Compare(op=op, left=Col(name=names[-1]), right=_number(value)) for op, value in ops]
            steps += _filter(predicates)
        return steps, tuple(more.values()), behind

    def _window(self, answer: Grouping, window: Window, keys: tuple[str, ...], shown: tuple[str, ...]) -> list[Step]:
        if window.function is WindowFunction.RANK:
            descending = answer.descending is not False
            step = Windowed(name="rank", function=window.function, column=Col(name=shown[0]), descending=descending)
            chosen = _filter([self._made.predicate(test) for test in answer.after])
            return [step, *chosen, Sort(keys=(SortKey(column="rank"),))]
        function = window.function
        if not keys or function is None:
            raise PlanError("There are no periods to go along.")
        if isinstance(answer.measures[0], PartOfAll):
            return self._running_share(keys, shown, function)
        order = None if self.resampled else SortKey(column=keys[0])
        name = _MOVES.get(function, f"{function.value}_{shown[0]}")
        step = Windowed(
            name=name, function=function, column=Col(name=shown[0]), by=Columns(names=keys[1:]), order=order,
            size=window.size,
        )  # fmt: skip
        limits: list[Predicate] = [Compare(op=op, left=Col(name=name), right=_number(v)) for op, v in answer.kept]
        return [step, *_filter([*limits, *(self._made.predicate_of(keys[0], test) for test in answer.after)])]

    def _running_share(self, keys: tuple[str, ...], shown: tuple[str, ...], function: WindowFunction) -> list[Step]:
        """Add the shares of groups up, the largest first where the groups have no order of their own."""
        first = keys[0]
        own = first not in self.table.names or not self.table.is_text(first) or self.table.order_of(first)
        key = SortKey(column=first) if own else SortKey(column=shown[0], descending=True)
        name = f"{function.value}_{shown[-1]}"
        step = Windowed(name=name, function=function, column=Col(name=shown[-1]), order=key)
        return [step] if own else [Sort(keys=(key,)), step]

    # -- order --

    def _sorts(self, names: tuple[str, ...], *, descending: bool = False) -> list[Step]:
        keys = tuple(SortKey(column=n, descending=descending, order=self.table.order_of(n)) for n in names)
        if len(keys) == 1 or not any(key.order for key in keys):
            return [Sort(keys=keys)]
        return [Sort(keys=(key,)) for key in reversed(keys)]

    def _order(
        self, answer: Grouping, keys: tuple[str, ...], numbers: frozenset[str], shown: tuple[str, ...]
    ) -> list[Step]:
        if not keys:
            if answer.first is not None:
                raise PlanError("There are no groups to keep the first of.")
            return []
        if answer.window is not None and not answer.ordered:
            return []
        if answer.by_window and answer.window is not None and answer.window.function is not None:
            moved = _MOVES.get(answer.window.function, f"{answer.window.function.value}_{shown[0]}")
            whole: list[Step] = [Sort(keys=(SortKey(column=moved, descending=answer.descending is not False),))]
            return whole if answer.first is None else [*whole, First(count=answer.first)]
        column = self._order_column(answer, keys, shown)
        descending = answer.descending
        if answer.per and answer.first is not None:
            key = SortKey(column=column, descending=descending is not False)
            return [TopPerGroup(by=Columns(names=keys[: answer.per]), keys=(key,), count=answer.first)]
        if not answer.ordered and isinstance(answer.keys[0], Sided) and len(keys) == 1:
            told = tuple(side for side, _ in answer.keys[0].sides)
            return [Sort(keys=(SortKey(column=keys[0], order=told),))]
        if not answer.ordered:
            named = [keys[0] in self.table.names]
            plain = named[0] and not self.table.is_number(keys[0]) and not self.table.is_date(keys[0])
            if (
                not plain
                or (len(keys) > 1 and not self._names(keys))
                or self.table.profile.column(keys[0]).kind is Kind.PERIOD
            ):
                return []  # periods, numbers and cross tables read best in the order of their keys
            if self.table.order_of(keys[0]):
                return self._sorts(keys)
            descending = True
        if descending is None:
            descending = column not in keys
        order = self.table.order_of(column) if column in keys and column in self.table.names else ()
        steps: list[Step] = [Sort(keys=(SortKey(column=column, descending=descending, order=order),))]
        if answer.nth is not None:
            rank = Windowed(name="place", function=WindowFunction.RANK, column=Col(name=column), descending=descending)
            return [rank, Filter(predicate=_equals("place", answer.nth))]
        if answer.first is not None:
            steps.append(First(count=answer.first))
        return steps

    def _names(self, keys: tuple[str, ...]) -> bool:
        """Tell whether two groups are the identifier and the name of one thing."""
        return len(keys) == 2 and self.table.named_pair(keys[0]) == keys

    def _order_column(self, answer: Grouping, keys: tuple[str, ...], shown: tuple[str, ...]) -> str:
        match answer.order:
            case None:
                return shown[-1] if isinstance(answer.measures[0], Ratio) else shown[0]
            case Figure() | Rate() | Ratio() | PartOfAll() as measure:
                names, _, _ = self._measures((measure,), keys)
                if names[-1] not in shown:
                    raise PlanError("The groups have no such figure to order by.")
                return names[-1]
            case term:
                name = self._made.known(term)
                found = next((one for one in shown if name is not None and one.endswith(f"_{name}")), name)
                if found is None or (found not in shown and found not in keys):
                    raise PlanError("The groups have nothing of that name to order by.")
                return found

    def _chart(
        self, answer: Grouping, keys: tuple[str, ...], shown: tuple[str, ...], steps: list[Step]
    ) -> Chart | None:
        if not keys:
            return None
        y = next(
            (step.name for step in reversed(steps) if isinstance(step, Windowed) and step.name != "rank"), shown[0]
        )
        if isinstance(answer.measures[0], Ratio):
            y = shown[-1]
        color = keys[1] if len(keys) > 1 and not self._names(keys) else None
        kind = answer.chart
        if kind is ChartKind.SCATTER and len(keys) == 1 and len(shown) == 2:
            return Chart(kind=kind, x=shown[0], y=shown[1])
        if kind is ChartKind.HISTOGRAM or (kind is ChartKind.HEATMAP and color is None):
            raise PlanError(f"These groups are not drawn as a {kind.value}.")
        if kind is not None:
            return Chart(kind=kind, x=keys[0], y=y, color=color)
        first = answer.keys[0]
        known = keys[0] in self.table.names and self.table.profile.column(keys[0]).role is Role.TIME
        timed = isinstance(first, Part) or known or keys[0] in self.table.years
        cut = any(isinstance(step, First | TopPerGroup) for step in steps)
        sorted_ = [step for step in steps if isinstance(step, Sort)]
        moved = bool(sorted_) and sorted_[-1].keys[0].column not in keys
        return Chart(
            kind=ChartKind.LINE if timed and not cut and not moved else ChartKind.BAR, x=keys[0], y=y, color=color
        )


def _filter(predicates: Sequence[Predicate]) -> list[Step]:
    if not predicates:
        return []
    terms = tuple(term for predicate in predicates for term in terms_of(predicate))
    return [Filter(predicate=terms[0] if len(terms) == 1 else All(terms=terms))]


def _number(value: float) -> Lit:
    whole = value == int(value)
    return Lit(value=int(value) if whole else value, type=ColumnType.INTEGER if whole else ColumnType.REAL)


def _equals(name: str, value: int) -> Compare:
    return Compare(op=CompareOp.EQ, left=Col(name=name), right=_number(value))
