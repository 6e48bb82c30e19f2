"""Reads a plan back as an answer and the comparison that completed it, so that a follow-up can change a part of it.

"Running total of sales by month" is the answer "sales by month", compared (`nl.compared`). A follow-up changes the
answer, and the comparison is made again. Each way to undo one is a guess that counts only when doing it again gives
exactly the plan that was there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.assembling.answers import Grouping, Listing
from jupyter_mcpgen.nl.comparing.plans.figures import renamed
from jupyter_mcpgen.nl.comparing.plans.groups import in_intervals, ranked, widened
from jupyter_mcpgen.nl.comparing.plans.percentiles import at_fractions
from jupyter_mcpgen.nl.comparing.plans.periods import followed, periods_in
from jupyter_mcpgen.nl.comparing.plans.shares import rated, shared
from jupyter_mcpgen.nl.comparing.plans.shown import with_conditions_after, with_conditions_before
from jupyter_mcpgen.nl.comparing.plans.spreads import kind_of, spread
from jupyter_mcpgen.nl.comparing.plans.sums import as_part, divided, reduced
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.followups.recall import recall
from jupyter_mcpgen.plan.expressions import (
    All,
    Arithmetic,
    ArithmeticOp,
    Bin,
    Columns,
    DatePart,
    DateUnit,
    IsMissing,
    terms_of,
)
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    ChartKind,
    Derive,
    Filter,
    Measure,
    Pivot,
    Resample,
    Select,
    Sort,
    SortKey,
    Step,
    Window,
    WindowFunction,
)
from jupyter_mcpgen.plan.plan import Plan

Complete = Callable[[Plan], Plan]
"""Makes the comparison; raises `PlanError` where it has no meaning for a plan."""
_RATES = {AggregateFunction.RATE: False, AggregateFunction.PERCENT: True}
_SHARES = {WindowFunction.SHARE: False, WindowFunction.PERCENT: True}
_LONGER = (DateUnit.START_OF_YEAR, DateUnit.START_OF_QUARTER, DateUnit.START_OF_WEEK)


@dataclass(frozen=True)
class Former:
    """An answer as it can be changed, what completes its plan, and whether that says parts of 1 or of 100."""

    answer: Grouping | Listing
    complete: Complete
    percent: bool | None = None
    """None for figures that are no parts of a whole."""
    otherwise: Complete | None = None
    """The same comparison in percent, or no longer so."""

    @property
    def is_plain(self) -> bool:
        """True for figures that are not compared yet."""
        return self.complete is _unchanged


@dataclass(frozen=True)
class _Undone:
    steps: tuple[Step, ...]
    complete: Complete
    percent: bool | None = None
    otherwise: Complete | None = None


def former_of(plan: Plan, context: Context) -> Former | None:
    """Return what a plan came from; None for a plan that no answer and no comparison gives."""
    plain = recall(plan, context)
    if plain is not None:
        return as_it_is(plain)
    for undo in (_followed, _rate, _parts, _part_of_all, _ranked, _spread, _percentile, _divided, _intervals, _widened):
        undone = undo(with_conditions_before(plan.steps), context)
        former = _former(undone, plan, context) if undone is not None else None
        if former is not None:
            return former
    return None


def as_it_is(answer: Grouping | Listing) -> Former:
    """Return an answer that nothing completes."""
    return Former(answer, _unchanged)


def _unchanged(plan: Plan) -> Plan:
    return plan


def _former(undone: _Undone, plan: Plan, context: Context) -> Former | None:
    """Return an undone plan as an answer, if making the comparison again gives the plan."""
    complete = partial(_shown, undone.complete)
    try:
        base = Plan(source=plan.source, source_schema=plan.source_schema, steps=undone.steps)
        again = complete(base)
    except PlanError:
        return None
    answer = recall(base, context)
    if answer is None or again.steps != plan.steps:
        return None
    drawn = plan.chart.kind if plan.chart is not None else None
    usual = again.chart.kind if again.chart is not None else None
    complete = complete if drawn in (None, usual) else partial(_drawn, complete, drawn)
    return Former(answer, complete, undone.percent, undone.otherwise)


def _shown(complete: Complete, plan: Plan) -> Plan:
    """Keep conditions on what is shown behind the comparison."""
    return with_conditions_after(complete(plan))


def _drawn(complete: Complete, kind: ChartKind | None, plan: Plan) -> Plan:
    """Keep the kind of chart that was asked for."""
    made = complete(plan)
    if made.chart is None or kind is None:
        return made
    return made.model_copy(update={"chart": made.chart.model_copy(update={"kind": kind})})


def _at(steps: tuple[Step, ...], kind: type[Step]) -> int | None:
    places = [place for place, step in enumerate(steps) if isinstance(step, kind)]
    return places[0] if len(places) == 1 else None


def _followed(steps: tuple[Step, ...], context: Context) -> _Undone | None:
    """Undo totals so far, moving averages and changes from period to period."""
    window = steps[-1] if steps else None
    if not isinstance(window, Window) or len(steps) < 2 or not window.function.is_ordered:
        return None
    made, before = steps[-2], steps[:-2]
    complete = partial(followed, function=window.function, size=window.size, over=None, context=context)
    if isinstance(made, Aggregate):
        return _Undone((*before, made), complete)
    if not isinstance(made, Resample):
        return None
    over = _compared_over(window, made.unit)
    if over is not None:
        complete = partial(followed, function=window.function, size=1, over=over, context=context)
    elif window.size > 1:
        complete = partial(_in_periods_of, made.unit, complete)
    part = Derive(name=made.name, expression=DatePart(unit=made.unit, operand=made.date))
    by = Columns(names=(made.name, *made.by.names))
    return _Undone((*before, part, Aggregate(by=by, measures=made.measures)), complete)


def _compared_over(window: Window, unit: DateUnit) -> DateUnit | None:
    """Return the longer period of which a change looks back one, such as the year of "year over year by month"."""
    if window.function not in (WindowFunction.CHANGE, WindowFunction.PERCENT_CHANGE) or window.size == 1:
        return None
    return next((over for over in _LONGER if periods_in(unit, over) == window.size), None)


def _in_periods_of(unit: DateUnit, complete: Complete, plan: Plan) -> Plan:
    """Refuse other periods for what looks back a number of them: nobody said how many of the others it would be."""
    made = complete(plan)
    if any(isinstance(step, Resample) and step.unit is not unit for step in made.steps):
        raise PlanError("How many of the other periods to look back is not said.")
    return made


def _rate(steps: tuple[Step, ...], context: Context) -> _Undone | None:
    """Undo the part of the rows that meets a condition."""
    place = _at(steps, Aggregate)
    aggregate = steps[place] if place is not None else None
    if place is None or not isinstance(aggregate, Aggregate) or len(aggregate.measures) != 1:
        return None
    measure = aggregate.measures[0]
    if measure.function not in _RATES or measure.where is None:
        return None
    counted = Measure(function=AggregateFunction.COUNT)
    after = renamed(steps[place + 1 :], {measure.name: counted.name})
    percent, met = _RATES[measure.function], measure.where
    return _Undone(
        (*steps[:place], aggregate.model_copy(update={"measures": (counted,)}), *after),
        partial(rated, met=met, percent=percent),
        percent,
        partial(rated, met=met, percent=not percent),
    )


def _parts(steps: tuple[Step, ...], context: Context) -> _Undone | None:
    """Undo each group's part of the total."""
    place = _at(steps, Window)
    window = steps[place] if place is not None else None
    if place is None or not isinstance(window, Window) or window.function not in _SHARES or len(window.by.names) > 1:
        return None
    within = next(iter(window.by.names), None)
    after = tuple(_not_showing(step, window.name) for step in steps[place + 1 :])
    percent = _SHARES[window.function]
    share = partial(shared, within=within, rate=False, narrowed=True)
    return _Undone(
        (*steps[:place], *after), partial(share, percent=percent), percent, partial(share, percent=not percent)
    )


