"""A rewritten plan gives the same table, from fewer rows and columns."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given

from jupyter_mcpgen.pipeline.agreement import first_difference
from jupyter_mcpgen.plan.ops import Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.rewrite import rewrite
from tests.engines import run_duckdb
from tests.laws import law
from tests.plans import both, condition, derive, group, interval, limit, number, plan_of, select, sort, where, window
from tests.strategies.plans import tables_with_plans

TYPES = {"amount": "integer", "price": "real", "kind": "text", "shop": "text"}


@law(25)
@given(tables_with_plans())
def test_a_rewritten_plan_gives_the_same_table(case: tuple[pd.DataFrame, Plan]) -> None:
    frame, plan = case

    rewritten = rewrite(plan)

    assert first_difference(run_duckdb(rewritten, frame), run_duckdb(plan, frame)) is None
    assert rewrite(rewritten) == rewritten


@pytest.mark.parametrize(
    ("steps", "rewritten"),
    [
        (
            (group("kind", "sum amount"), where("kind", "==", "tea")),
            (where("kind", "==", "tea"), select("amount", "kind"), group("kind", "sum amount")),
        ),
        (
            (sort("price"), where("price", ">", 1), where("amount", ">", 2), limit(3)),
            (where(both(condition("price", ">", 1), condition("amount", ">", 2))), sort("price"), limit(3)),
        ),
        (
            (derive("value", number("price", "*", "amount")), group("kind", "count")),
            (select("kind"), group("kind", "count")),
        ),
        (
            (window("running_total", "price"), where("kind", "==", "tea")),
            (window("running_total", "price"), where("kind", "==", "tea")),
        ),
        (
            (derive("low", interval("price", count=3)), where("kind", "==", "tea")),
            (derive("low", interval("price", count=3)), where("kind", "==", "tea")),
        ),
    ],
)
def test_conditions_come_first_and_what_nothing_reads_is_left_out(
    steps: tuple[Step, ...], rewritten: tuple[Step, ...]
) -> None:
    assert rewrite(plan_of(TYPES, *steps)).steps == rewritten
