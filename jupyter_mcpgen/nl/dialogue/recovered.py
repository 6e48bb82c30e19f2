"""The answer that a plan gives: assembly the other way round, so that a plan from anywhere can be changed.

Only the plan of an answer is kept between questions, and it may come from a model or from a person's editing. An answer
is taken for that of a plan where making its plan again gives the same steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import get_args

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.assembly.answers import Answer, Crossed, Grouping, Listing, OneStep, Planner
from jupyter_mcpgen.nl.dialogue.kept_conditions import Conditions
from jupyter_mcpgen.nl.dialogue.steps_alike import plain_steps
from jupyter_mcpgen.nl.grammar.meanings import (
    Band,
    Between,
    Both,
    Bound,
    Column,
    Computed,
    Figure,
    Limit,
    Measure,
    Number,
    Part,
    PartOfAll,
    Rate,
    Ratio,
    Term,
    Test,
    Window,
)
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import (
    Arithmetic,
    Bin,
    Col,
    Compare,
    CompareOp,
    DateName,
    DatePart,
    Expression,
    Lit,
    Parse,
    Predicate,
    TimeBetween,
    terms_of,
)
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Derive,
    Describe,
    Distinct,
    Filter,
    Pivot,
    Resample,
    Select,
    Sort,
    Step,
    TopPerGroup,
    WindowFunction,
)
from jupyter_mcpgen.plan.ops import Limit as First
from jupyter_mcpgen.plan.ops import Measure as Aggregated
from jupyter_mcpgen.plan.ops import Window as Windowed
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.statistics import Statistic

F = AggregateFunction
_SHARES = {WindowFunction.SHARE: False, WindowFunction.PERCENT: True}
_PERCENT = 100


def answer_of(plan: Plan, table: Table) -> Answer | None:
    """Return the answer that a plan gives; None for a plan that no answer of this planner has."""
    try:
        read = _Recovered(table)
        found = read.answer(plan.steps)
    except PlanError:
        return None
    chart = plan.chart.kind if plan.chart is not None else None
    usual = tuple(_in_orders(found))
    shown = (one for one in usual if isinstance(one, Grouping | Listing) and chart is not None)
    drawn = tuple(replace(one, chart=chart) for one in shown)
    for exactly in (True, False):
        for one in (*usual, *drawn):
            made = _made(one, table)
            kind = made.chart.kind if made is not None and made.chart is not None else None
            if made is not None and chart in (kind, None) and plain_steps(made, exactly) == plain_steps(plan, exactly):
                return one
    return None


def _made(answer: Answer, table: Table) -> Plan | None:
    try:
        return Planner(table).plan(answer)
    except PlanError:
        return None


def _in_orders(answer: Answer) -> Iterator[Answer]:
    """Yield an answer in its usual order, which may be the one that the plan has, and in that of the plan."""
    if isinstance(answer, Grouping) and answer.ordered and answer.first is None and answer.nth is None:
        yield replace(answer, ordered=False, order=None, descending=None)
    yield answer


@dataclass
class _Recovered:
    table: Table
    made: dict[str, Term] = field(default_factory=dict)
    windows: dict[str, Windowed] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    """The numbers of weekdays and months, which only order their names."""

    def answer(self, steps: Sequence[Step]) -> Answer:
        """Return the answer that steps give; raises `PlanError` for steps that no answer has."""
        tests, rest = self._before(steps)
        match rest:
            case []:
                return Listing(tests)
            case [Aggregate() | Resample() as grouped, *after]:
                return self._grouping(tests, grouped, after)
            case [Pivot(by=by, column=Col(name=column), measure=measure)] if len(by.names) == 1:
                return Crossed(tests, Column(by.names[0]), Column(column), self._measure(measure))
            case [Distinct(columns=columns), *after] if all(isinstance(step, Sort) for step in after):
                return Listing(tests, columns.names, distinct=True)
            case [step] if isinstance(step, (*get_args(Statistic), Describe)):
                return OneStep(tests, step)
            case [step, Aggregate()] if isinstance(step, get_args(Statistic)):
                return OneStep(tests, step, counted=True)
            case _:
                return self._listing(tests, rest)

    def _before(self, steps: Sequence[Step]) -> tuple[tuple[Test, ...], list[Step]]:
        """Return the conditions, and the steps behind those that make columns of the rows and choose among them."""
        tests: tuple[Test, ...] = ()
        for place, step in enumerate(steps):
            match step:
                case Derive(expression=Parse()):
                    continue
                case Derive(name=name, expression=expression):
                    self.made[name] = self._term(name, expression)
                case Windowed(name=name, function=function) if function.value in (F.MEAN.value, F.MEDIAN.value):
                    self.windows[name] = step
                case Filter(predicate=predicate):
                    tests = (*tests, *Conditions(self.table, self.made, self.windows).tests(predicate))
                case _:
                    return tests, list(steps[place:])
        return tests, []

    def _term(self, name: str, expression: Expression) -> Term:
        """Return what a column that was made says of each row, by columns of the table or by sums of made ones."""
        own = set(names_in(expression)) <= set(self.table.names)
        match expression:
            case _ if not own and not isinstance(expression, Arithmetic):
                raise PlanError(f"`{name}` is made of a column that was made before.")
            case DatePart(unit=unit, operand=Col(name=date)):
                return Part(unit, date)
            case DateName(unit=unit, operand=Col(name=date)):
                part = Part(unit, date)
                self.hidden |= {number for number, term in self.made.items() if term == part}
                return part
            case Arithmetic(op=op, left=Col(name=left), right=Col(name=right)):
                return Computed(op, self._named(left), self._named(right))
            case Arithmetic(op=op, left=Col(name=left), right=Lit(value=int() | float() as number)):
                return Computed(op, self._named(left), Number(number))
            case TimeBetween(unit=unit, start=Col(name=start), end=Col(name=end)):
                return Between(unit, start, end)
            case Bin(operand=Col(name=of), width=float() | int() as width):
                return Band(Column(of), width)
            case _:
                raise PlanError(f"`{name}` is computed in a way that no question says.")

    def _named(self, name: str) -> Term:
        if name not in self.made and name not in self.table.names:
            raise PlanError(f"`{name}` is not a column of the rows.")
        return self.made.get(name, Column(name))

    def _measure(self, measure: Aggregated) -> Figure | Rate:
        """Return a figure; raises `PlanError` for one with a name of its own."""
        term = self._named(measure.column.name) if measure.column is not None else None
        where = self._condition(measure)
        if measure.function in (F.RATE, F.PERCENT) and where is not None:
            return Rate(where, measure.function is F.PERCENT)
        return Figure(measure.function, term, where, measure.fraction)

    def _condition(self, measure: Aggregated) -> Test | None:
        if measure.where is None:
            return None
        found = Conditions(self.table, self.made, self.windows).tests(measure.where)
        return found[0] if len(found) == 1 else Both(found)

    # -- groups --

    def _grouping(self, tests: tuple[Test, ...], grouped: Aggregate | Resample, after: Sequence[Step]) -> Grouping:
        names: dict[str, Term] = {name: self._named(name) for name in grouped.by.names if name not in self.hidden}
        if isinstance(grouped, Resample):
            names = {grouped.name: Part(grouped.unit, grouped.date.name), **names}
        shown = {one.name: self._measure(one) for one in grouped.measures}
        answer = Grouping(tests, tuple(names.values()), tuple(shown.values()))
        measures: dict[str, Measure] = dict(shown)
        for step in after:
            answer = self._after(answer, step, names, measures)
        return answer

    def _after(self, answer: Grouping, step: Step, names: dict[str, Term], measures: dict[str, Measure]) -> Grouping:
        match step:
            case Derive(name=name, expression=expression):
                return self._ratio(answer, name, expression, measures)
            case Windowed(name=name, function=function, column=Col(name=column)) if function in _SHARES:
                figure = measures[column]
                if not isinstance(figure, Figure):
                    raise PlanError("Only a figure has a share in its total.")
                measures[name] = PartOfAll(figure, _SHARES[function])
                return replace(answer, measures=_instead(answer.measures, figure, measures[name]))
            case Windowed(name="place", function=WindowFunction.RANK, descending=descending):
                return replace(answer, ordered=True, descending=descending, nth=0)
            case Windowed(function=function, size=size, descending=descending):
                ranked = {"descending": descending} if function is WindowFunction.RANK and not descending else {}
                return replace(answer, window=Window(function, size), **ranked)  # type: ignore[arg-type]
            case Filter(predicate=predicate) if answer.nth == 0:
                return replace(answer, nth=_place(terms_of(predicate)[0]))
            case Filter(predicate=predicate) if answer.window is not None or _is_of_groups(predicate, names):
                kept = Conditions(self.table, names, {}).tests(predicate)
                return replace(answer, after=(*answer.after, *kept))
            case Filter(predicate=predicate):
                limits = tuple(_limit(term, measures) for term in terms_of(predicate))
                return replace(answer, limits=(*answer.limits, *limits))
            case Aggregate(by=by, measures=(Aggregated(function=function),)):
                return replace(answer, per=len(by.names), then=function, ordered=False, order=None)
            case Sort(keys=(key, *_)):
                if answer.window is not None and key.column == "rank":
                    return answer
                order = names.get(key.column) or measures.get(key.column)
                if order is None:
                    raise PlanError("The groups have nothing of that name to order by.")
                usual = order == next(iter(measures.values()))
                return replace(answer, ordered=True, order=None if usual else order, descending=key.descending)
            case First(count=count):
                return replace(answer, first=count)
            case TopPerGroup(by=by, keys=(key, *_), count=count):
                return replace(answer, ordered=True, descending=key.descending, first=count, per=len(by.names))
            case Select(columns=columns):
                kept_ = tuple(one for name, one in measures.items() if name in columns.names)
                shown = tuple(one for one in answer.measures if one in kept_)
                return replace(answer, measures=shown or answer.measures)
            case _:
                raise PlanError("No answer has such a step behind its groups.")

    def _ratio(self, answer: Grouping, name: str, expression: Expression, measures: dict[str, Measure]) -> Grouping:
        percent = False
        match expression:
            case Arithmetic(left=Arithmetic() as inner, right=Lit(value=value)) if value == _PERCENT:
                expression, percent = inner, True
        match expression:
            case Arithmetic(op=op, left=Col(name=left), right=Col(name=right)):
                over, under = measures.get(left), measures.get(right)
            case _:
                over = under = None
        if not isinstance(over, Figure) or not isinstance(under, Figure):
            raise PlanError("Only two figures are put together.")
        measures[name] = Ratio(over, under, op, percent)
        rest = tuple(one for one in answer.measures if one not in (over, under))
        return replace(answer, measures=(measures[name], *rest))

    # -- rows --

    def _listing(self, tests: tuple[Test, ...], steps: Sequence[Step]) -> Listing:
        answer = Listing(tests)
        for step in steps:
            match step:
                case Sort(keys=(key,)):
                    answer = replace(answer, order=self._named(key.column), descending=key.descending)
                case First(count=count):
                    answer = replace(answer, first=count)
                case Select(columns=columns) if set(columns.names) <= set(self.table.names):
                    answer = replace(answer, columns=columns.names)
                case TopPerGroup(by=by, keys=(key,), count=count):
                    order = self._named(key.column)
                    answer = replace(answer, per=by.names, order=order, descending=key.descending, first=count)
                case Windowed(name="place", column=Col(name=column), descending=descending):
                    answer = replace(answer, order=self._named(column), descending=descending, nth=0)
                case Filter(predicate=predicate) if answer.nth == 0:
                    answer = replace(answer, nth=_place(predicate))
                case _:
                    raise PlanError("No answer has such a step behind its rows.")
        return answer


def _is_of_groups(predicate: Predicate, names: dict[str, Term]) -> bool:
    """Tell whether a condition chooses among groups by what they are."""
    return {name for term in terms_of(predicate) for name in names_in(term)} <= set(names)


def _instead(measures: tuple[Measure, ...], old: Measure, new: Measure) -> tuple[Measure, ...]:
    return tuple(new if one == old else one for one in measures)


def _place(predicate: object) -> int:
    match predicate:
        case Compare(op=CompareOp.EQ, right=Lit(value=int() as place)):
            return place
        case _:
            raise PlanError("Only one place is asked for.")


def _limit(predicate: object, measures: dict[str, Measure]) -> Limit:
    match predicate:
        case Compare(op=op, left=Col(name=name), right=Lit(value=int() | float() as value)) if name in measures:
            return Limit(measures[name], Bound(op, Number(value)))
        case _:
            raise PlanError("Groups are chosen by their figures.")
