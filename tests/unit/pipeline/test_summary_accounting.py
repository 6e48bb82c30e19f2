"""Figures of a second table add up to its total, also where several rows of the first one show the same figure."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.model.validation import Verdict
from jupyter_mcpgen.pipeline.pair_accounting import account_second
from jupyter_mcpgen.plan.ops import Step
from tests.plans import group, table_of, where
from tests.second_tables import plan_over, summary

BERTHS, BERTH_COLUMNS = table_of("""
berth integer | boat integer
1             | 7
2             | 7
3             | 8
4             | 9
5             | —
""")
REPAIRS, REPAIR_COLUMNS = table_of("""
boat integer | cost real
7            | 100
7            | 20.5
8            | 3
11           | 1000
—            | 5
""")
NAME = "counted_once_sum_cost"


def accounted(*steps: Step, repairs: pd.DataFrame = REPAIRS) -> dict[str, tuple[Verdict, str, object]]:
    way = summary("repairs", "boat", of=("sum cost", "count = repairs_done", "mean cost"))
    engine = Engine(BERTHS, repairs)
    try:
        plan = plan_over("berths", way(BERTH_COLUMNS, REPAIR_COLUMNS), *steps)
        return {item.check: (item.verdict, item.sentence, item.figure) for item in account_second(plan, engine)}
    finally:
        engine.close()


def test_a_figure_that_stands_in_several_rows_is_added_up_once_per_key() -> None:
    found = accounted()

    assert found[NAME] == (
        Verdict.PASSED,
        "Careful: several rows of `berths` share a key, so the same `sum_cost` stands in each of them. Taken once per "
        "key, `sum_cost` adds up: 1,128.50 = its total in `repairs` (123.50 beside rows, 1,005 in rows that match "
        "none).",
        123.5,
    )
    assert (
        "`repairs_done` adds up: 5 = its number in `repairs` (3 beside rows," in found["counted_once_repairs_done"][1]
    )
    assert list(found) == ["joined", NAME, "counted_once_repairs_done"]


def test_rows_that_are_left_out_later_change_nothing_of_where_the_figures_come_from() -> None:
    assert accounted(where("berth", ">", 1))[NAME] == accounted()[NAME]


def test_a_plan_that_adds_up_what_stands_in_several_rows_fails() -> None:
    verdict, sentence, _ = accounted(group("boat", "sum sum_cost"))[NAME]

    assert verdict is Verdict.FAILED
    assert sentence.startswith("`sum_cost` would be counted several times: several rows of `berths` share a key")


@pytest.mark.parametrize("value", [float("inf"), float("-inf")])
def test_a_total_that_is_not_finite_says_nothing(value: float) -> None:
    verdict, sentence, _ = accounted(repairs=REPAIRS.assign(cost=[value, 1, 2, 3, 4]))[NAME]

    assert verdict is Verdict.NOT_APPLICABLE
    assert sentence.endswith("`sum_cost` has values that are not finite, so its total says nothing.")
