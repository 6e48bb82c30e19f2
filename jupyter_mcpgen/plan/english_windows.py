"""Says the columns that compare rows, and the conditions that compare a value with a figure of many rows."""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import partial
from typing import cast

from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.english_values import say_percentile
from jupyter_mcpgen.plan.expressions import Col, Predicate
from jupyter_mcpgen.plan.ops import (
    CUTS,
    FIGURES,
    Aggregate,
    AggregateFunction,
    Filter,
    Measure,
    Select,
    Step,
    Window,
    WindowFunction,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import Node
from jupyter_mcpgen.plan.slots import rebuilt

GENERAL_WINDOWS = {
    WindowFunction.RANK: "a rank",
    WindowFunction.RUNNING_TOTAL: "a running total",
    WindowFunction.MOVING_AVERAGE: "a moving average",
    WindowFunction.LAG: "the value of an earlier row",
    WindowFunction.CHANGE: "the change from an earlier row",
    WindowFunction.PERCENT_CHANGE: "the change from an earlier row in percent",
    WindowFunction.SHARE: "the share of a total",
    WindowFunction.PERCENT: "the share of a total in percent",
    WindowFunction.MEAN: "the mean of a column",
    WindowFunction.MEDIAN: "the median of a column",
    WindowFunction.STD: "the standard deviation of a column",
    WindowFunction.MIN: "the smallest value of a column",
    WindowFunction.MAX: "the largest value of a column",
    WindowFunction.QUANTILE: "a percentile of a column",
}
"""What a column that compares rows holds, without naming any."""


def say_window(step: Window, within: str, noun: str) -> str:
    """Say a comparison of rows, by what each of them is; `within` says what groups they are compared in, if any."""
    back = f"the {noun} before" if step.size == 1 else f"{step.size} {noun}s before"
    words = {
        WindowFunction.RANK: f"rank by {step.column.name} {'largest' if step.descending else 'smallest'} first",
        WindowFunction.RUNNING_TOTAL: f"running total of {step.column.name}",
        WindowFunction.MOVING_AVERAGE: f"moving average of {step.column.name} over {step.size} {noun}s",
        WindowFunction.LAG: f"{step.column.name} of {back}",
        WindowFunction.CHANGE: f"change of {step.column.name} from {back}",
        WindowFunction.PERCENT_CHANGE: f"change of {step.column.name} from {back} in percent",
        WindowFunction.SHARE: f"share of {step.column.name} in its total",
        WindowFunction.PERCENT: f"share of {step.column.name} in its total in percent",
        WindowFunction.MEAN: f"mean of {step.column.name}",
        WindowFunction.MEDIAN: f"median of {step.column.name}",
        WindowFunction.STD: f"standard deviation of {step.column.name}",
        WindowFunction.MIN: f"smallest {step.column.name}",
        WindowFunction.MAX: f"largest {step.column.name}",
        WindowFunction.QUANTILE: f"{say_percentile((step.fraction or 0) * 100)} percentile of {step.column.name}",
    }
    order = step.order if step.function.is_ordered else None
    return "".join(
        [
            words[step.function],
            f" within each {within}" if within else "",
            f" in the order of {order.column}{' backwards' if order.descending else ''}" if order is not None else "",
        ]
    )


def with_figures_named(plan: Plan) -> tuple[bool, tuple[Step, ...]]:
    """Let conditions say the figures that they compare with, and leave out the steps that only compute these.

    Returns also whether there are any: then every condition is said in its place, because a figure is one of the rows
    that are left by then.
    """
    phrases: dict[str, str] = {}
    said: list[Step] = []
    for place, step in enumerate(plan.steps):
        if isinstance(step, Window) and step.function.is_figure and _is_only_compared(plan, place, step.name):
            phrases[step.name] = _figure_of(plan, place, step)
        elif isinstance(step, Aggregate) and phrases:
            beside = [measure for measure in step.measures if _repeats(measure, phrases)]
            phrases |= {measure.name: phrases[measure.column.name] for measure in beside if measure.column is not None}
            said.append(step.model_copy(update={"measures": tuple(m for m in step.measures if m not in beside)}))
        elif isinstance(step, Filter) and phrases:
            said.append(
                Filter.model_construct(
                    predicate=cast("Predicate", rebuilt(step.predicate, partial(_in_words, phrases=phrases)))
                )
            )
        else:
            said.append(step)
    return bool(phrases), tuple(said)


def _is_only_compared(plan: Plan, place: int, name: str) -> bool:
    """Tell whether conditions read a column, and nothing else but a choice of columns to show."""
    later = plan.steps[place + 1 :]
    for position, step in enumerate(later):
        if isinstance(step, Aggregate) and name in set(names_in(step)):
            beside = [measure for measure in step.measures if _repeats(measure, {name})]
            others = [m for m in step.measures if m not in beside and name in set(names_in(m))]
            alone = len(beside) == 1 < len(step.measures) and not others and name not in step.by.names
            return alone and _is_only_compared(plan, place + 1 + position, beside[0].name)
    readers = [step for step in later if name in set(names_in(step))]
    return any(isinstance(s, Filter) for s in readers) and all(isinstance(s, Filter | Select) for s in readers)


def _repeats(measure: Measure, names: Container[str]) -> bool:
    """Tell whether a measure only puts a figure of all rows beside the groups."""
    is_one = measure.function is AggregateFunction.FIRST and measure.column is not None
    return is_one and measure.column is not None and measure.column.name in names


def _figure_of(plan: Plan, place: int, step: Window) -> str:
    """Return which figure it is, such as `the mean of salary within each region`."""
    before = plan.steps[:place]
    among = " over all rows"
    if any(isinstance(other, (Filter, *CUTS)) for other in before):
        among = " over those"
    elif any(isinstance(other, FIGURES) for other in before):
        among = " over all of them"
    within = " and ".join(step.by.names)
    return f"the {say_window(step, within, 'row')}{'' if within else among}"


def _in_words(node: Node, phrases: Mapping[str, str]) -> Node:
    return Col(name=phrases[node.name]) if isinstance(node, Col) and node.name in phrases else node
