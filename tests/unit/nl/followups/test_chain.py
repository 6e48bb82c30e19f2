"""A request in several steps is one plan when every step can be read, and nothing otherwise."""

from __future__ import annotations

import tomllib

import pytest

from jupyter_mcpgen.nl.followups.chain import read_chain
from jupyter_mcpgen.nl.reading import Answered, Refused
from jupyter_mcpgen.nl.understand import understand
from jupyter_mcpgen.plan.english import say_plan
from tests.unit.nl.questions import CASES, table

CHAINS = tomllib.loads(CASES.with_name("chains.toml").read_text(encoding="utf-8"))["chain"]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("chain", CHAINS, ids=lambda chain: chain["question"])
def test_steps_amount_to_one_plan_that_says_them(chain: dict[str, str]) -> None:
    understood = understand(chain["question"], table(chain.get("table", "crashes")))

    assert isinstance(understood, Answered), understood
    plan = understood.winner.plan
    assert (say_plan(plan), plan.chart.kind.value if plan.chart else None) == (chain["reading"], chain.get("chart"))
    assert understood.winner.assumptions[0].startswith("Read as ")


@pytest.mark.parametrize(
    "question",
    ["drop zyxwv, then count crashes by weather_condition", "crashes by weather_condition, then zyxwv", "then", "; ;"],
)
def test_a_step_that_cannot_be_read_is_never_left_out(question: str) -> None:
    assert read_chain(question, table("crashes")) is None
    assert isinstance(understand(question, table("crashes")), Refused)


def test_a_step_over_figures_that_are_not_there_is_refused_and_never_read_beside_them() -> None:
    question = "average discount and total revenue by customer, then the average of those"

    meant = understand(question, table("garden_sales_lines"))

    assert isinstance(meant, Refused)
    assert "the average of those" in meant.message
