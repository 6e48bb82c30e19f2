"""Control totals and row accounting: whether the figures of a result add up to the data they came from.

Every figure is computed by the reference engine from a plan of its own, and compared with the pandas result.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.model.validation import Evidence, Place, Verdict
from jupyter_mcpgen.pipeline.books import Books, Rows, left_out, listed, note, rows_said
from jupyter_mcpgen.pipeline.matching import ABSOLUTE_TOLERANCE, RELATIVE_TOLERANCE
from jupyter_mcpgen.pipeline.reshaping_accounting import account_reshaping, noun_of_rows
from jupyter_mcpgen.pipeline.statistics_accounting import account_statistic
from jupyter_mcpgen.pipeline.window_accounting import account_windows
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Col, Compare, CompareOp, IsIn, IsMissing, Predicate, TextMatch, terms_of
from jupyter_mcpgen.plan.ops import (
    FIGURES,
    Aggregate,
    AggregateFunction,
    Derive,
    Distinct,
    Filter,
    Limit,
    Measure,
    Pivot,
    Rename,
    Step,
    TopPerGroup,
    Window,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.sources import Join, JoinKind, Summary
from jupyter_mcpgen.plan.statistics import Duplicates, FigureStatistic, Outliers

if TYPE_CHECKING:
    import pandas as pd

_SUMMATION_ERROR = 1e-11
"""How far two orders of adding may lie apart, relative to the size of what was added."""


def account(plan: Plan, result: pd.DataFrame, engine: Engine) -> tuple[Evidence, ...]:
    """Return what adds up and what does not, one statement per figure of the result."""
    books = Books(plan, engine)
    return (*_account(books, result), *account_reshaping(books))


def _account(books: Books, result: pd.DataFrame) -> tuple[Evidence, ...]:
    plan, engine = books.plan, books.engine
    rows = _count_rows(books)
    aggregate = books.aggregate
    figures = books.plan.steps[books.place] if books.place < len(plan.steps) else None
    if isinstance(figures, FigureStatistic):
        return account_statistic(figures, plan, books.place, result, engine)
    windows = account_windows(plan, result, engine)
    if isinstance(books.step, Pivot):
        return (_pivot_total(books, books.step, result), *windows, *_rows_evidence(books, rows, result))
    if aggregate is None:
        return (*windows, *_rows_evidence(books, rows, result))
    totals = [_total(books, aggregate, measure, result, rows) for measure in aggregate.measures]
    if not aggregate.by.names:  # the number of all rows is said by the rows
        totals = [total for total in totals if total.check != "total_rows" or not total.is_good]
    return (*totals, *windows, *_rows_evidence(books, rows, result))


def rows_used(plan: Plan, result: pd.DataFrame, engine: Engine) -> int | None:
    """Return how many rows of the source the result was computed of, as `account` says it; None where it does not."""
    books = Books(plan, engine)
    figures = plan.steps[books.place] if books.place < len(plan.steps) else None
    if not isinstance(figures, FigureStatistic):
        return books.count(books.used)
    return rows_said_in(account_statistic(figures, plan, books.place, result, engine))


def rows_said_in(totals: Sequence[Evidence]) -> int | None:
    """Return the number of rows used that an account says."""
    figure = next((item.figure for item in totals if item.check == "rows"), None)
    return None if figure is None else int(figure)


def totals_of(plan: Plan, engine: Engine) -> dict[str, float]:
    """Return what the figures of each column of a result add up to, for the columns of which that is known."""
    books = Books(plan, engine)
    if books.aggregate is None or not books.shows_every_group:
        return {}
    adding = (AggregateFunction.COUNT, AggregateFunction.SUM)
    shown = (m for m in books.aggregate.measures if m.function in adding and books.shows(m))
    totals = ((measure.name, books.over_all(measure)) for measure in shown)
    return {name: total for name, total in totals if math.isfinite(total)}


def count_rows(plan: Plan, engine: Engine) -> Rows:
    """Follow the rows of the source through filters and groups."""
    return _count_rows(Books(plan, engine))


def _count_rows(books: Books) -> Rows:
    measured = dict.fromkeys(name for measure in books.measures for name in names_in(measure))
    others = _missing(books, books.before, books.keys)
    return Rows(
        source=books.count(books.plan.reshaping),
        kept=books.count(books.before),
        used=books.count(books.used),
        without_key=others,
        without_value=_missing(books, books.used, measured),
        other_values=_others(books),
    )


def _missing(books: Books, steps: tuple[Step, ...], names: Iterable[str]) -> tuple[tuple[str, int], ...]:
    counts = ((name, books.count((*steps, Filter(predicate=IsMissing(operand=Col(name=name)))))) for name in names)
    return tuple((name, number) for name, number in counts if number)


def _others(books: Books) -> tuple[tuple[str, int], ...]:
    if not isinstance(books.step, Pivot):
        return ()
    other = listed(books.step).model_copy(update={"negated": True})
    number = books.count((*books.before, Filter(predicate=other)))
    return ((books.step.column.name, number),) if number else ()


def _rows_evidence(books: Books, rows: Rows, result: pd.DataFrame) -> Iterator[Evidence]:
    """Yield how many rows were used, and for each reason how many were not."""
    sentence = f"{rows.used:,} of {rows.source:,} {noun_of_rows(books.plan)}{_of_both(books.plan)} used"
    if rows.source != rows.kept:
        sentence += f"; {_why_left_out(books, rows.source - rows.kept)}"
    reasons = [number for _, number in (*rows.without_key, *rows.other_values)]
    largest, together = max(reasons, default=0), sum(reasons)
    explained = largest <= rows.kept - rows.used <= together  # one row may lack several group values
    expected = _expected_length(books)
    if expected is not None and expected != len(result):
        sentence += f"; the result has {len(result):,} rows instead of {expected:,}"
    verdict = Verdict.PASSED if explained and expected in (None, len(result)) else Verdict.FAILED
    yield Evidence(check="rows", verdict=verdict, sentence=f"{sentence}.", figure=rows.used, place=Place.LINE)
    for name, number in rows.without_key:
        yield left_out(f"{rows_said(number)} without `{name}`", number)
    for name, number in rows.other_values:
        yield left_out(f"{rows_said(number)} with another `{name}`", number)
    for name, number in _without_compared(books):
        does = "does" if number == 1 else "do"
        yield note("left_out", f"{rows_said(number)} without `{name}` {does} not meet the condition.", number)
    for name, number in rows.without_value:
        has = "has" if number == 1 else "have"
        yield note("without_value", f"{number:,} of the rows used {has} no `{name}`.", number)


def _without_compared(books: Books) -> Iterator[tuple[str, int]]:
    """Yield how many rows do not meet a condition and lack the column that it compares."""
    for place, step in enumerate(books.before):
        if not isinstance(step, Filter):
            continue
        terms = (term for term in terms_of(step.predicate) if not _is_about_missing(term))
        for name in dict.fromkeys(name for term in terms for name in names_in(term)):
            lacks = Filter(predicate=IsMissing(operand=Col(name=name)))
            there = books.count((*books.before[:place], lacks))
            number = there - books.count((*books.before[:place], step, lacks)) if there else 0
            if number:
                yield name, number


def _is_about_missing(term: Predicate) -> bool:
    """Tell whether rows without a value are asked about, or denied, which the assumptions say."""
    match term:
        case IsMissing() | Compare(op=CompareOp.NE) | IsIn(negated=True) | TextMatch(negated=True):
            return True
        case _:
            return False


def _of_both(plan: Plan) -> str:
    """Say which rows are the whole where a plan works on two tables."""
    match plan.second:
        case None | Summary():
            return ""
        case Join(how=JoinKind.SEMI):
            return " with a match"
        case Join(how=JoinKind.ANTI):
            return " without a match"
        case _:
            return " of both tables together"


def _why_left_out(books: Books, number: int) -> str:
    kinds = {type(step) for step in books.before}
    few = number == 1
    be = "is" if few else "are"
    reasons = [
        *(["does not meet the condition" if few else "do not meet the condition"] if Filter in kinds else []),
        *(["comes after the first ones" if few else "come after the first ones"] if Limit in kinds else []),
        *([f"{be} not among the first of {'its' if few else 'their'} group"] if TopPerGroup in kinds else []),
        *(["repeats another row" if few else "repeat another row"] if Distinct in kinds else []),
        *([f"{be} no outlier{'' if few else 's'}"] if Outliers in kinds else []),
        *([f"{be} not repeated"] if Duplicates in kinds else []),
    ]
    return f"{number:,} {' or '.join(reasons)}"


def _expected_length(books: Books) -> int | None:
    """Return how many rows a result that lists rows has; figures have no such number."""
    if any(isinstance(step, (*FIGURES, FigureStatistic)) for step in books.plan.steps):
        return None
    return books.count(books.plan.steps)


def _total(books: Books, aggregate: Aggregate, measure: Measure, result: pd.DataFrame, rows: Rows) -> Evidence:
    if not books.shows(measure):
        return _no_total(measure, "figures that the result does not show")
    match measure.function:
        case AggregateFunction.COUNT if measure.where is not None:
            expected = books.over_all(measure)
            return _added_up(books, aggregate, measure, result, expected, _Whole("the rows that meet the condition"))
        case AggregateFunction.COUNT if measure.column is None:
            return _added_up(books, aggregate, measure, result, float(rows.used), _Whole("the rows used"))
        case AggregateFunction.COUNT | AggregateFunction.SUM:
            expected = books.over_all(measure)
            if not math.isfinite(expected):
                return _no_total(measure, "values that are not finite")
            return _added_up(books, aggregate, measure, result, expected, _whole(books, measure, expected))
        case AggregateFunction.MIN | AggregateFunction.MAX:
            return _extreme(books, measure, result)
        case AggregateFunction.MEAN:
            return _weighted_mean(books, measure, result)
        case AggregateFunction.RATE | AggregateFunction.PERCENT:
            return _weighted_rate(books, measure, result, rows)
        case _:
            return _no_total(measure, _WITHOUT_TOTAL.get(measure.function) or f"a {measure.function.value}")


_WITHOUT_TOTAL = {
    AggregateFunction.COUNT_DISTINCT: "a count distinct",
    AggregateFunction.QUANTILE: "a percentile",
    AggregateFunction.MODE: "a most frequent value",
    AggregateFunction.SKEW: "a skewness",
    AggregateFunction.KURT: "a kurtosis",
    AggregateFunction.FIRST: "a first value",
    AggregateFunction.LAST: "a last value",
}


def _pivot_total(books: Books, step: Pivot, result: pd.DataFrame) -> Evidence:
    """Compare the sum of all cells with the whole."""
    measure = step.measure
    made = {other.name for other in books.after if isinstance(other, Derive | Window | Rename)}
    shown = [name for name in step.names if name in books.plan.result_schema.names and name not in made]
    again = any(isinstance(other, FIGURES) for other in books.after)
    if measure.function not in (AggregateFunction.COUNT, AggregateFunction.SUM):
        return _no_total(measure, f"cells of {_WITHOUT_TOTAL.get(measure.function, f'a {measure.function.value}')}")
    if again or len(shown) < len(step.names) or not books.shows_every_group:
        return _no_total(measure, "a part of the cells")
    expected = books.over_all(measure)
    if not math.isfinite(expected):
        return _no_total(measure, "values that are not finite")
    cells = [_numbers(result[name]) for name in shown]
    found, size = sum(float(c.sum()) for c in cells), sum(float(c.abs().sum()) for c in cells)
    return _compare(measure.name, found, expected, size, ("The cells", "add"), _Whole("the total of the rows used"))


def _weighted_rate(books: Books, measure: Measure, result: pd.DataFrame, rows: Rows) -> Evidence:
    """Check that the rates, times the rows of each group, give the rows that meet the condition."""
    if not books.shows_every_group:
        return _no_total(measure, "shares of a part of the groups")
    counted = Measure(function=AggregateFunction.COUNT, label=f"{measure.name} rows")
    weights = books.table(books.remeasured(counted))[counted.name]
    rates = _numbers(result[measure.name]).fillna(0.0).reset_index(drop=True)
    met = Measure(function=AggregateFunction.COUNT, where=measure.where)
    if len(weights) != len(rates):
        return _miscounted(measure.name, f"{len(rates):,} shares", len(weights))
    factor = 100.0 if measure.function is AggregateFunction.PERCENT else 1.0
    found, expected = float((rates * _numbers(weights)).sum()) / factor, books.over_all(met)
    what = ("The shares, weighted by group size,", "add") if books.keys else ("The share of the rows", "adds")
    whole = _Whole("the rows that meet the condition", of=f" of {rows.used:,} rows used")
    return _compare(measure.name, found, expected, float(rows.used), what, whole)


def _no_total(measure: Measure, what: str) -> Evidence:
    sentence = f"No total exists for {what}."
    return Evidence(check=f"total_{measure.name}", verdict=Verdict.NOT_APPLICABLE, sentence=sentence)


@dataclass(frozen=True)
class _Whole:
    """What figures have to add up to: how it is called, what it is a part of, and whether it says something new."""

    name: str
    of: str = ""
    is_news: bool = False


def _added_up(
    books: Books, aggregate: Aggregate, measure: Measure, result: pd.DataFrame, expected: float, whole: _Whole
) -> Evidence:
    """Compare the figures shown, plus those of the groups that were left out, with the whole."""
    name = measure.column.name if measure.column is not None else "rows"
    figures = _numbers(result[measure.name])
    shown, size = float(figures.sum()), float(figures.abs().sum())
    if books.shows_every_group:
        what = ("The groups", "add") if aggregate.by.names else ("The result", "adds")
        return _compare(name, shown, expected, size, what, whole)
    every = _numbers(books.table((*books.before, aggregate))[measure.name])
    # what the reference shows, not what the tool shows: another group or another number of groups does not add up
    rest = float(every.sum()) - float(_numbers(books.engine.table(books.plan)[measure.name]).sum())
    what = (f"The groups shown ({_figure(shown)}) and left out ({_figure(rest)})", "add")
    return _compare(name, shown + rest, expected, float(every.abs().sum()), what, replace(whole, is_news=False))


def _compare(name: str, found: float, expected: float, size: float, what: tuple[str, str], whole: _Whole) -> Evidence:
    """Say whether some figures add up; in the card's line only where a whole column is told by its groups."""
    equal = _same(found, expected, size)
    if not equal:
        sentence = f"{what[0]} should add up to {whole.name}, {_figure(expected)}{whole.of}, but give {_figure(found)}."
    elif whole.is_news:
        sentence = f"{_figure(found)} = {whole.name.removeprefix('the ')}."
    else:
        sentence = f"{' '.join(what)} up to {whole.name}: {_figure(found)}{whole.of}."
    return Evidence(
        check=f"total_{name}",
        verdict=Verdict.PASSED if equal else Verdict.FAILED,
        sentence=sentence,
        figure=found if math.isfinite(found) else None,
        place=Place.LINE if whole.is_news else Place.FOLDED,
    )


