"""Plans that say how far the values of a number lie apart, computed from two figures of it."""

from __future__ import annotations

from enum import StrEnum

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.nl.comparing.plans.figures import figures_of, redrawn, renamed
from jupyter_mcpgen.plan.expressions import Arithmetic, ArithmeticOp, Col
from jupyter_mcpgen.plan.ops import AggregateFunction, Derive, Measure, Select
from jupyter_mcpgen.plan.plan import Plan


class Spread(StrEnum):
    """A figure of two figures; the value is the name of its words in the language's data file."""

    INTERQUARTILE_RANGE = "interquartile_range"
    """The third quartile less the first."""
    RANGE = "value_range"
    """The largest value less the smallest."""
    VARIATION = "coefficient_of_variation"
    """The sample standard deviation over the mean; missing where the mean is 0."""


def spread(plan: Plan, kind: Spread, instead: AggregateFunction = AggregateFunction.MEDIAN) -> Plan:
    """Say how far the values of a number lie apart, in the place of another figure of it, beside what else is asked.

    Raises `PlanError` where the plan has no such figure.
    """
    figures = figures_of(plan)
    own = next((one for one in figures.aggregate.measures if one.function is instead), None)
    if own is None or own.column is None:
        raise PlanError("There are no values whose spread could be taken.")
    first, second = _figures(kind, own.column)
    operator = ArithmeticOp.DIVIDE if kind is Spread.VARIATION else ArithmeticOp.SUBTRACT
    name = figures.free(f"{_SHORT[kind]}_{own.column.name}")
    derived = Arithmetic(op=operator, left=Col(name=second.name), right=Col(name=first.name))
    others = tuple(one for one in figures.aggregate.measures if one != own)
    aggregate = figures.aggregate.model_copy(update={"measures": tuple(dict.fromkeys((*others, first, second)))})
    names = {own.name: name}
    after = renamed(figures.without(Select), names)
    steps = (*figures.before, aggregate, Derive(name=name, expression=derived), *after)
    return figures.built(steps, redrawn(figures.plan.chart, names))


def kind_of(measures: tuple[Measure, ...]) -> Spread | None:
    """Return the spread that is computed from these figures; None where they are not the two of any."""
    column = measures[0].column
    if column is None:
        return None
    return next((kind for kind in Spread if _figures(kind, column) == measures), None)


def _figures(kind: Spread, column: Col) -> tuple[Measure, Measure]:
    match kind:
        case Spread.INTERQUARTILE_RANGE:
            low, high = (
                Measure(function=AggregateFunction.QUANTILE, column=column, fraction=part) for part in (0.25, 0.75)
            )
            return low, high
        case Spread.RANGE:
            functions = (AggregateFunction.MIN, AggregateFunction.MAX)
        case Spread.VARIATION:
            functions = (AggregateFunction.MEAN, AggregateFunction.STD)
    first, second = (Measure(function=function, column=column) for function in functions)
    return first, second


_SHORT = {Spread.INTERQUARTILE_RANGE: "iqr", Spread.RANGE: "range", Spread.VARIATION: "cv"}
"""What the new column is called before the name of the number."""
