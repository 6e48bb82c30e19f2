"""The rows behind a figure give that figure again."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.errors import PlanError, UnknownColumn
from jupyter_mcpgen.pipeline.agreement import first_difference
from jupyter_mcpgen.plan.explain import rows_behind
from jupyter_mcpgen.plan.ops import Step
from tests.engines import run_duckdb
from tests.plans import (
    condition,
    derive,
    group,
    interval,
    limit,
    number,
    part,
    pivot,
    plan_of,
    rate,
    rename,
    resample,
    select,
    sort,
    table_of,
    totals,
    where,
    window,
)

FRAME, SCHEMA = table_of("""
kind text | shop text | amount integer | paid boolean | sold date
tea       | north     | 3              | true         | 2024-01-05
tea       | south     | —              | false        | 2024-01-09
coffee    | north     | 1              | true         | 2024-03-02
coffee    | —         | 5              | false        | 2024-03-03
tea       | north     | 2              | true         | 2023-12-31
""")


@pytest.mark.parametrize(
    ("steps", "row", "column", "places"),
    [
        ((group("kind", "sum amount"),), 1, None, [0, 1, 4]),
        ((group("kind", "sum amount"),), 1, "sum_amount", [0, 4]),
        ((group("kind", "sum amount"), sort("sum_amount desc"), limit(1)), 0, None, [2, 3]),
        ((where("paid", "==", True), group("shop", "count")), 0, "count", [0, 2, 4]),
        ((totals("sum amount"),), 0, "sum_amount", [0, 2, 3, 4]),
        ((group("shop", rate("count", condition("kind", "==", "tea"))),), 0, "count_where", [0, 4]),
        ((group("shop", rate("percent", condition("kind", "==", "tea"))),), 0, "percent", [0, 2, 4]),
        ((derive("month", part("start_of_month", "sold")), group("month", "count")), 1, None, [0, 1]),
        ((resample("start_of_month", "sold", "count"),), 2, "count", []),
        ((resample("start_of_month", "sold", "count"), window("running_total", "count")), 3, "running_total", [2, 3]),
        ((pivot("kind", "shop", ["north", "south"], "sum amount"),), 1, "north", [0, 4]),
        ((pivot("kind", "shop", ["north", "south"], "sum amount"),), 1, "south", []),
        ((derive("low", interval("amount", 2)), group("low", "count")), 1, None, [0, 4]),
        ((group("kind", "count"), rename("kind", "drink")), 0, None, [2, 3]),
        (
            (derive("twice", number("amount", "*", 2)), group("kind", "max twice"), select("max_twice")),
            0,
            None,
            [0, 1, 2, 3, 4],
        ),
    ],
)
def test_a_figure_leads_back_to_its_rows(
    steps: tuple[Step, ...], row: int, column: str | None, places: list[int]
) -> None:
    plan = plan_of(SCHEMA, *steps)
    result = run_duckdb(plan, FRAME)
    values = {name: None if pd.isna(result[name].iloc[row]) else result[name].iloc[row] for name in result.columns}

    rows = run_duckdb(rows_behind(plan, values, column), FRAME)

    assert first_difference(rows, FRAME.iloc[places].reset_index(drop=True)) is None


def test_a_result_of_rows_has_nothing_behind_it() -> None:
    with pytest.raises(PlanError, match="row of the table itself"):
        rows_behind(plan_of(SCHEMA, where("paid", "==", True)), {})


def test_an_unknown_column_of_a_result_is_refused_with_the_nearest_one() -> None:
    plan = plan_of(SCHEMA, group("kind", "sum amount"))

    with pytest.raises(UnknownColumn, match="Did you mean `sum_amount`"):
        rows_behind(plan, {"kind": "tea"}, "sum_amuont")
