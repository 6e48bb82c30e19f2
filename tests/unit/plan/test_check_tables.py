"""What cannot be built of the steps that compare rows and reshape tables."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pydantic import ValidationError

from jupyter_mcpgen.errors import PlanError, UnknownColumn, WrongType
from jupyter_mcpgen.plan.ops import Measure, Step
from tests.plans import (
    choice,
    column,
    condition,
    derive,
    distinct,
    group,
    interval,
    named_part,
    pivot,
    plan_of,
    rate,
    rename,
    resample,
    text,
    top,
    totals,
    where,
    window,
)

TYPES = {"weather": "text", "injuries": "integer", "speed": "real", "at night": "boolean", "crash_date": "date"}


@pytest.mark.parametrize(
    "step",
    [
        lambda name: distinct(name),
        lambda name: top(1, name, "speed"),
        lambda name: top(1, "speed", name),
        lambda name: window("rank", name),
        lambda name: window("rank", "speed", name),
        lambda name: window("running_total", "speed", order=name),
        lambda name: resample("start_of_month", "crash_date", "count", by=(name,)),
        lambda name: resample("start_of_month", name, "count"),
        lambda name: pivot(name, "weather", ["a"], "count"),
        lambda name: pivot("weather", name, ["a"], "count"),
        lambda name: pivot("weather", "injuries", [1], f"max {name}"),
        lambda name: rename(name, "x"),
        lambda name: derive("x", interval(name, 10)),
        lambda name: derive("x", text("lower", name)),
        lambda name: derive("x", named_part("month", name)),
        lambda name: derive("x", choice((condition(name, "==", "x"), 1))),
        lambda name: derive("x", choice((condition("speed", ">", 1), column(name)))),
        lambda name: totals(rate("rate", condition(name, "==", "x"))),
        lambda name: totals(f"quantile 0.9 {name}"),
    ],
)
def test_a_column_that_does_not_exist_is_refused_with_the_nearest_name(step: Callable[[str], Step]) -> None:
    with pytest.raises(UnknownColumn, match=r"There is no column `crash_dat`\. Did you mean `crash_date`\?"):
        plan_of(TYPES, step("crash_dat"))


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (lambda: window("running_total", "weather"), "`weather` is text, so it has no running total."),
        (lambda: window("lag", "at night"), "`at night` is boolean, so it has no lag."),
        (lambda: resample("year", "crash_date", "count"), "`year` is not a period"),
        (lambda: resample("start_of_year", "speed", "count"), "`speed` is not a date"),
        (lambda: pivot("weather", "speed", [1.5], "count"), "`speed` is real, so its values cannot become columns."),
        (lambda: pivot([], "weather", ["a"], "count"), "needs a column for its rows"),
        (lambda: pivot("speed", "weather", [1], "count"), "`1` is integer and `weather` is text."),
        (lambda: derive("x", interval("weather", 10)), "`weather` is text, so it has no intervals."),
        (lambda: derive("x", interval("speed")), "either a width or a number of them"),
        (lambda: derive("x", interval("speed", 0)), "must be above zero"),
        (lambda: where(interval("speed", count=3), ">", 1), "are made first, then compared"),
        (lambda: derive("x", text("upper", "speed")), "`speed` is not text"),
        (lambda: derive("x", named_part("month", "speed")), "`speed` is not a date"),
        (lambda: derive("x", choice((condition("speed", ">", 1), "a"), otherwise=1)), "cannot hold integer and text"),
        (lambda: totals("rate"), "A rate needs a condition that rows meet."),
        (lambda: totals("quantile 0.5 weather"), "`weather` is text, so it has no quantile."),
        (lambda: totals(Measure(function="quantile", column=column("speed"))), "A quantile needs a fraction"),
        (lambda: totals(rate("sum", condition("speed", ">", 1))), "`sum` cannot look at some rows only"),
    ],
)
def test_an_operation_on_a_type_that_it_does_not_take_is_refused(step: Callable[[], Step], message: str) -> None:
    with pytest.raises(WrongType) as refusal:
        plan_of(TYPES, step())

    assert message in str(refusal.value)


@pytest.mark.parametrize("fraction", [0.0, 1.0, -0.5])
def test_a_percentile_lies_between_0_and_100(fraction: float) -> None:
    with pytest.raises(ValidationError):
        Measure(function="quantile", column=column("speed"), fraction=fraction)


def test_two_values_of_one_name_cannot_both_become_columns() -> None:
    with pytest.raises(PlanError, match="Two columns are named `a`"):
        plan_of(TYPES, pivot("speed", "weather", ["a", "a"], "count"))


def test_a_figure_and_a_group_cannot_have_one_name() -> None:
    with pytest.raises(PlanError, match="Two columns are named `weather`"):
        plan_of(TYPES, group("weather", rate("rate", condition("speed", ">", 1), label="weather")))
