"""The answer of a plan is one that makes the same plan again."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.nl.assembly.answers import Planner
from jupyter_mcpgen.nl.dialogue.recovered import answer_of
from jupyter_mcpgen.nl.grammar.table import table_of
from jupyter_mcpgen.plan.expressions import Arithmetic, ArithmeticOp, Col, TextCall, TextFunction
from jupyter_mcpgen.plan.ops import Derive
from tests.unit.nl.dialogue.talks import first, hires

QUESTIONS = (
    "total charge by harbour",
    "total charge by harbour and month in 2022",
    "average charge and number of hires by boat kind",
    "number of hires by weekday",
    "charge per hour by harbour",
    "share of cancelled hires by harbour",
    "cumulative total charge by month",
    "harbours with more than 20 hires",
    "top 2 harbours by total charge",
    "hire with the highest charge",
    "hires in Lynn or Wells where charge is above 50",
    "average number of hires per harbour",
    "different states",
    "correlation between charge and hours",
    "charge above average",
)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_plan_of_this_planner_is_recovered(question: str) -> None:
    plan = first(question)
    table = table_of(hires(), "en")

    answer = answer_of(plan, table)

    assert answer is not None
    assert Planner(table).plan(answer).steps == plan.steps


def test_a_plan_with_names_of_its_own_is_recovered() -> None:
    """A model calls what it computes as it likes."""
    value = Arithmetic(op=ArithmeticOp.DIVIDE, left=Col(name="charge"), right=Col(name="hours"))
    plan = first("total charge by harbour")
    group = plan.steps[0]
    measure = group.measures[0].model_copy(update={"column": Col(name="rate_of_hour")})  # type: ignore[union-attr]
    made = plan.with_steps(
        (Derive(name="rate_of_hour", expression=value), group.model_copy(update={"measures": (measure,)}))
    )

    assert answer_of(made, table_of(hires(), "en")) is not None


def test_a_plan_that_computes_what_no_question_says_has_no_answer() -> None:
    plan = first("total charge by harbour")
    shout = TextCall(function=next(iter(TextFunction)), operand=Col(name="harbour"))
    made = plan.with_steps((Derive(name="harbour", expression=shout), *plan.steps))

    assert answer_of(made, table_of(hires(), "en")) is None
