"""Control totals and row accounting: whether the figures of a result add up to the data they came from.

Every figure is computed by the reference engine from a plan of its own, and compared with the pandas result.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.model.validation import Evidence, Verdict
from jupyter_mcpgen.pipeline.agreement import ABSOLUTE_TOLERANCE, RELATIVE_TOLERANCE
from jupyter_mcpgen.plan.expressions import Col, IsMissing
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    AggregateFunction,
    Derive,
    Describe,
    Filter,
    Limit,
    Measure,
    Sort,
    Step,
)
from jupyter_mcpgen.plan.plan import Plan

if TYPE_CHECKING:
    import pandas as pd

_SUMMATION_ERROR = 1e-11
"""How far two orders of adding may lie apart, relative to the size of what was added."""


@dataclass(frozen=True)
class Rows:
    """Where the rows of the source went."""

    source: int
    kept: int
    used: int
    without_key: tuple[tuple[str, int], ...]
    without_value: tuple[tuple[str, int], ...] = ()
    """Rows used whose measured value is missing: they are in a group and add nothing to its figure."""


@dataclass(frozen=True)
class _Books:
    """A plan cut where its rows become figures, and the engine that counts."""

    plan: Plan
    engine: Engine

    @cached_property
    def place(self) -> int:
        """Where rows become figures, or where a list of rows is cut off."""
        steps = self.plan.steps
        figures = [place for place, step in enumerate(steps) if isinstance(step, Aggregate | Describe)]
        limits = [place for place, step in enumerate(steps) if isinstance(step, Limit)]
        return (figures or limits or [len(steps)])[0]

    @property
    def aggregate(self) -> Aggregate | None:
        """The aggregation that stands there."""
        step = self.plan.steps[self.place] if self.place < len(self.plan.steps) else None
        return step if isinstance(step, Aggregate) else None

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns it groups by."""
        return self.aggregate.by.names if self.aggregate is not None else ()

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The figures it computes."""
        return self.aggregate.measures if self.aggregate is not None else ()

    @property
    def before(self) -> tuple[Step, ...]:
        """The steps that give the rows to aggregate."""
        return self.plan.steps[: self.place]

    @property
    def after(self) -> tuple[Step, ...]:
        """The steps that the groups go through."""
        return self.plan.steps[self.place + 1 :]

    @property
    def used(self) -> tuple[Step, ...]:
        """Steps that give just the rows that belong to a group."""
        present = tuple(Filter(predicate=IsMissing(operand=Col(name=name), negated=True)) for name in self.keys)
        return (*self.before, *present)

    @property
    def shows_every_group(self) -> bool:
        """True when nothing after the aggregation leaves a group out."""
        return not any(isinstance(step, Filter | Limit) for step in self.after)

    def shows(self, measure: Measure) -> bool:
        """Tell whether the result still has the figures of a measure as they were computed."""
        made = {step.name for step in self.after if isinstance(step, Derive)}
        again = any(isinstance(step, Aggregate | Describe) for step in self.after)
        return not again and measure.name not in made and measure.name in self.plan.result_schema.names

    def count(self, steps: tuple[Step, ...]) -> int:
        """Return how many rows some steps give."""
        counted = Aggregate(measures=(Measure(function=AggregateFunction.COUNT),))
        return int(self.figure((*steps, counted)))

    def over_all(self, measure: Measure) -> float:
        """Return a measure over all rows used, without groups."""
        return self.figure((*self.used, Aggregate(measures=(measure,))))

    def figure(self, steps: tuple[Step, ...]) -> float:
        """Return the one figure that some steps give."""
        return self.engine.figure(self.plan.with_steps(steps))

    def table(self, steps: tuple[Step, ...]) -> pd.DataFrame:
        """Return the table that some steps give."""
        return self.engine.table(self.plan.with_steps(steps))


def account(plan: Plan, result: pd.DataFrame, engine: Engine) -> tuple[Evidence, ...]:
    """Return what adds up and what does not, one statement per figure of the result."""
    books = _Books(plan, engine)
    rows = _count_rows(books)
    aggregate = books.aggregate
    if aggregate is None:
        return (_rows_evidence(books, rows, result),)
    totals = (_total(books, aggregate, measure, result, rows) for measure in aggregate.measures)
    return (*totals, _rows_evidence(books, rows, result))


def count_rows(plan: Plan, engine: Engine) -> Rows:
    """Follow the rows of the source through filters and groups."""
    return _count_rows(_Books(plan, engine))


def _count_rows(books: _Books) -> Rows:
    measured = dict.fromkeys(m.column.name for m in books.measures if m.column is not None)
    return Rows(
        source=books.count(()),
        kept=books.count(books.before),
        used=books.count(books.used),
        without_key=_missing(books, books.before, books.keys),
        without_value=_missing(books, books.used, measured),
    )


def _missing(books: _Books, steps: tuple[Step, ...], names: Iterable[str]) -> tuple[tuple[str, int], ...]:
    counts = ((name, books.count((*steps, Filter(predicate=IsMissing(operand=Col(name=name)))))) for name in names)
    return tuple((name, number) for name, number in counts if number)


def _rows_evidence(books: _Books, rows: Rows, result: pd.DataFrame) -> Evidence:
    left_out = [f"{number:,} without `{name}`" for name, number in rows.without_key]
    if rows.source != rows.kept:
        left_out.insert(0, f"{rows.source - rows.kept:,} {_why_left_out(books)}")
    left_out += [f"{number:,} of those used without a value in `{name}`" for name, number in rows.without_value]
    sentence = f"{rows.used:,} of {rows.source:,} rows used" + (f", {', '.join(left_out)}" if left_out else "") + "."
    largest = max((number for _, number in rows.without_key), default=0)
    together = sum(number for _, number in rows.without_key)
    explained = largest <= rows.kept - rows.used <= together  # one row may lack several group values
    expected = _expected_length(books)
    if expected is not None and expected != len(result):
        sentence = f"{sentence[:-1]}; the result has {len(result):,} rows instead of {expected:,}."
    verdict = Verdict.PASSED if explained and expected in (None, len(result)) else Verdict.FAILED
    return Evidence(check="rows", verdict=verdict, sentence=sentence, figure=rows.used)


def _why_left_out(books: _Books) -> str:
    kinds = {type(step) for step in books.before}
    reasons = [
        *(["do not meet the condition"] if Filter in kinds else []),
        *(["come after the first ones"] if Limit in kinds else []),
    ]
    return " or ".join(reasons)


def _expected_length(books: _Books) -> int | None:
    """Return how many rows a result that lists rows has; figures have no such number."""
    if any(isinstance(step, Aggregate | Describe) for step in books.plan.steps):
        return None
    return books.count(books.plan.steps)


def _total(books: _Books, aggregate: Aggregate, measure: Measure, result: pd.DataFrame, rows: Rows) -> Evidence:
    if not books.shows(measure):
        return _no_total(measure, "figures that the result does not show")
    match measure.function:
        case AggregateFunction.COUNT if measure.column is None:
            whole = f"rows that belong to a group ({rows.used:,})" if aggregate.by.names else "rows used"
            return _added_up(books, aggregate, measure, result, float(rows.used), whole)
        case AggregateFunction.COUNT | AggregateFunction.SUM:
            expected = books.over_all(measure)
            if not math.isfinite(expected):
                return _no_total(measure, "values that are not finite")
            return _added_up(books, aggregate, measure, result, expected, _whole(books, measure, expected))
        case AggregateFunction.MIN | AggregateFunction.MAX:
            return _extreme(books, measure, result)
        case AggregateFunction.MEAN:
            return _weighted_mean(books, aggregate, measure, result)
        case _:
            return _no_total(measure, f"a {measure.function.value.replace('_', ' ')}")


def _no_total(measure: Measure, what: str) -> Evidence:
    sentence = f"No control total exists for {what}: the two computations are the evidence."
    return Evidence(check=f"total_{measure.name}", verdict=Verdict.NOT_APPLICABLE, sentence=sentence)


def _added_up(
    books: _Books, aggregate: Aggregate, measure: Measure, result: pd.DataFrame, expected: float, whole: str
) -> Evidence:
    """Compare the figures shown, plus those of the groups that were left out, with the whole."""
    name = measure.column.name if measure.column is not None else "rows"
    figures = _numbers(result[measure.name])
    shown, size = float(figures.sum()), float(figures.abs().sum())
    if books.shows_every_group:
        return _compare(name, shown, expected, size, f"{_figure(shown)} {{}} {whole}.")
    every = _numbers(books.table((*books.before, aggregate))[measure.name])
    # what the reference shows, not what the tool shows: another group or another number of groups does not add up
    rest = float(every.sum()) - float(_numbers(books.engine.table(books.plan)[measure.name]).sum())
    sentence = f"{_figure(shown)} shown and {_figure(rest)} in the groups left out {{}} {whole}."
    return _compare(name, shown + rest, expected, float(every.abs().sum()), sentence)


def _compare(name: str, found: float, expected: float, size: float, sentence: str) -> Evidence:
    equal = _same(found, expected, size)
    return Evidence(
        check=f"total_{name}",
        verdict=Verdict.PASSED if equal else Verdict.FAILED,
        sentence=sentence.format("=" if equal else "≠"),
        figure=found if math.isfinite(found) else None,
    )


def _whole(books: _Books, measure: Measure, expected: float) -> str:
    """Say what the groups add up to: the column's total, or which part of it the rows used hold."""
    total = "column total" if measure.function is AggregateFunction.SUM else "number of values in the column"
    made = {step.name for step in books.before if isinstance(step, Derive)}
    name = measure.column.name if measure.column is not None else ""
    if name in made or name not in books.plan.source_schema.names:
        return f"total over the rows used ({_figure(expected)})"
    column = books.figure((Aggregate(measures=(measure,)),))
    counted = Measure(function=AggregateFunction.COUNT, column=measure.column)
    nothing_left_out = books.over_all(counted) == books.figure((Aggregate(measures=(counted,)),))
    # nearly equal is not the whole column: a small row that was left out must not vanish beside a large one
    if column == expected or (nothing_left_out and _same(column, expected, abs(column))):
        return total
    return f"total over the rows used ({_figure(expected)}); the whole column has {_figure(column)}"


