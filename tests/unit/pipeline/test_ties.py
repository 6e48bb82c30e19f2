"""Equals at a cut are said: nobody learns of one winner where there were two."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.model.validation import Evidence, Verdict
from jupyter_mcpgen.pipeline.ties import account_ties
from jupyter_mcpgen.plan.expressions import Columns
from jupyter_mcpgen.plan.ops import SortKey, Step, TopPerGroup
from jupyter_mcpgen.plan.plan import Plan
from tests.engines import run_pandas
from tests.laws import law
from tests.plans import group, limit, plan_of, select, sort, table_of
from tests.strategies.plans import tables_with_plans

FRAME, SCHEMA = table_of("""
year integer | crew text | points integer
2020         | Ash       | 5
2020         | Birch     | 5
2020         | Cedar     | 3
2021         | Ash       | 1
2021         | Birch     | 2
2021         | Cedar     | 4
2022         | Dogwood   | —
""")


def plan(*steps: Step) -> Plan:
    return plan_of(SCHEMA, *steps)


def ties(of: Plan, frame: pd.DataFrame = FRAME) -> tuple[Evidence, ...]:
    engine = Engine(frame)
    try:
        return account_ties(of, engine)
    finally:
        engine.close()


def best_of_each(by: str, column: str, count: int = 1) -> TopPerGroup:
    return TopPerGroup(by=Columns(names=(by,)), keys=(SortKey(column=column, descending=True),), count=count)


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        (
            (group("crew", "sum points"), sort("sum_points desc"), limit(1)),
            "Tied: 1 more group shares first place, equal in `sum_points` (Cedar); the order decided which is shown.",
        ),
        (
            (sort("points desc"), limit(1), select("crew")),
            "Tied: 1 more row shares first place, equal in `points` (Birch); the order decided which is shown.",
        ),
        (
            (best_of_each("year", "points"),),
            "Tied: in 1 group several share first place, equal in `points` (2020: Ash, Birch); "
            "the order decided which is shown.",
        ),
        (
            (group("year", "sum points"), sort("year"), limit(2)),
            None,
        ),
        ((limit(1),), None),
        ((best_of_each("year", "points", count=2),), None),
        ((sort("points desc"), limit(2)), None),
    ],
    ids=["groups", "rows", "each group", "no equals", "no order", "the cut is behind the equals", "both are kept"],
)
def test_what_shares_the_last_place_that_is_kept_is_named(steps: tuple[Step, ...], said: str | None) -> None:
    found = ties(plan(*steps))

    assert [item.sentence for item in found] == ([said] if said is not None else [])
    assert {item.verdict for item in found} <= {Verdict.PASSED}


def kept_rows(of: Plan, frame: pd.DataFrame) -> list[tuple[object, ...]]:
    result = run_pandas(of, frame)
    return sorted(result[["crew", result.columns[-1]]].itertuples(index=False, name=None))


@law(25)
@given(st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 4)), min_size=2, max_size=9), st.integers(1, 3))
def test_where_no_tie_is_said_the_order_of_the_rows_decides_nothing(rows: list[tuple[str, int]], kept: int) -> None:
    frame = pd.DataFrame([(2020, *row) for row in rows], columns=["year", "crew", "points"])
    shuffled = frame.iloc[::-1].reset_index(drop=True)
    by_crew = plan(group("crew", "sum points"), sort("sum_points desc"), limit(kept))
    of_rows = plan(sort("points desc"), limit(kept))

    for each in (by_crew, of_rows):
        assert kept_rows(each, frame) == kept_rows(each, shuffled) or ties(each, frame)


@law(20)
@given(tables_with_plans())
def test_ties_can_be_looked_for_at_the_end_of_any_plan(case: tuple[pd.DataFrame, Plan]) -> None:
    frame, asked = case
    assume(asked.steps)

    assert {item.verdict for item in ties(asked, frame)} <= {Verdict.PASSED}


def test_missing_values_that_a_cut_divides_are_equal() -> None:
    frame, schema = table_of("""
crew text | paid boolean
Ash       | —
Birch     | —
Cedar     | true
""")

    (found,) = ties(plan_of(schema, sort("paid desc"), limit(2)), frame)

    assert found.sentence.startswith("Tied: 1 more row shares the last place shown, equal in `paid` (Birch)")
