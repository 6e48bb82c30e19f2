"""Promises about shares of rows of which some do not say what is asked: both ways to take them are at hand."""

from __future__ import annotations

from jupyter_mcpgen.nl.read import read
from jupyter_mcpgen.nl.reading import Answered
from jupyter_mcpgen.plan.english import say_plan
from tests.unit.nl.questions import table

LACKING = "A row without `returned_on` is one of all the rows, and none of those that meet the condition."


def test_a_share_of_all_rows_offers_the_one_of_those_that_have_a_value() -> None:
    meant = read("on-time rate by branch", table("tool_loans"))

    assert isinstance(meant, Answered)
    offered = {chip.label: chip for chip in meant.alternatives}["only rows with returned_on"]
    assert say_plan(offered.plan) == f"{say_plan(meant.winner.plan)}, where returned_on is not missing"
    assert LACKING in meant.winner.assumptions
    assert LACKING not in offered.assumptions


def test_a_share_of_rows_that_all_have_a_value_offers_nothing_of_the_kind() -> None:
    meant = read("share of rows where due_on is after 2023-03-01 by branch", table("tool_loans"))

    assert isinstance(meant, Answered)
    assert not any("only rows with" in chip.label for chip in meant.alternatives)
