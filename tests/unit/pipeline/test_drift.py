"""A column that a tool does not find may be there under another name: only one that is clearly meant is offered."""

from __future__ import annotations

from typing import Any

import pytest

from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.pipeline.drift import renamed
from jupyter_mcpgen.plan.shape import Shape, generalise
from tests.plans import group, plan_of, schema_of, where
from tests.second_tables import join, plan_over

TOTAL = generalise(
    plan_of(
        {"quay": "text", "crates": "integer", "amount": "real"}, where("crates", ">", 2), group("quay", "sum amount")
    )
)
QUAY = ("group_by_columns", ["quay"])


def package(shape: Shape = TOTAL) -> Package:
    return Package(files={"tool.py": "", "plan.json": shape.model_dump_json()})


def told_of(shape: Shape, *tables: dict[str, str]) -> dict[str, Any]:
    return renamed(package(shape), {}, [schema_of(columns) for columns in tables])


def told(columns: dict[str, str], **arguments: Any) -> dict[str, Any]:
    return renamed(package(), arguments, [schema_of(columns)])


@pytest.mark.parametrize(
    ("columns", "arguments"),
    [
        ({"quay": "text", "crates": "integer", "amt": "real"}, {"value_column": "amt"}),
        ({"Quay": "text", "n_crates": "integer", "amount": "real"},
         {"group_by_columns": ["Quay"], "filter_column": "n_crates"}),
        ({"quay": "text", "crates": "integer", "amount_eur": "real", "amounts": "real"}, {"value_column": "amounts"}),
        ({"quay": "text", "crates": "real", "amt": "integer"}, {"value_column": "amt"}),
        ({"quay": "text", "crates": "integer", "amount": "real", "amt": "real"}, {}),
        ({"quay": "text", "crates": "integer", "amt": "text"}, {}),
        ({"quay": "text", "crates": "integer", "weight": "real"}, {}),
        ({"quay": "text", "crates": "integer", "amount_1": "real", "amount_2": "real"}, {}),
        ({"quay": "text", "crates": "integer"}, {}),
        ({"quay": "text", "amt": "real"}, {}),
    ],
    ids=["another name", "two of them", "the nearest", "whole numbers or not", "nothing is missing", "of another kind",
         "not alike", "two alike", "none is left", "one of two has none"],
)  # fmt: skip
def test_the_nearest_column_of_the_same_kind_is_offered(columns: dict[str, str], arguments: dict[str, Any]) -> None:
    assert told(columns) == arguments


def test_a_column_that_the_call_names_itself_is_not_offered_for_another_one() -> None:
    columns = {"quay": "text", "crates": "integer", "amounts": "real"}

    assert told(columns) == {"value_column": "amounts"}
    assert told(columns, filter_column="amounts") == {}


def test_one_column_never_stands_for_two() -> None:
    shape = generalise(
        plan_of({"a_rate": "real", "b_rate": "real", "kind": "text"}, group("kind", "sum a_rate", "max b_rate"))
    )

    assert told_of(shape, {"kind": "text", "rate": "real"}) == {}


def test_of_two_tables_each_column_is_looked_for_in_its_own() -> None:
    first, second = schema_of({"pier": "text", "tons": "real"}), schema_of({"pier": "text", "harbor": "text"})
    shape = generalise(plan_over("landings", join("piers", "pier")(first, second), group("harbor", "sum tons")))
    later = {"harbour": "text", "pier": "text"}
    landings = {"pier": "text", "tons": "real"}

    assert told_of(shape, landings, later) == {"group_by_columns": ["harbour"]}
    assert told_of(shape, {"jetty": "text", "tons": "real"}, later) == {}
    assert told_of(shape, landings) == {}


def test_a_column_that_no_parameter_names_must_be_there_as_it_was() -> None:
    first, second = schema_of({"pier": "text", "tons": "real"}), schema_of({"pier": "text", "harbor": "text"})
    shape = generalise(plan_over("landings", join("piers", "pier")(first, second), group("harbor", "sum tons")))

    assert told_of(shape, {"pier": "text", "ton": "real"}, {"pier": "text", "harbour": "text"}) == {}


def test_of_a_tool_without_a_plan_nothing_is_known() -> None:
    assert renamed(Package(files={"tool.py": ""}), {}, [schema_of({"amt": "real"})]) == {}