def _not_showing(step: Step, name: str) -> Step:
    if isinstance(step, Select):
        return Select(columns=Columns(names=tuple(shown for shown in step.columns.names if shown != name)))
    return step


def _part_of_all(steps: tuple[Step, ...], context: Context) -> _Undone | None:
    """Undo the part of the total that one value has: "share of sales of the north"."""
    if len(steps) < 3 or not isinstance(met := steps[-1], Filter):
        return None
    window, aggregate = steps[-2], steps[-3]
    if not isinstance(window, Window) or not isinstance(aggregate, Aggregate) or window.function not in _SHARES:
        return None
    others = [step for step in steps[:-3] if isinstance(step, Filter)]
    kept = tuple(step for step in steps[:-3] if not isinstance(step, Filter))
    terms = tuple(term for step in (*others, met) for term in terms_of(step.predicate))
    every = Filter(predicate=terms[0] if len(terms) == 1 else All(terms=terms))
    percent = _SHARES[window.function]
    share = partial(shared, within=None, rate=False, narrowed=False)
    total = aggregate.model_copy(update={"by": Columns(names=())})
    return _Undone((every, *kept, total), partial(share, percent=percent), percent, partial(share, percent=not percent))


def _ranked(steps: tuple[Step, ...], context: Context) -> _Undone | None:
    """Undo the places of groups by their figures."""
    place = _at(steps, Window)
    window = steps[place] if place is not None else None
    if place is None or not isinstance(window, Window) or window.function is not WindowFunction.RANK:
        return None
    after = tuple(_not_showing(step, window.name) for step in steps[place + 2 :])
    order = Sort(keys=(SortKey(column=window.column.name, descending=window.descending),))
    return _Undone((*steps[:place], order, *after), partial(ranked, context=context))


