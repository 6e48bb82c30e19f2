"""Control totals of columns that compare rows: shares add up to the whole, a running total ends in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.model.validation import Evidence, Verdict
from jupyter_mcpgen.plan.expressions import Col, Columns
from jupyter_mcpgen.plan.ops import (
    CUTS,
    FIGURES,
    Aggregate,
    AggregateFunction,
    Derive,
    Filter,
    Measure,
    Rename,
    Sort,
    Window,
    WindowFunction,
)
from jupyter_mcpgen.plan.plan import Plan

if TYPE_CHECKING:
    import pandas as pd

_CLOSE = 1e-6
_WHOLES = {WindowFunction.SHARE: 1.0, WindowFunction.PERCENT: 100.0}
_NAMES = {
    WindowFunction.RANK: "a rank",
    WindowFunction.MOVING_AVERAGE: "a moving average",
    WindowFunction.LAG: "the value of an earlier row",
    WindowFunction.CHANGE: "a change from row to row",
    WindowFunction.PERCENT_CHANGE: "a change in percent",
    WindowFunction.SHARE: "shares of which not all are shown",
    WindowFunction.PERCENT: "shares of which not all are shown",
    WindowFunction.MEAN: "a mean beside each row",
    WindowFunction.MEDIAN: "a median beside each row",
    WindowFunction.STD: "a standard deviation beside each row",
    WindowFunction.MIN: "a smallest value beside each row",
    WindowFunction.MAX: "a largest value beside each row",
    WindowFunction.QUANTILE: "a percentile beside each row",
    WindowFunction.RUNNING_TOTAL: "running totals that are not shown in their own order",
}


def account_windows(plan: Plan, result: pd.DataFrame, engine: Engine) -> tuple[Evidence, ...]:
    """Return what is known about each column of the result that compares rows."""
    found = []
    for place, step in enumerate(plan.steps):
        if isinstance(step, Window) and _is_shown(plan, place):
            found.append(_of_window(plan, place, step, result, engine))
    return tuple(found)


def _is_shown(plan: Plan, place: int) -> bool:
    """Tell whether the result still has the column as it was computed."""
    step = plan.steps[place]
    after = plan.steps[place + 1 :]
    made = {other.name for other in after if isinstance(other, Derive | Window | Rename)}
    return (
        isinstance(step, Window)
        and not any(isinstance(other, FIGURES) for other in after)
        and step.name in plan.result_schema.names
        and step.name not in made
    )


def _of_window(plan: Plan, place: int, step: Window, result: pd.DataFrame, engine: Engine) -> Evidence:
    after = plan.steps[place + 1 :]
    every_row = not any(isinstance(other, (Filter, *CUTS)) for other in after)
    if step.function in _WHOLES and every_row:
        return _shares(plan, place, step, result, engine)
    in_order = not any(isinstance(other, Sort) for other in after) and step.order is None and not step.by.names
    if step.function is WindowFunction.RUNNING_TOTAL and every_row and in_order:
        return _last_total(plan, place, step, result, engine)
    sentence = f"No total exists for {_NAMES[step.function]}."
    return Evidence(check=f"total_{step.name}", verdict=Verdict.NOT_APPLICABLE, sentence=sentence)


def _shares(plan: Plan, place: int, step: Window, result: pd.DataFrame, engine: Engine) -> Evidence:
    """Check that the shares add up to the whole once for each group that has a total."""
    measure = Measure(function=AggregateFunction.SUM, column=Col(name=step.column.name), label="total")
    by = Columns(names=step.by.names)
    totals = engine.table(plan.with_steps((*plan.steps[:place], Aggregate(by=by, measures=(measure,)))))["total"]
    groups = int((totals.astype("float64") != 0).sum())
    whole = _WHOLES[step.function]
    found = float(result[step.name].astype("Float64").sum())
    equal = abs(found - groups * whole) <= _CLOSE * whole * max(1, groups)
    unit = "%" if step.function is WindowFunction.PERCENT else ""
    each = f" in each of {groups:,} groups" if step.by.names else ""
    if not groups:
        return Evidence(
            check=f"total_{step.name}", verdict=_verdict(found == 0), sentence="There is no total to share."
        )
    sentence = f"The shares {'add' if equal else 'do not add'} up to {whole:g}{unit}{each}."
    return Evidence(check=f"total_{step.name}", verdict=_verdict(equal), sentence=sentence, figure=found)


def _last_total(plan: Plan, place: int, step: Window, result: pd.DataFrame, engine: Engine) -> Evidence:
    """Check that the last running total is the total of the column."""
    measure = Measure(function=AggregateFunction.SUM, column=Col(name=step.column.name))
    expected = engine.figure(plan.with_steps((*plan.steps[:place], Aggregate(measures=(measure,)))))
    values = result[step.name].dropna()
    found = float(values.iloc[-1]) if len(values) else 0.0
    equal = abs(found - expected) <= _CLOSE * max(1.0, abs(expected))
    sentence = (
        f"The last running total {'is' if equal else 'is not'} the total of `{step.column.name}` ({expected:,g})."
    )
    return Evidence(check=f"total_{step.name}", verdict=_verdict(equal), sentence=sentence, figure=found)


def _verdict(holds: bool) -> Verdict:
    return Verdict.PASSED if holds else Verdict.FAILED
