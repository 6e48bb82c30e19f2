"""What is added to a plan is checked like any other plan, and can be taken out again."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.plan.additions import Addition, added, additions_to, choices_to_add
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.parts import changed, parts_of
from tests.plans import group, limit, plan_of, sort, where, window

TYPES = {"pier": "text", "pier no": "integer", "tons": "real", "landed": "date", "iced": "boolean"}
TONS = plan_of(TYPES, group("pier", "sum tons"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("pier = Old = New", "pier is Old = New"),
        ("pier no ≥ 1,200", "pier no is at least 1200"),
        ("tons<2.5", "tons is less than 2.5"),
        ("landed > 2024-03-31", "landed is greater than 2024-03-31"),
        ("iced ≠ True", "iced is not True"),
    ],
)
def test_a_condition_is_read_by_the_names_of_the_columns_and_can_go_again(text: str, said: str) -> None:
    plan = added(TONS, Addition.CONDITION, text)

    assert say_plan(plan) == f"sum of tons by pier, where {said}"
    assert changed(plan, "comparison", []) == TONS


def test_a_condition_joins_the_others() -> None:
    plan = plan_of(TYPES, where("tons", ">", 1), group("pier", "count"))

    both = added(plan, Addition.CONDITION, "pier = Ness")

    assert say_plan(both) == "number of rows by pier, where tons is greater than 1 and pier is Ness"
    assert [part.key for part in parts_of(both)][:4] == [
        "filter_column",
        "comparison",
        "filter_value",
        "filter_column_2",
    ]


def test_an_order_and_then_a_limit_are_added_and_go_again() -> None:
    ordered = added(TONS, Addition.ORDER, "sum_tons, largest first")
    limited = added(ordered, Addition.LIMIT, "3")

    assert say_plan(limited) == "sum of tons by pier, largest first, first 3"
    assert changed(limited, "top", []) == ordered
    assert changed(ordered, "order", []) == TONS


def test_what_can_be_added_depends_on_the_order_and_the_limit() -> None:
    ordered = plan_of(TYPES, group("pier", "sum tons"), sort("sum_tons"))
    cut = plan_of(TYPES, group("pier", "sum tons"), sort("sum_tons"), limit(2))

    assert [additions_to(plan) for plan in (TONS, ordered, cut)] == [
        (Addition.CONDITION, Addition.ORDER),
        (Addition.CONDITION, Addition.LIMIT),
        (Addition.CONDITION,),
    ]
    assert choices_to_add(TONS, Addition.ORDER)[:2] == ("pier, largest first", "pier, smallest first")


@pytest.mark.parametrize(
    ("addition", "text", "said"),
    [
        (Addition.CONDITION, "harbor = Ness", "`harbor = Ness` is not a condition"),
        (Addition.CONDITION, "pier", "is not a condition"),
        (Addition.CONDITION, "tons = many", "`many` is not"),
        (Addition.CONDITION, "landed = spring", "`spring` is not a date"),
        (Addition.CONDITION, "tons < Infinity", "`Infinity` is not"),
        (Addition.CONDITION, "tons < NaN", "`NaN` is not"),
        (Addition.ORDER, "tons, largest first", "is not an order of this result"),
        (Addition.ORDER, "sum_tons", "is not an order of this result"),
        (Addition.LIMIT, "none", "`none` is not a number of rows"),
        (Addition.LIMIT, "9" * 5000, "is not a number of rows"),
        (Addition.LIMIT, "0", "`0` is not a number of rows"),
    ],
)
def test_what_cannot_be_added_is_refused(addition: Addition, text: str, said: str) -> None:
    with pytest.raises(PlanError, match=said):
        added(TONS, addition, text)


def test_an_order_that_figures_are_computed_in_is_not_the_order_of_the_result() -> None:
    running = plan_of(TYPES, group("landed", "sum tons"), sort("landed"), window("running_total", "sum_tons"))
    first = plan_of(TYPES, sort("landed"), group("pier", "first tons"))

    for plan in (running, first):
        assert additions_to(plan) == (Addition.CONDITION, Addition.ORDER)
        assert [part.may_go for part in parts_of(plan) if part.key == "order"] == [False]
