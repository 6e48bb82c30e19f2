"""A plan's columns, values and limits as parameters: binding them, and which plans are of one family."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from jupyter_mcpgen.errors import PlanError, UnknownColumn, WrongType
from jupyter_mcpgen.plan.emit.pandas import emit_chart
from jupyter_mcpgen.plan.ops import Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.shape import Shape, generalise, shape_key
from tests.engines import run_duckdb, run_pandas
from tests.plans import (
    both,
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
    plan_of,
    schema_of,
    select,
    sort,
    totals,
    where,
)
from tests.statistic_plans import statistic

TYPES = {"a": "integer", "b": "integer", "c": "real", "k": "text", "m": "text", "yes": "boolean", "d": "date"}


def a_plan(*steps: Step, chart: str | None = None) -> Plan:
    return plan_of(TYPES, *steps, chart=chart)


def key(*steps: Step, chart: str | None = None) -> str:
    return shape_key(generalise(a_plan(*steps, chart=chart)))


def asked() -> Shape:
    steps = (where("a", ">", 3), group("k", "sum b"), sort("sum_b desc"), limit(5))
    return generalise(a_plan(*steps, chart="bar k sum_b"))


def test_every_column_value_and_limit_becomes_a_parameter_in_reading_order() -> None:
    found = {p.name: (p.type, p.default, p.is_column) for p in asked().parameters}

    assert found == {
        "filter_column": ("str", "a", True),
        "filter_value": ("float", 3, False),
        "value_column": ("str", "b", True),
        "group_by_columns": ("Sequence[str]", ("k",), True),
        "top": ("int", 5, False),
    }


def test_binding_nothing_gives_the_plan_again() -> None:
    plan = a_plan(where("a", ">", 3), group("k", "sum b"), sort("sum_b desc"), limit(5), chart="bar k sum_b")

    assert generalise(plan).bind({}) == generalise(plan).plan


def test_other_columns_rename_what_is_computed_from_them_and_what_is_drawn() -> None:
    bound = asked().bind({"value_column": "c", "group_by_columns": ["m", "k"], "filter_value": 0.5, "top": 2})

    assert bound.result_schema.names == ("m", "k", "sum_c")
    assert (bound.chart.x, bound.chart.y) == ("m", "sum_c")
    assert bound.steps[2].keys[0].column == "sum_c"
    assert bound.steps[3].count == 2


def test_a_shape_can_be_bound_to_another_table() -> None:
    schema = schema_of({"price": "real", "shop": "text", "stars": "integer"})
    arguments = {"filter_column": "stars", "value_column": "price", "group_by_columns": ["shop"]}

    assert asked().bind(arguments, schema).result_schema.names == ("shop", "sum_price")
    with pytest.raises(UnknownColumn, match="`a`"):
        asked().bind({}, schema)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"colour": "red"}, PlanError, r"no parameter `colour`\. Parameters: filter_column, filter_value, group_by"),
        ({"value_column": "bb"}, UnknownColumn, "no column `bb`"),
        ({"value_column": "k"}, WrongType, "`k` is text, so it has no sum"),
        ({"value_column": 3}, WrongType, "`value_column` must be the name of a column, not `3`"),
        ({"value_column": ["b"]}, WrongType, "must be the name of a column"),
        ({"filter_column": "k"}, WrongType, "`k` is text and `3` is integer"),
        ({"filter_value": "many"}, WrongType, "`many` is not integer"),
        ({"filter_value": None}, WrongType, "`filter_value` must be one value"),
        ({"filter_value": float("inf")}, WrongType, "is not integer"),
        ({"group_by_columns": "k"}, WrongType, "`group_by_columns` must be a list"),
        ({"group_by_columns": []}, WrongType, "must be a list with at least one value"),
        ({"group_by_columns": [1]}, WrongType, "must be a list"),
        ({"group_by_columns": ["k", "k"]}, PlanError, "Two columns are named `k`"),
        ({"top": 0}, WrongType, "`top` must be a whole number from 1 on, not `0`"),
        ({"top": 2.5}, WrongType, "`top` must be a whole number"),
        ({"top": True}, WrongType, "`top` must be a whole number"),
    ],
)
def test_arguments_that_do_not_fit_are_refused_by_name(
    arguments: dict[str, Any], error: type[PlanError], message: str
) -> None:
    with pytest.raises(error, match=message):
        asked().bind(arguments)


def test_a_fraction_may_take_the_place_of_a_whole_number() -> None:
    frame = pd.DataFrame({"a": [1, 2, 3]})
    shape = generalise(plan_of({"a": "integer"}, where("a", ">", 1)))

    assert len(run_pandas(shape.plan, frame, {"filter_column": "a", "filter_value": 2.5})) == 1
    assert len(run_duckdb(shape.bind({"filter_value": 2.5}), frame)) == 1


def test_dates_in_a_list_are_dates_also_as_arguments() -> None:
    frame = pd.DataFrame({"d": pd.to_datetime(["2024-01-01 00:00", "2024-01-02 12:00"]).astype("datetime64[us]")})
    shape = generalise(plan_of({"d": "date"}, where("d", "in", [date("2024-01-01")])))
    values = ["2024-01-02 12:00", "2024-01-03"]

    assert len(run_pandas(shape.plan, frame, {"filter_column": "d", "filter_values": values})) == 1
    assert len(run_duckdb(shape.bind({"filter_values": values}), frame)) == 1


def test_columns_that_an_aggregation_made_follow_it_and_are_no_parameters() -> None:
    steps = (
        group(["k", "m"], "sum a", "sum b"),
        where("sum_a", ">", 1),
        derive("ratio", number("sum_a", "/", "sum_b")),
        sort("sum_a desc", "m"),
        select("k", "ratio", "sum_a"),
    )
    shape = generalise(a_plan(*steps, chart="bar k sum_a"))
    frame = pd.DataFrame({"k": ["x"], "m": ["y"], "a": [2], "b": [4], "c": [8.0], "yes": [True], "d": [pd.NaT]})
    arguments = {"value_column": "c", "value_column_2": "a", "group_by_columns": ["m", "k"], "filter_value": 0}

    bound = shape.bind(arguments)

    assert [p.name for p in shape.parameters] == ["value_column", "value_column_2", "group_by_columns", "filter_value"]
    assert bound.result_schema.names == ("m", "ratio", "sum_c")
    assert bound.chart.y == "sum_c"
    assert emit_chart(shape.plan) == "'bar', group_by_columns[0], f\"sum_{value_column}\""
    assert run_pandas(shape.plan, frame, arguments).to_dict("list") == {"m": ["y"], "ratio": [4.0], "sum_c": [8.0]}
    assert run_duckdb(bound, frame).to_dict("list") == {"m": ["y"], "ratio": [4.0], "sum_c": [8.0]}


def test_a_chart_of_listed_columns_draws_the_columns_that_are_given() -> None:
    shape = generalise(a_plan(select("a", "b"), chart="scatter a b"))

    bound = shape.bind({"columns": ["c", "a"]})

    assert emit_chart(shape.plan) == "'scatter', columns[0], columns[1]"
    assert (bound.chart.x, bound.chart.y) == ("c", "a")


@pytest.mark.parametrize(
    ("plan", "least"),
    [
        (a_plan(group("k", "count")), 1),
        (a_plan(group(["k", "m"], "count")), 1),
        (a_plan(group(["k", "m"], "count"), sort("m")), 2),
        (a_plan(group(["k", "m"], "count"), chart="bar k count"), 1),
        (a_plan(group(["k", "m"], "count"), chart="bar k count m"), 2),
        (a_plan(select("a", "b", "c"), chart="scatter a b"), 2),
    ],
)
def test_a_list_must_name_as_many_columns_as_are_used_by_their_place(plan: Plan, least: int) -> None:
    shape = generalise(plan)

    assert shape.least_columns(shape.parameters[-1]) == least


FAMILY = [where("a", ">", 3), where("k", "==", "x"), group("k", "sum b"), sort("sum_b desc"), limit(5)]


@pytest.mark.parametrize(
    "other",
    [
        (where("b", ">", 7), where("m", "==", "y"), group("m", "sum a"), sort("sum_a desc"), limit(50)),
        (where("a", ">", 3), where("k", "==", "x"), group(["k", "m"], "sum b"), sort("sum_b desc"), limit(5)),
        (where("c", ">", 3), where("k", "==", "x"), group("d", "sum c"), sort("sum_c desc"), limit(1)),
    ],
)
def test_plans_that_differ_in_values_only_are_one_family(other: tuple[Step, ...]) -> None:
    assert key(*FAMILY) == key(*other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((where("a", ">", 3),), (where("a", "<", 3),)),
        ((where("a", ">", 3),), (where("a", ">=", 3),)),
        ((where("a", "==", 3),), (where("k", "==", "x"),)),
        ((where("a", "==", 3),), (where("a", "!=", 3),)),
        ((where("k", "in", ["x"]),), (where("k", "not in", ["x"]),)),
        ((where("k", "contains", "x"),), (where("k", "starts with", "x"),)),
        ((where("a", "is missing"),), (where("a", "is not missing"),)),
        (
            (where(both(condition("a", ">", 1), condition("b", ">", 1))),),
            (where(either(condition("a", ">", 1), condition("b", ">", 1))),),
        ),
        (
            (where(both(condition("a", ">", 1), condition("a", "<", 5))),),
            (where(both(condition("a", ">", 1), condition("b", "<", 5))),),
        ),
        ((where("a", "<", column("b")),), (where("a", "<", column("c")),)),
        ((group("k", "sum a"),), (group("k", "mean a"),)),
        ((group("k", "count"),), (group("k", "count a"),)),
        ((group("k", "sum a"),), (group("k", "sum a", "sum b"),)),
        ((group("k", "sum a", "mean a"),), (group("k", "sum a", "mean b"),)),
        ((group("k", "sum a"),), (totals("sum a"),)),
        ((group("k", "sum a"), sort("sum_a")), (group("k", "sum a"), sort("sum_a desc"))),
        ((group("k", "sum a"), sort("sum_a")), (group("k", "sum a"), sort("k"))),
        ((group(["k", "m"], "count"), sort("k")), (group(["k", "m"], "count"), sort("m"))),
        ((group("k", "sum a"), limit(5)), (group("k", "sum a"),)),
        ((group("k", "sum a"), where("sum_a", ">", 1)), (where("a", ">", 1), group("k", "sum a"))),
        (
            (derive("t", part("start_of_month", "d")), group("t", "count")),
            (derive("t", part("start_of_year", "d")), group("t", "count")),
        ),
        ((derive("x", number("a", "/", "b")),), (derive("x", number("a", "*", "b")),)),
        ((derive("x", number("a", "*", 2)),), (derive("x", number("a", "*", 3)),)),
        ((sort("a"), limit(3)), (limit(3), sort("a"))),
        ((select("a"),), (describe("a"),)),
    ],
)
def test_plans_that_do_other_work_are_other_families(one: tuple[Step, ...], other: tuple[Step, ...]) -> None:
    assert key(*one) != key(*other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("bar k count", None),
        ("bar k count", "pie k count"),
        ("bar k count", "bar m count"),
        ("bar k count", "bar k count m"),
    ],
)
def test_plans_that_are_drawn_in_another_way_are_other_families(one: str, other: str | None) -> None:
    grouped = group(["k", "m"], "count")

    assert key(grouped, chart=one) != key(grouped, chart=other)


def test_the_same_drawing_of_other_columns_is_one_family() -> None:
    one = key(group(["k", "m"], "count"), chart="bar k count m")

    assert one == key(group(["m", "yes"], "count"), chart="bar m count yes")
    assert key(select("a", "b"), chart="scatter a b") == key(select("b", "c"), chart="scatter b c")
    assert key(select("a", "b"), chart="scatter a b") != key(select("a", "b"), chart="scatter b a")


def test_a_shape_survives_the_json_round_trip() -> None:
    assert Shape.model_validate_json(asked().model_dump_json()) == asked()


def test_a_correlation_needs_two_columns_and_is_grouped_by_one() -> None:
    step = statistic("correlations", columns=["x", "y"], by=["k"])
    shape = generalise(plan_of({"x": "real", "y": "real", "k": "text"}, step))

    least = {parameter.name: shape.least_columns(parameter) for parameter in shape.parameters}

    assert least == {"columns": 2, "group_by_columns": 1}