def _miscounted(name: str, found: str, groups: int) -> Evidence:
    return Evidence(check=f"total_{name}", verdict=Verdict.FAILED, sentence=f"There are {found} for {groups:,} groups.")


def _whole(books: Books, measure: Measure, expected: float) -> _Whole:
    """Say what the groups add up to: the column's total, or which part of it the rows used hold."""
    total = "the column total" if measure.function is AggregateFunction.SUM else "the number of values in the column"
    made = {step.name for step in books.before if isinstance(step, Derive)}
    name = measure.column.name if measure.column is not None else ""
    used = "the total of the rows used" if measure.function is AggregateFunction.SUM else "the values in the rows used"
    if name in made or name not in books.plan.table_schema.names:
        return _Whole(used)
    asked = books.plan.reshaping
    column = books.figure((*asked, Aggregate(measures=(measure,))))
    counted = Measure(function=AggregateFunction.COUNT, column=measure.column)
    nothing_left_out = books.over_all(counted) == books.figure((*asked, Aggregate(measures=(counted,))))
    # nearly equal is not the whole column: a small row that was left out must not vanish beside a large one
    if column == expected or (nothing_left_out and _same(column, expected, abs(column))):
        return _Whole(f"{total}{_of_both(books.plan)}", is_news=bool(books.keys))
    return _Whole(used, of=f" of {_figure(column)} in the whole column")


def _extreme(books: Books, measure: Measure, result: pd.DataFrame) -> Evidence:
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


def _weighted_mean(books: Books, measure: Measure, result: pd.DataFrame) -> Evidence:
    """Check that the means, weighted by how many values each has, give the column's total."""
    if measure.column is None or not books.shows_every_group:
        return _no_total(measure, "means of a part of the groups")
    counted = Measure(function=AggregateFunction.COUNT, column=measure.column, label=f"values of {measure.name}")
    weights = books.table(books.remeasured(counted))[counted.name]
    means = _numbers(result[measure.name]).fillna(0.0).reset_index(drop=True)
    summed = Measure(function=AggregateFunction.SUM, column=measure.column)
    if len(weights) != len(means):
        return _miscounted(measure.name, f"{len(means):,} means", len(weights))
    products = means * _numbers(weights)
    shown, expected = float(products.sum()), books.over_all(summed)
    whole = replace(_whole(books, summed, expected), is_news=False)
    what = ("The means, weighted by group size,", "add") if books.keys else ("The mean of all values", "adds")
    return _compare(measure.name, shown, expected, float(products.abs().sum()), what, whole)


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
