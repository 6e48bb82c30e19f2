"""Control totals and row accounting: right results always add up, planted faults never do."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest
from hypothesis import assume, given

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.model.validation import Evidence, Verdict
from jupyter_mcpgen.pipeline.accounting import account, count_rows
from jupyter_mcpgen.pipeline.agreement import first_difference
from jupyter_mcpgen.plan.ops import Step
from jupyter_mcpgen.plan.plan import Plan
from tests.engines import run_duckdb, run_pandas
from tests.laws import law
from tests.plans import derive, describe, group, limit, number, plan_of, select, sort, table_of, totals, where
from tests.statistic_plans import statistic
from tests.strategies.plans import tables_with_plans

FRAME, SCHEMA = table_of("""
weather text | device text | injuries integer | fatal integer | speed real | at night boolean
CLEAR        | SIGNAL      | 3                | 0             | 50         | true
CLEAR        | STOP        | 1                | 1             | 60.5       | false
RAIN         | SIGNAL      | 4                | 2             | —          | true
RAIN         | —           | 2                | 0             | 30         | false
SNOW         | STOP        | 0                | 0             | 20         | true
—            | SIGNAL      | 5                | 0             | 10         | false
CLEAR        | SIGNAL      | 0                | 0             | 50         | true
""")


def plan(*steps: Step) -> Plan:
    return plan_of(SCHEMA, *steps)


def evidence(of: Plan, result: pd.DataFrame | None = None, frame: pd.DataFrame = FRAME) -> tuple[Evidence, ...]:
    engine = Engine(frame)
    try:
        return account(of, run_pandas(of, frame) if result is None else result, engine)
    finally:
        engine.close()


@law(25)
@given(tables_with_plans())
def test_the_accounts_of_a_right_result_never_fail(case: tuple[pd.DataFrame, Plan]) -> None:
    frame, asked = case
    result = run_pandas(asked, frame)
    assume(first_difference(result, run_duckdb(asked, frame)) is None)

    verdicts = {item.check: item.verdict for item in evidence(asked, result, frame)}

    assert set(verdicts.values()) <= {Verdict.PASSED, Verdict.NOT_APPLICABLE}
    assert verdicts["rows"] is Verdict.PASSED


@pytest.mark.parametrize(
    ("steps", "sentences"),
    [
        (
            (group("weather", "sum injuries"),),
            (
                "The groups add up to the total of the rows used: 10 of 15 in the whole column.",
                "6 of 7 rows used.",
                "1 row without `weather` was left out.",
            ),
        ),
        (
            (group("weather", "sum fatal"), sort("sum_fatal desc")),
            ("3 = column total.", "6 of 7 rows used.", "1 row without `weather` was left out."),
        ),
        (
            (group("weather", "sum fatal"), sort("sum_fatal desc"), limit(1)),
            (
                "The groups shown (2) and left out (1) add up to the column total: 3.",
                "6 of 7 rows used.",
                "1 row without `weather` was left out.",
            ),
        ),
        (
            (group("weather", "sum fatal"), statistic("outliers", column="sum_fatal", reach=0.2)),
            (
                "The groups shown (2) and left out (1) add up to the column total: 3.",
                "6 of 7 rows used.",
                "1 row without `weather` was left out.",
            ),
        ),
        (
            (group("weather", "count"),),
            ("The groups add up to the rows used: 6.", "6 of 7 rows used.", "1 row without `weather` was left out."),
        ),
        (
            (group("weather", "count"), where("count", ">", 2)),
            (
                "The groups shown (3) and left out (3) add up to the rows used: 6.",
                "6 of 7 rows used.",
                "1 row without `weather` was left out.",
            ),
        ),
        (
            (where("at night", "==", True), group("device", "sum injuries")),
            (
                "The groups add up to the total of the rows used: 7 of 15 in the whole column.",
                "4 of 7 rows used; 3 do not meet the condition.",
            ),
        ),
        (
            (group(["weather", "device"], "count"),),
            (
                "The groups add up to the rows used: 5.",
                "5 of 7 rows used.",
                "1 row without `weather` was left out.",
                "1 row without `device` was left out.",
            ),
        ),
        (
            (totals("mean speed", "count"),),
            (
                "The mean of all values adds up to the column total: 220.5.",
                "7 of 7 rows used.",
                "1 of the rows used has no `speed`.",
            ),
        ),
        (
            (group("device", "max speed", "median speed"),),
            (
                "The max over all groups is the column's max over the rows used.",
                "No total exists for a median.",
                "6 of 7 rows used.",
                "1 row without `device` was left out.",
                "1 of the rows used has no `speed`.",
            ),
        ),
        (
            (totals("sum at night"),),
            ("The result adds up to the column total: 4.", "7 of 7 rows used."),
        ),
        (
            (where("speed", ">", 40), sort("speed desc"), limit(2)),
            ("3 of 7 rows used; 4 do not meet the condition.", "1 row without `speed` does not meet the condition."),
        ),
        ((describe("speed"),), ("7 of 7 rows used.",)),
        (
            (limit(3), totals("sum injuries")),
            (
                "The result adds up to the total of the rows used: 8 of 15 in the whole column.",
                "3 of 7 rows used; 4 come after the first ones.",
            ),
        ),
        (
            (derive("per", number("injuries", "/", "fatal")), group("weather", "sum per")),
            (
                "The groups add up to the total of the rows used: 3.",
                "6 of 7 rows used.",
                "1 row without `weather` was left out.",
                "4 of the rows used have no `per`.",
            ),
        ),
        (
            (group("weather", "count"), totals("mean count")),
            (
                "No total exists for figures that the result does not show.",
                "6 of 7 rows used.",
                "1 row without `weather` was left out.",
            ),
        ),
    ],
)
def test_the_accounts_are_said_in_words(steps: tuple[Step, ...], sentences: tuple[str, ...]) -> None:
    found = evidence(plan(*steps))

    assert tuple(item.sentence for item in found) == sentences
    assert {item.verdict for item in found} <= {Verdict.PASSED, Verdict.NOT_APPLICABLE}


def tampered_cell(table: pd.DataFrame) -> pd.DataFrame:
    changed = table.copy()
    changed.iloc[0, -1] = changed.iloc[0, -1] + 1
    return changed


def dropped_group(table: pd.DataFrame) -> pd.DataFrame:
    return table.iloc[1:].reset_index(drop=True)


def doubled_group(table: pd.DataFrame) -> pd.DataFrame:
    return pd.concat([table.iloc[[0]], table], ignore_index=True)


@pytest.mark.parametrize("fault", [tampered_cell, dropped_group, doubled_group])
@pytest.mark.parametrize(
    "steps",
    [
        (group("weather", "sum injuries"), sort("sum_injuries desc")),
        (group("weather", "count"), sort("count desc")),
        (group("weather", "count injuries"), sort("count_injuries desc")),
        (group("weather", "mean injuries"), sort("mean_injuries desc")),
        (group("weather", "sum injuries"), sort("sum_injuries desc"), limit(2)),
        (group(["weather", "device"], "sum injuries"), sort("sum_injuries desc")),
    ],
    ids=["sum", "count", "count of values", "mean", "top", "two keys"],
)
def test_a_result_that_was_tampered_with_does_not_add_up(
    steps: tuple[Step, ...], fault: Callable[[pd.DataFrame], pd.DataFrame]
) -> None:
    asked = plan(*steps)

    verdicts = [item.verdict for item in evidence(asked, fault(run_pandas(asked, FRAME)))]

    assert Verdict.FAILED in verdicts


@pytest.mark.parametrize(
    ("asked", "computed"),
    [
        ((group("weather", "sum fatal"),), (group("weather", "count"),)),
        ((group("weather", "sum fatal"),), (group("weather", "sum injuries"),)),
        ((group("weather", "sum fatal"),), (where("fatal", ">", 0), group("weather", "count"))),
        ((group("weather", "sum injuries"),), (where("at night", "==", True), group("weather", "sum injuries"))),
        ((where("at night", "==", True), group("weather", "sum injuries")), (group("weather", "sum injuries"),)),
        ((group("weather", "count"),), (group("weather", "count device"),)),
        ((group("weather", "mean injuries"),), (group("weather", "median injuries"),)),
        ((group("weather", "mean injuries"),), (group("weather", "sum injuries"),)),
        ((group("weather", "max injuries"),), (group("weather", "min injuries"),)),
        ((group("weather", "sum injuries"), limit(2)), (group("weather", "sum injuries"), limit(1))),
        (
            (group("weather", "sum injuries"), sort("sum_injuries desc"), limit(2)),
            (group("weather", "sum injuries"), sort("sum_injuries"), limit(2)),
        ),
        ((totals("sum injuries"),), (totals("sum fatal"),)),
    ],
    ids=[
        *("count for sum", "wrong column", "rows above zero for sum", "condition too much", "condition dropped"),
        *("values for rows", "median for mean", "sum for mean", "min for max", "wrong limit", "wrong end"),
        "wrong total",
    ],
)
def test_another_computation_than_the_one_asked_for_does_not_add_up(
    asked: tuple[Step, ...], computed: tuple[Step, ...]
) -> None:
    wanted, done = plan(*asked), plan(*computed)
    passed_off = run_pandas(done, FRAME).set_axis(list(wanted.result_schema.names), axis=1)

    verdicts = [item.verdict for item in evidence(wanted, passed_off)]

    assert Verdict.FAILED in verdicts


@pytest.mark.parametrize(
    "fault",
    [dropped_group, doubled_group],
)
def test_a_list_of_rows_with_a_row_too_many_or_too_few_fails(fault: Callable[[pd.DataFrame], pd.DataFrame]) -> None:
    asked = plan(where("speed", ">", 20), sort("speed"), limit(4), select("weather", "speed"))

    rows, *_ = evidence(asked, fault(run_pandas(asked, FRAME)))

    assert rows.verdict is Verdict.FAILED
    assert "rows instead of 4" in rows.sentence


def test_large_sums_that_cancel_still_add_up() -> None:
    frame = pd.DataFrame({"k": ["a", "b", "a", "b"] * 50, "v": [1e15 + 0.3, -1e15, 0.1, 0.7] * 50})
    asked = plan_of({"k": "text", "v": "real"}, group("k", "sum v"))

    assert {item.verdict for item in evidence(asked, frame=frame)} == {Verdict.PASSED}


def test_groups_that_are_moments_add_up_below_a_limit() -> None:
    days = pd.to_datetime(pd.Series(["2024-01-01 00:00", "2024-01-01 12:30", "2024-01-02 00:00"])).astype(
        "datetime64[us]"
    )
    asked = plan_of({"d": "date"}, group("d", "count"), limit(1))

    assert {item.verdict for item in evidence(asked, frame=pd.DataFrame({"d": days}))} == {Verdict.PASSED}


def test_rows_are_followed_through_conditions_and_groups() -> None:
    engine = Engine(FRAME)

    rows = count_rows(plan(where("at night", "==", True), group(["weather", "device"], "sum speed")), engine)

    engine.close()
    assert (rows.source, rows.kept, rows.used, rows.without_key, rows.without_value) == (7, 4, 4, (), (("speed", 1),))
