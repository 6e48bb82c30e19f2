"""Which part of all rows meets a condition, made of the plan that counts the rows that do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from jupyter_mcpgen.nl.comparing.plans.figures import figures_of, redrawn, renamed
from jupyter_mcpgen.nl.comparing.plans.shares import shared
from jupyter_mcpgen.nl.reading import Reading
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import (
    All,
    Arithmetic,
    ArithmeticOp,
    Case,
    Col,
    Compare,
    CompareOp,
    DatePart,
    DateUnit,
    IsIn,
    Lit,
    Predicate,
    When,
    terms_of,
)
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Filter, Measure, Sort, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

_OF_EACH_WEEK = frozenset({DateUnit.WEEKDAY, DateUnit.HOUR, DateUnit.MINUTE})
_PERCENT = 100


@dataclass(frozen=True)
class RowsMet:
    """A number of rows, or of what they tell apart, taken apart into the conditions that they meet."""

    reading: Reading
    computed: tuple[Derive, ...]
    """What the conditions need, such as a text that is read as yes or no."""
    terms: tuple[Predicate, ...]
    of_all: tuple[Predicate, ...]
    """What is said of every row that is looked at: the fines of "unpaid fines" are rows with a fine."""
    counted: Aggregate
    after: tuple[Step, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns that make groups."""
        return self.counted.by.names

    @property
    def key(self) -> str | None:
        """The column of which different values are counted; None where rows are."""
        (measure,) = self.counted.measures
        different = measure.function is AggregateFunction.COUNT_DISTINCT and measure.column is not None
        return measure.column.name if different and measure.column is not None else None


def rows_met(reading: Reading, flags: frozenset[str], keys: frozenset[str]) -> RowsMet | None:
    """Return the conditions of a number of rows; None where a plan counts nothing, or asks for more than a number.

    The sum of a column of 0 and 1 is the number of rows where it is 1, and a key has as many values as there are rows.
    """
    steps = reading.plan.steps
    place = next((at for at, step in enumerate(steps) if isinstance(step, Aggregate)), None)
    counted = steps[place] if place is not None else None
    if place is None or not isinstance(counted, Aggregate) or len(counted.measures) != 1:
        return None
    before, after = steps[:place], steps[place + 1 :]
    if not all(isinstance(step, Filter | Derive) for step in before) or not all(isinstance(s, Sort) for s in after):
        return None
    terms = [term for step in before if isinstance(step, Filter) for term in terms_of(step.predicate)]
    (measure,) = counted.measures
    of_all = tuple(terms_of(measure.where)) if measure.where is not None else ()
    match measure:
        case Measure(function=AggregateFunction.COUNT, column=None):
            pass
        case Measure(function=AggregateFunction.COUNT_DISTINCT, column=Col(name=name), where=None) if name in keys:
            return rows_met(_counting_rows(reading, counted), flags, keys)
        case Measure(function=AggregateFunction.COUNT_DISTINCT, column=Col(), where=None):
            pass
        case Measure(function=AggregateFunction.SUM, column=Col(name=name), where=None) if name in flags:
            one = Lit(value=1, type=ColumnType.INTEGER)
            terms.append(Compare(op=CompareOp.EQ, left=Col(name=name), right=one))
        case _:
            return None
    if not terms:
        return None
    return RowsMet(
        reading, tuple(step for step in before if isinstance(step, Derive)), tuple(terms), of_all, counted, after
    )


def _counting_rows(reading: Reading, counted: Aggregate) -> Reading:
    """Return a reading that counts rows, where each has a value of its own in the column that it counts."""
    number = Measure(function=AggregateFunction.COUNT)
    names = {counted.measures[0].name: number.name}
    plan = reading.plan
    steps = tuple(counted.model_copy(update={"measures": (number,)}) if s is counted else s for s in plan.steps)
    made = plan.with_steps(renamed(steps, names), redrawn(plan.chart, names))
    return replace(reading, plan=made)


def is_stretch_of_time(term: Predicate, plan: Plan) -> bool:
    """Tell whether a condition only says from when the rows are; a day of the week comes again and is none."""
    match term:
        case Compare(left=Col(), right=Col()):
            return False
        case Compare(left=DatePart(unit=unit)):
            dated = unit not in _OF_EACH_WEEK
        case IsIn(operand=DatePart(unit=unit)):
            dated = unit not in _OF_EACH_WEEK
        case Compare() | IsIn():
            dated = True
        case _:
            return False
    schema = plan.source_schema
    return dated and any(schema.type_of(name) is ColumnType.DATE for name in names_in(term) if name in schema.names)