def _extreme(books: _Books, measure: Measure, result: pd.DataFrame) -> Evidence:
    import pandas as pd  # deferred: 300 ms

    if not books.shows_every_group:
        return _no_total(measure, "the extremes of a part of the groups")
    expected: Any = books.table((*books.used, Aggregate(measures=(measure,)))).iloc[0, 0]
    values = result[measure.name].dropna()
    found = (values.min() if measure.function is AggregateFunction.MIN else values.max()) if len(values) else None
    equal = found is None if pd.isna(expected) else found is not None and bool(found == expected)
    what = f"the column's {measure.function.value} over the rows used"
    return Evidence(
        check=f"total_{measure.name}",
        verdict=Verdict.PASSED if equal else Verdict.FAILED,
        sentence=f"The {measure.function.value} over all groups {'is' if equal else 'is not'} {what}.",
    )


def _weighted_mean(books: _Books, aggregate: Aggregate, measure: Measure, result: pd.DataFrame) -> Evidence:
    """Check that the means, weighted by how many values each has, give the column's total."""
    if measure.column is None or not books.shows_every_group:
        return _no_total(measure, "means of a part of the groups")
    counted = Measure(function=AggregateFunction.COUNT, column=measure.column)
    measures = tuple({m.name: m for m in (*aggregate.measures, counted)}.values())
    order = tuple(step for step in books.after if isinstance(step, Sort))
    weighted = aggregate.model_copy(update={"measures": measures})
    weights = books.table((*books.before, weighted, *order))[counted.name]
    means = _numbers(result[measure.name]).fillna(0.0).reset_index(drop=True)
    summed = Measure(function=AggregateFunction.SUM, column=measure.column)
    if len(weights) != len(means):
        return _compare(measure.name, math.nan, 0.0, 0.0, f"{len(means):,} means {{}} {len(weights):,} groups.")
    products = means * _numbers(weights)
    shown, expected = float(products.sum()), books.over_all(summed)
    sentence = (
        f"{_figure(shown)} {{}} {_whole(books, summed, expected)} (means times the number of values in each group)."
    )
    return _compare(measure.name, shown, expected, float(products.abs().sum()), sentence)


def _numbers(column: pd.Series[Any]) -> pd.Series[float]:
    return column.astype("Float64").astype("float64")


def _same(left: float, right: float, size: float) -> bool:
    """Tell whether two sums of figures of a size are equal, as far as floating-point numbers can tell."""
    if math.isnan(left) and math.isnan(right):
        return True
    error = max(ABSOLUTE_TOLERANCE * 1000, _SUMMATION_ERROR * size if math.isfinite(size) else 0.0)
    return math.isclose(left, right, rel_tol=RELATIVE_TOLERANCE * 10, abs_tol=error)


def _figure(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.6g}" if abs(value) < 1000 else f"{value:,.2f}"
