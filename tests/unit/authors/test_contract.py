"""Contract and code of every tool agree with each other and with the gates, for any plan."""

from __future__ import annotations

import ast

import pandas as pd
import pytest
from hypothesis import given

from jupyter_mcpgen.analysis.contract import check_contract
from jupyter_mcpgen.authors.code import write_package
from jupyter_mcpgen.authors.contract import contract_of
from jupyter_mcpgen.authors.naming import tool_name
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.spec import ToolSpec
from jupyter_mcpgen.model.validation import Severity
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.shape import Shape, generalise
from jupyter_mcpgen.registry.reserved import check_name
from jupyter_mcpgen.toolkit.vendor import helpers_source
from tests.laws import law
from tests.plans import date, derive, describe, group, limit, part, plan_of, select, sort, statistic, totals, where
from tests.recorded import cases as recorded_cases
from tests.recorded import emit_files, tool_files
from tests.static import static_findings
from tests.strategies.plans import tables_with_plans

TYPES = {"state": "text", "weather": "text", "severity": "integer", "rate": "real", "fatal": "boolean", "day": "date"}


def written(plan: Plan, name: str | None = None) -> tuple[ToolSpec, Package, tuple[str, ...]]:
    contract = contract_of(generalise(plan), name or tool_name(plan, frozenset()))
    return contract.spec, write_package(contract), contract.capabilities


@law(25)
@given(tables_with_plans())
def test_the_contract_of_any_plan_is_the_contract_of_its_code(case: tuple[pd.DataFrame, Plan]) -> None:
    spec, package, _ = written(case[1])

    assert check_contract(package.code, spec) == ()


@law(10)
@given(tables_with_plans())
def test_no_gate_finds_an_error_in_the_tool_of_any_plan(case: tuple[pd.DataFrame, Plan]) -> None:
    spec, package, capabilities = written(case[1])

    findings = static_findings(package.files, spec, capabilities)

    assert [finding for finding in findings if finding.severity is Severity.ERROR] == []


@pytest.mark.every_run("tables", "hostile")
@pytest.mark.parametrize("path", emit_files(), ids=lambda path: path.stem)
def test_no_gate_finds_anything_in_the_tools_of_the_recorded_cases(path) -> None:
    for name, plan in recorded_cases(path):
        spec, package, capabilities = written(plan)

        assert static_findings(package.files, spec, capabilities) == (), name


@law(20)
@given(tables_with_plans())
def test_a_name_is_allowed_and_says_more_where_a_shorter_one_is_taken(case: tuple[pd.DataFrame, Plan]) -> None:
    general = tool_name(case[1], set())
    specific = tool_name(case[1], {general})

    check_name(general)
    check_name(specific)
    assert specific.startswith(general)
    assert tool_name(case[1], {general, specific}).startswith(general)


@pytest.mark.parametrize("name", tool_files())
def test_the_default_arguments_fit_the_input_schema(name: str) -> None:
    import jsonschema  # costs more than a second in each process

    spec, _, _ = written(tool_files()[name])
    arguments = {p.name: p.default for p in spec.parameters if not p.required}

    jsonschema.validate({"file_path": "table.csv", **arguments}, spec.input_schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(arguments, spec.input_schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"file_path": "table.csv", "another": 1}, spec.input_schema)


def test_the_names_say_what_a_tool_computes() -> None:
    grouped = group("state", "sum severity")
    by_month = (derive("month", part("start_of_month", "day")), group("month", "count"))
    names = {
        "sum_by_group": (grouped,),
        "top_sum_by_group": (grouped, sort("sum_severity desc"), limit(3)),
        "sum_by_group_where": (where("severity", ">", 1), grouped),
        "sum_and_mean_by_group": (group("state", "sum severity", "mean rate"),),
        "count_by_month": by_month,
        "count_by_month_and_group": (by_month[0], group(["month", "state"], "count")),
        "count_rows": (totals("count"),),
        "mean_of_column": (totals("mean rate"),),
        "describe_columns": (describe("rate"),),
        "rows_where": (where("severity", ">", 1),),
        "top_rows": (sort("rate desc"), limit(3)),
        "sorted_rows": (sort("rate desc"),),
        "select_columns": (select("rate"),),
    }

    assert {name: tool_name(plan_of(TYPES, *steps), frozenset()) for name, steps in names.items()} == {
        name: name for name in names
    }
    assert tool_name(plan_of(TYPES, grouped), {"sum_by_group"}) == "sum_by_group_state_severity"