def _percentile(steps: tuple[Step, ...], context: Context) -> _Undone | None:
    """Undo a percentile, which was a median first."""
    place = _at(steps, Aggregate)
    aggregate = steps[place] if place is not None else None
    if place is None or not isinstance(aggregate, Aggregate):
        return None
    quantiles = [measure for measure in aggregate.measures if measure.fraction is not None]
    if not quantiles:
        return None
    fractions = tuple(dict.fromkeys(measure.fraction for measure in quantiles if measure.fraction is not None))
    names: dict[str, str] = {}
    measures: dict[str, Measure] = {}
    for old in aggregate.measures:
        median = Measure(function=AggregateFunction.MEDIAN, column=old.column)
        new = median if old.fraction is not None else old
        measures[new.name] = new
        names[old.name] = new.name
    after = renamed(steps[place + 1 :], names)
    base = (*steps[:place], aggregate.model_copy(update={"measures": tuple(measures.values())}), *after)
    return _Undone(base, partial(at_fractions, fractions=fractions))


def _spread(steps: tuple[Step, ...], context: Context) -> _Undone | None:
    """Undo how far the values of a number lie apart, which was its median first."""
    place = _at(steps, Aggregate)
    if place is None or place + 1 >= len(steps):
        return None
    aggregate, derived = steps[place], steps[place + 1]
    kind = kind_of(aggregate.measures) if isinstance(aggregate, Aggregate) else None
    if kind is None or not isinstance(aggregate, Aggregate) or not isinstance(derived, Derive):
        return None
    median = Measure(function=AggregateFunction.MEDIAN, column=aggregate.measures[0].column)
    after = renamed(steps[place + 2 :], {derived.name: median.name})
    base = (*steps[:place], aggregate.model_copy(update={"measures": (median,)}), *after)
    return _Undone(base, partial(spread, kind=kind))


def _divided(steps: tuple[Step, ...], context: Context) -> _Undone | None:
    """Undo the ratio of two sums, or their difference."""
    place = _at(steps, Aggregate)
    if place is None or place + 1 >= len(steps):
        return None
    aggregate, ratio = steps[place], steps[place + 1]
    if not isinstance(aggregate, Aggregate) or not isinstance(ratio, Derive) or len(aggregate.measures) != 2:
        return None
    above, below = aggregate.measures
    if not isinstance(ratio.expression, Arithmetic) or below.column is None:
        return None
    expression, percent = ratio.expression, ratio.expression.op is ArithmeticOp.MULTIPLY
    if percent and isinstance(expression.left, Arithmetic):
        expression = expression.left
    after = renamed(steps[place + 2 :], {ratio.name: above.name})
    summed = [measure.column for measure in (above, below) if measure.column is not None]
    there = [Filter(predicate=IsMissing(operand=column, negated=True)) for column in summed]
    divides = expression.op is ArithmeticOp.DIVIDE
    before = tuple(step for step in steps[:place] if not (divides and step in there))
    base = (*before, aggregate.model_copy(update={"measures": (above,)}), *after)
    lacking = any(one.name in context.column_words and context.column(one.name).nulls for one in summed)
    if divides and (percent or (lacking and len(before) == place)):
        return _Undone(base, partial(as_part, column=below.column.name, percent=percent))
    if divides:
        return _Undone(base, partial(divided, column=below.column.name, context=context))
    reduces = expression.op is ArithmeticOp.SUBTRACT
    return _Undone(base, partial(reduced, column=below.column.name)) if reduces else None


def _intervals(steps: tuple[Step, ...], context: Context) -> _Undone | None:
    """Undo groups by the intervals of a number."""
    cuts = {
        step.name: step.expression for step in steps if isinstance(step, Derive) and isinstance(step.expression, Bin)
    }
    place = _at(steps, Aggregate)
    aggregate = steps[place] if place is not None else None
    if not cuts or place is None or not isinstance(aggregate, Aggregate):
        return None
    cut = next(iter(cuts.values()))
    names = tuple(dict.fromkeys(cuts[name].operand.name if name in cuts else name for name in aggregate.by.names))
    before = tuple(step for step in steps[:place] if not (isinstance(step, Derive) and step.name in cuts))
    base = (*before, aggregate.model_copy(update={"by": Columns(names=names)}))
    return _Undone(base, partial(in_intervals, width=cut.width, count=cut.count, context=context))


def _widened(steps: tuple[Step, ...], context: Context) -> _Undone | None:
    """Undo a cross table of two columns."""
    pivot = steps[-1] if steps else None
    if not isinstance(pivot, Pivot):
        return None
    by = Columns(names=(*pivot.by.names, pivot.column.name))
    base = (*steps[:-1], Aggregate(by=by, measures=(pivot.measure,)))
    return _Undone(base, partial(widened, context=context))
