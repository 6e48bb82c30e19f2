"""What of a plan can be changed part by part: each choice gives a valid plan, and the old value the old plan."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.parts import LARGEST, SMALLEST, PartKind, changed, choices_for, parts_of
from jupyter_mcpgen.plan.shape import generalise
from tests.plans import derive, group, limit, part, plan_of, resample, schema_of, sort, totals, where
from tests.second_tables import join, plan_over
from tests.strategies.plans import tables_with_plans

TYPES = {"pier": "text", "kind": "text", "crates": "integer", "tons": "real", "landed": "date"}
TOP = plan_of(
    TYPES,
    where("crates", ">", 2),
    group("pier", "sum tons"),
    sort("sum_tons desc"),
    limit(3),
    chart="bar pier sum_tons",
)
REST = "largest first, first 3, where crates is greater than 2"


def test_the_parts_stand_in_reading_order_with_what_may_go() -> None:
    told = [(each.key, each.value, each.may_go) for each in parts_of(TOP)]

    assert told == [
        ("filter_column", ("crates",), False),
        ("comparison", (">",), True),
        ("filter_value", (2,), False),
        ("calculation", ("sum",), False),
        ("value_column", ("tons",), False),
        ("group_by_columns", ("pier",), True),
        ("order", (LARGEST,), False),
        ("top", (3,), True),
    ]


@pytest.mark.parametrize(
    ("key", "values", "reading", "drawn"),
    [
        ("calculation", ["mean"], f"mean of tons by pier, {REST}", "mean_tons"),
        ("value_column", ["crates"],
         f"sum of crates by pier, {REST}", "sum_crates"),
        ("group_by_columns", ["kind"], f"sum of tons by kind, {REST}", "sum_tons"),
        ("group_by_columns", ["kind", "pier"],
         f"sum of tons by kind and pier, {REST}", None),
        ("group_by_columns", [], "sum of tons, where crates is greater than 2", None),
        ("comparison", ["<="], "sum of tons by pier, largest first, first 3, where crates is at most 2", "sum_tons"),
        ("comparison", [], "sum of tons by pier, largest first, first 3", "sum_tons"),
        ("filter_value", [7], "sum of tons by pier, largest first, first 3, where crates is greater than 7",
         "sum_tons"),
        ("filter_column", ["tons"],
         "sum of tons by pier, largest first, first 3, where tons is greater than 2", "sum_tons"),
        ("order", [SMALLEST], "sum of tons by pier, smallest first, first 3, where crates is greater than 2",
         "sum_tons"),
        ("top", [5], "sum of tons by pier, largest first, first 5, where crates is greater than 2", "sum_tons"),
        ("top", [], "sum of tons by pier, largest first, where crates is greater than 2", "sum_tons"),
    ],
)  # fmt: skip
def test_later_steps_and_the_chart_follow_a_change(
    key: str, values: list[Any], reading: str, drawn: str | None
) -> None:
    plan = changed(TOP, key, values)

    assert say_plan(plan) == reading
    assert (plan.chart and plan.chart.y) == drawn


@pytest.mark.parametrize(
    ("key", "values", "said"),
    [
        ("colour", ["red"], "no part `colour`"),
        ("filter_value", [], "must have a value"),
        ("value_column", ["kind"], "`kind` is text"),
        ("value_column", ["ton"], "no column `ton`"),
        ("calculation", ["average"], "`average` is none of"),
        ("filter_value", ["two"], "`two` is not"),
    ],
)
def test_what_does_not_fit_is_refused(key: str, values: list[Any], said: str) -> None:
    with pytest.raises(PlanError, match=said):
        changed(TOP, key, values)


def test_one_of_several_conditions_goes_and_the_others_stay() -> None:
    plan = plan_of(TYPES, where("crates", ">", 2), where("kind", "==", "cod"), group("pier", "count"))

    assert say_plan(changed(plan, "comparison", [])) == "number of rows by pier, where kind is cod"
    assert say_plan(changed(plan, "comparison_2", [])) == "number of rows by pier, where crates is greater than 2"


def test_groups_are_added_where_there_are_none() -> None:
    plan = plan_of(TYPES, totals("sum tons"))

    assert say_plan(changed(plan, "group_by_columns", ["kind"])) == "sum of tons by kind"


@pytest.mark.parametrize(
    ("steps", "chart"),
    [
        ([derive("month", part("start_of_month", "landed")), group("month", "sum tons")], "line month sum_tons"),
        ([resample("start_of_month", "landed", "sum tons")], "line month sum_tons"),
    ],
    ids=["derived", "resampled"],
)
def test_a_period_changes_with_the_name_of_its_column_and_what_follows_it(steps: list[Any], chart: str) -> None:
    plan = plan_of({**TYPES, "quarter": "text"}, *steps, sort("month"), chart=chart)

    other = changed(plan, "period", ["start_of_quarter"])

    assert other.result_schema.names == ("quarter_", "sum_tons")
    assert other.chart is not None
    assert (other.chart.x, other.chart.y) == ("quarter_", "sum_tons")
    assert changed(other, "period", ["start_of_month"]) == plan


def test_an_order_may_go_unless_rows_are_left_out_by_it() -> None:
    ordered = plan_of(TYPES, group("pier", "sum tons"), sort("sum_tons desc"))

    assert say_plan(changed(ordered, "order", [])) == "sum of tons by pier"
    with pytest.raises(PlanError, match="must have a value"):
        changed(TOP, "order", [])


def test_of_two_tables_the_keys_are_parts_too() -> None:
    first, second = schema_of({"pier": "text", "tons": "real"}), schema_of({"pier": "text", "harbor": "text"})
    plan = plan_over("landings", join("piers", "pier")(first, second), group("harbor", "count"))

    assert [each.key for each in parts_of(plan)] == ["key_column", "other_key_column", "group_by_columns"]


@pytest.mark.soak
@given(data=st.data())
def test_every_choice_gives_a_valid_plan_and_the_old_value_the_old_one(data: st.DataObject) -> None:
    _, plan = data.draw(tables_with_plans())
    for each in parts_of(plan):
        for choice in choices_for(plan, each):
            if each.kind is PartKind.COLUMNS and (choice in each.value or len(each.value) != 1):
                continue
            other = changed(plan, each.key, [choice])

            assert generalise(other)  # it makes a tool
            if (choice,) == each.value:
                assert other.steps == plan.steps
