"""Says in English what is computed of the rows of a group."""

from __future__ import annotations

from jupyter_mcpgen.plan.english_values import in_brackets, say_percentile
from jupyter_mcpgen.plan.ops import AggregateFunction, Measure

_FUNCTIONS = {
    AggregateFunction.COUNT: "number of values of",
    AggregateFunction.COUNT_DISTINCT: "number of different",
    AggregateFunction.SUM: "sum of",
    AggregateFunction.MEAN: "mean of",
    AggregateFunction.MEDIAN: "median of",
    AggregateFunction.MIN: "smallest",
    AggregateFunction.MAX: "largest",
    AggregateFunction.STD: "standard deviation of",
    AggregateFunction.VAR: "variance of",
    AggregateFunction.SKEW: "skewness of",
    AggregateFunction.KURT: "excess kurtosis of",
    AggregateFunction.MODE: "most frequent",
    AggregateFunction.FIRST: "first",
    AggregateFunction.LAST: "last",
}
_PARTS = {AggregateFunction.RATE: "share", AggregateFunction.PERCENT: "percentage"}


def say_function(function: AggregateFunction) -> str:
    """Return a calculation in words, without what it is of."""
    return _FUNCTIONS.get(function, function.value).removesuffix(" of")


def say_measure(measure: Measure, counted: str = "row") -> str:
    """Return one measure in words; `counted` is what each row of the table before stands for."""
    if measure.where is not None:
        part = "number" if measure.function is AggregateFunction.COUNT else _PARTS[measure.function]
        return f"{part} of {counted}s where {in_brackets(measure.where)}"
    if measure.column is None:
        return f"number of {counted}s"
    if measure.fraction is not None:
        return f"{say_percentile(measure.fraction * 100)} percentile of {measure.column.name}"
    return f"{_FUNCTIONS[measure.function]} {measure.column.name}"


def say_measure_generally(measure: Measure) -> str:
    """Return what a family of measures asks, without names."""
    if measure.where is not None:
        counted = "number" if measure.function is AggregateFunction.COUNT else _PARTS[measure.function]
        return f"{counted} of rows that meet a condition"
    if measure.fraction is not None:
        return f"{say_percentile(measure.fraction * 100)} percentile of a column"
    return "number of rows" if measure.column is None else f"{_FUNCTIONS[measure.function]} a column"
