"""Control totals and row accounting: whether the figures of a result add up to the data they came from.

Every figure is computed by the reference engine from a plan of its own, and compared with the pandas result.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.model.validation import Evidence, Verdict
from jupyter_mcpgen.pipeline.agreement import ABSOLUTE_TOLERANCE, RELATIVE_TOLERANCE
from jupyter_mcpgen.plan.emit.duckdb import emit_duckdb
from jupyter_mcpgen.plan.expressions import Col, IsMissing
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Derive, Describe, Filter, Limit, Measure, Step
from jupyter_mcpgen.plan.plan import Plan

if TYPE_CHECKING:
    import pandas as pd

_NO_TOTAL = "No control total exists for {what}: the two computations are the evidence."


@dataclass(frozen=True)
class Rows:
    """Where the rows of the source went."""

    source: int
    kept: int
    used: int
    without_key: tuple[tuple[str, int], ...]
    without_value: tuple[tuple[str, int], ...] = ()


def account(plan: Plan, result: pd.DataFrame, engine: Engine) -> tuple[Evidence, ...]:
    """Return what adds up and what does not, one statement per figure of the result."""
    rows = count_rows(plan, engine)
    aggregate = next((step for step in plan.steps if isinstance(step, Aggregate)), None)
    if aggregate is None:
        return (_rows_evidence(plan, rows, result),)
    totals = tuple(_total(plan, aggregate, measure, result, engine, rows) for measure in aggregate.measures)
    return (*totals, _rows_evidence(plan, rows, result))


def count_rows(plan: Plan, engine: Engine) -> Rows:
    """Follow the rows of the source through filters and groups."""
    prefix = _before_aggregate(plan)
    kept = _count(plan, prefix, engine)
    aggregate = next((step for step in plan.steps if isinstance(step, Aggregate)), None)
    keys = aggregate.by.names if aggregate is not None else ()
    missing = tuple(
        (name, _count(plan, (*prefix, Filter(predicate=IsMissing(operand=Col(name=name)))), engine)) for name in keys
    )
    return Rows(
        source=_count(plan, (), engine),
        kept=kept,
        used=_count(plan, _used(plan), engine),
        without_key=tuple((name, number) for name, number in missing if number),
        without_value=_without_value(plan, aggregate, engine) if aggregate is not None else (),
    )


def _without_value(plan: Plan, aggregate: Aggregate, engine: Engine) -> tuple[tuple[str, int], ...]:
    """Count the rows used whose measured value is missing: they are in a group and add nothing to its figure."""
    names = dict.fromkeys(measure.column.name for measure in aggregate.measures if measure.column is not None)
    counts = (
        (name, _count(plan, (*_used(plan), Filter(predicate=IsMissing(operand=Col(name=name)))), engine))
        for name in names
    )
    return tuple((name, number) for name, number in counts if number)


def _before_aggregate(plan: Plan) -> tuple[Step, ...]:
    return tuple(step for step in plan.steps if isinstance(step, Filter | Derive))


def _used(plan: Plan) -> tuple[Step, ...]:
    """Return steps that give just the rows that belong to a group."""
    aggregate = next((step for step in plan.steps if isinstance(step, Aggregate)), None)
    keys = aggregate.by.names if aggregate is not None else ()
    present = tuple(Filter(predicate=IsMissing(operand=Col(name=name), negated=True)) for name in keys)
    return (*_before_aggregate(plan), *present)


def _count(plan: Plan, steps: tuple[Step, ...], engine: Engine) -> int:
    counted = Aggregate(measures=(Measure(function=AggregateFunction.COUNT),))
    return int(engine.figure(emit_duckdb(plan.with_steps((*steps, counted)))))


def _rows_evidence(plan: Plan, rows: Rows, result: pd.DataFrame) -> Evidence:
    left_out = [f"{number:,} without `{name}`" for name, number in rows.without_key]
    if rows.source != rows.kept:
        left_out.insert(0, f"{rows.source - rows.kept:,} do not meet the condition")
    left_out += [f"{number:,} of those used without a value in `{name}`" for name, number in rows.without_value]
    sentence = f"{rows.used:,} of {rows.source:,} rows used" + (f", {', '.join(left_out)}" if left_out else "") + "."
    dropped = rows.source - rows.kept + (max(n for _, n in rows.without_key) if rows.without_key else 0)
    explained = rows.used <= rows.kept and (
        rows.used + dropped == rows.source if len(rows.without_key) <= 1 else rows.used + dropped <= rows.source
    )
    verdict = Verdict.PASSED if explained and _has_right_length(plan, rows, result) else Verdict.FAILED
    return Evidence(check="rows", verdict=verdict, sentence=sentence, figure=rows.used)


def _has_right_length(plan: Plan, rows: Rows, result: pd.DataFrame) -> bool:
    """Tell whether a result that lists rows has as many as were kept."""
    if any(isinstance(step, Aggregate | Describe) for step in plan.steps):
        return True
    limits = [step.count for step in plan.steps if isinstance(step, Limit)]
    return len(result) == min([rows.kept, *limits])


def _total(
    plan: Plan, aggregate: Aggregate, measure: Measure, result: pd.DataFrame, engine: Engine, rows: Rows
) -> Evidence:
    column = measure.column.name if measure.column is not None else None
    match measure.function:
        case AggregateFunction.COUNT if column is None:
            shown = _shown_and_rest(plan, aggregate, measure, result, engine)
            return _compare("rows", shown, rows.used, f"rows that belong to a group ({rows.used:,})")
        case AggregateFunction.COUNT | AggregateFunction.SUM:
            shown = _shown_and_rest(plan, aggregate, measure, result, engine)
            expected = _over_all(plan, measure, engine)
            return _compare(str(column), shown, expected, _column_total(plan, measure, expected, engine))
        case AggregateFunction.MIN | AggregateFunction.MAX:
            return _extreme(plan, aggregate, measure, result, engine)
        case AggregateFunction.MEAN:
            return _weighted_mean(plan, aggregate, measure, result, engine)
        case _:
            what = f"a {measure.function.value.replace('_', ' ')}"
            return Evidence(
                check=f"total_{measure.name}", verdict=Verdict.NOT_APPLICABLE, sentence=_NO_TOTAL.format(what=what)
            )


def _compare(name: str, shown: float, expected: float, of_what: str) -> Evidence:
    verdict = Verdict.PASSED if _same(shown, expected) else Verdict.FAILED
    sign = "=" if verdict is Verdict.PASSED else "≠"
    return Evidence(
        check=f"total_{name}", verdict=verdict, sentence=f"{_figure(shown)} {sign} {of_what}.", figure=shown
    )


def _column_total(plan: Plan, measure: Measure, expected: float, engine: Engine) -> str:
    """Say what the groups add up to: the column's total, or which part of it the rows used hold."""
    whole = plan.with_steps((Aggregate(measures=(measure,)),)) if _in_source(plan, measure) else None
    if whole is None:
        return f"total over the rows used ({_figure(expected)})"
    column = engine.figure(emit_duckdb(whole))
    if _same(column, expected):
        return "column total"
    return f"total over the rows used; the whole column has {_figure(column)}"


