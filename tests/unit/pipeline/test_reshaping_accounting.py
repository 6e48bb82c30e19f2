"""Rows that are made of columns and of lists add up to the table, and no row of it is counted several times unsaid."""

from __future__ import annotations

import pandas as pd
import pytest

from jupyter_mcpgen.model.validation import Evidence, Verdict
from jupyter_mcpgen.pipeline.accounting import account
from jupyter_mcpgen.plan.additions import Addition, added
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.ops import Step
from jupyter_mcpgen.plan.period_names import PeriodForm, PeriodNames
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.reshaping import Members, Unpivot
from tests.engines import reference, run_duckdb, run_pandas
from tests.plans import group, plan_of, totals, where

BY_YEAR = Unpivot(names=PeriodNames(form=PeriodForm.YEAR), name="year", value="value")
TOOLS = Members(column=Col(name="tools"), separator=";")
SALES = pd.DataFrame(
    {"region": ["n", "s", None], "staff": [1, 2, 3], "2021": [1.0, 2.0, 4.0], "2022": [8.0, None, 3.0]}
)
SURVEY = pd.DataFrame({"age": [20, 30, 40, 50], "tools": ["R;SQL;R", "R", None, ";"]}).astype({"tools": "str"})


def sales(*steps: Step) -> Plan:
    return plan_of({"region": "text", "staff": "integer", "2021": "real", "2022": "real"}, BY_YEAR, *steps)


def survey(*steps: Step) -> Plan:
    return plan_of({"age": "integer", "tools": "text"}, TOOLS, *steps)


def accounted(plan: Plan, table: pd.DataFrame, result: pd.DataFrame | None = None) -> dict[str, Evidence]:
    found = account(plan, run_pandas(plan, table) if result is None else result, reference(table))
    return {item.check: item for item in found}


def test_cells_are_all_rows_times_their_columns() -> None:
    found = accounted(sales(group("region", "sum value")), SALES)

    assert found["cells"].sentence == "3 rows with 2 columns each: 6 cells."
    assert found["rows"].sentence == "4 of 6 cells used."
    assert found["left_out"].sentence == "2 rows without `region` were left out."
    assert all(item.is_good for item in found.values())


def test_members_are_counted_from_the_lists_again() -> None:
    found = accounted(survey(group("tools", "count")), SURVEY)

    assert found["members"].sentence == "2 rows with 3 members in `tools`: a row counts once for each of its members."
    assert found["left_out"].sentence == "2 rows without a member in `tools` were left out."
    assert all(item.is_good for item in found.values())


def test_a_total_that_takes_another_columns_cells_is_noticed() -> None:
    plan = sales(group("year", "sum value"))
    wrong = run_pandas(plan, SALES).assign(sum_value=[7.0, 12.0])

    found = accounted(plan, SALES, wrong)

    assert found["total_value"].verdict is Verdict.FAILED


@pytest.mark.parametrize(
    ("plan", "table"),
    [
        (sales(totals("sum staff")), SALES),
        (sales(group("region", "sum staff", "mean value")), SALES),
        (survey(totals("mean age")), SURVEY),
        (survey(where("tools", "in", ["R", "SQL"]), totals("count")), SURVEY),
    ],
)
def test_a_figure_that_counts_rows_several_times_is_no_good(plan: Plan, table: pd.DataFrame) -> None:
    found = accounted(plan, table)

    assert [item.verdict for check, item in found.items() if check.startswith("counted_once")] == [Verdict.FAILED]


@pytest.mark.parametrize(
    ("plan", "table"),
    [
        (sales(group("year", "sum staff")), SALES),
        (sales(where("year", "==", 2021), totals("sum staff")), SALES),
        (sales(group("region", "max staff", "sum value")), SALES),
        (survey(group("tools", "mean age")), SURVEY),
        (survey(where("tools", "==", "R"), totals("mean age")), SURVEY),
        (survey(totals("count_distinct tools")), SURVEY),
    ],
)
def test_a_figure_of_one_period_or_member_counts_each_row_once(plan: Plan, table: pd.DataFrame) -> None:
    assert not any(check.startswith("counted_once") for check in accounted(plan, table))


def test_a_condition_can_be_added_on_the_period_and_on_the_cells() -> None:
    plan = added(sales(group("region", "sum value")), Addition.CONDITION, "year = 2021")

    changed = added(plan, Addition.CONDITION, "value ≥ 2")

    assert run_duckdb(changed, SALES).to_dict("list") == {"region": ["s"], "sum_value": [2.0]}
