"""A statistic that makes no sense over the columns is refused when it is built, with the column named."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.errors import UnknownColumn, WrongType
from jupyter_mcpgen.plan.emit.pandas_arguments import argument_checks
from jupyter_mcpgen.plan.shape import generalise
from tests.plans import plan_of
from tests.statistic_plans import statistic

COLUMNS = {"price": "real", "amount": "integer", "kind": "text", "sold": "date"}


@pytest.mark.parametrize(
    ("kind", "fields", "reason"),
    [
        ("anova", {"value": "kind", "group": "price"}, "`kind` is text, so it has no analysis of variance"),
        ("anova", {"value": "price", "group": "price"}, "needs two columns, and `price` is named twice"),
        ("correlations", {"columns": ["price"]}, "at least 2 different columns"),
        ("correlations", {"columns": ["price", "kind"]}, "`kind` is text, so it has no correlation"),
        ("correlations", {"columns": ["price"], "against": "price"}, "`price` is not correlated with itself"),
        ("correlation_matrix", {"columns": ["price", "price"]}, "each named once"),
        ("linear_regression", {"y": "price", "x": "sold"}, "`sold` is date, so it has no regression line"),
        ("two_groups", {"value": "price", "group": "kind", "first": 1, "second": 2}, "`1` is no group of it"),
        ("two_groups", {"value": "price", "group": "kind", "first": "a", "second": "a"}, "compared with itself"),
        ("two_columns", {"first": "price", "second": "price"}, "named twice"),
        ("chi_square", {"first": "price", "second": "kind"}, "`price` is real, so it has no categories"),
        ("normality", {"column": "kind"}, "`kind` is text, so it has no distribution"),
        ("kruskal_wallis", {"value": "kind", "group": "price"}, "`kind` is text, so it has no ranks"),
        ("kruskal_wallis", {"value": "price", "group": "price"}, "needs two columns, and `price` is named twice"),
        ("mean_interval", {"column": "sold", "level": 0.95}, "`sold` is date, so it has no mean"),
        ("mean_interval", {"column": "price", "level": 95}, "between 0 and 1, such as 0.95, not `95`"),
        ("histogram", {"column": "price", "bins": 0}, "whole number of bins from 1 on, not `0`"),
        ("histogram", {"column": "price", "bins": 2.5}, "not `2.5`"),
        ("outliers", {"column": "price", "reach": -1}, "positive number outside, not `-1`"),
    ],
)
def test_what_makes_no_sense_is_refused(kind: str, fields: dict[str, object], reason: str) -> None:
    with pytest.raises(WrongType) as refusal:
        plan_of(COLUMNS, statistic(kind, **fields))

    assert reason in str(refusal.value)


def test_a_column_that_does_not_exist_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownColumn, match=r"`pirce`.*`price`"):
        plan_of(COLUMNS, statistic("normality", column="pirce"))


def test_columns_groups_and_numbers_become_parameters() -> None:
    step = statistic("two_groups", value="price", group="kind", first="tea", second="coffee")

    shape = generalise(plan_of(COLUMNS, step))

    named = [(parameter.name, parameter.type, parameter.default) for parameter in shape.parameters]
    assert named == [
        ("value_column", "str", "price"),
        ("group_column", "str", "kind"),
        ("first_group", "str", "tea"),
        ("second_group", "str", "coffee"),
    ]
    assert shape.bind({"value_column": "amount", "first_group": "juice"}).steps[0].first.value == "juice"


def test_a_pair_of_columns_cannot_become_one() -> None:
    shape = generalise(plan_of(COLUMNS, statistic("correlations", columns=["price", "amount"])))

    assert shape.least_columns(shape.parameters[0]) == 2
    with pytest.raises(WrongType, match="at least 2"):
        shape.bind({"columns": ["price"]})


def test_the_number_of_bins_is_a_whole_number_for_every_caller() -> None:
    shape = generalise(plan_of(COLUMNS, statistic("histogram", column="price", bins=20)))

    assert [(p.name, p.type) for p in shape.parameters] == [("value_column", "str"), ("bins", "int")]
    with pytest.raises(WrongType, match="whole number from 1 on"):
        shape.bind({"bins": 2.5})


def test_steps_after_a_statistic_see_its_figures() -> None:
    plan = plan_of(COLUMNS, statistic("anova", value="price", group="kind", post_hoc=True))

    assert plan.result_schema.names == (
        *("test", "first", "second", "difference", "statistic", "p_value", "effect_size", "finding"),
    )
    assert plan.result_schema.type_of("first") == "text"


@pytest.mark.parametrize(
    ("kind", "fields", "conditions"),
    [
        ("linear_regression", {"y": "price", "x": "amount"}, ["y_column == x_column"]),
        ("anova", {"value": "price", "group": "kind"}, ["value_column == group_column"]),
        (
            "two_groups",
            {"value": "price", "group": "kind", "first": "a", "second": "b"},
            ["value_column == group_column", "first_group == second_group"],
        ),
        (
            "correlations",
            {"columns": ["amount"], "against": "price"},
            ["against_column in columns", "len(set(columns)) < len(columns)"],
        ),
        ("outliers", {"column": "price", "reach": 1.5}, ["reach <= 0"]),
        ("kruskal_wallis", {"value": "price", "group": "kind"}, ["value_column == group_column"]),
        ("mean_interval", {"column": "price", "level": 0.95}, ["not 0 < confidence_level < 1"]),
    ],
)
def test_a_tool_refuses_arguments_that_make_no_sense_together(
    kind: str, fields: dict[str, object], conditions: list[str]
) -> None:
    shape = generalise(plan_of(COLUMNS, statistic(kind, **fields)))

    assert [condition for condition, _ in argument_checks(shape.plan)] == conditions