def _in_source(plan: Plan, measure: Measure) -> bool:
    return measure.column is not None and measure.column.name in plan.source_schema.names


def _over_all(plan: Plan, measure: Measure, engine: Engine) -> float:
    steps = (*_used(plan), Aggregate(measures=(measure,)))
    return engine.figure(emit_duckdb(plan.with_steps(steps)))


def _shown_and_rest(plan: Plan, aggregate: Aggregate, measure: Measure, result: pd.DataFrame, engine: Engine) -> float:
    """Add up the figures shown, and the reference's figures of the groups that a limit left out."""
    shown = float(result[measure.name].sum())
    if not any(isinstance(step, Limit) for step in plan.steps) or not aggregate.by.names:
        return shown
    keys = list(aggregate.by.names)
    groups = engine.query(emit_duckdb(plan.with_steps((*_before_aggregate(plan), aggregate))))
    known = set(map(tuple, result[keys].astype(str).to_numpy()))
    rest = [tuple(row) not in known for row in groups[keys].astype(str).to_numpy()]
    return shown + float(groups.loc[rest, measure.name].sum())


def _extreme(plan: Plan, aggregate: Aggregate, measure: Measure, result: pd.DataFrame, engine: Engine) -> Evidence:
    over_all = engine.query(emit_duckdb(plan.with_steps((*_used(plan), Aggregate(measures=(measure,))))))
    expected = over_all.iloc[0, 0]
    if any(isinstance(step, Limit) for step in plan.steps) or result.empty:
        what = "the extremes of a part of the groups"
        return Evidence(
            check=f"total_{measure.name}", verdict=Verdict.NOT_APPLICABLE, sentence=_NO_TOTAL.format(what=what)
        )
    values = result[measure.name].dropna()
    found = (values.min() if measure.function is AggregateFunction.MIN else values.max()) if len(values) else None
    equal = (found is None and bool(_is_missing(expected))) or found == expected
    what = f"the column's {measure.function.value} over the rows used"
    return Evidence(
        check=f"total_{measure.name}",
        verdict=Verdict.PASSED if equal else Verdict.FAILED,
        sentence=f"The {measure.function.value} over all groups {'is' if equal else 'is not'} {what}.",
    )


def _weighted_mean(
    plan: Plan, aggregate: Aggregate, measure: Measure, result: pd.DataFrame, engine: Engine
) -> Evidence:
    """Check that the means, weighted by how many values each has, give the column's total."""
    if measure.column is None or any(isinstance(step, Limit) for step in plan.steps):
        what = "means of a part of the groups"
        return Evidence(
            check=f"total_{measure.name}", verdict=Verdict.NOT_APPLICABLE, sentence=_NO_TOTAL.format(what=what)
        )
    counted = Measure(function=AggregateFunction.COUNT, column=measure.column)
    order = [step for step in plan.steps if not isinstance(step, Filter | Derive | Aggregate)]
    both = aggregate.model_copy(update={"measures": (*aggregate.measures, counted)})
    measures = tuple({m.name: m for m in both.measures}.values())
    steps = (*_before_aggregate(plan), both.model_copy(update={"measures": measures}), *order)
    weights = engine.query(emit_duckdb(plan.with_steps(steps)))[counted.name]
    means = result[measure.name].astype(float)
    summed = Measure(function=AggregateFunction.SUM, column=measure.column)
    if len(weights) != len(means):
        return _compare(measure.name, math.nan, 0.0, "column total (the groups differ)")
    shown = float((means.fillna(0.0).reset_index(drop=True) * weights.reset_index(drop=True)).sum())
    expected = _over_all(plan, summed, engine)
    total = _column_total(plan, summed, expected, engine)
    return _compare(measure.name, shown, expected, f"{total} (means times the number of values in each group)")


def _same(left: float, right: float) -> bool:
    return math.isclose(left, right, rel_tol=RELATIVE_TOLERANCE * 10, abs_tol=ABSOLUTE_TOLERANCE * 1000)


def _figure(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.6g}" if abs(value) < 1000 else f"{value:,.2f}"


def _is_missing(value: object) -> bool:
    return value is None or value != value  # NaN and NaT differ from themselves
