"""Which columns a plan reads, and which constants it looks for."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.plan.columns import compared_columns, summed_columns, used_columns, wanted_values
from jupyter_mcpgen.plan.plan import Plan
from tests.plans import (
    both,
    choice,
    column,
    condition,
    date,
    derive,
    describe,
    either,
    group,
    limit,
    number,
    part,
    pivot,
    plan_of,
    rate,
    resample,
    select,
    sort,
    sort_in,
    totals,
    where,
    window,
)

TYPES = {"a": "integer", "b": "real", "k": "text", "d": "date", "count": "integer", "unused": "text"}


@pytest.mark.parametrize(
    ("plan", "used"),
    [
        (plan_of(TYPES), set()),
        (plan_of(TYPES, limit(3)), set()),
        (plan_of(TYPES, where(either(condition("a", ">", 1), condition("k", "is missing")))), {"a", "k"}),
        (plan_of(TYPES, derive("x", number("a", "/", number("b", "+", 1)))), {"a", "b"}),
        (plan_of(TYPES, derive("month", part("month", "d")), group("month", "sum b")), {"d", "b"}),
        (plan_of(TYPES, group("k", "count"), sort("count desc")), {"k"}),
        (plan_of(TYPES, group("k", "count"), chart="bar k count"), {"k"}),
        (plan_of(TYPES, group("k", "count count")), {"k", "count"}),
        (plan_of(TYPES, sort("a"), select("k")), {"a", "k"}),
        (plan_of(TYPES, describe("a", "b")), {"a", "b"}),
        (plan_of(TYPES, where("a", ">", 1), chart="scatter a b"), {"a", "b"}),
    ],
)
def test_the_columns_of_the_source_that_a_plan_names(plan: Plan, used: set[str]) -> None:
    assert used_columns(plan) == used


def test_the_constants_that_columns_are_compared_with() -> None:
    plan = plan_of(
        TYPES,
        where(both(condition("a", ">", 1), either(condition("k", "in", ["x", "y"]), condition("k", "contains", "z")))),
        where("d", "<", date("2024-01-01")),
        group("k", "count"),
        where("count", ">", 99),
    )

    assert wanted_values(plan) == {
        "a": [1, 2, 0],
        "k": ["x", "y", "z", "z x", "x z", "x z x", "Z"],
        "d": ["2024-01-01", "2024-01-02", "2023-12-31"],
    }


def test_the_constants_of_choices_rates_orders_and_new_columns_are_looked_for_too() -> None:
    plan = plan_of(
        TYPES,
        derive("high", choice((condition("b", ">", 2.5), "yes"), otherwise="no")),
        pivot("unused", "k", ["x", "y"], rate("rate", condition("a", "<", 7))),
        sort_in("unused", "low", "top"),
    )

    assert wanted_values(plan) == {
        "b": [2.5, 3.5, 1.5], "k": ["x", "y"], "a": [7, 8, 6], "unused": ["low", "top"],
    }  # fmt: skip


def test_constants_beside_columns_that_the_plan_makes_are_not_looked_for_in_the_source() -> None:
    plan = plan_of(TYPES, derive("a", number("a", "*", 2)), where("a", ">", 10), group("k", "sum b"), sort("k"))

    assert wanted_values(plan) == {}


def test_columns_that_are_compared_with_each_other_are_told() -> None:
    plan = plan_of(TYPES, where("a", "<", column("b")), derive("x", choice((condition("b", "==", column("a")), 1))))

    assert compared_columns(plan) == (("a", "b"), ("b", "a"))


def test_no_step_wants_no_constant() -> None:
    assert wanted_values(plan_of(TYPES, totals("count"))) == {}


@pytest.mark.parametrize(
    ("plan", "summed"),
    [
        (plan_of(TYPES, totals("sum a", "sum b", "mean a")), ["a", "b"]),
        (plan_of(TYPES, group("k", "mean a", "max b")), []),
        (plan_of(TYPES, resample("start_of_month", "d", "sum a")), ["a"]),
        (plan_of(TYPES, pivot("k", "unused", ["x"], "sum a")), ["a"]),
        (plan_of(TYPES, pivot("k", "unused", ["x"], "mean a")), []),
        (plan_of(TYPES, window("running_total", "a", order="d")), ["a"]),
        (plan_of(TYPES, window("rank", "a")), []),
    ],
)
def test_the_columns_that_are_added_up(plan: Plan, summed: list[str]) -> None:
    assert [column.name for column in summed_columns(plan)] == summed
