"""Whether a question is answered by a tool that exists."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.errors import NameTaken
from jupyter_mcpgen.model.intent import Intent, operation_of
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.pipeline.gap import find_tool
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.spec import write_contract
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.ops import Step
from jupyter_mcpgen.plan.shape import generalise
from tests.builders import approval, approved, draft
from tests.plans import group, limit, plan_of, sort, where

TYPES = {"kind": "text", "shop": "text", "amount": "integer", "price": "real"}
FRAME = pd.DataFrame({"kind": ["a"], "shop": ["x"], "amount": [1], "price": [2.0]})


def intent(*steps: Step) -> Intent:
    plan = plan_of(TYPES, *steps)
    return Intent(
        operation=operation_of(plan), columns=(), metrics=(), input="t.csv", reading=say_plan(plan), plan=plan
    )


def keep(services: Services, name: str, *steps: Step, plan: str | None = None) -> None:
    """Promote a tool whose package holds the plan."""
    text = generalise(intent(*steps).plan).model_dump_json() if plan is None else plan
    made = draft(name, f"id-{name}", files={"plan.json": text})
    services.registry.stage(*made.parts)
    services.registry.promote(made.tool_id, approval(made), approved())


def test_a_tool_of_the_same_family_is_found_with_the_arguments_of_the_question(services: Services) -> None:
    keep(services, "top_sum", where("amount", ">", 1), group("kind", "sum price"), sort("sum_price desc"), limit(3))

    reuse = find_tool(
        intent(where("price", ">", 5), group("shop", "sum amount"), sort("sum_amount desc"), limit(10)), None, services
    )

    assert reuse is not None
    assert reuse.tool.name == "top_sum"
    assert reuse.arguments == {
        "filter_column": "price",
        "filter_value": 5,
        "value_column": "amount",
        "group_by_columns": ["shop"],
        "top": 10,
    }


@pytest.mark.parametrize(
    "steps",
    [
        (group("kind", "mean price"),),
        (where("amount", ">", 1), group("kind", "sum price")),
        (group("kind", "sum price"), sort("sum_price desc")),
        (group("kind", "sum price", "count"),),
    ],
)
def test_a_tool_of_another_family_is_not(services: Services, steps: tuple[Step, ...]) -> None:
    keep(services, "sum_tool", group("kind", "sum price"))

    assert find_tool(intent(*steps), None, services) is None


@pytest.mark.parametrize("plan", ["", "{", "null", '{"plan": {"steps": []}}', '{"operation": "aggregate"}'])
def test_a_tool_whose_plan_cannot_be_read_is_passed_over(services: Services, plan: str) -> None:
    keep(services, "broken_one", plan=plan)
    keep(services, "sum_tool", group("kind", "sum price"))

    reuse = find_tool(intent(group("shop", "sum amount")), None, services)

    assert reuse is not None
    assert reuse.tool.name == "sum_tool"


def test_names_of_tools_are_taken_and_a_card_that_waits_reserves_none(services: Services) -> None:
    keep(services, "count_by_group", group("kind", "sum price"))
    services.registry.stage(*draft("sum_by_group", "waiting").parts)

    taken = write_contract(intent(group("kind", "count")), None, services).spec.tool_name
    free = write_contract(intent(group("kind", "sum price")), None, services).spec.tool_name

    assert (taken, free) == ("count_by_group_kind", "sum_by_group")


def test_a_tool_that_a_person_names_gets_a_contract_under_its_name(services: Services) -> None:
    keep(services, "kept_one", group("kind", "sum price"))

    assert write_contract(intent(group("kind", "count")), "kept_one", services).spec.tool_name == "kept_one"


@pytest.mark.parametrize("name", ["execute_code", "Sum By Group", "sum", "class", "code_run", "x" * 65, "../x", ""])
def test_a_name_that_no_tool_may_have_is_refused_before_any_work(services: Services, name: str) -> None:
    with pytest.raises(NameTaken, match=r"cannot be the name of a tool: .*Choose another name"):
        write_contract(intent(group("kind", "count")), name, services)


def test_files_of_packages_have_plain_names() -> None:
    with pytest.raises(ValueError, match="is not a plain file name"):
        Package(files={"../tool.py": ""})
