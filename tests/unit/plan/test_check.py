"""What cannot be built: unknown columns, wrong types, constants that are not what they say."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pydantic import ValidationError

from jupyter_mcpgen.errors import PlanError, UnknownColumn, WrongType
from jupyter_mcpgen.plan.expressions import Lit
from jupyter_mcpgen.plan.ops import Measure, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType
from tests.plans import (
    both,
    column,
    condition,
    constant,
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

TYPES = {
    "weather_condition": "text",
    "injuries_fatal": "integer",
    "speed": "real",
    "at night": "boolean",
    "crash_date": "date",
}


@pytest.mark.parametrize(
    "step",
    [
        lambda name: where(name, "==", "x"),
        lambda name: where(name, "in", ["x"]),
        lambda name: where(name, "contains", "x"),
        lambda name: where(name, "is missing"),
        lambda name: where(either(condition("speed", ">", 1), both(condition(name, "is missing")))),
        lambda name: where(number(name, "+", 1), ">", 1),
        lambda name: derive("x", column(name)),
        lambda name: derive("x", part("year", name)),
        lambda name: select("speed", name),
        lambda name: group(name, "count"),
        lambda name: group("speed", f"max {name}"),
        lambda name: totals(f"count {name}"),
        lambda name: sort(name),
        lambda name: describe(name),
    ],
)
def test_a_column_that_does_not_exist_is_refused_with_the_nearest_name(step: Callable[[str], Step]) -> None:
    with pytest.raises(
        UnknownColumn, match=r"There is no column `wether_conditon`.* Did you mean `weather_condition`\?"
    ):
        plan_of(TYPES, step("wether_conditon"))


def test_a_name_near_to_none_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(
        UnknownColumn, match=r"There is no column `zzz`\. Columns: `weather_condition`, `injuries_fatal`"
    ):
        plan_of(TYPES, select("zzz"))


def test_a_step_sees_only_what_the_step_before_it_gives() -> None:
    with pytest.raises(UnknownColumn, match="`speed`"):
        plan_of(TYPES, group("weather_condition", "count"), sort("speed"))


def test_a_chart_draws_columns_of_the_result() -> None:
    with pytest.raises(UnknownColumn, match="`speed`"):
        plan_of(TYPES, group("weather_condition", "count"), chart="bar weather_condition speed")


def test_a_box_plot_draws_a_summary() -> None:
    plan_of(TYPES, describe("injuries_fatal"), chart="box column")
    with pytest.raises(UnknownColumn, match="`min`"):
        plan_of(TYPES, group("weather_condition", "count"), chart="box weather_condition")


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (lambda: totals("sum weather_condition"), "`weather_condition` is text, so it has no sum."),
        (lambda: totals("mean crash_date"), "`crash_date` is date, so it has no mean."),
        (lambda: totals("median at night"), "`at night` is boolean, so it has no median."),
        (lambda: totals("max at night"), "`at night` is boolean, so it has no max."),
        (lambda: totals("sum"), "`sum` needs a column."),
        (lambda: describe("weather_condition"), "`weather_condition` is not a number"),
        (lambda: derive("x", number("weather_condition", "+", 1)), "`weather_condition` is not a number"),
        (lambda: derive("x", number("at night", "*", 1)), "`at night` is not a number"),
        (lambda: derive("x", number(1, "+", 2)), "`1` and `2` are both constants"),
        (lambda: derive("x", part("year", "speed")), "`speed` is not a date, so it has no year."),
        (lambda: where("speed", "==", "fast"), "`speed` is real and `fast` is text: they cannot be compared"),
        (lambda: where("speed", "==", column("crash_date")), "they cannot be compared with `==`"),
        (lambda: where("crash_date", ">", "2024"), "`crash_date` is date and `2024` is text"),
        (lambda: where("at night", "==", 1), "`at night` is boolean and `1` is integer"),
        (lambda: where("speed", "in", [1, "x"]), "they cannot be compared"),
        (lambda: where("speed", "contains", "1"), "`speed` is not text, so it cannot be searched"),
        (lambda: where("weather_condition", "contains", 1), "`1` is not text"),
        (lambda: where(constant(1), "<", constant(2)), "`1` and `2` are both constants"),
    ],
)
def test_an_operation_on_a_type_that_it_does_not_take_is_refused(step: Callable[[], Step], message: str) -> None:
    with pytest.raises(WrongType) as refusal:
        plan_of(TYPES, step())

    assert message in str(refusal.value)


@pytest.mark.parametrize(
    ("value", "type_"),
    [
        (float("inf"), ColumnType.REAL),
        (float("nan"), ColumnType.REAL),
        ("3", ColumnType.INTEGER),
        (True, ColumnType.INTEGER),
        (1, ColumnType.BOOLEAN),
        (1, ColumnType.TEXT),
        ("yesterday", ColumnType.DATE),
        ("2024-02-30", ColumnType.DATE),
        ("2024-1-1", ColumnType.DATE),
        ("20240101", ColumnType.DATE),
        ("2024-01-01T00:00:00+02:00", ColumnType.DATE),
        ("2024-01-01'; drop table t; --", ColumnType.DATE),
        ("2024-01-01\n", ColumnType.DATE),
        (2024, ColumnType.DATE),
    ],
)
def test_a_constant_that_is_not_of_its_type_cannot_be_made(value: object, type_: ColumnType) -> None:
    with pytest.raises(WrongType, match="is not"):
        Lit(value=value, type=type_)


@pytest.mark.parametrize(
    "text", ["2024-02-29", "2024-02-29T23:59", "2024-02-29 23:59:59", "2024-02-29 23:59:59.123456"]
)
def test_dates_are_iso_8601_without_a_zone(text: str) -> None:
    assert date(text).value == text


@pytest.mark.parametrize(
    "steps",
    [
        (select("speed", "speed"),),
        (group(["speed", "speed"], "count"),),
        (totals("count", "count"),),
        (derive("sum_speed", column("speed")), group("sum_speed", "sum speed")),
    ],
)
def test_two_result_columns_of_one_name_are_refused(steps: tuple[Step, ...]) -> None:
    with pytest.raises(PlanError, match=r"Two columns are named `.*`\. Rename one"):
        plan_of(TYPES, *steps)


@pytest.mark.parametrize(
    "build",
    [
        lambda: limit(0),
        lambda: limit(-1),
        lambda: totals(),
        lambda: where("speed", "in", []),
        lambda: Measure(function="average"),
        lambda: Plan.model_validate({"source": "t", "source_schema": {"fields": []}, "step": []}),
    ],
)
def test_a_value_outside_its_range_cannot_be_made(build: Callable[[], object]) -> None:
    with pytest.raises(ValidationError):
        build()


def test_the_types_of_results_follow_from_the_functions() -> None:
    plan = plan_of(
        TYPES,
        derive("year", part("year", "crash_date")),
        derive("week", part("start_of_week", "crash_date")),
        derive("half", number("injuries_fatal", "/", 2)),
        group(
            ["year", "week"],
            "count",
            "sum injuries_fatal",
            "sum at night",
            "mean injuries_fatal",
            "max crash_date",
            "min weather_condition",
            "sum half",
            "count_distinct weather_condition",
        ),
    )

    types = {field.name: field.type.value for field in plan.result_schema.fields}

    assert types == {
        "year": "integer",
        "week": "date",
        "count": "integer",
        "sum_injuries_fatal": "integer",
        "sum_at night": "integer",
        "mean_injuries_fatal": "real",
        "max_crash_date": "date",
        "min_weather_condition": "text",
        "sum_half": "real",
        "count_distinct_weather_condition": "integer",
    }


def test_a_copy_with_other_steps_has_the_columns_of_those_steps() -> None:
    plan = plan_of({"kind": "text", "amount": "integer"}, group("kind", "sum amount"))

    copy = plan.model_copy(update={"steps": ()})

    assert copy.result_schema.names == ("kind", "amount")
    assert plan.result_schema.names == ("kind", "sum_amount")
