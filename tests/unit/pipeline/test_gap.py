"""Whether a question is answered by a tool that exists, or is near to one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from jupyter_mcpgen.errors import NameTaken
from jupyter_mcpgen.model.intent import Intent, operation_of
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.pipeline.draft import Near, Reuse
from jupyter_mcpgen.pipeline.gap import find_tool
from jupyter_mcpgen.pipeline.overlap import Exact
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.similarity import Likeness
from jupyter_mcpgen.pipeline.spec import write_contract
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.ops import Step
from jupyter_mcpgen.plan.shape import generalise
from jupyter_mcpgen.registry import index
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.scales import GapScale
from tests.builders import approval, approved, draft
from tests.plans import group, limit, plan_of, sort, where
from tests.reads import counted

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

    assert isinstance(reuse, Reuse)
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

    assert not isinstance(find_tool(intent(*steps), None, services), Reuse)


def test_a_tool_that_differs_in_its_conditions_is_near_and_never_answers(services: Services) -> None:
    keep(services, "sum_tool", group("kind", "sum price"))
    lenient = services.scales.model_copy(update={"gap": GapScale(reuse_from=0.1, extend_from=0.1)})

    found = find_tool(
        intent(where("amount", ">", 1), group("kind", "sum price")), None, replace(services, scales=lenient)
    )

    assert isinstance(found, Near)
    assert (found.tool.name, found.overlap.exact) == ("sum_tool", Exact(True, True, True, False))


def test_a_tool_of_another_operation_is_neither_near_nor_an_answer(services: Services) -> None:
    keep(services, "sum_tool", group("kind", "sum price"))

    assert find_tool(intent(group("kind", "mean price")), None, services) is None


def test_where_the_words_must_be_alike_a_tool_of_the_same_shape_is_only_near(services: Services) -> None:
    keep(services, "sum_tool", group("kind", "sum price"))
    strict = replace(services, scales=services.scales.model_copy(update={"gap": GapScale(reuse_from=1.0)}))

    found = find_tool(intent(group("shop", "sum amount")), None, strict, "Umsatz")

    assert isinstance(found, Near)
    assert all(found.overlap.exact)


def test_the_words_of_a_question_decide_between_tools_of_the_same_shape(services: Services) -> None:
    keep(services, "a_first_one", group("kind", "sum price"))
    keep(services, "turnover_of_shops", group("kind", "sum price"))

    found = find_tool(intent(group("shop", "sum amount")), None, services, "turnover of shops")

    assert isinstance(found, Reuse)
    assert found.tool.name == "turnover_of_shops"


class Unmeasured:
    """A similarity that can compare nothing, as a server without embeddings."""

    def between(self, asked: str, told: Sequence[str]) -> Likeness:
        """Measure none."""
        return Likeness([None for _ in told])


def test_words_that_nothing_compares_have_no_weight(services: Services) -> None:
    keep(services, "sum_tool", group("kind", "sum price"))

    found = find_tool(intent(group("shop", "sum amount")), None, replace(services, similarity=Unmeasured()))

    assert isinstance(found, Reuse)
    assert found.overlap is not None
    assert found.overlap.score == 1.0


def test_a_tool_whose_files_were_changed_is_passed_over_for_the_next(services: Services) -> None:
    keep(services, "best_sum_price_by_kind", group("kind", "sum price"))
    keep(services, "other", group("kind", "sum price"))
    asked = intent(group("kind", "sum price"))
    first = find_tool(asked, None, services, "best sum price by kind")
    assert isinstance(first, Reuse)
    (first.tool.path / "tool.py").write_text("import os\n")

    second = find_tool(asked, None, services, "best sum price by kind")

    assert isinstance(second, Reuse)
    assert (first.tool.name, second.tool.name) == ("best_sum_price_by_kind", "other")


@pytest.mark.parametrize("others", [1, 9])
def test_of_many_tools_only_the_one_that_answers_is_read(services: Services, tmp_path: Path, others: int) -> None:
    for number in range(others):
        keep(services, f"mean_tool_{number}", group("kind", "mean price"))
    keep(services, "sum_tool", group("kind", "sum price"))
    Registry(services.registry.root, index_folder=tmp_path / "index").indexed()
    later = replace(services, registry=Registry(services.registry.root, index_folder=tmp_path / "index"))

    with counted() as read:
        found = find_tool(intent(group("kind", "sum price")), None, later)

    assert isinstance(found, Reuse)
    assert len(read) == 1


def test_an_index_that_says_what_a_tool_does_not_compute_is_made_anew(services: Services, tmp_path: Path) -> None:
    keep(services, "mean_tool", group("kind", "mean price"))
    keep(services, "sum_tool", group("kind", "sum price"))
    asked = intent(group("kind", "sum price"))
    mean, total = Registry(services.registry.root, index_folder=tmp_path / "index").indexed()
    (file,) = (tmp_path / "index").iterdir()
    listed = services.registry._shelves.active_digest()
    exchanged = (mean._replace(traits=total.traits), total._replace(traits=mean.traits))
    index._fill(file, index._State(listed, exchanged), None)
    deceived = replace(services, registry=Registry(services.registry.root, index_folder=tmp_path / "index"))

    found = find_tool(asked, None, deceived)

    assert isinstance(found, Reuse)
    assert found.tool.name == "sum_tool"
    assert deceived.registry.indexed() == (mean, total)


@pytest.mark.parametrize("plan", ["", "{", "null", '{"plan": {"steps": []}}', '{"operation": "aggregate"}'])
def test_a_tool_whose_plan_cannot_be_read_is_passed_over(services: Services, plan: str) -> None:
    keep(services, "broken_one", plan=plan)
    keep(services, "sum_tool", group("kind", "sum price"))

    reuse = find_tool(intent(group("shop", "sum amount")), None, services)

    assert isinstance(reuse, Reuse)
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