def test_a_name_says_the_columns_the_conditions_and_the_order_before_every_word_of_the_plan_is_used_up() -> None:
    plan = plan_of(
        TYPES,
        where("severity", ">", 1),
        where("state", "==", "TX"),
        group("state", "sum rate"),
        sort("sum_rate desc"),
        limit(3),
    )
    names: list[str] = []

    while (name := tool_name(plan, set(names))) not in names:
        names.append(name)

    assert names[:7] == [
        "top_sum_by_group_where",
        "top_sum_by_group_where_state_severity_rate",
        "top_sum_by_group_where_state_severity_rate_state_is_tx",
        "top_sum_by_group_where_severity_is_greater_than_1",
        "top_sum_by_group_where_state_is_tx",
        "top_sum_by_group_where_largest_sum_rate",
        "top_sum_by_group_where_first_3",
    ]
    assert name == max(names, key=len)
    for each in names:
        check_name(each)


def test_a_list_that_is_used_by_its_places_says_how_many_columns_it_needs() -> None:
    spec, package, _ = written(plan_of(TYPES, group(["state", "weather"], "count"), chart="bar state count weather"))

    assert spec.input_schema["properties"]["group_by_columns"]["minItems"] == 2
    assert "must be a list of at least 2 columns" in package.code


def test_the_package_holds_what_a_tool_needs_to_run_elsewhere() -> None:
    plan = plan_of(TYPES, where("day", ">=", date("2024-01-01")), group("state", "mean rate"))
    spec, package, _ = written(plan, "mean_rate")

    assert set(package.files) >= {"tool.py", "helpers.py", "spec.json", "plan.json", "requirements.txt", "__init__.py"}
    assert package.files["helpers.py"] == helpers_source()
    assert ToolSpec.model_validate_json(package.files["spec.json"]) == spec
    assert Shape.model_validate_json(package.files["plan.json"]) == generalise(plan)
    assert {"fastmcp", "pandas"} <= set(package.files["requirements.txt"].split())
    assert spec.tool_name == "mean_rate"


def test_what_a_tool_promises_is_said_of_its_steps() -> None:
    contract = contract_of(
        generalise(plan_of(TYPES, where("rate", ">", 1), group("state", "count"), limit(2))), "some_name"
    )

    assert contract.limitations == ()  # what is left out is counted on the data, and said where it happens
    assert contract.capabilities == ("cap:data.read",)


def test_a_tool_that_computes_with_scipy_asks_for_it() -> None:
    anova = contract_of(generalise(plan_of(TYPES, statistic("anova", value="rate", group="state"))), "some_name")
    histogram = contract_of(generalise(plan_of(TYPES, statistic("histogram", column="rate", bins=5))), "some_name")

    assert anova.capabilities == ("cap:data.read", "cap:python.scipy")
    assert histogram.capabilities == ("cap:data.read",)


HOSTILE = [
    '"""',
    "\\",
    'x"""\nimport os\n"""',
    "RETURNS:",
    "a\nRETURNS:\nb",
    "{{ spec }}",
    "\u202e",
    "a\0b",
    "😀",
    "'" * 3,
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_column_name_cannot_leave_the_place_where_it_stands(name: str) -> None:
    types = {name: "text", "v": "real", "d": "date"}
    year = derive(f"{name} too", part("year", "d"))
    plan = plan_of(types, where(name, "!=", name), year, group([name, year.name], "sum v", f"max {name}"))
    spec, package, capabilities = written(plan)
    tree = ast.parse(package.code)

    imported = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)} | {
        alias.name for n in ast.walk(tree) if isinstance(n, ast.Import) for alias in n.names
    }
    assert imported <= {"typing", "collections.abc", "pandas", "fastmcp", "helpers", "pydantic"}
    defined = [type(node).__name__ for node in tree.body[-5:]]
    assert defined == ["Assign", "FunctionDef", "FunctionDef", "FunctionDef", "If"]
    assert static_findings(package.files, spec, capabilities) == ()
