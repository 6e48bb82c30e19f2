"""Which columns a plan reads, and which constants it looks for."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.plan.columns import used_columns, wanted_values
from jupyter_mcpgen.plan.plan import Plan
from tests.plans import (
    both,
    condition,
    date,
    derive,
    describe,
    either,
    group,
    limit,
    number,
    part,
    plan_of,
    select,
    sort,
    totals,
    where,
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

    assert wanted_values(plan) == {"a": [1], "k": ["x", "y", "z"], "d": ["2024-01-01"]}


def test_no_step_wants_no_constant() -> None:
    assert wanted_values(plan_of(TYPES, totals("count"))) == {}
