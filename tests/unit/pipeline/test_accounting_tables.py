"""Control totals of shares, ranks, periods, pivots and intervals: right results add up, planted faults never do."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.model.validation import Verdict
from jupyter_mcpgen.pipeline.accounting import account
from jupyter_mcpgen.plan.ops import Step
from tests.engines import run_pandas
from tests.plans import (
    condition,
    derive,
    distinct,
    group,
    interval,
    limit,
    pivot,
    plan_of,
    rate,
    resample,
    sort,
    table_of,
    top,
    where,
    window,
)

FRAME, SCHEMA = table_of("""
shop text | kind text | amount integer | paid boolean | sold date
north     | tea       | 3              | true         | 2024-01-05
north     | coffee    | 1              | false        | 2024-01-09
south     | tea       | 4              | —            | 2024-03-02
south     | water     | 2              | true         | 2024-03-03
—         | tea       | 5              | true         | 2024-03-04
north     | tea       | —              | false        | —
""")


def _evidence(steps: tuple[Step, ...], result: pd.DataFrame | None = None) -> dict[str, tuple[Verdict, str]]:
    plan = plan_of(SCHEMA, *steps)
    engine = Engine(FRAME)
    try:
        found = account(plan, run_pandas(plan, FRAME) if result is None else result, engine)
    finally:
        engine.close()
    return {item.check: (item.verdict, item.sentence) for item in found}


@pytest.mark.parametrize(
    ("steps", "sentences"),
    [
        (
            (group("shop", "sum amount"), window("share", "sum_amount"), sort("share desc")),
            [
                "The groups add up to the total of the rows used: 10 of 15 in the whole column.",
                "The shares add up to 1.",
                "5 of 6 rows used.",
                "1 row without `shop` was left out.",
                "1 of the rows used has no `amount`.",
            ],
        ),
        (
            (group(["shop", "kind"], "count"), window("percent", "count", "shop")),
            [
                "The groups add up to the rows used: 5.",
                "The shares add up to 100% in each of 2 groups.",
                "5 of 6 rows used.",
                "1 row without `shop` was left out.",
            ],
        ),
        (
            (group("shop", "sum amount"), window("share", "sum_amount"), limit(1)),
            [
                "The groups shown (4) and left out (6) add up to the total of the rows used: 10 of 15 in",
                "No total exists for shares of which not all are shown.",
                "5 of 6 rows used.",
                "1 row without `shop` was left out.",
                "1 of the rows used has no `amount`.",
            ],
        ),
        (
            (group("shop", "sum amount"), window("rank", "sum_amount"), sort("rank")),
            [
                "The groups add up to the total of the rows used: 10 of 15 in the whole column.",
                "No total exists for a rank.",
                "5 of 6 rows used.",
                "1 row without `shop` was left out.",
                "1 of the rows used has no `amount`.",
            ],
        ),
        (
            (resample("start_of_month", "sold", "sum amount"), window("running_total", "sum_amount")),
            [
                "15 = column total.",
                "The last running total is the total of `sum_amount` (15).",
                "5 of 6 rows used.",
                "1 row without `month` was left out.",
            ],
        ),
        (
            (resample("start_of_month", "sold", "mean amount"),),
            [
                "The means, weighted by group size, add up to the column total: 15.",
                "5 of 6 rows used.",
                "1 row without `month` was left out.",
            ],
        ),
        (
            (group("shop", rate("percent", condition("paid", "==", True))),),
            [
                "The shares, weighted by group size, add up to the rows that meet the condition: 2 of 5 rows used.",
                "5 of 6 rows used.",
                "1 row without `shop` was left out.",
                "1 of the rows used has no `paid`.",
            ],
        ),
        (
            (group("shop", rate("count", condition("kind", "==", "tea"))),),
            [
                "The groups add up to the rows that meet the condition: 3.",
                "5 of 6 rows used.",
                "1 row without `shop` was left out.",
            ],
        ),
        (
            (pivot("shop", "kind", ["tea", "coffee"], "sum amount"),),
            [
                "The cells add up to the total of the rows used: 8.",
                "4 of 6 rows used.",
                "1 row with another `kind` was left out.",
                "1 of the rows used has no `amount`.",
            ],
        ),
        (
            (pivot("shop", "kind", ["tea", "coffee"], "mean amount"),),
            [
                "No total exists for cells of a mean.",
                "4 of 6 rows used.",
                "1 row with another `kind` was left out.",
                "1 of the rows used has no `amount`.",
            ],
        ),
        (
            (derive("low", interval("amount", 2)), group("low", "count")),
            ["The groups add up to the rows used: 5.", "5 of 6 rows used.", "1 row without `low` was left out."],
        ),
        ((top(1, "shop", "amount desc"),), ["5 of 6 rows used.", "1 row without `shop` was left out."]),
        ((distinct("shop", "kind"),), ["6 of 6 rows used."]),
        (
            (where("paid", "==", True), top(1, "shop", "amount desc"), group("shop", "sum amount")),
            [
                "The groups add up to the total of the rows used: 5 of 15 in the whole column.",
                "2 of 6 rows used; 4 do not meet the condition or are not among the first of their group.",
                "1 row without `paid` does not meet the condition.",
            ],
        ),
    ],
)
def test_what_adds_up_is_said_and_what_is_not_checked_too(steps: tuple[Step, ...], sentences: list[str]) -> None:
    found = _evidence(steps)

    said = " ".join(sentence for _, sentence in found.values())
    assert [sentence for sentence in sentences if sentence not in said] == [], said
    assert {verdict for verdict, _ in found.values()} <= {Verdict.PASSED, Verdict.NOT_APPLICABLE}


@pytest.mark.parametrize(
    ("steps", "column", "check"),
    [
        ((group("shop", "sum amount"), window("share", "sum_amount")), "share", "total_share"),
        ((resample("start_of_month", "sold", "sum amount"),), "sum_amount", "total_amount"),
        (
            (resample("start_of_month", "sold", "sum amount"), window("running_total", "sum_amount")),
            "running_total",
            "total_running_total",
        ),
        ((group("shop", rate("percent", condition("paid", "==", True))),), "percent", "total_percent"),
        ((pivot("shop", "kind", ["tea", "coffee"], "sum amount"),), "tea", "total_sum_amount"),
    ],
)
def test_a_changed_figure_does_not_add_up(steps: tuple[Step, ...], column: str, check: str) -> None:
    result = run_pandas(plan_of(SCHEMA, *steps), FRAME)
    result[column] = result[column] * 1.01 + 0.5

    assert _evidence(steps, result)[check][0] is Verdict.FAILED


def test_a_row_too_many_in_a_list_of_groups_is_seen() -> None:
    steps = (top(1, "shop", "amount desc"),)
    result = run_pandas(plan_of(SCHEMA, *steps), FRAME)

    verdict, sentence = _evidence(steps, pd.concat([result, result.head(1)]))["rows"]

    assert verdict is Verdict.FAILED
    assert "the result has 3 rows instead of 2" in sentence
