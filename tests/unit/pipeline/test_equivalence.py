"""A fault that no generated table shows is equivalent only where many further tables do not show it either."""

from __future__ import annotations

import pytest

from benchmarks.equivalence import SEEDS, further_tables, shown_by
from jupyter_mcpgen.plan.faults import Fault, Operator
from jupyter_mcpgen.plan.ops import Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.shape import generalise
from tests.plans import both, condition, either, group, limit, plan_of, sort, totals, where
from tests.sample_tables import material_for
from tests.second_tables import join, plan_over

TYPES = {"amount": "integer", "price": "real", "kind": "text", "shop": "text", "sold": "date"}
OVER_TEN = where("amount", ">", 10)


def planted(*steps: Step) -> Fault:
    return Fault(Operator.CONSTANT, "step 1 (filter)", plan_of(TYPES, *steps))


def shows(plan: Plan, fault: Fault) -> dict[int, str]:
    return shown_by(generalise(plan), [fault], further_tables(plan, material_for(plan), seeds=2))


def test_a_tool_is_tried_on_a_thousand_further_tables_most_of_them_different() -> None:
    plan = plan_of(TYPES, OVER_TEN, group("kind", "mean price"))

    tables = further_tables(plan, material_for(plan), seeds=2)

    assert len(tables) * SEEDS == 2 * 1_000
    contents = {given.frame.to_json() for name, given in tables.items() if not name.startswith("all_null")}
    assert len(contents) > 60


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ([OVER_TEN], [where("amount", ">=", 11)]),
        ([OVER_TEN, totals("count")], [where("amount", ">=", 11), totals("count")]),
        ([sort("price desc", "kind"), limit(3)], [sort("price desc", "kind desc"), limit(3)]),
    ],
    ids=["a condition", "a count", "another order of ties, which a tool may have"],
)
def test_a_plan_that_means_the_same_is_shown_by_no_table(right: list[Step], wrong: list[Step]) -> None:
    assert shows(plan_of(TYPES, *right), planted(*wrong)) == {}


@pytest.mark.parametrize(
    "wrong",
    [
        where(both(condition("amount", ">", 10), either(condition("price", ">", 1), condition("kind", "is missing")))),
        where("amount", ">", 11),
        where("price", ">", 10.0),
    ],
    ids=["rarely", "often", "with a column that the tables lack"],
)
def test_a_fault_is_shown_by_the_first_table_that_differs(wrong: Step) -> None:
    assert list(shows(plan_of(TYPES, OVER_TEN), planted(wrong))) == [0]


def test_a_fault_of_a_second_table_is_shown_and_a_plan_that_means_the_same_is_not() -> None:
    first, second = plan_of(TYPES).source_schema, plan_of({"shop": "text", "fee": "real"}).source_schema
    right, wrong = (
        plan_over("sales", join("fees", "shop", how=how)(first, second), where("fee", ">", 1.0), totals("sum fee"))
        for how in ("left", "inner")
    )
    counted = plan_over("sales", join("fees", "shop", how="inner")(first, second), totals("count"))
    without = plan_over("sales", join("fees", "shop", how="left")(first, second), totals("count"))

    assert shows(right, Fault(Operator.JOIN_KIND, "join", wrong)) == {}
    assert list(shows(without, Fault(Operator.JOIN_KIND, "join", counted))) == [0]
