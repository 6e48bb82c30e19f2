"""Row accounting of statistics: which rows a test used, which it left out and why, and whether its counts say the same.

Everything is counted by the reference engine with conditions of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.model.validation import Evidence, Place, Verdict
from jupyter_mcpgen.pipeline.books import left_out, rows_said
from jupyter_mcpgen.plan.expressions import AnyOf, Col, Compare, CompareOp, IsIn, IsMissing, Lit, Predicate
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter, Measure, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType
from jupyter_mcpgen.plan.statistics import (
    Anova,
    CorrelationMatrix,
    Correlations,
    FigureStatistic,
    Histogram,
    MeanInterval,
    MissingValues,
    TwoColumns,
    TwoGroups,
)

if TYPE_CHECKING:
    import pandas as pd

_LARGEST = Lit(value=sys.float_info.max, type=ColumnType.REAL)
_SMALLEST = Lit(value=-sys.float_info.max, type=ColumnType.REAL)


@dataclass(frozen=True)
class _Ledger:
    """The rows before a statistic, and the engine that counts them."""

    plan: Plan
    before: tuple[Step, ...]
    engine: Engine

    def count(self, *conditions: Predicate) -> int:
        """Return how many of the rows meet all conditions."""
        counted = Aggregate(measures=(Measure(function=AggregateFunction.COUNT),))
        steps = (*self.before, *(Filter(predicate=condition) for condition in conditions), counted)
        return int(self.engine.figure(self.plan.with_steps(steps)))

    @property
    def source(self) -> int:
        """How many rows the source has."""
        return _Ledger(self.plan, self.plan.reshaping, self.engine).count()


def account_statistic(
    step: FigureStatistic, plan: Plan, place: int, result: pd.DataFrame, engine: Engine
) -> tuple[Evidence, ...]:
    """Return what is to be said about the rows behind a statistic; `place` is where it stands in the plan."""
    ledger = _Ledger(plan, plan.steps[:place], engine)
    shown = result if place + 1 == len(plan.steps) else None
    match step:
        case MissingValues():
            return (_missing_total(ledger, shown), _all_rows(ledger))
        case Correlations() | CorrelationMatrix():
            return (_no_total("correlations"), _pair_rows(step, ledger, shown))
        case TwoColumns() if not step.test.is_paired:
            return (_no_total("a test"), _column_rows(step, ledger, shown))
        case _:
            return (*_total(step, ledger, shown), *_used_rows(step, ledger, shown))


def _no_total(what: str) -> Evidence:
    sentence = f"No total exists for {what}."
    return Evidence(check="total_statistic", verdict=Verdict.NOT_APPLICABLE, sentence=sentence)


def _total(step: FigureStatistic, ledger: _Ledger, shown: pd.DataFrame | None) -> Iterator[Evidence]:
    if not isinstance(step, Histogram):
        yield _no_total("an interval" if isinstance(step, MeanInterval) else "a test")
    elif shown is not None:
        expected, found = ledger.count(*_conditions(step)), int(shown["count"].sum())
        equal = expected == found
        sentence = f"{found:,} values in the bins {'=' if equal else '≠'} {expected:,} values of `{step.column.name}`."
        verdict = Verdict.PASSED if equal else Verdict.FAILED
        yield Evidence(check="total_histogram", verdict=verdict, sentence=sentence, figure=found)


def _missing_total(ledger: _Ledger, shown: pd.DataFrame | None) -> Evidence:
    if shown is None:
        return _no_total("a part of the columns")
    rows, missing = ledger.count(), int(shown["missing"].sum())
    fits = bool((shown["missing"] + shown["present"] == rows).all())
    counted = f"{missing:,} missing values in {len(shown):,} columns"
    sentence = f"{counted}; missing and present are {rows:,} in {'each' if fits else 'some but not each'} of them."
    return Evidence(
        check="total_missing", verdict=Verdict.PASSED if fits else Verdict.FAILED, sentence=sentence, figure=missing
    )


def _all_rows(ledger: _Ledger) -> Evidence:
    kept, source = ledger.count(), ledger.source
    sentence = f"{kept:,} of {source:,} rows used{_beyond_condition(source - kept)}."
    return Evidence(check="rows", verdict=Verdict.PASSED, sentence=sentence, figure=kept, place=Place.LINE)


def _beyond_condition(number: int) -> str:
    return f"; {number:,} {'does' if number == 1 else 'do'} not meet the condition" if number else ""


def _pair_rows(step: Correlations | CorrelationMatrix, ledger: _Ledger, shown: pd.DataFrame | None) -> Evidence:
    kept, source = ledger.count(), ledger.source
    parts = [f"{kept:,} of {source:,} rows looked at; each pair of columns uses the rows that have both values"]
    if shown is not None and isinstance(step, Correlations) and len(shown):
        fewest, most = int(shown["n"].min()), int(shown["n"].max())
        parts.append(f": {fewest:,}" if fewest == most else f": {fewest:,} to {most:,}")
    if shown is not None and isinstance(step, CorrelationMatrix) and (empty := int(shown.isna().to_numpy().sum())):
        parts.append(f"; {empty:,} cells are not defined, because a column is constant or too few rows have both")
    return Evidence(check="rows", verdict=Verdict.PASSED, sentence=f"{''.join(parts)}.", figure=kept, place=Place.LINE)


def _column_rows(step: TwoColumns, ledger: _Ledger, shown: pd.DataFrame | None) -> Evidence:
    rows = ledger.count()
    used = {side: ledger.count(*_finite(column.name)) for side, column in _sides(step)}
    said = " and ".join(f"{used[side]:,} values of `{column.name}`" for side, column in _sides(step))
    equal = shown is None or all(int(shown[f"n_{side}"].iloc[0]) == number for side, number in used.items())
    sentence = f"{said} used, from {rows:,} rows" + ("." if equal else "; the result counts other numbers.")
    verdict = Verdict.PASSED if equal else Verdict.FAILED
    return Evidence(check="rows", verdict=verdict, sentence=sentence, figure=rows, place=Place.LINE)


def _sides(step: TwoColumns) -> tuple[tuple[str, Col], tuple[str, Col]]:
    return ("first", step.first), ("second", step.second)


def _used_rows(step: FigureStatistic, ledger: _Ledger, shown: pd.DataFrame | None) -> Iterator[Evidence]:
    source, kept, used = ledger.source, ledger.count(), ledger.count(*_conditions(step))
    counted = _counted(step, shown)
    equal = counted in (None, used)
    sentence = f"{used:,} of {source:,} rows used{_beyond_condition(source - kept)}"
    sentence += "." if equal else f"; the result counts {counted:,}."
    verdict = Verdict.PASSED if equal else Verdict.FAILED
    yield Evidence(check="rows", verdict=verdict, sentence=sentence, figure=used, place=Place.LINE)
    for which, number in _reasons(step, ledger):
        yield left_out(f"{rows_said(number)} {which}", number)


def _reasons(step: FigureStatistic, ledger: _Ledger) -> Iterator[tuple[str, int]]:
    for name in (*step.labels, *step.numbers):
        missing = ledger.count(IsMissing(operand=Col(name=name)))
        if missing:
            yield f"without `{name}`", missing
    for name in step.numbers:
        infinite = ledger.count(AnyOf(terms=tuple(_infinite(name))))
        if infinite:
            yield f"with an infinite `{name}`", infinite
    if isinstance(step, TwoGroups):
        others = ledger.count(IsIn(operand=Col(name=step.group.name), values=(step.first, step.second), negated=True))
        if others:
            yield "in other groups", others


def _conditions(step: FigureStatistic) -> tuple[Predicate, ...]:
    present = [IsMissing(operand=Col(name=name), negated=True) for name in step.labels]
    finite = [condition for name in step.numbers for condition in _finite(name)]
    chosen: list[Predicate] = []
    if isinstance(step, TwoGroups):
        chosen = [IsIn(operand=Col(name=step.group.name), values=(step.first, step.second))]
    return (*present, *finite, *chosen)


def _finite(name: str) -> tuple[Predicate, Predicate]:
    column = Col(name=name)
    return (
        Compare(op=CompareOp.LE, left=column, right=_LARGEST),
        Compare(op=CompareOp.GE, left=column, right=_SMALLEST),
    )


def _infinite(name: str) -> tuple[Predicate, Predicate]:
    column = Col(name=name)
    return (
        Compare(op=CompareOp.GT, left=column, right=_LARGEST),
        Compare(op=CompareOp.LT, left=column, right=_SMALLEST),
    )


def _counted(step: FigureStatistic, shown: pd.DataFrame | None) -> int | None:
    """Return how many rows the result itself says that it used, where it says so."""
    if shown is None or (isinstance(step, Anova) and step.post_hoc) or not len(shown):
        return None
    if isinstance(step, Histogram):
        return int(shown["count"].sum())
    if isinstance(step, TwoGroups):
        return int(shown["n_first"].iloc[0]) + int(shown["n_second"].iloc[0])
    if isinstance(step, TwoColumns):
        return int(shown["n_first"].iloc[0])
    return int(shown["n"].sum())
