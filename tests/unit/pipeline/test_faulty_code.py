"""Code with a planted fault is caught by the generated cases that run in the sandbox, and right code never is.

A slice of `python -m benchmarks faults`, which plants every fault in many more tools.
"""

from __future__ import annotations

import pytest

from benchmarks.faulty_tools import Tool, tool_of
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.plan.faults import Operator, faults_of
from jupyter_mcpgen.plan.ops import Step
from tests.plans import condition, either, group, limit, plan_of, sort, where, window
from tests.statistic_plans import statistic

TYPES = {"amount": "integer", "price": "real", "kind": "text", "shop": "text", "sold": "date"}


def tool(*steps: Step) -> Tool:
    return tool_of("a tool", plan_of(TYPES, *steps))


@pytest.mark.every_run("a mean")
@pytest.mark.parametrize(
    ("made", "operators"),
    [
        (tool(where("amount", ">", 7), group("kind", "count"), sort("count desc"), limit(3)),
         (Operator.BOUND, Operator.LIMIT, Operator.CONDITION_DROPPED)),
        (tool(group("shop", "mean price")), (Operator.STATISTIC, Operator.MISSING_AS_ZERO, Operator.MISSING_KEPT)),
        pytest.param(tool(where(either(condition("kind", "!=", "tea"), condition("price", "is missing")))),
                     (Operator.AND_OR, Operator.MISSING_KEPT), marks=pytest.mark.soak),
        pytest.param(tool(group("shop", "sum amount"), window("share", "sum_amount")),
                     (Operator.SCALE, Operator.COLUMN), marks=pytest.mark.soak),
        pytest.param(tool(statistic("outliers", column="price", reach=1.5)),
                     (Operator.METHOD, Operator.CONSTANT), marks=pytest.mark.soak),
    ],
    ids=["a ranking", "a mean", "conditions", "a share", "outliers"],
)  # fmt: skip
def test_planted_faults_are_caught_in_the_sandbox_and_right_code_is_not(
    services: Services, made: Tool, operators: tuple[Operator, ...]
) -> None:
    faults = {fault.operator: fault for fault in faults_of(made.shape.plan)}

    caught = {operator: made.with_fault(faults[operator]).caught_by(services) for operator in operators}

    assert made.caught_by(services) == ()
    assert all(caught.values()), caught


def test_faulty_code_promises_what_the_right_code_does() -> None:
    right = tool(group("shop", "mean price"))

    wrong = right.with_fault(faults_of(right.shape.plan)[0])

    assert wrong.draft.package.files["spec.json"] == right.draft.package.files["spec.json"]
    assert _signature(wrong) == _signature(right)
    assert wrong.draft.package.code != right.draft.package.code


def _signature(made: Tool) -> str:
    code = made.draft.package.code
    return code[code.index(f"def {made.draft.contract.spec.tool_name}(") : code.index('    """')]