def part_of(rows: RowsMet, asked: Sequence[Predicate], percent: bool) -> Reading:
    """Return which part of the rows that meet the other conditions meets those that are asked for, in each group.

    Raises `PlanError` where a name is taken.
    """
    others = [*rows.of_all, *(term for term in rows.terms if term not in asked)]
    (measure,) = rows.counted.measures
    if measure.function is AggregateFunction.COUNT_DISTINCT and measure.column is not None:
        made, name = _part_of_different(rows, measure.column, _both(asked), percent)
    else:
        function = AggregateFunction.PERCENT if percent else AggregateFunction.RATE
        rate = Measure(function=function, where=_both(asked))
        made, name = (rows.counted.model_copy(update={"measures": (rate,)}),), rate.name
    kept = (Filter(predicate=_both(others)),) if others else ()
    return _read_as(rows, (*rows.computed, *kept, *made), measure.name, name)


def part_of_total(rows: RowsMet, percent: bool) -> Reading:
    """Return which part of all rows that meet the conditions each group has.

    Raises `PlanError` where there are no groups, or different things are counted, which may be in several.
    """
    plan = rows.reading.plan
    one = next(measure for measure in rows.counted.measures)
    if one.function is AggregateFunction.SUM:
        number = rows.counted.model_copy(update={"measures": (Measure(function=AggregateFunction.COUNT),)})
        steps: tuple[Step, ...] = (*rows.computed, Filter(predicate=_both(rows.terms)), number)
        plan = _read_as(rows, steps, one.name, AggregateFunction.COUNT.value).plan
    return replace(rows.reading, plan=shared(plan, percent, None, rate=False, narrowed=False))


def so_many_of(rows: RowsMet, many: int) -> Reading:
    """Return how many of so many rows meet the conditions, in each group; raises `PlanError` where a name is taken."""
    (measure,) = rows.counted.measures
    met = Measure(function=AggregateFunction.COUNT, where=_both(rows.terms))
    number = Measure(function=AggregateFunction.COUNT)
    name = f"per_{many}_rows"
    ratio = Arithmetic(op=ArithmeticOp.DIVIDE, left=Col(name=met.name), right=Col(name=number.name))
    times = Arithmetic(op=ArithmeticOp.MULTIPLY, left=ratio, right=Lit(value=many, type=ColumnType.INTEGER))
    kept = (Filter(predicate=_both(rows.of_all)),) if rows.of_all else ()
    grouped = rows.counted.model_copy(update={"measures": (met, number)})
    steps: tuple[Step, ...] = (*rows.computed, *kept, grouped, Derive(name=name, expression=times))
    return _read_as(rows, steps, measure.name, name)


def _part_of_different(rows: RowsMet, key: Col, met: Predicate, percent: bool) -> tuple[tuple[Step, ...], str]:
    """Return the steps that count what has a row that meets a condition, and divide it by the number of all."""
    such = Derive(name=f"{key.name}_of_these", expression=Case(branches=(When(condition=met, value=key),)))
    of_these = Measure(function=AggregateFunction.COUNT_DISTINCT, column=Col(name=such.name))
    number = Measure(function=AggregateFunction.COUNT_DISTINCT, column=key)
    part = Arithmetic(op=ArithmeticOp.DIVIDE, left=Col(name=of_these.name), right=Col(name=number.name))
    hundred = Lit(value=_PERCENT, type=ColumnType.INTEGER)
    told = Arithmetic(op=ArithmeticOp.MULTIPLY, left=part, right=hundred) if percent else part
    name = "percent" if percent else "share"
    grouped = rows.counted.model_copy(update={"measures": (of_these, number)})
    return (such, grouped, Derive(name=name, expression=told)), name


def _read_as(rows: RowsMet, steps: tuple[Step, ...], counted: str, name: str) -> Reading:
    """Return a reading of other steps, ordered and drawn by its part where it was by the number."""
    plan = rows.reading.plan
    names = {counted: name}
    after = renamed(figures_of(plan).without(), names)
    made = plan.with_steps((*steps, *after), redrawn(plan.chart, names))
    return replace(rows.reading, plan=made)


def _both(terms: Sequence[Predicate]) -> Predicate:
    return terms[0] if len(terms) == 1 else All(terms=tuple(terms))
